/* SPDX-License-Identifier: MIT */
/* A peer of hetgrid-adr: the problem mms with SUNDIALS' CVODE, BDF of variable order and step,
 * Newton, BiCGSTAB without preconditioner, rtol 1e-5. Prints s, steps, right-hand sides, error.
 *   bench/adr_cvode N */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spbcgs.h>

#include "adr/problem.h"
#include "base/clock.h"
#include "codelets/adr/adr_problem.h"

typedef struct peer {
  hg_adr_problem p;
  double lo[3], hi[3], sum;
  double *sine, *cosine, *ones; /* of pi x at the nodes; a row of the value outside */
} peer;

/* One species after the other, in rows, so that the compiler can vectorise. */
static int right_hand_side(double t, N_Vector y, N_Vector out, void *arg)
{
  const peer *s = arg;
  const int64_t n = s->p.n[0], cells = n * n * n;
  const double *u = NV_DATA_S(y);
  double *f = NV_DATA_S(out), term[HG_ADR_TERMS];
  hg_adr_terms(&s->p, t, term);
  for (int64_t k = 0; k < n; k++)
    for (int64_t j = 0; j < n; j++) {
      const int64_t row = (k * n + j) * n;
      for (int c = 0; c < 2; c++) {
        const double *v = u + c * cells + row;
        const double *south = j > 0 ? v - n : s->ones, *north = j + 1 < n ? v + n : s->ones;
        const double *below = k > 0 ? v - n * n : s->ones, *above = k + 1 < n ? v + n * n : s->ones;
        double *g = f + c * cells + row;
        for (int64_t i = 0; i < n; i++)
          g[i] = s->lo[0] * (i > 0 ? v[i - 1] : 1) + s->hi[0] * (i + 1 < n ? v[i + 1] : 1) + s->lo[1] * south[i] +
                 s->hi[1] * north[i] + s->lo[2] * below[i] + s->hi[2] * above[i] - s->sum * v[i];
      }
      for (int64_t i = 0; i < n; i++) {
        const hg_adr_rates r = hg_adr_mms(u[row + i], u[cells + row + i], term, s->sine[i], s->sine[j], s->sine[k],
                                          s->cosine[i], s->cosine[j], s->cosine[k]);
        f[row + i] += r.r1;
        f[cells + row + i] += r.r2;
      }
    }
  return 0;
}

static void prepare(peer *s, int64_t n)
{
  s->sine = calloc((size_t)n, sizeof(double));
  s->cosine = calloc((size_t)n, sizeof(double));
  s->ones = calloc((size_t)n, sizeof(double));
  for (int64_t i = 0; i < n; i++) {
    s->sine[i] = sin(M_PI * (double)(i + 1) * s->p.h[0]);
    s->cosine[i] = cos(M_PI * (double)(i + 1) * s->p.h[0]);
    s->ones[i] = 1;
  }
  for (int a = 0; a < 3; a++) {
    s->lo[a] = s->p.d[a] / (s->p.h[a] * s->p.h[a]) + s->p.a[a] / (2 * s->p.h[a]);
    s->hi[a] = s->p.d[a] / (s->p.h[a] * s->p.h[a]) - s->p.a[a] / (2 * s->p.h[a]);
    s->sum += s->lo[a] + s->hi[a];
  }
}

int main(int argc, char **argv)
{
  const int64_t n = argc > 1 ? atoi(argv[1]) : 31, cells = n * n * n;
  const double end = .1;
  SUNContext context;
  peer s = {.sum = 0};
  double t, error = 0;
  long steps, calls, more;
  if (hg_adr_problem_make(0, (int64_t[]){n, n, n}, &s.p) != HG_OK) return 2;
  prepare(&s, n);
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(2 * cells, context);
  for (int64_t i = 0; i < 2 * cells; i++) NV_DATA_S(y)
  [i] = hg_adr_initial(&s.p, (int)(i / cells), (int64_t[]){i % n, i / n % n, i % cells / n / n});
  void *cvode = CVodeCreate(CV_BDF, context);
  const double start = hg_now();
  CVodeInit(cvode, right_hand_side, 0, y);
  CVodeSStolerances(cvode, 1e-5, 1e-8);
  CVodeSetUserData(cvode, &s);
  CVodeSetStopTime(cvode, end);
  SUNLinearSolver linear = SUNLinSol_SPBCGS(y, SUN_PREC_NONE, 0, context);
  CVodeSetLinearSolver(cvode, linear, NULL);
  if (CVode(cvode, end, y, &t, CV_NORMAL) < 0) return 1;
  const double seconds = hg_now() - start;
  for (int64_t i = 0; i < 2 * cells; i++)
    error = fmax(error, fabs(NV_DATA_S(y)[i] - hg_adr_exact(&s.p, (int)(i / cells),
                                                            (int64_t[]){i % n, i / n % n, i % cells / n / n}, end)));
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumRhsEvals(cvode, &calls);
  CVodeGetNumLinRhsEvals(cvode, &more);
  printf("%.6g %ld %ld %.6g\n", seconds, steps, calls + more, error);
  return 0;
}
