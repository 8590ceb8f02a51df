/* SPDX-License-Identifier: MIT */
/* Checks a job before anything starts. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "job/run.h"
#include "partition/partition.h"

static hg_status check_size(const hg_job *j)
{
  double units = 1;
  for (int a = 0; a < 3; a++) {
    if (j->size[a] < 1 || (a >= j->dims && j->size[a] != 1))
      return hg_fail(HG_INVALID, "job '%s': size %" PRId64 " along axis %d (Job_Size), must be %s", j->name, j->size[a],
                     a, a < j->dims ? ">= 1" : "1 beyond its dimensions");
    units *= (double)j->size[a];
  }
  return units < 0x1p46 ? HG_OK
                        : hg_fail(HG_INVALID, "job '%s': %.3g units (Job_Size), must be < 2^46", j->name, units);
}

/* An independent job has nothing but a size and an update. */
static hg_status check_independent(const hg_job *j)
{
  const hg_update *u = j->update;
  const bool depends = u->radius > 0 || j->neighbours || j->zone || j->boundary;
  if (depends || u->arrays || j->init || j->input || j->source || j->source_value || j->quantity || j->dynamic)
    return hg_fail(HG_INVALID,
                   "job '%s': the units of update '%s' are independent, so radius, `neighbours`, `zone`, `boundary`, "
                   "`init`, `input`, `source`, `quantity` and `dynamic` must be 0 or NULL",
                   j->name, u->name);
  return HG_OK;
}

static hg_status check_functions(const hg_job *j)
{
  const hg_update *u = j->update;
  const bool formula = u->radius > 0;
  if (u->value_bytes < 1 || u->radius < 0)
    return hg_fail(HG_INVALID,
                   "job '%s': update '%s' has values of %" PRId64 " bytes, must be >= 1, and radius %d, >= 0", j->name,
                   u->name, u->value_bytes, u->radius);
  if (!u->run && !(formula && u->tile))
    return hg_fail(HG_INVALID, "job '%s': update '%s' has no function", j->name, u->name);
  if (u->independent) return check_independent(j);
  if (!j->init && !j->input) return hg_fail(HG_INVALID, "job '%s': needs `init` or an input", j->name);
  if (!j->init && (!u->value_type || j->length))
    return hg_fail(HG_INVALID, "job '%s': values that are not single numbers need `init`", j->name);
  if (formula && (j->neighbours || j->zone || j->length))
    return hg_fail(HG_INVALID,
                   "job '%s': update '%s' has HG_RADIUS %d, so `neighbours`, `zone` and `length` must be NULL", j->name,
                   u->name, u->radius);
  if (j->neighbours && j->zone) return hg_fail(HG_INVALID, "job '%s': both `neighbours` and `zone`", j->name);
  if (u->arrays != (j->length != NULL))
    return hg_fail(HG_INVALID, "job '%s': update '%s' is defined by %s, so `length` must %sbe NULL", j->name, u->name,
                   u->arrays ? "HG_UPDATE_ARRAY" : "HG_UPDATE", u->arrays ? "not " : "");
  if ((j->source || j->source_value) &&
      (!formula || !(u->tile || u->tile_cuda) || (u->value_type != 'd' && u->value_type != 'f')))
    return hg_fail(HG_INVALID, "job '%s': a source needs an update with its own `tile`, of real numbers", j->name);
  if (j->boundary && !formula)
    return hg_fail(HG_INVALID, "job '%s': a boundary needs neighbours by formula (HG_RADIUS > 0)", j->name);
  if (j->quantity && j->length)
    return hg_fail(HG_INVALID, "job '%s': quantities of values of variable size are not supported", j->name);
  if (j->quantity && j->quantity->value_bytes != u->value_bytes)
    return hg_fail(HG_INVALID, "job '%s': values have %" PRId64 " bytes in update '%s', %" PRId64 " in quantity '%s'",
                   j->name, u->value_bytes, u->name, j->quantity->value_bytes, j->quantity->name);
  if (j->quantity && j->quantity->tile && j->reduction != HG_MAX)
    return hg_fail(HG_INVALID,
                   "job '%s': quantity '%s' gives the largest value of a tile, the reduction must be HG_MAX", j->name,
                   j->quantity->name);
  if (j->rebalance > 0 && j->length)
    return hg_fail(HG_INVALID, "job '%s': values of variable size cannot be rebalanced", j->name);
  if (!j->quantity && j->tolerance > 0) return hg_fail(HG_INVALID, "job '%s': a tolerance needs a quantity", j->name);
  return HG_OK;
}

