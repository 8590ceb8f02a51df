/* SPDX-License-Identifier: MIT */
#include "division/divide.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "runtime/worker_usage.h"
#include "division/objective.h"
#include "speed/fpm.h"
#include "network/network.h"
#include "speed/speed.h"
#include "speed/tables.h"
#include "partition/boxfile.h"
#include "partition/metrics.h"
#include "partition/partition.h"
#include "placement/fpmc.h"

hg_status hg_division_speeds(const char *text, double *room, hg_division *d)
{
  static const char prefix[] = "tables:";
  d->speed = room;
  d->speeds = 0;
  d->tables = NULL;
  if (strncmp(text, prefix, sizeof prefix - 1) != 0)
    return hg_parse_doubles(text, "--speeds", 0, 1e300, HG_SPEEDS_MAX, room, &d->speeds);
  d->tables = text + sizeof prefix - 1;
  return HG_OK;
}

/* Whether a worker of that kind gets a part if its speed is unknown: beside GPUs, a core would only delay the others.
 * `gpus`: number of GPUs beside it. */
static bool takes_part(const hg_division *d, hg_worker_kind kind, int gpus)
{
  return (kind == HG_CUDA_WORKER) == (gpus > 0 && !d->cpus_only);
}

/* Shares a rank's speed among its workers. */
static void share_among_workers(const hg_session *s, const hg_division *d, double *speed)
{
  int gpus[s->ranks], mates[s->ranks];
  for (int r = 0; r < s->ranks; r++) gpus[r] = mates[r] = 0;
  for (int i = 0; i < s->all_workers; i++) gpus[s->worker_rank[i]] += s->kind[i] == HG_CUDA_WORKER;
  for (int i = 0; i < s->all_workers; i++)
    mates[s->worker_rank[i]] += takes_part(d, s->kind[i], gpus[s->worker_rank[i]]);
  for (int i = 0; i < s->all_workers; i++) {
    const int r = s->worker_rank[i];
    speed[i] = takes_part(d, s->kind[i], gpus[r]) ? d->speed[r] / mates[r] : 0;
  }
}

hg_status hg_division_of_workers(const hg_session *s, const hg_division *d, double *speed)
{
  if (d->speeds != 0 && d->speeds != s->all_workers && d->speeds != s->ranks)
    return hg_fail(HG_INVALID, "--speeds: %d numbers, must be one for each of the %d workers or %d rank%s", d->speeds,
                   s->all_workers, s->ranks, s->ranks == 1 ? "" : "s");
  if (d->speeds == s->all_workers)
    memcpy(speed, d->speed, (size_t)s->all_workers * sizeof *speed);
  else if (d->speeds > 0)
    share_among_workers(s, d, speed);
  else
    for (int i = 0; i < s->all_workers; i++) speed[i] = takes_part(d, s->kind[i], s->cuda_workers);
  return HG_OK;
}

/* Finds the table that hetgrid-calibrate made for a worker's kind, preferably for tasks of as many steps. */
static hg_status find_own_table(const hg_session *s, const hg_division *d, int worker, char path[HG_PATH_MAX])
{
  const char *kernel = s->kind[worker] == HG_CUDA_WORKER ? HG_GPU_KERNEL : d->kernel;
  for (int steps = d->block;; steps = 0) {
    char key[HG_MODEL_NAME + 32];
    hg_device_key(s->model[worker], key, HG_MODEL_NAME);
    hg_device_in_blocks(key, sizeof key, steps);
    HG_TRY(hg_table_path(d->app, kernel, d->precision, key, path));
    if (steps == 0 || access(path, F_OK) == 0) return HG_OK;
  }
}

