/* SPDX-License-Identifier: MIT */
/* From a grid to blocks, and from blocks to files. All functions are collective. */
#ifndef HG_ADR_RESULTS_H
#define HG_ADR_RESULTS_H

#include "adr/graph.h"
#include "runtime/consistency.h"
#include "division/divide.h"
#include "result/field.h"

/** Divides the grid: one region per participating worker, one tile per region. HG_INVALID, HG_MEMORY. Free with
 * hg_tiling_free. @param measured  as for hg_divide */
hg_status hg_adr_divide(hg_session *session, const hg_adr_problem *problem, const hg_division *division,
                        const hg_speed_model *measured, int overlap, hg_tiling *out);

/** Gathers all values on rank 0. @param before  those before the last step @param[out] field  c1 and c2; field[0].also
 * is field[1]. Free both with hg_field_free. */
hg_status hg_adr_gather(const hg_session *session, const hg_tiling *tiling, hg_adr_graph *graph, bool before,
                        hg_field field[2]);

/** Appends all that determines the values after a step: the problem, and how a step is solved. */
void hg_adr_list(const hg_adr_problem *problem, const hg_adr_settings *settings, hg_consistency *list);

/** Describes the provenance of the values after `done` steps: the program's run and the problem. */
void hg_adr_describe(const hg_session *session, const hg_adr_problem *problem, const hg_adr_settings *settings,
                     int64_t done, hg_metadata *out);

/** Writes the state after `done` steps. HG_IO, HG_MEMORY, HG_INVALID if something else is at the path, HG_MISMATCH if
 * a value is not finite. @param problem  as hg_consistency_problem gives it */
hg_status hg_adr_checkpoint(const hg_session *session, const hg_tiling *tiling, hg_adr_graph *graph, const char *path,
                            int64_t done, const char *problem, const hg_metadata *metadata);

/** Reads it, on each rank. @param listed  the problem as hg_consistency_problem gives it @param[out] record
 * malloc'ed, for hg_adr_graph_load. HG_FORMAT, HG_INVALID, HG_IO. */
hg_status hg_adr_restore(const hg_adr_problem *problem, const hg_adr_settings *settings, const char *path,
                         const char *listed, int64_t *done, double **record);
#endif
