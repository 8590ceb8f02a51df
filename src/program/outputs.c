/* SPDX-License-Identifier: MIT */
#include "program/outputs.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "runtime/session.h"
#include "result/write.h"

/* A trace replaces files in its folder. */
static hg_status outside_trace(const hg_run_options *o, const char *option, const char *file)
{
  if (!o->trace || !file || !hg_file_is_in(file, o->trace)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %s is in the folder of --trace, whose files are overwritten", option, file);
}

/* Whether a file is none of the results and not in the trace's folder. */
static hg_status check_apart(const hg_run_options *o, const char *option, const char *file)
{
  char index[HG_PATH_MAX];
  for (int i = 0; i < o->outputs; i++) {
    HG_TRY(hg_files_apart(option, file, "--output", o->output[i]));
    if (!hg_file_is_hdf5(o->output[i])) continue;
    HG_TRY(hg_xdmf_path(o->output[i], index));
    HG_TRY(hg_files_apart(option, file, "--output", index));
  }
  return outside_trace(o, option, file);
}

hg_status hg_outputs_check(const hg_run_options *o)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  HG_TRY(hg_outputs_apart(o, "--phases", o->phases_file));
  for (int i = 0; i < o->outputs; i++) {
    HG_TRY(outside_trace(o, "--output", o->output[i]));
    HG_TRY(hg_output_check(o->output[i]));
  }
  return HG_OK;
}

hg_status hg_outputs_apart(const hg_run_options *o, const char *option, const char *file)
{
  HG_TRY(check_apart(o, option, file));
  return file && hg_session_launch_rank() == 0 ? hg_file_try(file) : HG_OK;
}

hg_status hg_outputs_beside_checkpoint(const char *option, const char *file, const hg_grid_options *g)
{
  char previous[HG_PATH_MAX];
  if (!g->checkpoint) return HG_OK;
  HG_TRY(hg_files_apart(option, file, "--checkpoint", g->checkpoint));
  HG_TRY(hg_file_previous(g->checkpoint, previous));
  return hg_files_apart(option, file, "--checkpoint", previous);
}

hg_status hg_outputs_of_grid(const hg_run_options *o, const hg_grid_options *g)
{
  char previous[HG_PATH_MAX];
  if (!g->checkpoint) return HG_OK;
  HG_TRY(check_apart(o, "--checkpoint", g->checkpoint)); /* hg_checkpoint_check tries it */
  HG_TRY(hg_outputs_beside_checkpoint("--phases", o->phases_file, g));
  HG_TRY(hg_file_previous(g->checkpoint, previous));
  return check_apart(o, "--checkpoint", previous);
}

/* Whether a file has the name of a snapshot of the series: SERIES.DIGITS.ENDING. */
static bool is_of_series(const char *file, const char *series)
{
  const size_t length = strlen(series);
  if (strncmp(file, series, length) != 0 || file[length] != '.') return false;
  const char *digits = file + length + 1, *ending = digits + strspn(digits, "0123456789");
  return ending > digits && *ending == '.' && !strchr(ending + 1, '.');
}

/* @param second  another file written with it, or NULL */
static hg_status is_beside_series(const char *option, const char *file, const char *second, const char *series)
{
  char index[HG_PATH_MAX];
  if (!file) return HG_OK;
  if (is_of_series(file, series))
    return hg_fail(HG_INVALID, "%s: %s has the name of a snapshot; --snapshot NAME sets another one", option, file);
  snprintf(index, sizeof index, "%s.xmf", series);
  if (!hg_files_are_one(second ? second : file, index)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %s would replace %s, the index of the snapshots; --snapshot NAME sets another name",
                 option, file, index);
}

hg_status hg_outputs_beside_series(const hg_run_options *o, const char *checkpoint, const char *series)
{
  char second[HG_PATH_MAX];
  for (int i = 0; i < o->outputs; i++) {
    const bool two = hg_file_is_hdf5(o->output[i]);
    if (two) HG_TRY(hg_xdmf_path(o->output[i], second));
    HG_TRY(is_beside_series("--output", o->output[i], two ? second : NULL, series));
  }
  HG_TRY(is_beside_series("--checkpoint", checkpoint, NULL, series));
  return is_beside_series("--phases", o->phases_file, NULL, series);
}

hg_status hg_outputs_planned(const hg_run_options *o, const hg_grid_options *g)
{
  const struct {
    const char *option, *value;
  } file[] = {{"--output", o->outputs > 0 ? o->output[0] : NULL},
              {"--checkpoint", g->checkpoint},
              {"--phases", o->phases ? o->phases_file ? o->phases_file : "of workers" : NULL},
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
    hg_outputs_print(o, i);
  }
  return HG_OK;
}

void hg_outputs_print(const hg_run_options *o, int i)
{
  if (!o->quiet && !o->csv) printf("  wrote      %s\n", o->output[i]);
}