static hg_status read_own_table(const hg_session *s, const hg_division *d, int worker, hg_speed_model *model)
{
  char path[HG_PATH_MAX];
  HG_TRY(find_own_table(s, d, worker, path));
  if (access(path, F_OK) != 0)
    return hg_fail(HG_IO, "--speeds tables: there is no %s; run hetgrid-calibrate --app %s%s once", path, d->app,
                   strcmp(d->precision, "float") == 0 ? " --precision float" : "");
  model->kind = HG_SPEED_TABLE;
  HG_TRY(hg_speed_table_read(path, &model->table));
  const hg_status error = hg_table_check_error(path, &model->table);
  if (error != HG_OK && d->unasked) return error;
  if (error != HG_OK) hg_log(HG_WARN, "--speeds tables: %s", hg_message());
  return HG_OK;
}

static hg_status read_named_tables(const hg_session *s, const hg_division *d, hg_speed_model **model)
{
  int count;
  HG_TRY(hg_speed_models_read(d->tables, "--speeds", model, &count));
  if (count == s->all_workers) return HG_OK;
  hg_speed_models_free(*model, count);
  return hg_fail(HG_INVALID, "--speeds: %d tables, must be one for each of the %d workers", count, s->all_workers);
}

static hg_status read_models(const hg_session *s, const hg_division *d, hg_speed_model **model)
{
  if (*d->tables) return read_named_tables(s, d, model);
  if (!d->app) return hg_fail(HG_INVALID, "--speeds tables: needs the names of the files, tables:FILE[*N][,FILE..]");
  *model = calloc((size_t)s->all_workers, sizeof **model);
  if (!*model) return hg_fail(HG_MEMORY, "no memory for %d speed tables", s->all_workers);
  for (int i = 0; i < s->all_workers; i++) {
    const hg_status status = read_own_table(s, d, i, &(*model)[i]);
    if (status == HG_OK) continue;
    hg_speed_models_free(*model, i);
    return status;
  }
  return HG_OK;
}

/* Warns of tables made for another program: files can be renamed. */
static void warn_of_others(const hg_division *d, int count, const hg_speed_model *model)
{
  for (int i = 0; d->app && i < count; i++) {
    const hg_speed_table *t = &model[i].table;
    if ((!*t->app || strcmp(t->app, d->app) == 0) && (!*t->precision || strcmp(t->precision, d->precision) == 0))
      continue;
    hg_log(HG_WARN, "--speeds tables: the table of worker %d is for %s in %s precision, this run is %s in %s precision",
           i, *t->app ? t->app : d->app, *t->precision ? t->precision : d->precision, d->app, d->precision);
    return;
  }
}

hg_status hg_division_models(const hg_session *s, const hg_division *d, hg_speed_model **model)
{
  const hg_status status = read_models(s, d, model);
  if (status == HG_OK)
    warn_of_others(d, s->all_workers, *model);
  else
    *model = NULL;
  return status;
}

/* Speeds of a balanced division, for the objective. */
static hg_status balanced_speeds(int count, const hg_speed_model *model, int64_t cells, double *speed)
{
  int64_t w[count];
  HG_TRY(hg_fpm(count, model, NULL, cells, w));
  for (int i = 0; i < count; i++) speed[i] = w[i] > 0 ? (double)w[i] / hg_speed_time(&model[i], (double)w[i], 0) : 0;
  return HG_OK;
}

/* --- the machine -------------------------------------------------------------------------------------------------- */

/* Assumptions for messages that were not measured: Ethernet between machines, memory between ranks of a machine, two
 * copies of a value within a rank. */
static const hg_wire unknown_network = {.latency = 50e-6, .bandwidth = 1e9},
                     unknown_memory = {.latency = 5e-6, .bandwidth = 4e9};
#define COPIED 4e9 /* bytes/s */

/* The ranks of all workers in use, and their machines if some machine has several ranks; the outer level first. */
typedef struct ranked {
  hg_machine machine;
  int *host, *rank; /* [parts] */
  bool *in_bands;
} ranked;

