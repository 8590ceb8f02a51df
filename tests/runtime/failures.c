/* SPDX-License-Identifier: MIT */
/* A run whose tasks fail says so, and the next run of the same process does not inherit it. Workers' scratch memory is
 * that of the test here: the program's own function wins over the library's. */
#include <stdatomic.h>
#include <stdlib.h>

#include "codelets/scratch.h"
#include "hetgrid.h"
#include "tap.h"

static hg_session session;
static atomic_bool starved; /* no memory for anybody */

void *hg_worker_scratch(size_t bytes)
{
  static _Thread_local void *memory;
  if (starved) return NULL;
  free(memory);
  memory = aligned_alloc(4096, (bytes + 8191) / 4096 * 4096);
  return memory;
}

/* Factors a matrix; workers find no memory once it is loaded, if `fails`. */
static hg_status eliminate(hg_pivoting pivoting, bool fails, int64_t *info)
{
  hg_matrix *a;
  hg_tile_map map;
  hg_elimination *e;
  HG_TRY(hg_matrix_open("uniform:96", 1, &a));
  HG_TRY(hg_tile_map_grid(1, 1, &map));
  const hg_lu_problem p = {.a = a, .nb = 16, .pivoting = pivoting, .map = &map};
  HG_TRY(hg_elimination_make(&session, &p, &e));
  hg_status status = hg_elimination_load(e);
  starved = fails;
  if (status == HG_OK) status = hg_elimination_factor(e, NULL, NULL);
  starved = false;
  *info = hg_elimination_facts(e)->info;
  hg_elimination_free(e);
  hg_tile_map_free(&map);
  hg_matrix_close(a);
  return status;
}

static void elimination_forgets(hg_pivoting pivoting)
{
  int64_t info = -1;
  hg_status status = eliminate(pivoting, true, &info);
  tap_ok(status == HG_MEMORY, "an elimination (%s) without memory fails", hg_pivoting_name(pivoting));
  tap_contains(hg_message(), "no memory to compute a tile", "... and says why");
  status = eliminate(pivoting, false, &info);
  tap_int(status, HG_OK, "the next one succeeds");
  tap_int(info, 0, "... with all pivots");
}

/* One block of steps on the whole grid. */
static hg_status conduct(bool fails)
{
  hg_heat_problem p = {.dims = 2, .n = {40, 30, 1}, .alpha = {.1, .1, 0}, .steps = 8, .check_every = 1};
  const hg_domain domain = hg_heat_domain(&p);
  double speed[64];
  hg_box box[64];
  int64_t tile[64][3];
  hg_grid_input *in = NULL;
  hg_tiling tiling = {0};
  hg_heat_graph *graph = NULL;
  for (int i = 0; i < session.all_workers; i++) {
    speed[i] = 1;
    for (int axis = 0; axis < 3; axis++) tile[i][axis] = 16;
  }
  const hg_partition_request r = {.dims = 2, .parts = session.all_workers, .speed = speed};
  HG_TRY(hg_heat_problem_check(&p));
  HG_TRY(hg_grid_open("random", 1, &in));
  HG_TRY(hg_partition("rows", &r, p.n, box));
  HG_TRY(hg_tiling_make(&domain, session.all_workers, box, session.worker_rank, 4, (const int64_t(*)[3])tile, &tiling));
  HG_TRY(hg_heat_make(&session, &p, &tiling, hg_heat_kernel_find("auto"), NULL, &graph));
  HG_TRY(hg_heat_load(graph, in));
  starved = fails;
  const hg_status status = hg_heat_advance(graph, p.steps, NULL, NULL, NULL);
  starved = false;
  /* the same graph goes on with what it has */
  if (fails) tap_int(hg_heat_advance(graph, p.steps, NULL, NULL, NULL), HG_OK, "the same stencil goes on");
  hg_heat_free(graph);
  hg_tiling_free(&tiling);
  hg_grid_close(in);
  return status;
}

static void stencils_forget(void)
{
  tap_int(conduct(true), HG_MEMORY, "a stencil without memory fails");
  tap_int(conduct(false), HG_OK, "the next one succeeds");
}

int main(void)
{
  if (hg_session_open(&(hg_session_options){0}, &session) != HG_OK) {
    printf("# %s\n", hg_message());
    return 99;
  }
  stencils_forget();
  elimination_forgets(HG_PIVOT_DYNAMIC);
  elimination_forgets(HG_PIVOT_STATIC);
  elimination_forgets(HG_PIVOT_TOURNAMENT);
  hg_session_close(&session);
  return tap_done();
}
