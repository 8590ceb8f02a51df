/* SPDX-License-Identifier: MIT */
#include "elimination/graph.h"

#include <inttypes.h>
#include <starpu.h>
#include <stdlib.h>

#include "codelets/simulated_costs.h"
#include "codelets/lu/fill_codelet.h"
#include "elimination/tiles.h"
#include "runtime/task_data.h"
#include "runtime/worker_usage.h"

/* Steps submitted ahead if no pivots are waited for. */
enum { STEPS_IN_FLIGHT = 3 };

static hg_status check(const hg_session *s, const hg_lu_problem *p)
{
  const int64_t n = hg_matrix_rows(p->a);
  if (hg_matrix_cols(p->a) != n)
    return hg_fail(HG_INVALID, "%s: has %" PRId64 " rows and %" PRId64 " columns, must be square", hg_matrix_name(p->a),
                   n, hg_matrix_cols(p->a));
  if (p->b && hg_matrix_rows(p->b) != n)
    return hg_fail(HG_INVALID, "%s: has %" PRId64 " rows, must have as many as the matrix, %" PRId64,
                   hg_matrix_name(p->b), hg_matrix_rows(p->b), n);
  for (int i = 0; i < p->map->rows * p->map->cols; i++)
    if (p->map->owner[i] < 0 || p->map->owner[i] >= s->ranks)
      return hg_fail(HG_INVALID, "tiles for rank %d, must be in 0..%d", p->map->owner[i], s->ranks - 1);
  return HG_OK;
}

/* Checks for operations that need a core, if there is none. */
static hg_status check_workers(const hg_session *s, const hg_lu_problem *p)
{
  const int64_t tiles = (hg_matrix_rows(p->a) - 1) / p->nb + 1;
  if (hg_task_has_cores()) return HG_OK;
  if (p->pivoting == HG_PIVOT_TOURNAMENT)
    return hg_fail(HG_NO_WORKER, "tournament pivoting: rows are chosen on cores, but rank %d has none", s->rank);
  if (p->pivoting == HG_PIVOT_STATIC && !hg_lu_swaps_on_gpus(tiles))
    return hg_fail(HG_NO_WORKER,
                   "static pivoting: columns of %lld tiles are too high for GPUs, and rank %d has no core; "
                   "use larger tiles (--tile)",
                   (long long)tiles, s->rank);
  return HG_OK;
}

static hg_status check_static(const hg_elimination *e)
{
  for (int j = 0; j < e->columns && e->problem.pivoting == HG_PIVOT_STATIC; j++)
    if (hg_lu_sole_owner(e, 0, j) < 0)
      return hg_fail(HG_INVALID, "static pivoting: block column %d is divided between ranks; use 1 x Q ranks", j);
  return HG_OK;
}

/* Width of block columns of B: enough columns for the workers of a rank, at most nb wide, not narrower than a vector
 * register. */
static int rhs_columns(const hg_elimination *e)
{
  enum { NARROWEST = 8 };
  int64_t most = (e->nrhs + NARROWEST - 1) / NARROWEST, least = (e->nrhs + e->problem.nb - 1) / e->problem.nb;
  int64_t count = e->session->all_workers < most ? e->session->all_workers : most;
  return (int)(count > least ? count : least);
}

hg_status hg_elimination_make(const hg_session *session, const hg_lu_problem *problem, hg_elimination **out)
{
  HG_TRY(hg_session_agree(session, check(session, problem)));
  HG_TRY(hg_session_agree(session, check_workers(session, problem)));
  hg_lu_prepare();
  hg_elimination *e = calloc(1, sizeof *e);
  if (!e) return hg_fail(HG_MEMORY, "no memory");
  *e = (hg_elimination){
      .session = session, .problem = *problem, .n = hg_matrix_rows(problem->a), .worker = -1, .failure = HG_NO_FAILURE};
  e->cores = hg_use_count(session, HG_CPU_WORKER);
  e->gpus = hg_use_count(session, HG_CUDA_WORKER);
  e->nrhs = problem->b ? hg_matrix_cols(problem->b) : 0;
  e->value_bytes = (size_t)hg_precision_bytes(problem->precision);
  e->tiles = (int)((e->n + problem->nb - 1) / problem->nb);
  e->columns = e->tiles + rhs_columns(e);
  hg_status status = check_static(e);
  if (status == HG_OK) status = hg_lu_build(e);
  status = hg_session_agree(session, status);
  if (status != HG_OK)
    hg_elimination_free(e);
  else
    *out = e;
  return status;
}

