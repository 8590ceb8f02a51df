/* SPDX-License-Identifier: MIT */
/* A peer of hetgrid-adr: the problem mms with PETSc (DMDA, SNES, KSP), implicit Euler, analytic
 * Jacobian, converged to the same residual from the same guess. Prints s, Newton steps, linear
 * iterations, error. bench/adr_petsc N STEPS [PETSc's options, e.g. -ksp_type bcgs -pc_type ilu
 * -ksp_rtol 1e-2] */
#include <math.h>
#include <petscdmda.h>
#include <petscsnes.h>
#include <stdlib.h>

#include "adr/problem.h"
#include "codelets/adr/adr_problem.h"

typedef struct point {
  PetscScalar c[2];
} point;

typedef struct peer {
  hg_adr_problem p;
  DM da;
  Vec old;
  double dt, term[HG_ADR_TERMS], lo[3], hi[3], sum;
  double *sine, *cosine; /* of pi x at the nodes */
} peer;

static hg_adr_rates rates(const peer *s, const point *u, PetscInt i, PetscInt j, PetscInt k)
{
  return hg_adr_mms(u->c[0], u->c[1], s->term, s->sine[i], s->sine[j], s->sine[k], s->cosine[i], s->cosine[j],
                    s->cosine[k]);
}

/* The value of a neighbour, 1 beyond the sides. */
static double at(point ***u, PetscInt n, PetscInt i, PetscInt j, PetscInt k, int c)
{
  const bool inside = i >= 0 && j >= 0 && k >= 0 && i < n && j < n && k < n;
  return inside ? u[k][j][i].c[c] : 1;
}

static PetscErrorCode residual(SNES snes, Vec x, Vec f, void *arg)
{
  peer *s = arg;
  point ***u, ***o, ***r;
  Vec local;
  PetscInt x0, y0, z0, nx, ny, nz;
  const PetscInt n = (PetscInt)s->p.n[0];
  (void)snes;
  DMGetLocalVector(s->da, &local);
  DMGlobalToLocal(s->da, x, INSERT_VALUES, local);
  DMDAVecGetArrayRead(s->da, local, &u);
  DMDAVecGetArrayRead(s->da, s->old, &o);
  DMDAVecGetArray(s->da, f, &r);
  DMDAGetCorners(s->da, &x0, &y0, &z0, &nx, &ny, &nz);
  for (PetscInt k = z0; k < z0 + nz; k++)
    for (PetscInt j = y0; j < y0 + ny; j++)
      for (PetscInt i = x0; i < x0 + nx; i++) {
        const hg_adr_rates q = rates(s, &u[k][j][i], i, j, k);
        for (int c = 0; c < 2; c++)
          r[k][j][i].c[c] = o[k][j][i].c[c] - u[k][j][i].c[c] +
                            s->dt * (s->lo[0] * at(u, n, i - 1, j, k, c) + s->hi[0] * at(u, n, i + 1, j, k, c) +
                                     s->lo[1] * at(u, n, i, j - 1, k, c) + s->hi[1] * at(u, n, i, j + 1, k, c) +
                                     s->lo[2] * at(u, n, i, j, k - 1, c) + s->hi[2] * at(u, n, i, j, k + 1, c) -
                                     s->sum * u[k][j][i].c[c] + (c ? q.r2 : q.r1));
      }
  DMDAVecRestoreArray(s->da, f, &r);
  DMDAVecRestoreArrayRead(s->da, s->old, &o);
  DMDAVecRestoreArrayRead(s->da, local, &u);
  DMRestoreLocalVector(s->da, &local);
  return 0;
}