/* Numbers groups: workers with the same number are in the same group. @return number of groups */
static int number_groups(int parts, const int *worker, const int *number, int numbers, int *group)
{
  int first[numbers], groups = 0;
  for (int k = 0; k < numbers; k++) first[k] = -1;
  for (int i = 0; i < parts; i++) {
    int *of = &first[number[worker[i]]];
    if (*of < 0) *of = i, groups++;
    group[i] = *of;
  }
  return groups;
}

static hg_wire wire_between(const hg_division *d, bool machines)
{
  hg_wire w = machines ? unknown_network : unknown_memory;
  if (d->network) w.measured = hg_network_between(d->network, machines);
  return w;
}

void hg_division_link(const hg_session *s, const hg_division *d, double *latency, double *bandwidth)
{
  enum { LARGE = 1 << 20 };
  const hg_wire w = wire_between(d, s->worker_host[s->all_workers - 1] != s->worker_host[0]);
  *latency = w.measured ? hg_network_time(w.measured, 0) : w.latency;
  *bandwidth = w.measured ? hg_network_bandwidth(w.measured, LARGE) : w.bandwidth;
}

static void add_level(hg_machine *m, const int *group, hg_wire wire)
{
  m->group[m->levels] = group;
  m->wire[m->levels++] = wire;
}

/* Describes the machine of a division: worker[parts] of the session. */
static hg_status open_machine(const hg_session *s, const hg_division *d, int parts, const int *worker,
                              const hg_speed_model *model, ranked *out)
{
  const int block = d->block > 0 ? d->block : (int)(2 * d->again) + 1;
  *out = (ranked){.machine = {.parts = parts, .model = model, .item_bytes = d->item_bytes, .block = block},
                  .host = malloc((size_t)parts * sizeof *out->host),
                  .rank = malloc((size_t)parts * sizeof *out->rank),
                  .in_bands = malloc((size_t)parts * sizeof *out->in_bands)};
  if (!out->host || !out->rank || !out->in_bands) return hg_fail(HG_MEMORY, "no memory for %d workers", parts);
  memcpy(out->machine.periodic, d->periodic, sizeof out->machine.periodic);
  for (int i = 0; i < parts; i++) out->in_bands[i] = s->kind[worker[i]] == HG_CPU_WORKER;
  out->machine.in_bands = out->in_bands;
  if (s->ranks == 1) return HG_OK;
  const int ranks = number_groups(parts, worker, s->worker_rank, s->ranks, out->rank),
            hosts = number_groups(parts, worker, s->worker_host, s->ranks, out->host);
  if (hosts > 1) add_level(&out->machine, out->host, wire_between(d, true));
  if (ranks > hosts) add_level(&out->machine, out->rank, wire_between(d, false));
  return HG_OK;
}

static void close_machine(ranked *r)
{
  free(r->host);
  free(r->rank);
  free(r->in_bands);
}

/* Divides by the models of the workers in use; the boxes of others are empty. */
static hg_status by_models(const hg_session *s, int dims, const int64_t n[3], const hg_division *d,
                           const hg_speed_model *model, const bool *use, bool everyone, hg_box *box)
{
  const int count = s->all_workers;
  int used = 0, worker[count];
  hg_speed_model chosen[count];
  hg_box part[count];
  hg_fpmc_result result;
  ranked ranks;
  for (int i = 0; i < count; i++)
    if (use[i]) chosen[used] = model[i], worker[used++] = i;
  hg_status status = open_machine(s, d, used, worker, chosen, &ranks);
  ranks.machine.everyone = everyone;
  if (status == HG_OK)
    status = hg_divide_by_model(HG_BALANCE_FPMC, dims, n, &ranks.machine, d->partition, part, &result);
  close_machine(&ranks);
  HG_TRY(status);
  for (int k = 0; k < used; k++) box[worker[k]] = part[k];
  if (d->predicted) *d->predicted = result.makespan;
  return HG_OK;
}

