/* SPDX-License-Identifier: MIT */
/* Work that normally only cores do gives the same bits without workers on cores. The program's own function, which
 * takes precedence over the library's, hides the cores of this machine. */

#include "elimination/check.h"
#include "elimination/graph.h"
#include "runtime/task_data.h"
#include "hetgrid.h"
#include "matmul/part.h"
#include "session.h"
#include "tap.h"

static hg_session session;
static bool denied;

bool hg_task_has_cores(void)
{
  return !denied;
}

/* Result of an elimination. */
typedef struct outcome {
  hg_lu_metadata metadata;
  double residual, dget01;
} outcome;

static hg_status measure(hg_elimination *e, const hg_lu_problem *p, outcome *out)
{
  hg_field x = {.values = NULL};
  HG_TRY(hg_elimination_load(e));
  HG_TRY(hg_elimination_factor(e, NULL, NULL));
  HG_TRY(hg_elimination_solve(e));
  HG_TRY(hg_lu_solution(&session, e, p, &x));
  HG_TRY(hg_lu_residual(&session, e, p, &x, &out->residual));
  hg_field_free(&x);
  out->metadata = *hg_elimination_metadata(e);
  HG_TRY(hg_elimination_multiply_back(e));
  return hg_lu_factors_error(&session, e, p, &out->dget01);
}

static hg_status eliminate(hg_pivoting pivoting, bool cores, outcome *out)
{
  hg_matrix *a, *b;
  hg_tile_map map;
  hg_elimination *e;
  HG_TRY(hg_matrix_open("uniform:100", 1, &a));
  HG_TRY(hg_matrix_ones(100, 2, &b));
  HG_TRY(hg_tile_map_grid(1, 1, &map));
  const hg_lu_problem p = {.a = a, .b = b, .nb = 16, .pivoting = pivoting, .map = &map};
  denied = !cores;
  hg_status status = hg_elimination_make(&session, &p, &e);
  if (status == HG_OK) {
    status = measure(e, &p, out);
    hg_elimination_free(e);
  }
  denied = false;
  hg_tile_map_free(&map);
  hg_matrix_close(b);
  hg_matrix_close(a);
  return status;
}

static void eliminations_are_alike(hg_pivoting pivoting)
{
  outcome with = {.dget01 = -1}, without = {.dget01 = -2};
  const char *name = hg_pivoting_name(pivoting);
  tap_int(eliminate(pivoting, true, &with), HG_OK, "an elimination with cores");
  tap_ok(eliminate(pivoting, false, &without) == HG_OK, "... and without (%s) %s", name, hg_message());
  tap_ok(with.metadata.norm_1 == without.metadata.norm_1 && with.metadata.norm_inf == without.metadata.norm_inf &&
             with.metadata.norm_max == without.metadata.norm_max &&
             with.metadata.b_norm_inf == without.metadata.b_norm_inf,
         "... of the same matrix: norm %.17g, %.17g", with.metadata.norm_1, without.metadata.norm_1);
  tap_ok(with.residual == without.residual && with.residual < 16, "... with the same solution: residual %g, %g",
         with.residual, without.residual);
  tap_ok(with.dget01 == without.dget01 && with.dget01 < 16, "... and factors: error %g, %g", with.dget01,
         without.dget01);
}

static void tournaments_are_refused(void)
{
  outcome none;
  tap_int(eliminate(HG_PIVOT_TOURNAMENT, false, &none), HG_NO_WORKER, "a tournament needs cores");
  tap_contains(hg_message(), "rows are chosen on cores, but rank 0 has none", "... and says so");
}

static hg_status load(const hg_matmul_problem *p, bool cores, hg_matmul_part *part)
{
  const hg_box all = {{0, 0, 0}, {p->n, p->m, 1}};
  HG_TRY(hg_matmul_part_make(&session, p, &all, hg_matmul_panels(p), part, NULL));
  denied = !cores;
  const hg_status status = hg_matmul_part_load(part, &all);
  denied = false;
  return status;
}

static void products_read_the_same(hg_precision precision)
{
  hg_matrix *a, *b;
  hg_matmul_part with = {0}, without = {0};
  if (hg_matrix_open("uniform:60", 1, &a) != HG_OK || hg_matrix_open("uniform:60", 2, &b) != HG_OK) return;
  const hg_matmul_problem p = {.a = a, .b = b, .m = 60, .n = 60, .k = 60, .nb = 16, .precision = precision};
  tap_int(load(&p, true, &with), HG_OK, "a product's matrices are read by cores");
  tap_int(load(&p, false, &without), HG_OK, "... and without any");
  tap_ok(memcmp(with.a, without.a, with.bytes[0]) == 0 && memcmp(with.b, without.b, with.bytes[1]) == 0,
         "... with the same bits: %zu and %zu bytes", with.bytes[0], with.bytes[1]);
  hg_matmul_part_free(&with);
  hg_matmul_part_free(&without);
  hg_matrix_close(b);
  hg_matrix_close(a);
}

int main(int argc, char **argv)
{
  (void)argc;
  start_session(argv, &session);
  eliminations_are_alike(HG_PIVOT_DYNAMIC);
  eliminations_are_alike(HG_PIVOT_STATIC);
  eliminations_are_alike(HG_PIVOT_NONE);
  tournaments_are_refused();
  products_read_the_same(HG_DOUBLE);
  products_read_the_same(HG_FLOAT);
  hg_session_close(&session);
  return tap_done();
}
