/* SPDX-License-Identifier: MIT */
/* The numbers of BiCGSTAB and BiCG between their passes over the vectors, for CPU and CUDA alike: when an iteration
 * counts, when the method begins anew from the current residual (a breakdown), when it gives up (two in a row). */
#ifndef HG_CODELETS_ADR_ADR_KRYLOV_H
#define HG_CODELETS_ADR_ADR_KRYLOV_H

#include "codelets/adr/adr_problem.h"

typedef struct hg_adr_krylov {
  double goal, square; /**< wanted and present (r, r) */
  double rho, alpha, omega, beta;
  double failed;    /**< it gave up, leaving this residual; 0: not */
  int count, limit; /**< iterations */
  bool runs;        /**< there is something left to do */
  bool fresh;       /**< the iteration begins anew: p = r0 = r */
  bool broken;      /**< the one before broke down */
  bool usable;      /**< alpha is a number: this one has not broken down so far */
} hg_adr_krylov;

/** @param square  (r, r) of the right-hand side */
HG_ADR_INLINE hg_adr_krylov hg_adr_krylov_begin(double square, double inner, int limit)
{
  const double goal = inner * inner * square;
  const hg_adr_krylov k = {goal, square, square, 0, 0, 0, 0, 0, limit, square > goal && limit > 0, true, false, false};
  return k;
}

/** @param down  (r0, B p), of BiCG (p~, B p) */
HG_ADR_INLINE void hg_adr_krylov_alpha(hg_adr_krylov *k, double down)
{
  k->alpha = k->rho / down;
  k->usable = isfinite(k->alpha) && down != 0;
}

/** BiCGSTAB. @param over,under  (t, r) and (t, t); not read where alpha is not usable */
HG_ADR_INLINE void hg_adr_krylov_omega(hg_adr_krylov *k, double over, double under)
{
  k->omega = k->usable && under > 0 ? over / under : 0;
}

/** An iteration ends. @param next,square  (r0, r) and (r, r), not read where alpha is not usable @param factor  of BiCG
 * 1, of BiCGSTAB alpha / omega */
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
