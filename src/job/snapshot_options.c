/* SPDX-License-Identifier: MIT */
#include "job/snapshot_options.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "job/job.h"

#define O hg_job

/* X,Y:W,H */
static hg_status parse_box(const char *text, void *values)
{
  char first[100];
  hg_box *box = &((O *)values)->snapshot_box;
  const char *colon = strchr(text, ':');
  int64_t lo[3] = {0, 0, 0}, extent[3] = {1, 1, 1};
  int counts[2];
  if (!colon || colon - text >= (ptrdiff_t)sizeof first)
    return hg_fail(HG_INVALID, "--snapshot-box: '%s', must be X,Y[,Z]:W,H[,D]", text);
  snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
  HG_TRY(hg_parse_ints(first, "--snapshot-box", 0, INT64_C(1) << 40, 3, lo, &counts[0]));
  HG_TRY(hg_parse_ints(colon + 1, "--snapshot-box", 1, INT64_C(1) << 40, 3, extent, &counts[1]));
  if (counts[0] != counts[1])
    return hg_fail(HG_INVALID, "--snapshot-box: '%s' has %d and %d numbers, must be equally many", text, counts[0],
                   counts[1]);
  for (int a = 0; a < 3; a++) box->lo[a] = lo[a], box->hi[a] = lo[a] + extent[a];
  return HG_OK;
}

static hg_status parse_stride(const char *text, void *values)
{
  int64_t *stride = ((O *)values)->snapshot_stride;
  int count;
  HG_TRY(hg_parse_ints(text, "--snapshot-stride", 1, INT64_C(1) << 40, 3, stride, &count));
  for (int a = count; a < 3; a++) stride[a] = count == 1 ? stride[0] : 1;
  return HG_OK;
}

const hg_option hg_snapshot_option_list[] = {
    {"snapshot-every", HG_IN(O, snapshot_every, 1, 1LL << 50), "N",
     "Write the values before the first step and after every Nth step, as a time series that ParaView opens: NAME.xmf",
     0},
    {"snapshot", HG_TEXT(O, snapshot), "NAME",
     "Name of that series: files NAME.STEP.h5 and NAME.xmf (default: the name of the job)", 0},
    {"snapshot-box", HG_ACTION(parse_box), "X,Y[,Z]:W,H[,D]",
     "Write only a box of cells: its first cell, and its extents", 0},
    {"snapshot-stride", HG_ACTION(parse_stride), "SX[,SY[,SZ]]",
     "Subsampling stride along each axis; one number applies to all axes (default 1)", 0},
    {"snapshot-png", HG_FLAG(O, snapshot_png), NULL, "Also write a picture of each snapshot: NAME.STEP.png", 0},
    {0}};

/* The job's own fields may say how snapshots are made; an option may ask for them. */
hg_status hg_snapshot_options_check(const hg_command *command, void *job)
{
  static const char *const how[] = {"snapshot", "snapshot-box", "snapshot-stride", "snapshot-png", NULL};
  const char *given = hg_option_first(command, how);
  if (given && ((const O *)job)->snapshot_every == 0)
    return hg_fail(HG_INVALID, "--%s: needs --snapshot-every N", given);
  if (hg_option_given(command, "snapshot-every") && hg_option_given(command, "plan-only"))
    return hg_fail(HG_INVALID, "--snapshot-every: snapshots hold values, but --plan-only computes none");
  return HG_OK;
}
