/* SPDX-License-Identifier: MIT */
/* Reported properties of factors and solutions hold for all blocks, and checks find wrong ones. */
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elimination/check.h"
#include "elimination/factors.h"
#include "elimination/graph.h"
#include "hetgrid.h"
#include "session.h"
#include "tap.h"

static hg_session session;
static hg_tile_map map;

/* Factors a matrix in tiles of nb; with a right-hand side also solves the system. */
typedef struct system_of {
  hg_lu_problem problem;
  hg_matrix *a, *b;
  hg_elimination *e;
} system_of;

static bool begin(const char *matrix, int nb, hg_pivoting pivoting, system_of *s)
{
  *s = (system_of){.problem = {.nb = nb, .pivoting = pivoting, .map = &map}};
  if (hg_matrix_open(matrix, 1, &s->a) != HG_OK || hg_matrix_ones(hg_matrix_cols(s->a), 2, &s->b) != HG_OK)
    return false;
  s->problem.a = s->a;
  s->problem.b = s->b;
  return hg_elimination_make(&session, &s->problem, &s->e) == HG_OK && hg_elimination_load(s->e) == HG_OK;
}

static bool factor(const char *matrix, int nb, hg_pivoting pivoting, system_of *s)
{
  return tap_ok(begin(matrix, nb, pivoting, s) && hg_elimination_factor(s->e, NULL, NULL) == HG_OK,
                "%s in tiles of %d is factored (%s) %s", matrix, nb, hg_pivoting_name(pivoting), hg_message());
}

static void end(system_of *s)
{
  hg_elimination_free(s->e);
  hg_matrix_close(s->b);
  hg_matrix_close(s->a);
}

/* Column 33 is the second one of the third block. */
static void zeros_are_named_in_any_block(hg_pivoting pivoting)
{
  system_of s;
  if (factor("zero-column:40,33", 16, pivoting, &s))
    tap_int(hg_elimination_metadata(s.e)->info, 34, "... and the first pivot that is zero is named");
  end(&s);
}

static void zeros_are_kept_in_files(void)
{
  char path[] = "/tmp/hetgrid-factors-XXXXXX.h5";
  system_of s, again;
  close(mkstemps(path, 3));
  unlink(path);
  if (factor("zero-column:40,33", 16, HG_PIVOT_DYNAMIC, &s))
    tap_int(hg_lu_factors_write(&session, s.e, path), HG_OK, "... kept in a file");
  tap_ok(begin("zero-column:40,33", 8, HG_PIVOT_DYNAMIC, &again) &&
             hg_lu_factors_read(&session, again.e, path) == HG_OK,
         "... and read again %s", hg_message());
  tap_int(hg_elimination_metadata(again.e)->info, 34, "... with the pivot that is zero");
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, "pivots", H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, (int32_t[40]){1, -5});
  H5Dclose(set);
  H5Fclose(file);
  tap_ok(hg_lu_factors_read(&session, again.e, path) == HG_FORMAT && strstr(hg_message(), path) &&
             strstr(hg_message(), "pivot 2 is row -5, must be from 2 to 40"),
         "a wrong pivot is named with its file: %s", hg_message());
  end(&again);
  end(&s);
  unlink(path);
}

/* Hilbert's matrix of 5 has integers in its inverse: ||A||_1 is 137 / 60 and ||A^-1||_1 is 413280. */
static void conditions_are_known(void)
{
  const double known = 60. / 137 / 413280;
  for (int nb = 2; nb <= 5; nb += 3) {
    system_of s;
    double rcond = 0;
    if (factor("hilb:5", nb, HG_PIVOT_DYNAMIC, &s)) hg_lu_rcond(&session, s.e, &rcond);
    tap_near(rcond, known, known / 100, "... and its condition estimated");
    end(&s);
  }
}

static void wrong_solutions_are_seen(void)
{
  system_of s;
  hg_field x = {.values = NULL};
  double residual = -1;
  if (!factor("uniform:50", 16, HG_PIVOT_DYNAMIC, &s)) return;
  tap_ok(hg_elimination_solve(s.e) == HG_OK && hg_lu_solution(&session, s.e, &s.problem, &x) == HG_OK,
         "... and solved %s", hg_message());
  hg_lu_residual(&session, s.e, &s.problem, &x, &residual);
  tap_ok(residual > 0 && residual < 1, "... up to rounding (%g)", residual);
  ((double *)x.values)[2 * 20 + 1] += 1e-6;
  hg_lu_residual(&session, s.e, &s.problem, &x, &residual);
  tap_ok(residual > 1e4, "a value that is wrong in its sixth digit is found (%g)", residual);
  hg_field_free(&x);
  end(&s);
}

int main(int argc, char **argv)
{
  (void)argc;
  start_session(argv, &session);
  if (hg_tile_map_grid(1, 1, &map) != HG_OK) return 99;
  zeros_are_named_in_any_block(HG_PIVOT_DYNAMIC);
  zeros_are_named_in_any_block(HG_PIVOT_STATIC);
  zeros_are_named_in_any_block(HG_PIVOT_TOURNAMENT);
  zeros_are_kept_in_files();
  conditions_are_known();
  wrong_solutions_are_seen();
  hg_tile_map_free(&map);
  hg_session_close(&session);
  return tap_done();
}