/* A row of the Jacobian: six neighbours of the same species, and both species of the point. */
static void add_row(const peer *s, Mat b, const hg_adr_rates *q, PetscInt i, PetscInt j, PetscInt k, int c)
{
  static const int step[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
  const PetscInt n = (PetscInt)s->p.n[0];
  MatStencil row = {.i = i, .j = j, .k = k, .c = c}, column[8];
  PetscScalar value[8];
  PetscInt count = 0;
  for (int d = 0; d < 6; d++) {
    const PetscInt to[3] = {i + step[d][0], j + step[d][1], k + step[d][2]};
    if (to[0] < 0 || to[1] < 0 || to[2] < 0 || to[0] >= n || to[1] >= n || to[2] >= n) continue;
    column[count] = (MatStencil){.i = to[0], .j = to[1], .k = to[2], .c = c};
    value[count++] = s->dt * (d % 2 ? s->hi : s->lo)[d / 2];
  }
  for (int e = 0; e < 2; e++) {
    const double reaction = c ? e ? q->j22 : q->j21 : e ? q->j12 : q->j11;
    column[count] = (MatStencil){.i = i, .j = j, .k = k, .c = e};
    value[count++] = s->dt * reaction - (c == e ? 1 + s->dt * s->sum : 0);
  }
  MatSetValuesStencil(b, 1, &row, count, column, value, INSERT_VALUES);
}

static PetscErrorCode jacobian(SNES snes, Vec x, Mat a, Mat b, void *arg)
{
  peer *s = arg;
  point ***u;
  PetscInt x0, y0, z0, nx, ny, nz;
  (void)snes, (void)a;
  DMDAVecGetArrayRead(s->da, x, &u);
  DMDAGetCorners(s->da, &x0, &y0, &z0, &nx, &ny, &nz);
  for (PetscInt k = z0; k < z0 + nz; k++)
    for (PetscInt j = y0; j < y0 + ny; j++)
      for (PetscInt i = x0; i < x0 + nx; i++) {
        const hg_adr_rates q = rates(s, &u[k][j][i], i, j, k);
        for (int c = 0; c < 2; c++) add_row(s, b, &q, i, j, k, c);
      }
  DMDAVecRestoreArrayRead(s->da, x, &u);
  MatAssemblyBegin(b, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(b, MAT_FINAL_ASSEMBLY);
  return 0;
}

/* max |F| / (|u_old| + 1) <= 1e-8, as in hetgrid-adr. */
static PetscErrorCode converged(SNES snes, PetscInt step, PetscReal x, PetscReal g, PetscReal f,
                                SNESConvergedReason *reason, void *arg)
{
  peer *s = arg;
  Vec r;
  const PetscScalar *fv, *ov;
  PetscInt count;
  double largest = 0;
  (void)step, (void)x, (void)g, (void)f;
  SNESGetFunction(snes, &r, NULL, NULL);
  VecGetLocalSize(r, &count);
  VecGetArrayRead(r, &fv);
  VecGetArrayRead(s->old, &ov);
  for (PetscInt i = 0; i < count; i++) largest = fmax(largest, fabs(fv[i]) / (fabs(ov[i]) + 1));
  VecRestoreArrayRead(s->old, &ov);
  VecRestoreArrayRead(r, &fv);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  *reason = largest <= 1e-8 ? SNES_CONVERGED_FNORM_ABS : SNES_CONVERGED_ITERATING;
  return 0;
}

static void fill(peer *s, Vec v, double time, bool compare, double *error)
{
  point ***u;
  PetscInt x0, y0, z0, nx, ny, nz;
  DMDAVecGetArray(s->da, v, &u);
  DMDAGetCorners(s->da, &x0, &y0, &z0, &nx, &ny, &nz);
  for (PetscInt k = z0; k < z0 + nz; k++)
    for (PetscInt j = y0; j < y0 + ny; j++)
      for (PetscInt i = x0; i < x0 + nx; i++)
        for (int c = 0; c < 2; c++) {
          const double exact = hg_adr_exact(&s->p, c, (int64_t[]){i, j, k}, time);
          if (compare)
            *error = fmax(*error, fabs(u[k][j][i].c[c] - exact));
          else
            u[k][j][i].c[c] = exact;
        }
  DMDAVecRestoreArray(s->da, v, &u);
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 5;
  const PetscInt together[4] = {1, 1, 1, 1}, apart[4] = {1, 0, 0, 1};
  const double end = .1;
  peer s = {.dt = end / steps};
  SNES snes;
  Mat matrix;
  Vec u, before, f;
  PetscInt newton = 0, linear = 0, one;
  double error = 0;
  PetscInitialize(&argc, &argv, NULL, NULL);
  if (hg_adr_problem_make(0, (int64_t[]){n, n, n}, &s.p) != HG_OK) return 2;
  s.sine = calloc((size_t)n, sizeof(double));
  s.cosine = calloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; i++) {
    s.sine[i] = sin(M_PI * (i + 1) * s.p.h[0]);
    s.cosine[i] = cos(M_PI * (i + 1) * s.p.h[0]);
  }
  for (int a = 0; a < 3; a++) {
    s.lo[a] = s.p.d[a] / (s.p.h[a] * s.p.h[a]) + s.p.a[a] / (2 * s.p.h[a]);
    s.hi[a] = s.p.d[a] / (s.p.h[a] * s.p.h[a]) - s.p.a[a] / (2 * s.p.h[a]);
    s.sum += s.lo[a] + s.hi[a];
  }
  DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, n, n, n, 1, 1,
               PETSC_DECIDE, 2, 1, NULL, NULL, NULL, &s.da);
  DMSetFromOptions(s.da);
  DMDASetBlockFills(s.da, together, apart);
  DMSetUp(s.da);
  DMCreateGlobalVector(s.da, &u);
  VecDuplicate(u, &s.old);
  VecDuplicate(u, &before);
  VecDuplicate(u, &f);
  DMCreateMatrix(s.da, &matrix);
  SNESCreate(PETSC_COMM_WORLD, &snes);
  SNESSetFunction(snes, f, residual, &s);
  SNESSetJacobian(snes, matrix, matrix, jacobian, &s);
  SNESSetConvergenceTest(snes, converged, &s, NULL);
  SNESSetFromOptions(snes);
  fill(&s, u, 0, false, NULL);
  VecCopy(u, before);
  MPI_Barrier(PETSC_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 1; step <= steps; step++) {
    VecCopy(u, s.old);
    VecAYPX(before, -1, u); /* u - before */
    if (step > 1) VecAXPY(u, 1, before);
    VecCopy(s.old, before);
    hg_adr_terms(&s.p, step * s.dt, s.term);
    SNESSolve(snes, NULL, u);
    SNESGetIterationNumber(snes, &one), newton += one;
    SNESGetLinearSolveIterations(snes, &one), linear += one;
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  const double seconds = MPI_Wtime() - start;
  fill(&s, u, end, true, &error);
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  PetscPrintf(PETSC_COMM_WORLD, "%.6g %d %d %.6g\n", seconds, (int)newton, (int)linear, error);
  PetscFinalize();
  return 0;
}