/* Chooses the workers for the objective, by their speeds in a balanced division. */
static hg_status choose_workers(const hg_session *s, const int64_t n[3], const hg_division *d,
                                const hg_speed_model *model, bool *use)
{
  double speed[s->all_workers];
  for (int i = 0; i < s->all_workers; i++) use[i] = true;
  if (d->objective == HG_BY_TIME) return HG_OK;
  HG_TRY(balanced_speeds(s->all_workers, model, n[0] * n[1] * n[2], speed));
  return hg_objective_use(s, d->objective, d->powers, d->app, speed, use);
}

static hg_status by_tables(const hg_session *s, int dims, const int64_t n[3], const hg_division *d, hg_box *box)
{
  hg_speed_model *model;
  bool use[s->all_workers];
  HG_TRY(hg_division_models(s, d, &model));
  for (int i = 0; i < s->all_workers; i++) model[i].again = d->again;
  hg_status status = choose_workers(s, n, d, model, use);
  if (status == HG_OK) status = by_models(s, dims, n, d, model, use, false, box);
  hg_speed_models_free(model, s->all_workers);
  return status;
}

/* Divides by measured speeds. Every worker keeps a part: without one it would not be measured any more. */
static hg_status by_measured(const hg_session *s, int dims, const int64_t n[3], const hg_division *d,
                             const hg_speed_model *measured, hg_box *box)
{
  hg_speed_model model[s->all_workers];
  bool use[s->all_workers];
  for (int i = 0; i < s->all_workers; i++) {
    model[i] = measured[i];
    model[i].tc += 2 * d->item_bytes / COPIED;
    use[i] = true;
  }
  return by_models(s, dims, n, d, model, use, true, box);
}

static bool several_kinds(const hg_session *s)
{
  bool several = false;
  for (int i = 1; i < s->all_workers; i++) several |= s->kind[i] != s->kind[0];
  return several;
}

/* If the user specifies no speeds and workers differ, their measured speeds are used, if there are any. */
static bool finds_tables(const hg_session *s, int dims, const int64_t n[3], const hg_division *d, hg_box *box)
{
  hg_division own = *d;
  own.tables = "";
  own.unasked = true;
  const hg_status status = d->app ? by_tables(s, dims, n, &own, box) : HG_UNSUPPORTED;
  if (status == HG_OK) return true;
  if (status == HG_UNSUPPORTED)
    hg_log(HG_WARN, "no speed data: using GPUs only; pass --speeds");
  else
    hg_log(HG_WARN, "using GPUs only: %s; or pass --speeds", hg_message());
  return false;
}

/* Speeds at equal parts of the grid. */
static void at_even_parts(int parts, const int64_t n[3], const hg_speed_model *model, double *speed)
{
  const double even = (double)(n[0] * n[1] * n[2]) / parts;
  for (int i = 0; i < parts; i++) speed[i] = even / hg_speed_time(&model[i], even, 0);
}

static hg_status by_speeds(const hg_session *s, int dims, const int64_t n[3], const hg_division *d, const double *speed,
                           hg_box *box)
{
  const int parts = s->all_workers;
  int worker[parts];
  ranked ranks;
  for (int i = 0; i < parts; i++) worker[i] = i;
  hg_status status = open_machine(s, d, parts, worker, NULL, &ranks);
  const hg_machine *m = &ranks.machine;
  const hg_partition_request request = {.dims = dims,
                                        .parts = parts,
                                        .speed = speed,
                                        .levels = m->levels,
                                        .group = {m->group[0], m->group[1]},
                                        .periodic = {d->periodic[0], d->periodic[1], d->periodic[2]},
                                        .link = m->levels > 0 ? m->wire[0].measured : NULL,
                                        .bytes_per_cell = d->item_bytes};
  if (status == HG_OK) status = hg_partition(d->partition, &request, n, box);
  close_machine(&ranks);
  return status;
}

