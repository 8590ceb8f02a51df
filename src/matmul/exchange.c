/* SPDX-License-Identifier: MIT */
#include "matmul/exchange.h"

#include <stdlib.h>

#include "matmul/divide.h"
#include "matmul/transport.h"

enum { TAG_A = 11, TAG_B, TAG_C };

hg_status hg_matmul_exchange_make(hg_matmul_part *part, const hg_box *rank, hg_matmul_exchange *x)
{
  const hg_matmul_problem *p = part->problem;
  *x = (hg_matmul_exchange){.part = part, .rank = rank};
  if (part->session->ranks == 1 || p->layout != HG_LAYOUT_ROWS) return HG_OK;
  return hg_matmul_broadcast_choose(part->session, p->nb * p->n * (int64_t)part->value_bytes, &x->choice);
}

/* Messages of a panel. */
typedef struct messages {
  int count;
  hg_matmul_message *message;
} messages;

/* The overlap of this rank and another in a panel of A (axis 1: rows) or B (axis 0: columns). */
static void pass_common(hg_matmul_exchange *x, messages *m, int panel, int axis, int other, bool send)
{
  const hg_matmul_part *p = x->part;
  const int64_t size = (int64_t)p->value_bytes, depth = hg_matmul_depth(p->problem, panel);
  const int64_t mine[2] = {p->box.lo[axis], p->box.hi[axis]};
  const hg_box *theirs = &x->rank[other];
  const int64_t lo = mine[0] > theirs->lo[axis] ? mine[0] : theirs->lo[axis];
  const int64_t hi = mine[1] < theirs->hi[axis] ? mine[1] : theirs->hi[axis];
  if (lo >= hi || hg_box_cells(theirs) == 0) return;
  if (!send) x->bytes += (double)((hi - lo) * depth * size);
  hg_matmul_message *message = &m->message[m->count++];
  if (axis == 1)
    *message =
        (hg_matmul_message){hg_matmul_part_a(p, panel, lo), depth, (hi - lo) * size, p->lda * size, other, TAG_A, send};
  else
    *message =
        (hg_matmul_message){hg_matmul_part_b(p, panel, lo), hi - lo, depth * size, depth * size, other, TAG_B, send};
}

static hg_status exchange_rectangles(hg_matmul_exchange *x, int panel)
{
  const hg_session *s = x->part->session;
  const hg_matmul_problem *p = x->part->problem;
  hg_matmul_message message[4 * s->ranks];
  messages m = {.message = message};
  if (hg_box_cells(&x->part->box) == 0) return HG_OK;
  for (int r = 0; r < s->ranks; r++) {
    if (r == s->rank) continue;
    if (hg_matmul_owns_a(p, x->rank, panel, s->rank)) pass_common(x, &m, panel, 1, r, true);
    if (hg_matmul_owns_b(p, x->rank, panel, s->rank)) pass_common(x, &m, panel, 0, r, true);
    if (hg_matmul_owns_a(p, x->rank, panel, r)) pass_common(x, &m, panel, 1, r, false);
    if (hg_matmul_owns_b(p, x->rank, panel, r)) pass_common(x, &m, panel, 0, r, false);
  }
  hg_matmul_pass(s, m.count, message);
  return HG_OK;
}

static hg_status broadcast(hg_matmul_exchange *x, int panel)
{
  const hg_matmul_part *p = x->part;
  const int64_t bytes = hg_matmul_depth(p->problem, panel) * p->problem->n * (int64_t)p->value_bytes;
  if (p->session->rank > 0) x->bytes += (double)bytes;
  return hg_matmul_broadcast(p->session, hg_matmul_part_b(p, panel, 0), bytes, &x->choice);
}

hg_status hg_matmul_bring(void *exchange, int panel)
{
  hg_matmul_exchange *x = exchange;
  const hg_matmul_part *p = x->part;
  if (p->session->ranks == 1) return HG_OK;
  return p->problem->layout == HG_LAYOUT_RECTANGLES ? exchange_rectangles(x, panel) : broadcast(x, panel);
}

/* Copies a rectangle, stored by columns, into the field, stored by rows. */
static void place(const hg_box *box, const char *from, int64_t ld, size_t size, hg_field *c)
{
  for (int64_t j = box->lo[0]; j < box->hi[0]; j++)
    for (int64_t i = box->lo[1]; i < box->hi[1]; i++) {
      const int64_t at = (j - box->lo[0]) * ld + i - box->lo[1], to = i * c->n[0] + j;
      if (size == sizeof(double))
        ((double *)c->values)[to] = ((const double *)from)[at];
      else
        ((float *)c->values)[to] = ((const float *)from)[at];
    }
}

enum { GATHERED = 64 }; /* columns at a time */

static hg_box columns_of(const hg_box *whole, int64_t first)
{
  hg_box box = *whole;
  box.lo[0] = first;
  if (box.hi[0] > first + GATHERED) box.hi[0] = first + GATHERED;
  return box;
}

static void send_all(const hg_matmul_part *p)
{
  const int64_t size = (int64_t)p->value_bytes;
  for (int64_t j = p->box.lo[0]; j < p->box.hi[0]; j += GATHERED) {
    const hg_box box = columns_of(&p->box, j);
    const hg_matmul_message m = {hg_matmul_part_c(p, box.lo[1], j),
                                 hg_box_extent(&box, 0),
                                 hg_box_extent(&box, 1) * size,
                                 p->ldc * size,
                                 0,
                                 TAG_C,
                                 true};
    hg_matmul_pass(p->session, 1, &m);
  }
}

static void receive_all(const hg_matmul_part *p, int from, const hg_box *whole, void *memory, hg_field *c)
{
  const int64_t rows = hg_box_extent(whole, 1), bytes = rows * (int64_t)p->value_bytes;
  for (int64_t j = whole->lo[0]; j < whole->hi[0]; j += GATHERED) {
    const hg_box box = columns_of(whole, j);
    const hg_matmul_message m = {memory, hg_box_extent(&box, 0), bytes, bytes, from, TAG_C, false};
    hg_matmul_pass(p->session, 1, &m);
    place(&box, memory, rows, p->value_bytes, c);
  }
}

static hg_status make_room(const hg_matmul_part *p, hg_field *c, void **memory)
{
  *c = (hg_field){.dims = 2,
                  .n = {p->problem->n, p->problem->m, 1},
                  .precision = p->problem->precision,
                  .vector = hg_matrix_is_vector(p->problem->b),
                  .name = "product"};
  if (p->session->rank > 0) return HG_OK;
  HG_TRY(hg_field_make(c));
  *memory = p->session->ranks > 1 ? malloc((size_t)p->problem->m * GATHERED * p->value_bytes) : NULL;
  return *memory || p->session->ranks == 1 ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d columns of C", GATHERED);
}

hg_status hg_matmul_gather(const hg_matmul_part *p, const hg_box *rank, hg_field *c)
{
  void *memory = NULL;
  const hg_status status = hg_session_agree(p->session, make_room(p, c, &memory));
  if (status != HG_OK) {
    hg_field_free(c);
  } else if (p->session->rank > 0) {
    if (hg_box_cells(&p->box) > 0) send_all(p);
  } else {
    if (hg_box_cells(&p->box) > 0) place(&p->box, p->c, p->ldc, p->value_bytes, c);
    for (int r = 1; r < p->session->ranks; r++)
      if (hg_box_cells(&rank[r]) > 0) receive_all(p, r, &rank[r], memory, c);
  }
  free(memory);
  return status;
}
