/* SPDX-License-Identifier: MIT */
/* Checks divisible jobs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "runtime/consistency.h"
#include "divisible/internal.h"

static hg_status check_grid(const hg_divisible *j, int64_t *items)
{
  *items = 1;
  for (int a = 0; a < 3; a++) {
    const int64_t n = a > 0 && j->grid[a] == 0 ? 1 : j->grid[a];
    if (n < 0 || __builtin_mul_overflow(*items, n, items) || *items >= INT32_MAX)
      return hg_fail(HG_INVALID,
                     "%s: grid is %" PRId64 " x %" PRId64 " x %" PRId64 " items, must be >= 0 and below 2^31", j->name,
                     j->grid[0], j->grid[1], j->grid[2]);
  }
  return HG_OK;
}

static int64_t divisor(int64_t a, int64_t b)
{
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static hg_status check_rows(const char *name, int i, const hg_item_array *a, int64_t items)
{
  int64_t all;
  if (__builtin_mul_overflow(a->rows, a->stride, &all))
    return hg_fail(HG_INVALID, "%s: array %d: %" PRId64 " rows of %" PRId64 " bytes, must be below 2^63 in total", name,
                   i, a->rows, a->stride);
  if (a->rows == 1) return HG_OK;
  if (a->stride < items * a->bytes)
    return hg_fail(HG_INVALID, "%s: array %d: stride is %" PRId64 " bytes, must be >= %" PRId64, name, i, a->stride,
                   items * a->bytes);
  if (a->stride / divisor(a->stride, a->bytes) > UINT32_MAX)
    return hg_fail(HG_INVALID,
                   "%s: array %d: stride is %" PRId64 " bytes, must be below 2^32 times its greatest common divisor "
                   "with the %" PRId64 " bytes of an item",
                   name, i, a->stride, a->bytes);
  return HG_OK;
}

static hg_status check_array(const hg_session *s, const char *name, int i, int64_t items, hg_item_array *a)
{
  int64_t bytes;
  if (a->access < HG_ITEM_READ || a->access > HG_ITEM_SHARED)
    return hg_fail(HG_INVALID, "%s: array %d: access is %d, must be one of hg_item_access", name, i, (int)a->access);
  if (a->rows == 0 || a->access == HG_ITEM_SHARED) a->rows = 1;
  if (a->bytes < 1 || a->rows < 0 || __builtin_mul_overflow(a->bytes, items + 1, &bytes))
    return hg_fail(HG_INVALID,
                   "%s: array %d: %" PRId64 " bytes in %" PRId64
                   " rows per item, both must be >= 1 and all bytes below 2^63",
                   name, i, a->bytes, a->rows);
  if (a->rows == 1 || a->divided) a->stride = items * a->bytes;
  if (a->divided && a->access == HG_ITEM_SHARED)
    return hg_fail(HG_INVALID, "%s: array %d: all items share it, so it cannot be divided", name, i);
  if (!a->base && !a->divided && items > 0 && (s->rank == 0 || a->access == HG_ITEM_SHARED))
    return hg_fail(HG_INVALID, "%s: array %d: base is NULL", name, i);
  return check_rows(name, i, a, items);
}

static hg_status check_strategy(const char *text, hg_stream_strategy *strategy, int *streams)
{
  static const char *const names[] = {"streaming", "div2", "", "unsplit"};
  int64_t count;
  *strategy = HG_STREAMS_BEST;
  if (!text) return HG_OK;
  for (int i = 0; i < 4; i++)
    if (strcmp(text, names[i]) == 0 && *text) {
      *strategy = (hg_stream_strategy)i;
      return HG_OK;
    }
  if (strncmp(text, "fixed:", 6) != 0)
    return hg_fail(HG_INVALID, "strategy: '%s' is unknown; known: streaming div2 fixed:K unsplit", text);
  HG_TRY(hg_parse_int(text + 6, "strategy fixed:K", 1, HG_STREAMS_MAX, &count));
  *strategy = HG_STREAMS_FIXED;
  *streams = (int)count;
  return HG_OK;
}

hg_status hg_divisible_check(const hg_session *s, const hg_divisible *job, hg_divisible_run *r)
{
  r->job = *job;
  hg_divisible *j = &r->job;
  snprintf(r->name, sizeof r->name, "%s", job->name && *job->name ? job->name : "items");
  j->name = r->name;
  if (j->epsilon == 0) j->epsilon = .05;
  if (!(j->epsilon > 0 && j->epsilon < 1))
    return hg_fail(HG_INVALID, "%s: epsilon is %g, must be between 0 and 1", j->name, j->epsilon);
  if (!(j->flops >= 0 && j->flops <= 1e300))
    return hg_fail(HG_INVALID, "%s: flops is %g, must be in 0..1e300", j->name, j->flops);
  if (j->passes < 0) return hg_fail(HG_INVALID, "%s: %d passes are expected, must be >= 0", j->name, j->passes);
  if (!j->cpu) return hg_fail(HG_INVALID, "%s: the function for CPUs is missing", j->name);
  if (j->arrays < 0 || j->arrays > HG_ITEM_ARRAYS)
    return hg_fail(HG_INVALID, "%s: %d arrays, must be in 0..%d", j->name, j->arrays, HG_ITEM_ARRAYS);
  HG_TRY(check_grid(j, &r->items));
  for (int a = 1; a < 3; a++)
    if (j->grid[a] == 0) j->grid[a] = 1;
  for (int i = 0; i < j->arrays; i++) HG_TRY(check_array(s, j->name, i, r->items, &j->array[i]));
  if (j->models && !*j->models) return hg_fail(HG_INVALID, "%s: models is '', must name a folder", j->name);
  return check_strategy(j->strategy, &r->strategy, &r->streams);
}

/* Ranks that describe different items would wait forever for each other's messages. */
hg_status hg_divisible_check_ranks(const hg_divisible_run *r)
{
  hg_consistency *list = hg_consistency_begin();
  hg_consistency_text(list, "divisible job", r->name);
  hg_consistency_int(list, "items", r->items);
  hg_consistency_int(list, "arrays", r->job.arrays);
  for (int i = 0; i < r->job.arrays; i++) {
    const hg_item_array *a = &r->job.array[i];
    hg_consistency_int(list, "bytes of an array's item", a->bytes);
    hg_consistency_int(list, "rows of an array", a->rows);
    hg_consistency_int(list, "access to an array", a->access);
    hg_consistency_flag(list, "whether an array is divided", a->divided);
  }
  hg_consistency_doubles(list, "epsilon", 1, &r->job.epsilon);
  hg_consistency_flag(list, "models", r->job.models != NULL);
  hg_consistency_flag(list, "whether cores work together", r->job.together);
  return hg_consistency_end(r->session, list);
}