void hg_elimination_free(hg_elimination *e)
{
  if (!e) return;
  hg_lu_release(e);
  free(e);
}

/* Sums of absolute values per tile: deterministic in whatever order tiles are loaded. */
typedef struct norms {
  double *row_sums; /* [columns][n] */
  double *col_sums; /* [tiles][n + nrhs] */
  double *largest;  /* [tiles][columns] */
} norms;

static hg_status make_norms(const hg_elimination *e, norms *s)
{
  const size_t n = (size_t)e->n + 1, tiles = (size_t)e->tiles + 1, columns = (size_t)e->columns + 1;
  s->row_sums = calloc(columns * n, sizeof(double));
  s->col_sums = calloc(tiles * (n + (size_t)e->nrhs), sizeof(double));
  s->largest = calloc(tiles * columns, sizeof(double));
  return s->row_sums && s->col_sums && s->largest ? HG_OK : hg_fail(HG_MEMORY, "no memory for the norms");
}

static hg_status load_tile(hg_elimination *e, norms *s, int i, int j)
{
  const bool of_b = j >= e->tiles;
  const int64_t row = (int64_t)i * e->problem.nb, col = e->column[j].col;
  hg_fill_task task = {.matrix = of_b ? e->problem.b : e->problem.a,
                       .row = row,
                       .col = col,
                       .is_float = e->problem.precision == HG_FLOAT,
                       .row_sums = s->row_sums + (int64_t)j * e->n + row,
                       .col_sums = s->col_sums + (int64_t)i * (e->n + e->nrhs) + (of_b ? e->n : 0) + col,
                       .largest = s->largest + (int64_t)i * e->columns + j,
                       .failure = &e->failure};
  struct starpu_data_descr tile = {e->column[j].tile[i], STARPU_W};
  return hg_task_on_core(&hg_fill_codelet, &tile, 1, &task, sizeof task);
}

static double largest_of(const double *value, int64_t count)
{
  double largest = 0;
  for (int64_t i = 0; i < count; i++)
    if (!(value[i] <= largest)) largest = value[i];
  return largest;
}

/* Adds up block columns first .. end-1 over all ranks; returns the largest sum. */
static double row_norm(const hg_elimination *e, norms *s, int first, int end)
{
  for (int64_t i = 0; i < e->n; i++) {
    double sum = 0;
    for (int j = first; j < end; j++) sum += s->row_sums[(int64_t)j * e->n + i];
    s->row_sums[(int64_t)first * e->n + i] = sum;
  }
  hg_session_sum_all(e->session, s->row_sums + (int64_t)first * e->n, e->n);
  return largest_of(s->row_sums + (int64_t)first * e->n, e->n);
}

static double column_norm(const hg_elimination *e, norms *s)
{
  for (int64_t j = 0; j < e->n; j++)
    for (int i = 1; i < e->tiles; i++) s->col_sums[j] += s->col_sums[(int64_t)i * (e->n + e->nrhs) + j];
  hg_session_sum_all(e->session, s->col_sums, e->n);
  return largest_of(s->col_sums, e->n);
}

