/* SPDX-License-Identifier: MIT */
/* From a grid to blocks, and from blocks to files. All collective. */
#ifndef HG_ADR_RESULTS_H
#define HG_ADR_RESULTS_H

#include "adr/graph.h"
#include "job/divide.h"
#include "result/field.h"

/** Divides the grid: a region a worker that takes part, a tile a region. HG_INVALID, HG_MEMORY.
 * Free with hg_tiling_free. @param measured  as for hg_divide */
hg_status hg_adr_divide(hg_session *session, const hg_adr_problem *problem, const hg_division *division,
                        const hg_speed_model *measured, int overlap, hg_tiling *out);

/** All values on rank 0. @param before  those before the last step @param[out] field  c1 and c2;
 * field[0].also is field[1]. Free both with hg_field_free. */
hg_status hg_adr_gather(const hg_session *session, const hg_tiling *tiling, hg_adr_graph *graph,
                        bool before, hg_field field[2]);

/** Hash of what decides the result but the number of steps. */
uint64_t hg_adr_identity(const hg_adr_problem *problem, const hg_adr_settings *settings);

/** Where the values after `done` steps come from: the program's run and the problem. */
void hg_adr_describe(const hg_session *session, const hg_adr_problem *problem, const hg_adr_settings *settings,
                     int64_t done, hg_facts *out);

/** Keeps the state after `done` steps. HG_IO, HG_MEMORY, HG_INVALID if something else is there. */
hg_status hg_adr_checkpoint(const hg_session *session, const hg_tiling *tiling, hg_adr_graph *graph,
                            const char *path, int64_t done, uint64_t identity, const hg_facts *facts);

/** Reads it, on each rank. @param facts  what is said if it is another problem's @param[out] record  malloc'ed, for
 * hg_adr_graph_load. HG_FORMAT, HG_INVALID, HG_IO. */
hg_status hg_adr_restore(const hg_adr_problem *problem, const hg_adr_settings *settings, const char *path,
                         const hg_facts *facts, int64_t *done, double **record);
#endif
