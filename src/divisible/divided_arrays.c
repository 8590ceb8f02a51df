/* SPDX-License-Identifier: MIT */
/* Divided arrays of a divisible job: each rank has the pieces of its own items, as a slab of columns of the matrix
 * [rows][items] of pieces. They are redistributed when shares change, and can be passed on to the next job, also if
 * one job's planes are the other's rows. Redistribution does not count as time of items, since it does not depend on
 * their speed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "divisible/passes.h"
#include "divisible/internal.h"
#include "divisible/slabs.h"

static size_t shares_bytes(const hg_divisible_run *r)
{
  return (size_t)r->session->ranks * sizeof(int64_t);
}

static void place(hg_divisible_run *r, int i)
{
  hg_item_array *a = &r->local[i];
  const int64_t count = r->lies[i][r->session->rank];
  *a = r->job.array[i];
  a->stride = count * a->bytes;
  a->base = count > 0 ? r->buffer[i].memory : NULL;
}

/* Memory for this many items, without the previous contents. */
static hg_status allocate(const hg_divisible_run *r, int i, hg_pinned *block)
{
  const hg_item_array *a = &r->job.array[i];
  const size_t bytes = (size_t)(a->rows * r->ranks.w[r->session->rank] * a->bytes);
  return bytes > block->bytes ? hg_pinned_grow("a rank's part of an array", bytes, block) : HG_OK;
}

static hg_status lay_anew(hg_divisible_run *r, int i)
{
  hg_status status = HG_OK;
  if (!r->lies[i]) status = hg_allocate("shares", shares_bytes(r), (void **)&r->lies[i]);
  if (status == HG_OK) status = allocate(r, i, &r->buffer[i]);
  if (status != HG_OK) return status;
  memcpy(r->lies[i], r->ranks.w, shares_bytes(r));
  place(r, i);
  return HG_OK;
}

static hg_slabs slabs_of(const hg_divisible_run *r, int i)
{
  return (hg_slabs){1, r->lies[i], r->local[i].base, r->local[i].stride};
}

/* Moves the values to the shares of the next pass. */
static hg_status move(hg_divisible_run *r, int i)
{
  const int64_t n[2] = {r->job.array[i].rows, r->items}, bytes = r->job.array[i].bytes;
  const hg_slabs from = slabs_of(r, i);
  hg_pinned fresh = {.memory = NULL};
  HG_TRY(hg_session_agree(r->session, allocate(r, i, &fresh)));
  const hg_slabs to = {1, r->ranks.w, fresh.memory, r->ranks.w[r->session->rank] * bytes};
  const hg_status status = hg_slabs_move(r->session, n, bytes, &from, &to);
  hg_pinned old = status == HG_OK ? r->buffer[i] : fresh;
  if (status == HG_OK) r->buffer[i] = fresh;
  hg_pinned_drop(&old);
  HG_TRY(status);
  memcpy(r->lies[i], r->ranks.w, shares_bytes(r));
  place(r, i);
  return HG_OK;
}

hg_status hg_item_parts_lay(hg_divisible_run *r)
{
  for (int i = 0; i < r->job.arrays; i++) {
    const hg_item_array *a = &r->job.array[i];
    if (!a->divided || (r->lies[i] && memcmp(r->lies[i], r->ranks.w, shares_bytes(r)) == 0)) continue;
    if (r->lies[i] && hg_item_array_goes(a))
      HG_TRY(move(r, i));
    else
      HG_TRY(hg_session_agree(r->session, lay_anew(r, i)));
  }
  return HG_OK;
}

void hg_item_parts_free(hg_divisible_run *r)
{
  for (int i = 0; i < HG_ITEM_ARRAYS; i++) free(r->lies[i]);
}

static hg_status check(const hg_divisible_run *r, int i)
{
  if (i >= 0 && i < r->job.arrays && r->job.array[i].divided) return HG_OK;
  return hg_fail(HG_INVALID, "%s: array %d is not one of its divided arrays", r->name, i);
}

static hg_status check_idle(const hg_divisible_run *r, int i)
{
  if (r->passing) return hg_fail(HG_INVALID, "%s: an unfinished pass uses its arrays", r->name);
  return check(r, i);
}

hg_status hg_item_part_find(hg_divisible_run *r, int i, hg_item_part *out)
{
  HG_TRY(check_idle(r, i));
  if (!r->lies[i]) HG_TRY(lay_anew(r, i));
  *out = (hg_item_part){0, r->lies[i][r->session->rank], r->local[i].base, r->local[i].stride};
  for (int rank = 0; rank < r->session->rank; rank++) out->first += r->lies[i][rank];
  return HG_OK;
}

