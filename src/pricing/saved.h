/* SPDX-License-Identifier: MIT */
/* Checkpoints of a portfolio: which pieces are done, the exact sums of the current row, and the estimates of finished
 * rows. A run that continues from one, with any division, gives the same bits as an uninterrupted run. */
#ifndef HG_PRICING_SAVED_H
#define HG_PRICING_SAVED_H

#include "pricing/portfolio_run.h"

/** Whether a checkpoint can be written there; to be called before anything is computed. HG_INVALID, HG_IO.
 * @param problem  what determines the prices (hg_consistency_problem), here and below */
hg_status hg_portfolio_check_saved(const hg_portfolio_run *book, const char *path, const char *problem);

/** Writes the current state, on the first rank, since all ranks have the same. HG_INVALID, HG_IO; HG_MISMATCH for sums
 * that are not finite. Collective; fails on all ranks if on any. */
hg_status hg_portfolio_save(const hg_portfolio_run *book, const hg_session *session, const char *path,
                            const char *problem);

/** Makes a checkpoint the start, and divides the rest into steps; to be called before the job is made. HG_INVALID if
 * it belongs to another problem, HG_FORMAT, HG_IO, HG_MEMORY. */
hg_status hg_portfolio_restore(hg_portfolio_run *book, const char *path, const char *problem);
#endif
