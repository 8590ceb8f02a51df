/* SPDX-License-Identifier: MIT */
/* An adr problem as a graph of StarPU tasks: a block per worker that has a region, and a chain of tasks per block.
 *
 * Each block begins a time step by itself (old values, a guess from the two previous states, margins included). Then
 * sweeps follow: faces are packed and sent, margins are unpacked, and the residual of the current values is computed
 * with the margins as they are on the neighbours, so its maximum over all blocks is that of the whole grid. Each block
 * above the tolerance solves for its own update. The maximum of a sweep is read after the next sweep has been
 * submitted, so that no task waits for it. After convergence that next sweep changes nothing, since all blocks are
 * below the tolerance. All values depend only on the regions, not on policies, the order of tasks, or the assignment
 * to ranks. */
#ifndef HG_ADR_GRAPH_H
#define HG_ADR_GRAPH_H

#include "adr/settings.h"
#include "graph/graph.h"

typedef struct hg_adr_graph hg_adr_graph;

/** Values of a node in memory and in checkpoints: both species, and both from the previous step. */
enum { HG_ADR_RECORD = 4 };

/** Whether blocks may be on GPUs: in builds with CUDA, and in simulation. */
bool hg_adr_runs_on_cuda(void);

/** Makes the blocks of this rank. Collective. HG_MEMORY, HG_INVALID. @param problem,settings,tiling kept by
 * reference */
hg_status hg_adr_graph_make(const hg_session *session, const hg_tiling *tiling, const hg_adr_problem *problem,
                            const hg_adr_settings *settings, const hg_adr_kernel *kernel, hg_adr_graph **out);

/** The common part of all graphs (tiles are regions, `visit` gives HG_ADR_RECORD values per node), and the reverse. */
hg_graph *hg_adr_graph_base(hg_adr_graph *graph);
hg_adr_graph *hg_adr_graph_of(hg_graph *base);

/** Loads the initial values, or those of a checkpoint after `done` steps. @param record
 * [nz][ny][nx][HG_ADR_RECORD], or NULL */
hg_status hg_adr_graph_load(hg_adr_graph *graph, int64_t done, const double *record);

/** One step. Collective; returns the status of hg_adr_check_sweep, on all ranks. */
hg_status hg_adr_graph_step(hg_adr_graph *graph);

/** Waits for all tasks. Collective. */
void hg_adr_graph_wait(hg_adr_graph *graph);

/** Collective; all tasks must have finished. */
hg_adr_stats hg_adr_graph_stats(hg_adr_graph *graph);

#endif