static hg_status check_parameters(const hg_job *j)
{
  if (j->parameter_bytes > HG_PARAMETERS_MAX || (j->parameter_bytes > 0 && !j->parameters))
    return hg_fail(HG_INVALID, "job '%s': %zu bytes of parameters%s, must be at most %d", j->name, j->parameter_bytes,
                   j->parameters ? "" : " at NULL", HG_PARAMETERS_MAX);
  return HG_OK;
}

/* Names of datasets must differ. */
static bool is_taken(const hg_job *j, const hg_number *one)
{
  bool taken = strcmp(one->name, j->value_name) == 0;
  for (const hg_number *before = j->also; before < one; before++) taken |= strcmp(one->name, before->name) == 0;
  return taken;
}

/* Names that are valid for a dataset in HDF5; `time` is reserved. */
static bool names_a_dataset(const char *name)
{
  return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "time") != 0;
}

static hg_status check_also(const hg_job *j)
{
  if (j->output && hg_file_is_hdf5(j->output) && !names_a_dataset(j->value_name))
    return hg_fail(HG_INVALID,
                   "job '%s': value_name '%s', must not be empty, '.' or 'time', nor have a / in it, for %s", j->name,
                   j->value_name, j->output);
  for (const hg_number *one = j->also; one && one->name; one++) {
    if (one - j->also >= HG_NUMBERS_MAX)
      return hg_fail(HG_INVALID, "job '%s': `also` has more than %d numbers", j->name, HG_NUMBERS_MAX);
    if (!names_a_dataset(one->name) || !one->number || is_taken(j, one))
      return hg_fail(
          HG_INVALID,
          "job '%s': `also` has '%s', must have a function, and a name of its own without /, not '.' or 'time'",
          j->name, one->name);
  }
  return HG_OK;
}

static hg_status check_numbers(const hg_job *j)
{
  const struct {
    const char *name;
    double value, lo, hi;
  } field[] = {{"steps", (double)j->steps, 0, 0x1p50},
               {"neighbours_every", (double)j->neighbours_every, 0, 0x1p50},
               {"neighbour_limit (nNeighbor)", j->neighbour_limit, 1, 0x1p30},
               {"dynamic_every", (double)j->dynamic_every, 0, 0x1p50},
               {"check_every", (double)j->check_every, 1, 0x1p50},
               {"boundary_every", (double)j->boundary_every, 1, 0x1p50},
               {"tolerance", j->tolerance, 0, 1e300},
               {"rebalance", j->rebalance, -1, 100},
               {"flops", j->flops, 0, 1e300},
               {"snapshot_every", (double)j->snapshot_every, 0, 0x1p50},
               {"blocks (nBlock)", j->blocks, 0, 0x1p31},
               {"threads (nThread)", j->threads, 0, 1024},
               {"reduction", j->reduction, HG_MAX, HG_SUM}};
  for (size_t i = 0; i < sizeof field / sizeof *field; i++)
    if (!(field[i].value >= field[i].lo && field[i].value <= field[i].hi))
      return hg_fail(HG_INVALID, "job '%s': %s is %g, must be in %g..%g", j->name, field[i].name, field[i].value,
                     field[i].lo, field[i].hi);
  return HG_OK;
}

void hg_job_defaults(hg_job *j)
{
  if (!j->update) return;
  if (!j->name) j->name = j->update->name;
  if (!j->partition) j->partition = HG_PARTITION_DEFAULT;
  if (j->neighbour_limit == 0) j->neighbour_limit = 4;
  if (j->check_every == 0) j->check_every = 100;
  if (j->boundary_every == 0) j->boundary_every = 1;
  if (j->steps == 0) j->steps = 1;
  if (j->steps < 0) j->steps = 0;
  j->seed = j->seed == 0 ? 1 : j->seed < 0 ? 0 : j->seed;
  if (!j->value_name) j->value_name = j->name;
  if (!j->init && !j->input && !j->update->independent) j->input = HG_INPUT_UNNAMED;
}

hg_status hg_job_check(const hg_job *j)
{
  if (!j->update) return hg_fail(HG_INVALID, "job '%s': no update (ComputingKernel)", j->name ? j->name : "");
  if (j->dims < 1 || j->dims > 3)
    return hg_fail(HG_INVALID, "job '%s': %d dimensions (Job_Dimension), must be 1..3", j->name, j->dims);
  if (j->update->dims && j->update->dims != j->dims)
    return hg_fail(HG_INVALID, "job '%s': update '%s' is for %d dimensions, the job has %d (Job_Dimension)", j->name,
                   j->update->name, j->update->dims, j->dims);
  HG_TRY(check_size(j));
  HG_TRY(check_also(j));
  HG_TRY(check_numbers(j));
  HG_TRY(check_parameters(j));
  return check_functions(j);
}
