/* SPDX-License-Identifier: MIT */
#include "program/outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "graph/session.h"
#include "result/write.h"

hg_status hg_outputs_check(const hg_run_options *o)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  for (int i = 0; i < o->outputs; i++) HG_TRY(hg_output_check(o->output[i]));
  return HG_OK;
}

/* Names that differ may be links to one file that is there. */
static bool is_same(const char *a, const char *b)
{
  struct stat of_a, of_b;
  if (strcmp(a, b) == 0) return true;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

hg_status hg_outputs_apart(const hg_run_options *o, const char *option, const char *file)
{
  for (int i = 0; i < o->outputs && file; i++)
    if (is_same(o->output[i], file))
      return hg_fail(HG_INVALID, "%s: %s is a file of --output too, and one would replace the other", option, file);
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
