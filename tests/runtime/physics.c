/* SPDX-License-Identifier: MIT */
/* Facts of the discrete heat equation, checked on runs through the whole graph. */
#include <stdlib.h>
#include <unistd.h>

#include "hetgrid.h"
#include "tap.h"

static hg_session session;

/* Runs a problem from a file or formula and gathers the result. */
static bool run(hg_heat_problem *p, const char *init, int depth, const int64_t tile[3], hg_field *out)
{
  hg_grid_input *in = NULL;
  hg_tiling tiling = {0};
  hg_heat_graph *graph = NULL;
  const hg_domain domain = hg_heat_domain(p);
  double speed[64], change = 0;
  hg_box box[64];
  int64_t tiles[64][3];
  for (int i = 0; i < session.all_workers; i++) {
    speed[i] = 1 + i;
    memcpy(tiles[i], tile, sizeof tiles[i]);
  }
  const hg_partition_request r = {.dims = p->dims, .parts = session.all_workers, .speed = speed};
  p->check_every = 1;
  bool good = hg_heat_problem_check(p) == HG_OK && hg_grid_open(init, 1, &in) == HG_OK &&
              hg_partition("rows", &r, p->n, box) == HG_OK &&
              hg_tiling_make(&domain, session.all_workers, box, session.worker_rank, depth, (const int64_t(*)[3])tiles,
                             &tiling) == HG_OK &&
              hg_heat_make(&session, p, &tiling, hg_heat_kernel_find("auto"), NULL, &graph) == HG_OK &&
              hg_heat_load(graph, in) == HG_OK && hg_heat_advance(graph, p->steps, &change, NULL, NULL) == HG_OK &&
              hg_field_gather(&session, p, &tiling, hg_heat_stencil(graph), out) == HG_OK;
  if (!good) tap_ok(false, "run: %s", hg_message());
  hg_heat_free(graph);
  hg_tiling_free(&tiling);
  hg_grid_close(in);
  return good;
}

static void insulated_grids_keep_their_heat(void)
{
  const int64_t tile[3] = {20, 13, 7};
  for (int dims = 1; dims <= 3; dims++) {
    hg_heat_problem p = {
        .dims = dims, .n = {61, dims > 1 ? 37 : 1, dims > 2 ? 23 : 1}, .alpha = {.15, .1, .12}, .steps = 40};
    hg_field before = {0}, after = {0};
    double low, high, sum0, sum1;
    hg_grid_input *in = NULL;
    for (int axis = dims; axis < 3; axis++) p.alpha[axis] = 0;
    for (int i = 0; i < 6; i++) p.side[i / 2][i % 2].kind = HG_INSULATED;
    if (hg_grid_open("random", 1, &in) != HG_OK || hg_field_initial(&p, in, &before) != HG_OK ||
        !run(&p, "random", 5, tile, &after))
      return;
    hg_field_summary(&before, &low, &high, &sum0);
    hg_field_summary(&after, &low, &high, &sum1);
    tap_near(sum1 / sum0, 1, 1e-13, "heat is conserved in an insulated grid");
    tap_ok(low > 0 && high < 1, "temperatures stay within the initial ones (%g .. %g)", low, high);
    hg_field_free(&before);
    hg_field_free(&after);
    hg_grid_close(in);
  }
}

/* sin(2 pi m x / n) is an eigenvector of the periodic update with the factor 1 - 4 a sin^2(pi m / n). */
static void sine_modes_decay_by_the_discrete_factor(void)
{
  enum { NX = 96, NY = 60, MX = 3, MY = 2, STEPS = 75 };
  char path[] = "/tmp/hetgrid-sine-XXXXXX.csv";
  int fd = mkstemps(path, 4);
  FILE *f = fdopen(fd, "w");
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      fprintf(f, "%.17g%c", sin(2 * M_PI * MX * x / NX) * sin(2 * M_PI * MY * y / NY), x < NX - 1 ? ',' : '\n');
  fclose(f);
  hg_heat_problem p = {.dims = 2, .n = {NX, NY, 1}, .alpha = {.2, .15, 0}, .steps = STEPS};
  for (int i = 0; i < 4; i++) p.side[i / 2][i % 2].kind = HG_PERIODIC;
  hg_field out = {0};
  const int64_t tile[3] = {40, 17, 1};
  if (!run(&p, path, 8, tile, &out)) return;
  double sx = sin(M_PI * MX / NX), sy = sin(M_PI * MY / NY),
         factor = pow(1 - 4 * .2 * sx * sx - 4 * .15 * sy * sy, STEPS);
  double worst = 0;
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) {
      double want = factor * sin(2 * M_PI * MX * x / NX) * sin(2 * M_PI * MY * y / NY);
      worst = fmax(worst, fabs(hg_field_get(&out, x + (int64_t)NX * y) - want));
    }
  tap_near(worst, 0, 1e-14, "a sine mode decays by (1 - 4 ax sin^2 - 4 ay sin^2)^steps");
  hg_field_free(&out);
  unlink(path);
}

static void plates_reach_the_linear_profile(void)
{
  hg_heat_problem p = {.dims = 1, .n = {33, 1, 1}, .alpha = {.4}, .steps = 20000};
  const int64_t tile[3] = {10, 1, 1};
  hg_field out = {0};
  if (!run(&p, "plates", 16, tile, &out)) return;
  double worst = 0;
  for (int x = 0; x < 33; x++) worst = fmax(worst, fabs(hg_field_get(&out, x) - (100 - 80 * x / 32.)));
  tap_near(worst, 0, 1e-9, "between two plates the steady state is a line");
  hg_field_free(&out);
}

int main(void)
{
  if (hg_session_open(&(hg_session_options){0}, &session) != HG_OK) {
    tap_skip(hg_message());
    return tap_done();
  }
  insulated_grids_keep_their_heat();
  sine_modes_decay_by_the_discrete_factor();
  plates_reach_the_linear_profile();
  hg_session_close(&session);
  return tap_done();
}
