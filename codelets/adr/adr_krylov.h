/* SPDX-License-Identifier: MIT */
/* The scalars of BiCGSTAB and BiCG between their passes over the vectors, for CPU and CUDA alike: when an iteration
 * counts, when the method restarts from the current residual (a breakdown), when it gives up (two in a row). */
#ifndef HG_CODELETS_ADR_ADR_KRYLOV_H
#define HG_CODELETS_ADR_ADR_KRYLOV_H

#include "codelets/adr/adr_problem.h"

typedef struct hg_adr_krylov {
  double goal, square; /**< desired and current (r, r) */
  double rho, alpha, omega, beta;
  double failed;    /**< the residual left when it gave up; 0: it did not */
  int count, limit; /**< iterations */
  bool runs;        /**< there are iterations left to do */
  bool fresh;       /**< the iteration restarts: p = r0 = r */
  bool broken;      /**< the previous one broke down */
  bool usable;      /**< alpha is finite: this iteration has not broken down so far */
} hg_adr_krylov;

/** @param square  (r, r) of the right-hand side */
HG_ADR_INLINE hg_adr_krylov hg_adr_krylov_begin(double square, double inner, int limit)
{
  const double goal = inner * inner * square;
  const hg_adr_krylov k = {goal, square, square, 0, 0, 0, 0, 0, limit, square > goal && limit > 0, true, false, false};
  return k;
}

/** @param down  (r0, B p); for BiCG (p~, B p) */
HG_ADR_INLINE void hg_adr_krylov_alpha(hg_adr_krylov *k, double down)
{
  k->alpha = k->rho / down;
  k->usable = isfinite(k->alpha) && down != 0;
}

/** BiCGSTAB. @param over,under  (t, r) and (t, t); not read if alpha is unusable */
HG_ADR_INLINE void hg_adr_krylov_omega(hg_adr_krylov *k, double over, double under)
{
  k->omega = k->usable && under > 0 ? over / under : 0;
}

/** Ends an iteration. @param next,square  (r0, r) and (r, r), not read if alpha is unusable @param factor  1 for BiCG,
 * alpha / omega for BiCGSTAB */
HG_ADR_INLINE void hg_adr_krylov_next(hg_adr_krylov *k, double next, double square, double factor)
{
  if (k->usable) k->square = square;
  k->beta = (k->usable ? next : k->rho) / k->rho * factor;
  const bool good = k->usable && isfinite(k->beta) && k->beta != 0 && isfinite(k->square);
  if (!good && (k->broken || k->fresh) && !(k->square <= k->goal)) k->failed = sqrt(k->square);
  k->rho = good ? next : k->square;
  k->broken = k->fresh = !good;
  k->count++;
  k->runs = k->failed == 0 && k->square > k->goal && k->count < k->limit;
}
#endif
