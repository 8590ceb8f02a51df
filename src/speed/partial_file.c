/* SPDX-License-Identifier: MIT */
/* Stores partial speed functions in files, as speed tables with one c, so that a run can use what an earlier one
 * learnt. */
#include <unistd.h>

#include "speed/speed.h"

hg_status hg_partial_read(const char *path, hg_partial_speed *learnt)
{
  hg_speed_table t;
  if (access(path, F_OK) != 0) return HG_OK; /* nothing was learnt yet */
  HG_TRY(hg_speed_table_read(path, &t));
  hg_status status = HG_OK;
  for (int i = 0; i < t.nw && status == HG_OK; i++) status = hg_partial_learn(learnt, t.w[i], t.time[i * t.nc]);
  hg_speed_table_free(&t);
  return status;
}

hg_status hg_partial_write(const char *path, const char *head, const hg_partial_speed *learnt)
{
  hg_speed_table t;
  if (learnt->count == 0) return HG_OK;
  HG_TRY(hg_speed_table_make(learnt->count, 1, &t));
  for (int i = 0; i < learnt->count; i++) {
    t.w[i] = learnt->point[i].w;
    t.time[i] = learnt->point[i].w / learnt->point[i].speed;
    if (i > 0 && t.time[i] < t.time[i - 1]) t.time[i] = t.time[i - 1];
  }
  t.c[0] = 0;
  const hg_status status = hg_speed_table_write(path, head, &t);
  hg_speed_table_free(&t);
  return status;
}
