/* SPDX-License-Identifier: MIT */
/* Checkpoints of a book: which pieces are done, the exact sums of the row that is under way, and the estimates of rows
 * that are finished. Whoever goes on, with whatever division, gets the bits of a run that was never interrupted. */
#ifndef HG_PRICING_SAVED_H
#define HG_PRICING_SAVED_H

#include "pricing/portfolio_run.h"

/** Whether a checkpoint can be written there, before anything is computed. HG_INVALID, HG_IO.
 * @param problem  what decides the prices (hg_consistency_problem), here and below */
hg_status hg_portfolio_check_saved(const hg_portfolio_run *book, const char *path, const char *problem);

/** Writes what is known now, on the first rank, which knows as much as all. HG_INVALID, HG_IO;
 * HG_MISMATCH for sums that are not finite. Collective; fails on all ranks alike. */
hg_status hg_portfolio_save(const hg_portfolio_run *book, const hg_session *session, const char *path,
                            const char *problem);

/** Makes a checkpoint the book's start, and cuts the rest into steps; before its job is made. HG_INVALID if it is of
 * another problem, HG_FORMAT, HG_IO, HG_MEMORY. */
hg_status hg_portfolio_restore(hg_portfolio_run *book, const char *path, const char *problem);
#endif
