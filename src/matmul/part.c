/* SPDX-License-Identifier: MIT */
#include "matmul/part.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codelets/lu/fill_codelet.h"
#include "codelets/simulated_costs.h"
#include "runtime/task_data.h"
#include "runtime/worker_usage.h"
#include "matmul/divide.h"

static int64_t rows_of(const hg_matmul_part *p)
{
  return hg_box_extent(&p->box, 1);
}

static int64_t cols_of(const hg_matmul_part *p)
{
  return hg_box_extent(&p->box, 0);
}

/* An empty part needs no memory, except for a panel of B that is broadcast to all. */
static void measure(hg_matmul_part *p)
{
  const size_t depth = (size_t)p->panels * (size_t)p->problem->nb, cols = (size_t)hg_matmul_int(cols_of(p));
  p->lda = p->ldc = hg_leading_dimension(hg_matmul_int(rows_of(p)), p->value_bytes);
  const bool empty = rows_of(p) == 0 || cols == 0;
  if (!empty || p->problem->layout == HG_LAYOUT_ROWS) p->bytes[1] = depth * cols * p->value_bytes;
  if (empty) return;
  p->bytes[0] = depth * (size_t)p->lda * p->value_bytes;
  p->bytes[2] = cols * (size_t)p->ldc * p->value_bytes;
}

/* Checks for the memory that is not yet allocated. */
static hg_status check_memory(const hg_matmul_part *p)
{
  double need = 0, have = (double)hg_memory_available();
  for (int i = 0; i < 3; i++)
    if (p->bytes[i] > p->memory[i].bytes) need += (double)p->bytes[i];
  if (need <= have || hg_simulated) return HG_OK;
  return hg_fail(HG_MEMORY, "matrices of %lld x %lld x %lld: rank %d needs %.2f GB, %.2f GB are available",
                 (long long)p->problem->m, (long long)p->problem->n, (long long)p->problem->k, p->session->rank,
                 need / 1e9, have / 1e9);
}

hg_status hg_matmul_part_make(const hg_session *session, const hg_matmul_problem *problem, const hg_box *box,
                              int panels, hg_matmul_part *p, bool *grown)
{
  static const char *const names[] = {"A", "B", "C"};
  hg_pinned memory[3];
  memcpy(memory, p->memory, sizeof memory);
  *p = (hg_matmul_part){.session = session,
                        .problem = problem,
                        .box = *box,
                        .panels = panels,
                        .value_bytes = (size_t)hg_precision_bytes(problem->precision),
                        .failure = HG_NO_FAILURE};
  memcpy(p->memory, memory, sizeof memory);
  measure(p);
  HG_TRY(check_memory(p));
  if (grown) *grown = false;
  for (int i = 0; i < 3; i++) {
    if (p->memory[i].bytes >= p->bytes[i] + 64) continue;
    HG_TRY(hg_pinned_grow(names[i], p->bytes[i] + 64, &p->memory[i]));
    if (grown) *grown = true;
  }
  p->a = p->memory[0].memory;
  p->b = p->memory[1].memory;
  p->c = p->memory[2].memory;
  return HG_OK;
}

void hg_matmul_part_free(hg_matmul_part *p)
{
  hg_matmul_part_collect(p);
  for (int i = 0; i < 3; i++) hg_pinned_drop(&p->memory[i]);
}

static void *at(const hg_matmul_part *p, void *base, int64_t value)
{
  return (char *)base + (size_t)value * p->value_bytes;
}

void *hg_matmul_part_a(const hg_matmul_part *p, int panel, int64_t row)
{
  return at(p, p->a, (int64_t)panel * p->problem->nb * p->lda + row - p->box.lo[1]);
}

void *hg_matmul_part_b(const hg_matmul_part *p, int panel, int64_t col)
{
  const int64_t begin = (int64_t)panel * p->problem->nb * hg_matmul_int(cols_of(p));
  return at(p, p->b, begin + (col - p->box.lo[0]) * hg_matmul_depth(p->problem, panel));
}

void *hg_matmul_part_c(const hg_matmul_part *p, int64_t row, int64_t col)
{
  return at(p, p->c, (col - p->box.lo[0]) * p->ldc + row - p->box.lo[1]);
}

void *hg_matmul_register(const hg_matmul_part *p, void *values, int64_t ld, int64_t rows, int64_t cols)
{
  starpu_data_handle_t handle;
  starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)values, (uint32_t)ld, (uint32_t)rows, (uint32_t)cols,
                              p->value_bytes);
  return handle;
}

static void let_go(hg_matmul_piece *piece)
{
  if (piece->handle) starpu_data_unregister(piece->handle);
  piece->handle = NULL;
}

static int64_t strip_columns(int64_t cols, int strips)
{
  return (hg_matmul_blocks(cols) + strips - 1) / strips * HG_MATMUL_UNIT;
}

hg_box hg_matmul_strip(const hg_box *box, int strip, int strips)
{
  const int64_t cols = strip_columns(hg_box_extent(box, 0), strips);
  hg_box cut = *box;
  cut.lo[0] += cols * strip;
  if (cut.lo[0] > box->hi[0]) cut.lo[0] = box->hi[0];
  if (cut.hi[0] > cut.lo[0] + cols) cut.hi[0] = cut.lo[0] + cols;
  return cut;
}

static double gpu_bytes(const hg_matmul_problem *p, int64_t rows, int64_t all_cols, int strips)
{
  const double CHUNK = 32 << 20, cols = (double)strip_columns(all_cols, strips), held = strips > 1 ? 2 : 1;
  const double values = held * (double)rows * cols + HG_MATMUL_AHEAD * p->nb * ((double)rows + cols);
  return CHUNK + values * (double)hg_precision_bytes(p->precision);
}

