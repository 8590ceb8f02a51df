/* SPDX-License-Identifier: MIT */
/* A run whose tasks fail reports it, and the next run of the same process does not inherit the failure. The program's
 * own function, which takes precedence over the library's, provides the workers' scratch memory. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/blas.h"
#include "codelets/heat/heat_update.h"
#include "codelets/scratch.h"
#include "hetgrid.h"
#include "tap.h"

static hg_session session;
static atomic_bool starved; /* no worker gets memory */

void *hg_worker_scratch(size_t bytes)
{
  static _Thread_local void *memory;
  if (starved) return NULL;
  free(memory);
  memory = aligned_alloc(4096, (bytes + 8191) / 4096 * 4096);
  return memory;
}

/* Factors a matrix; if `fails`, workers find no memory once the matrix is loaded. */
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
  *info = hg_elimination_metadata(e)->info;
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

/* A run that has lost steps cannot continue. */
static void failed_stays(hg_run *run)
{
  double value = 0;
  const int64_t id = 3;
  static double all[40 * 30];
  tap_int(hg_advance(run, 8), HG_MEMORY, "the same stencil does not continue after losing steps");
  tap_contains(hg_message(), "hg_advance: the run has failed before: no memory", "... which it names");
  tap_int(hg_values_get(run, 1, &id, &value, sizeof value), HG_MEMORY, "... its values cannot be read");
  tap_int(hg_values_set(run, 1, &id, &value, sizeof value), HG_MEMORY, "... nor set");
  tap_int(hg_values_gather(run, all), HG_MEMORY, "... nor gathered");
}

/* A few steps on the whole grid; if `fails`, workers find no memory in the first ones. */
static hg_status conduct(bool fails)
{
  const hg_update update = hg_heat_update(2, hg_heat_kernel_find("auto"), false);
  hg_heat_coef alpha = {{.1, .1, 0}};
  const hg_job job = {.update = &update,
                      .size = {40, 30, 1},
                      .steps = 16,
                      .parameters = &alpha,
                      .parameter_bytes = sizeof alpha,
                      .input = "random"};
  hg_run *run;
  HG_TRY(hg_start(&job, &run));
  starved = fails;
  const hg_status status = hg_advance(run, 8);
  starved = false;
  if (fails) failed_stays(run);
  hg_free(run);
  return status;
}

static void stencils_forget(void)
{
  tap_int(conduct(true), HG_MEMORY, "a stencil without memory fails");
  tap_int(conduct(false), HG_OK, "the next one succeeds");
}

int main(int argc, char **argv)
{
  (void)argc;
  if (hg_blas_prepare(argv) != HG_OK) return 1;
  stencils_forget();
  if (hg_session_join(NULL, &session) != HG_OK || hg_session_open(&(hg_session_options){0}, &session) != HG_OK) {
    printf("# %s\n", hg_message());
    return 99;
  }
  elimination_forgets(HG_PIVOT_DYNAMIC);
  elimination_forgets(HG_PIVOT_STATIC);
  elimination_forgets(HG_PIVOT_TOURNAMENT);
  hg_session_close(&session);
  return tap_done();
}
