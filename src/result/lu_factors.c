/* SPDX-License-Identifier: MIT */
#include <hdf5.h>
#include <lapacke.h>
#include <stdlib.h>

#include "base/memory.h"
#include "result/lu_check.h"

hg_status hg_lu_factors_write(const hg_session *session, hg_elimination *e, const char *path)
{
  (void)session;
  (void)e;
  return hg_fail(HG_UNSUPPORTED, "%s: ", path);
}

/* A whole, as LAPACK wants it. */
static hg_status read_whole(const hg_matrix *a, hg_precision precision, int64_t n, void **out)
{
  double *values;
  HG_TRY(hg_allocate("the matrix for LAPACK", (size_t)(n * n) * sizeof *values + 8, (void **)&values));
  hg_status status = hg_matrix_read(a, 0, 0, n, n, values, n);
  for (int64_t i = 0; precision == HG_FLOAT && status == HG_OK && i < n * n; i++)
    ((float *)values)[i] = (float)values[i];
  if (status != HG_OK)
    free(values);
  else
    *out = values;
  return status;
}

static hg_status compare(int64_t n, int64_t info, const int32_t *mine, int expected_info, const int32_t *expected)
{
  if (info != expected_info)
    return hg_fail(HG_MISMATCH, "verify: info is %lld, LAPACK's is %d", (long long)info, expected_info);
  for (int64_t i = 0; i < n; i++)
    if (mine[i] != expected[i])
      return hg_fail(HG_MISMATCH, "verify: pivot %lld is row %d, LAPACK's is row %d (the two may be equally large)",
                     (long long)i + 1, mine[i], expected[i]);
  return HG_OK;
}

static hg_status verify(hg_elimination *e, const hg_lu_problem *p)
{
  const int64_t n = hg_elimination_size(e);
  void *a;
  int32_t *pivot = calloc(2 * (size_t)n + 1, sizeof *pivot), *expected = pivot + n;
  if (!pivot) return hg_fail(HG_MEMORY, "no memory for %lld pivots", (long long)n);
  hg_elimination_pivots(e, pivot);
  hg_status status = read_whole(p->a, p->precision, n, &a);
  if (status == HG_OK) {
    const int order = (int)n, ld = order > 0 ? order : 1;
    int info = p->precision == HG_FLOAT ? LAPACKE_sgetrf_work(LAPACK_COL_MAJOR, order, order, a, ld, expected)
                                        : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, a, ld, expected);
    status = compare(n, hg_elimination_facts(e)->info, pivot, info, expected);
    free(a);
  }
  free(pivot);
  return status;
}

hg_status hg_lu_verify_pivots(const hg_session *session, hg_elimination *e, const hg_lu_problem *p)
{
  return hg_session_agree(session, session->rank == 0 ? verify(e, p) : HG_OK);
}