static hg_status divide(const hg_session *s, int dims, const int64_t n[3], const hg_division *d,
                        const hg_speed_model *measured, hg_box *box)
{
  const int parts = s->all_workers;
  double speed[parts];
  const bool by_boxes = d->divide || hg_file_has_ending(d->partition, ".csv");
  if (measured && !by_boxes) return by_measured(s, dims, n, d, measured, box);
  if (d->tables && !measured) return by_tables(s, dims, n, d, box);
  if (!measured && !by_boxes && d->speeds == 0 && several_kinds(s) && !d->cpus_only && finds_tables(s, dims, n, d, box))
    return HG_OK;
  if (measured)
    at_even_parts(parts, n, measured, speed);
  else
    HG_TRY(hg_division_of_workers(s, d, speed));
  bool use[parts];
  HG_TRY(hg_objective_use(s, d->objective, d->powers, d->app, speed, use));
  for (int i = 0; i < parts; i++) speed[i] *= use[i];
  if (d->divide) {
    HG_TRY(d->divide(d->arg, parts, speed, box));
    return hg_partition_check_cover(parts, box, n);
  }
  if (hg_file_has_ending(d->partition, ".csv")) return hg_boxes_read(d->partition, dims, n, parts, box);
  return by_speeds(s, dims, n, d, speed, box);
}

enum { CORNERS = 6, NOWHERE = -1 };

/* Broadcasts rank 0's boxes. */
static void share(const hg_session *s, hg_box *box)
{
  double corner[s->all_workers][CORNERS];
  memset(corner, 0, sizeof corner);
  for (int i = 0; i < s->all_workers && s->rank == 0; i++)
    for (int a = 0; a < 3; a++) {
      corner[i][a] = (double)box[i].lo[a];
      corner[i][3 + a] = (double)box[i].hi[a];
    }
  hg_session_sum_all(s, &corner[0][0], (int64_t)s->all_workers * CORNERS);
  for (int i = 0; i < s->all_workers; i++)
    for (int a = 0; a < 3; a++) {
      box[i].lo[a] = (int64_t)corner[i][a];
      box[i].hi[a] = (int64_t)corner[i][3 + a];
    }
}

hg_status hg_division_bind(hg_session *s, const hg_division *d, const hg_box *box)
{
  bool use[s->all_workers], has[2] = {false, false};
  const bool chosen = d->objective != HG_BY_TIME, of_each = d->speeds > 0 && d->speeds == s->all_workers,
             said = d->tables || of_each || hg_file_has_ending(d->partition, ".csv");
  for (int i = s->first_worker; i < s->first_worker + s->workers; i++)
    if (hg_box_cells(&box[i]) > 0) has[s->kind[i]] = true;
  const bool alone = has[HG_CUDA_WORKER] ? !said && !d->cpus_only : d->cores_alone,
             one_kind = alone && has[HG_CUDA_WORKER] != has[HG_CPU_WORKER];
  for (int i = 0; i < s->all_workers; i++) use[i] = chosen ? hg_box_cells(&box[i]) > 0 : !one_kind || has[s->kind[i]];
  return hg_use_only(s, use);
}

/* Rank 0 divides: the tables or boxes that it reads need not be the same on other ranks, or exist there. */
hg_status hg_divide(const hg_session *s, int dims, const int64_t n[3], const hg_division *d,
                    const hg_speed_model *measured, hg_box *box)
{
  memset(box, 0, (size_t)s->all_workers * sizeof *box);
  hg_status status = s->rank == 0 || d->divide ? divide(s, dims, n, d, measured, box) : HG_OK;
  if (status != HG_OK) box[0].lo[0] = NOWHERE;
  share(s, box);
  if (status == HG_OK && box[0].lo[0] == NOWHERE) status = hg_fail(HG_INVALID, "rank 0 could not divide the grid");
  return hg_session_agree(s, status);
}