static void measure(hg_elimination *e, norms *s)
{
  double largest = 0;
  e->metadata = (hg_lu_metadata){.norm_inf = row_norm(e, s, 0, e->tiles), .norm_1 = column_norm(e, s)};
  if (e->columns > e->tiles) e->metadata.b_norm_inf = row_norm(e, s, e->tiles, e->columns);
  for (int i = 0; i < e->tiles; i++)
    for (int j = 0; j < e->tiles; j++)
      if (!(s->largest[(int64_t)i * e->columns + j] <= largest)) largest = s->largest[(int64_t)i * e->columns + j];
  hg_session_max(e->session, &largest);
  e->metadata.norm_max = largest;
}

hg_status hg_elimination_load(hg_elimination *e)
{
  norms s = {NULL, NULL, NULL};
  if (hg_simulated) return HG_OK;
  hg_status status = make_norms(e, &s);
  for (int j = 0; j < e->columns && status == HG_OK; j++)
    for (int i = 0; i < e->tiles && status == HG_OK; i++)
      if (hg_lu_is_local(e, i, j)) status = load_tile(e, &s, i, j);
  hg_status waited = hg_lu_wait(e);
  if (status == HG_OK) status = waited;
  status = hg_session_agree(e->session, status);
  if (status == HG_OK) measure(e, &s);
  free(s.row_sums);
  free(s.col_sums);
  free(s.largest);
  return status;
}

/* Whether tasks depend on the pivots. */
static bool is_dynamic(const hg_elimination *e)
{
  return e->problem.pivoting == HG_PIVOT_DYNAMIC || e->problem.pivoting == HG_PIVOT_TOURNAMENT;
}

hg_status hg_lu_submit_panel(hg_elimination *e, int k)
{
  const int to = hg_lu_owner(e, k, k), me = e->session->rank, cols = hg_lu_rows(e, k);
  e->step = k;
  if (e->problem.pivoting == HG_PIVOT_TOURNAMENT) return hg_lu_submit_tournament(e, k);
  for (int i = k; i < e->tiles; i++) {
    int from = hg_lu_owner(e, i, k);
    if (from == to) continue;
    if (me == from) hg_lu_send(e, e->column[k].tile[i], to, hg_lu_tag(e, TAG_GATHER, k, i));
    if (me == to) hg_lu_receive(e, hg_lu_panel_tile(e, k, i), from, hg_lu_tag(e, TAG_GATHER, k, i));
  }
  if (me != to) return HG_OK;
  const hg_lu_task task = {.tiles = e->tiles - k, .unpivoted = e->problem.pivoting == HG_PIVOT_NONE};
  const double rows = (double)(e->n - (int64_t)k * e->problem.nb), c = cols;
  hg_lu_begin(e);
  for (int i = k; i < e->tiles; i++) hg_lu_add(e, hg_lu_panel_tile(e, k, i), STARPU_RW);
  hg_lu_add(e, e->pivots[k], STARPU_W);
  return hg_lu_submit(e, &hg_lu_panel_codelet, &task, NULL, PRIORITY_PANEL, c * c * (rows - c / 3));
}

/* Step k; its panel has been submitted. */
static hg_status submit_step(hg_elimination *e, int k)
{
  const bool tournament = e->problem.pivoting == HG_PIVOT_TOURNAMENT;
  e->step = k;
  if (!tournament) hg_lu_broadcast_panel(e, k, false);
  e->moves = 0;
  if (is_dynamic(e))
    hg_lu_read_pivots(e, k);
  else
    starpu_task_wait_for_n_submitted((unsigned)(STEPS_IN_FLIGHT * e->columns));
  if (tournament) HG_TRY(hg_lu_finish_tournament(e, k));
  e->metadata.swaps += e->moves;
  const int parts = hg_lu_update_parts(e, k);
  for (int j = k + 1, count; j < e->columns; j += count) {
    count = hg_lu_columns_at_once(e, k, j, parts);
    HG_TRY(hg_lu_submit_columns(e, k, j, count, parts));
    if (j == k + 1 && j < e->tiles) HG_TRY(hg_lu_submit_panel(e, k + 1));
  }
  return HG_OK;
}