int hg_matmul_strips_in(const hg_matmul_problem *p, int64_t rows, int64_t cols, double room)
{
  const int most = (int)hg_matmul_blocks(cols);
  int strips = 1;
  while (room > 0 && strips <= most && gpu_bytes(p, rows, cols, strips) > room) strips++;
  return strips <= most ? strips : 0;
}

hg_status hg_matmul_strips(const hg_session *s, const hg_matmul_problem *p, const hg_box *box, int *strips)
{
  *strips = 1;
  for (int w = 0; w < s->workers; w++) {
    const int64_t rows = hg_box_extent(&box[w], 1), cols = hg_box_extent(&box[w], 0);
    const double room = hg_use_gpu_room(w);
    const int mine = rows * cols > 0 ? hg_matmul_strips_in(p, rows, cols, room) : 1;
    if (mine > *strips) *strips = mine;
    if (mine > 0) continue;
    return hg_fail(HG_MEMORY,
                   "worker %d: %d columns of C of %lld rows and their panels need %.3g GB, its GPU has %.3g; give it "
                   "less by --speeds, or use cores only (STARPU_NCUDA=0)",
                   w, HG_MATMUL_UNIT, (long long)rows, gpu_bytes(p, rows, cols, (int)hg_matmul_blocks(cols)) / 1e9,
                   room / 1e9);
  }
  return HG_OK;
}

hg_status hg_matmul_part_hold(hg_matmul_part *p, const hg_box *box)
{
  const int workers = p->session->workers;
  if (!p->piece) p->piece = calloc((size_t)workers + 1, sizeof *p->piece);
  if (!p->piece) return hg_fail(HG_MEMORY, "no memory for %d workers", workers);
  for (int w = 0; w < workers; w++)
    if (!hg_box_equal(&p->piece[w].box, &box[w])) let_go(&p->piece[w]);
  for (int w = 0; w < workers; w++) {
    hg_matmul_piece *piece = &p->piece[w];
    piece->box = box[w];
    if (piece->handle || hg_box_cells(&box[w]) == 0) continue;
    piece->handle =
        hg_matmul_register(p, hg_matmul_part_c(p, box[w].lo[1], box[w].lo[0]), p->ldc,
                           hg_matmul_int(hg_box_extent(&box[w], 1)), hg_matmul_int(hg_box_extent(&box[w], 0)));
  }
  return HG_OK;
}

static void arrive(void *handle)
{
  starpu_data_release_on_node(handle, STARPU_MAIN_RAM);
}

/* Fetches from all devices at once; unregistering a handle that is elsewhere would poll for it. */
void hg_matmul_part_retire(hg_matmul_part *p)
{
  for (int w = 0; p->piece && w < p->session->workers; w++)
    if (p->piece[w].handle)
      starpu_data_acquire_on_node_cb(p->piece[w].handle, STARPU_MAIN_RAM, STARPU_R, arrive, p->piece[w].handle);
  for (int w = 0; p->piece && w < p->session->workers; w++) {
    hg_matmul_piece *piece = &p->piece[w];
    if (piece->leaving) starpu_data_unregister(piece->leaving);
    *piece = (hg_matmul_piece){.leaving = piece->handle};
  }
}

void hg_matmul_part_collect(hg_matmul_part *p)
{
  hg_matmul_part_retire(p);
  hg_matmul_part_retire(p);
  free(p->piece);
  p->piece = NULL;
}

/* A task that reads a piece of a matrix. */
static hg_status submit(hg_matmul_part *p, const hg_matrix *matrix, int64_t row, int64_t col, int64_t rows,
                        int64_t cols, void *to, int64_t ld)
{
  if (rows == 0 || cols == 0) return HG_OK;
  hg_fill_task task = {
      .matrix = matrix, .row = row, .col = col, .is_float = p->problem->precision == HG_FLOAT, .failure = &p->failure};
  const starpu_data_handle_t handle = hg_matmul_register(p, to, ld, rows, cols);
  const hg_status status =
      hg_task_on_core(&hg_fill_codelet, &(struct starpu_data_descr){handle, STARPU_W}, 1, &task, sizeof task);
  starpu_data_unregister_submit(handle);
  return status;
}

static hg_status submit_panel(hg_matmul_part *p, const hg_box *rank, int panel)
{
  const hg_matmul_problem *m = p->problem;
  const int64_t k = (int64_t)panel * m->nb;
  const int me = p->session->rank, depth = hg_matmul_depth(m, panel);
  if (hg_matmul_owns_a(m, rank, panel, me))
    HG_TRY(submit(p, m->a, p->box.lo[1], k, rows_of(p), depth, hg_matmul_part_a(p, panel, p->box.lo[1]), p->lda));
  if (hg_matmul_owns_b(m, rank, panel, me))
    HG_TRY(submit(p, m->b, k, p->box.lo[0], depth, cols_of(p), hg_matmul_part_b(p, panel, p->box.lo[0]), depth));
  return HG_OK;
}

hg_status hg_matmul_part_load(hg_matmul_part *p, const hg_box *rank)
{
  hg_status status = HG_OK;
  for (int k = 0; k < p->panels && status == HG_OK && p->bytes[1] && !hg_simulated; k++)
    status = submit_panel(p, rank, k);
  starpu_task_wait_for_all();
  const hg_status failed = hg_failure_take(&p->failure);
  return status == HG_OK ? failed : status;
}
