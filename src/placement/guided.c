/* SPDX-License-Identifier: MIT */
#include "placement/guided.h"

#include <stdlib.h>

#include "base/memory.h"

static int64_t next_size(int64_t left, int64_t parts, int64_t least)
{
  const int64_t share = (left + parts - 1) / parts, size = share > least ? share : least;
  return size < left ? size : left;
}

hg_status hg_guided_cut(int64_t units, int workers, int64_t least, int64_t **begin, int *count)
{
  enum { PARTS = 4 };
  hg_status status = HG_OK;
  int64_t at = 0;
  *begin = NULL;
  for (*count = 0; at < units && status == HG_OK; at += next_size(units - at, (int64_t)PARTS * workers, least)) {
    status = hg_grow("batches", (void **)begin, *count, sizeof **begin);
    if (status == HG_OK) (*begin)[(*count)++] = at;
  }
  if (status == HG_OK) status = hg_grow("batches", (void **)begin, *count, sizeof **begin);
  if (status == HG_OK) (*begin)[*count] = units;
  if (status != HG_OK) free(*begin);
  return status;
}
