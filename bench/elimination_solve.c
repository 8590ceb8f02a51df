/* SPDX-License-Identifier: MIT */
/* Solves for 64 right-hand sides with given factors, as dgetrs does.   elimination_solve WORKERS N   prints GFLOP/s,
 * the best of as many runs as fit in a second */
#include <stdio.h>
#include <stdlib.h>

#include "hetgrid.h"

enum { NRHS = 64 };

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  if (argc < 3) return 2;
  setenv("STARPU_NCPU", argv[1], 1);
  const int64_t n = atoll(argv[2]);
  hg_session session;
  hg_matrix *a, *b;
  hg_tile_map map;
  hg_elimination *e;
  char spec[64];
  double best = 1e300, spent = 0;
  snprintf(spec, sizeof spec, "uniform:%lld", (long long)n);
  if (hg_session_join(NULL, &session) != HG_OK || hg_session_open(&(hg_session_options){0}, &session) != HG_OK ||
      hg_matrix_open(spec, 1, &a) != HG_OK || hg_matrix_random(n, NRHS, 2, &b) != HG_OK ||
      hg_tile_map_grid(1, 1, &map) != HG_OK)
    return 1;
  const hg_lu_problem problem = {.a = a, .b = b, .nb = hg_choose_nb(n, false), .map = &map};
  if (hg_elimination_make(&session, &problem, &e) != HG_OK || hg_elimination_load(e) != HG_OK ||
      hg_elimination_factor(e, NULL, NULL) != HG_OK)
    return 1;
  for (int run = 0; run < 2 || spent < 1; run++) {
    double start = hg_now();
    if (hg_elimination_forward_solve(e) != HG_OK || hg_elimination_solve(e) != HG_OK) return 1;
    double seconds = hg_now() - start;
    spent += seconds;
    best = seconds < best ? seconds : best;
  }
  printf("%.4g\n", 2. * (double)n * (double)n * NRHS / best * 1e-9);
  hg_elimination_free(e);
  hg_tile_map_free(&map);
  hg_matrix_close(a);
  hg_matrix_close(b);
  hg_session_close(&session);
  return 0;
}
