/* SPDX-License-Identifier: MIT */
#include "program/outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "graph/session.h"
#include "result/write.h"

hg_status hg_outputs_check(const hg_run_options *o)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  for (int i = 0; i < o->outputs; i++) HG_TRY(hg_output_check(o->output[i]));
  return HG_OK;
}

static bool is_one(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* The name of a file without its folder, which is given apart. */
static const char *split(const char *file, char folder[HG_PATH_MAX])
{
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  snprintf(folder, HG_PATH_MAX, "%.*s.", (int)(name - file), file);
  return name;
}

/* Names that differ may be links to one file that is there, or one name in one folder. */
static bool is_same(const char *a, const char *b)
{
  char of_a[HG_PATH_MAX], of_b[HG_PATH_MAX];
  if (strcmp(a, b) == 0 || is_one(a, b)) return true;
  return strcmp(split(a, of_a), split(b, of_b)) == 0 && is_one(of_a, of_b);
}

hg_status hg_files_apart(const char *option, const char *file, const char *other, const char *its_file)
{
  if (!file || !its_file || !is_same(file, its_file)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %s is a file of %s too, and one would replace the other", option, file, other);
}

hg_status hg_outputs_apart(const hg_run_options *o, const char *option, const char *file)
{
  for (int i = 0; i < o->outputs; i++) HG_TRY(hg_files_apart(option, file, "--output", o->output[i]));
  return HG_OK;
}

hg_status hg_outputs_of_grid(const hg_run_options *o, const hg_grid_options *g)
{
  HG_TRY(hg_outputs_apart(o, "--checkpoint", g->checkpoint));
  HG_TRY(hg_outputs_apart(o, "--phases", g->phases_file));
  return hg_files_apart("--phases", g->phases_file, "--checkpoint", g->checkpoint);
}

/* The index of a result in HDF5 is beside it. */
hg_status hg_outputs_beside_series(const hg_run_options *o, const char *series)
{
  char index[HG_PATH_MAX], own[HG_PATH_MAX];
  snprintf(index, sizeof index, "%s.xmf", series);
  for (int i = 0; i < o->outputs; i++) {
    const char *file = o->output[i], *dot = strrchr(file, '.');
    if (!hg_file_has_ending(file, ".h5") && !hg_file_has_ending(file, ".hdf5")) continue;
    snprintf(own, sizeof own, "%.*s.xmf", (int)(dot - file), file);
    if (is_same(own, index))
      return hg_fail(HG_INVALID,
                     "--output: %s would replace %s, the index of the snapshots, which --snapshot NAME calls otherwise",
                     file, index);
  }
  return HG_OK;
}

hg_status hg_outputs_planned(const hg_run_options *o, const hg_grid_options *g)
{
  const struct {
    const char *option, *value;
  } file[] = {{"--output", o->outputs > 0 ? o->output[0] : NULL},
              {"--checkpoint", g->checkpoint},
              {"--phases", g->phases ? g->phases_file ? g->phases_file : "of workers" : NULL},
              {"--snapshot-every", g->snapshot_every > 0 ? "of values" : NULL},
              {"--trace", o->trace}};
  for (size_t i = 0; g->plan_only && i < sizeof file / sizeof *file; i++)
    if (file[i].value)
      return hg_fail(HG_INVALID, "%s: %s, but --plan-only computes nothing that could be written", file[i].option,
                     file[i].value);
  return HG_OK;
}

hg_status hg_outputs_fit(const hg_run_options *o, int dims, double bytes)
{
  for (int i = 0; i < o->outputs; i++) HG_TRY(hg_output_fits(o->output[i], dims, bytes));
  return HG_OK;
}

hg_status hg_outputs_write(const hg_run_options *o, const hg_field *field)
{
  hg_field drawn = *field;
  drawn.picture = &o->picture;
  for (int i = 0; i < o->outputs; i++) {
    HG_TRY(hg_output_write(o->output[i], &drawn));
    hg_outputs_tell(o, i);
  }
  return HG_OK;
}

void hg_outputs_tell(const hg_run_options *o, int i)
{
  if (!o->quiet && !o->csv) printf("  wrote      %s\n", o->output[i]);
}
