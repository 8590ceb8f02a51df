/* SPDX-License-Identifier: MIT */
/* An adr problem as a graph of StarPU tasks: a block per worker that has a region, a chain of tasks
 * per block.
 *
 * A time step begins on each block by itself (old values, a guess from the two states before,
 * margins included). Then sweeps: faces are packed and travel, margins are unpacked, the residual
 * of the values now held is computed with the margins as they are on the neighbours, so its maximum
 * over all blocks is that of the whole grid; each block that is not below the tolerance solves for
 * its own update. The maximum of a sweep is looked at when the next one has been submitted, so
 * nothing waits for it; that next sweep then changes nothing, since all blocks are below the
 * tolerance. All values depend on the regions alone: neither on policies nor on the order of tasks,
 * nor on who is on which rank.
 */
#ifndef HG_ADR_GRAPH_H
#define HG_ADR_GRAPH_H

#include "adr/settings.h"
#include "graph/graph.h"

typedef struct hg_adr_graph hg_adr_graph;

/** Values of a node in memory and in checkpoints: both species, and both as they were a step
 * before. */
enum { HG_ADR_RECORD = 4 };

/** Whether blocks may be on GPUs: in builds with CUDA, and in virtual time. */
bool hg_adr_runs_on_cuda(void);

/** Makes the blocks of this rank. Collective. HG_MEMORY, HG_INVALID. @param problem,settings,tiling
 * kept by reference
 */
hg_status hg_adr_graph_make(const hg_session *session, const hg_tiling *tiling, const hg_adr_problem *problem,
                            const hg_adr_settings *settings, const hg_adr_kernel *kernel, hg_adr_graph **out);

/** The common part of all graphs: tiles are regions, `visit` gives HG_ADR_RECORD values a node; and the way back. */
hg_graph *hg_adr_graph_base(hg_adr_graph *graph);
hg_adr_graph *hg_adr_graph_of(hg_graph *base);

/** Loads the initial values, or those of a checkpoint after `done` steps. @param record
 * [nz][ny][nx][HG_ADR_RECORD], or NULL */
hg_status hg_adr_graph_load(hg_adr_graph *graph, int64_t done, const double *record);

/** One step. Collective; what hg_adr_check_sweep says, on all ranks. */
hg_status hg_adr_graph_step(hg_adr_graph *graph);

/** Waits for all tasks. Collective. */
void hg_adr_graph_wait(hg_adr_graph *graph);

/** Collective; the tasks are done. */
hg_adr_stats hg_adr_graph_stats(hg_adr_graph *graph);

#endif
