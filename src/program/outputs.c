/* SPDX-License-Identifier: MIT */
#include "program/outputs.h"

#include <stdio.h>

#include "graph/session.h"
#include "result/write.h"

hg_status hg_outputs_check(const hg_run_options *o)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  for (int i = 0; i < o->outputs; i++) HG_TRY(hg_output_check(o->output[i]));
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