/* If pivots are not waited for during the steps, reads them all at the end. */
static void read_all_pivots(hg_elimination *e)
{
  e->metadata.swaps = e->metadata.tiles_touched = 0;
  for (int k = 0; k < e->tiles; k++) {
    hg_lu_read_pivots(e, k);
    e->metadata.swaps += e->moves;
    if (e->moves) e->metadata.tiles_touched += (int64_t)(e->tiles - k) * (e->columns - k - 1);
  }
}

hg_status hg_elimination_factor(hg_elimination *e, void (*report)(void *arg, int64_t done), void *arg)
{
  hg_status status = HG_OK;
  e->metadata.info = e->metadata.swaps = e->metadata.tiles_touched = 0;
  starpu_iteration_push(0);
  if (e->tiles > 0) status = hg_lu_submit_panel(e, 0);
  starpu_iteration_pop();
  for (int k = 0; k < e->tiles && status == HG_OK; k++) {
    starpu_iteration_push((unsigned long)k);
    status = submit_step(e, k);
    starpu_iteration_pop();
    if (report) report(arg, k + 1);
  }
  if (status != HG_OK) return status;
  status = hg_lu_wait(e);
  if (!is_dynamic(e)) read_all_pivots(e);
  return status;
}

hg_status hg_elimination_forward_solve(hg_elimination *e)
{
  hg_status status = HG_OK;
  const hg_lu_metadata metadata = e->metadata;
  for (int k = 0; k < e->tiles && status == HG_OK; k++) {
    e->step = k;
    hg_lu_broadcast_panel(e, k, true);
    hg_lu_read_pivots(e, k);
    for (int j = e->tiles; j < e->columns && status == HG_OK; j++) status = hg_lu_submit_columns(e, k, j, 1, 1);
  }
  e->metadata = metadata;
  return status == HG_OK ? hg_lu_wait(e) : status;
}

const hg_lu_metadata *hg_elimination_metadata(const hg_elimination *e)
{
  return &e->metadata;
}

int64_t hg_elimination_size(const hg_elimination *e)
{
  return e->n;
}

void hg_elimination_pivots(hg_elimination *e, int32_t *pivot)
{
  const int nb = e->problem.nb;
  for (int k = 0; k < e->tiles; k++) {
    starpu_data_acquire(e->pivots[k], STARPU_R);
    for (int c = 0; c < hg_lu_rows(e, k); c++)
      pivot[(int64_t)k * nb + c] = 1 + k * nb + e->pivot[(int64_t)k * (nb + 1) + 1 + c];
    starpu_data_release(e->pivots[k]);
  }
}

hg_precision hg_elimination_precision(const hg_elimination *e)
{
  return e->problem.precision;
}

int hg_elimination_tile_rows(const hg_elimination *e)
{
  return e->problem.nb;
}

bool hg_elimination_acquire(hg_elimination *e, int i, int j, hg_lu_tile_view *view)
{
  const hg_lu_column *c = &e->column[j];
  if (!c->tile[i]) return false;
  starpu_data_acquire(c->tile[i], STARPU_R);
  *view = (hg_lu_tile_view){.row = (int64_t)i * e->problem.nb,
                            .col = c->col,
                            .rows = hg_lu_rows(e, i),
                            .cols = c->cols,
                            .values = (const void *)starpu_matrix_get_local_ptr(c->tile[i]),
                            .ld = c->ld};
  return true;
}

void hg_elimination_release(hg_elimination *e, int i, int j)
{
  starpu_data_release(e->column[j].tile[i]);
}

hg_status hg_elimination_visit(hg_elimination *e, bool solution, hg_lu_tile_sink *take, void *arg)
{
  const int first = solution ? e->tiles : 0, end = solution ? e->columns : e->tiles;
  hg_status status = HG_OK;
  hg_lu_tile_view view;
  for (int j = first; j < end; j++)
    for (int i = 0; i < e->tiles && status == HG_OK; i++) {
      if (!hg_elimination_acquire(e, i, j, &view)) continue;
      status = take(arg, &view);
      hg_elimination_release(e, i, j);
    }
  return status;
}
