/* SPDX-License-Identifier: MIT */
/* Shares by the constant performance model. */
#ifndef HG_SPEED_CPM_H
#define HG_SPEED_CPM_H

#include "base/status.h"

/** Constant performance model (CPM; thesis, equations 3-1 and 3-2): capability C = alpha P_comp + beta P_comm + delta
 * P_mem, each quantity first divided by its sum over the workers, share = C / sum of C.
 * @param quantity  [workers][3] computing power, communication and memory of each worker, any units, >= 0
 * @param factor    alpha, beta, delta, >= 0
 * @param[out] share  [workers], sum 1
 * HG_INVALID if a number is negative or not finite, or all capabilities are 0. */
hg_status hg_cpm_shares(int workers, const double (*quantity)[3], const double factor[3], double *share);
#endif
