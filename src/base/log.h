/* SPDX-License-Identifier: MIT */
/* Log messages, to stderr. Results never go here. */
#ifndef HG_BASE_LOG_H
#define HG_BASE_LOG_H

typedef enum hg_level { HG_ERROR, HG_WARN, HG_INFO } hg_level;

/** Logs one line if HETGRID_LOG = error|warn|info (default warn) enables the level. Ranks other than 0 log errors
 * only. */
__attribute__((format(printf, 2, 3))) void hg_log(hg_level level, const char *format, ...);

/** Tells the log which MPI rank this process is; initially 0. */
void hg_log_set_rank(int rank);
#endif