/* The whole array on rank 0, as slabs that are empty on all other ranks. */
static hg_status whole(const hg_divisible_run *r, int i, const void *all, int64_t **count, hg_slabs *out)
{
  HG_TRY(hg_allocate("shares", shares_bytes(r), (void **)count));
  (*count)[0] = r->items;
  *out = (hg_slabs){1, *count, (void *)(uintptr_t)all, r->job.array[i].stride};
  return HG_OK;
}

static hg_status with_rank_0(hg_divisible_run *r, int i, const void *all, bool scatter)
{
  const int64_t n[2] = {r->job.array[i].rows, r->items};
  int64_t *count = NULL;
  hg_slabs there;
  hg_status status = scatter || !r->lies[i] ? lay_anew(r, i) : HG_OK;
  if (status == HG_OK) status = whole(r, i, all, &count, &there);
  status = hg_session_agree(r->session, status);
  if (status == HG_OK) {
    const hg_slabs here = slabs_of(r, i);
    status = hg_slabs_move(r->session, n, r->job.array[i].bytes, scatter ? &there : &here, scatter ? &here : &there);
  }
  free(count);
  return status;
}

static hg_status check_whole(const hg_divisible_run *r, int i, const void *all)
{
  HG_TRY(check_idle(r, i));
  if (all || r->session->rank > 0 || r->items == 0) return HG_OK;
  return hg_fail(HG_INVALID, "%s: array %d: the pointer to the whole array is NULL", r->name, i);
}

hg_status hg_item_part_scatter(hg_divisible_run *r, int i, const void *all)
{
  HG_TRY(hg_session_agree(r->session, check_whole(r, i, all)));
  return with_rank_0(r, i, all, true);
}

hg_status hg_item_part_gather(hg_divisible_run *r, int i, void *all)
{
  HG_TRY(hg_session_agree(r->session, check_whole(r, i, all)));
  return with_rank_0(r, i, all, false);
}

/* Whether items of the first array are rows of the second. */
static bool are_rows(const hg_item_array *a, int64_t items, const hg_item_array *b, int64_t b_items)
{
  return a->rows == 1 && b->rows == items && a->bytes == b_items * b->bytes;
}

static hg_status not_one(const hg_divisible_run *from, const hg_divisible_run *to, const hg_item_array *a,
                         const hg_item_array *b)
{
  return hg_fail(HG_INVALID,
                 "%s, %s: %" PRId64 " items of %" PRId64 " x %" PRId64 " bytes and %" PRId64 " of %" PRId64
                 " x %" PRId64 " are neither the same array nor its rows and columns",
                 from->name, to->name, from->items, a->rows, a->bytes, to->items, b->rows, b->bytes);
}

/* Describes the array as a matrix divided along axes[0] by one job and axes[1] by the other. */
static hg_status match(const hg_divisible_run *from, const hg_item_array *a, const hg_divisible_run *to,
                       const hg_item_array *b, int64_t n[2], int64_t *bytes, int axes[2])
{
  const bool rows_first = are_rows(a, from->items, b, to->items), rows_last = are_rows(b, to->items, a, from->items),
             same_layout = a->rows == b->rows && a->bytes == b->bytes && from->items == to->items;
  if (!rows_first && !rows_last && !same_layout) return not_one(from, to, a, b);
  const bool by_first = same_layout || !rows_first;
  n[0] = by_first ? a->rows : b->rows;
  n[1] = by_first ? from->items : to->items;
  *bytes = by_first ? a->bytes : b->bytes;
  axes[0] = same_layout || !rows_first;
  axes[1] = same_layout || rows_first;
  return HG_OK;
}

static hg_slabs along(const hg_divisible_run *r, int i, int axis)
{
  hg_slabs s = slabs_of(r, i);
  s.axis = axis;
  if (axis == 0) s.stride = r->job.array[i].bytes; /* its items are rows */
  return s;
}

hg_status hg_item_part_hand_over(hg_divisible_run *from, int i, hg_divisible_run *to, int k)
{
  int64_t n[2] = {0, 0}, bytes = 1;
  int axes[2] = {1, 1};
  hg_status status = check_idle(from, i);
  if (status == HG_OK) status = check_idle(to, k);
  if (status == HG_OK && from == to && i == k)
    status = hg_fail(HG_INVALID, "%s: array %d cannot be handed over to itself", from->name, i);
  if (status == HG_OK) status = match(from, &from->job.array[i], to, &to->job.array[k], n, &bytes, axes);
  if (status == HG_OK && !from->lies[i]) status = lay_anew(from, i);
  if (status == HG_OK) status = lay_anew(to, k);
  HG_TRY(hg_session_agree(from->session, status));
  const hg_slabs source = along(from, i, axes[0]), target = along(to, k, axes[1]);
  hg_session_pause(from->session);
  status = hg_slabs_move(from->session, n, bytes, &source, &target);
  hg_session_resume(from->session);
  return status;
}
