/* SPDX-License-Identifier: MIT */
/* The heat problem as a stencil. */
#ifndef HG_GRAPH_HEAT_H
#define HG_GRAPH_HEAT_H

#include "codelets/kernels.h"
#include "graph/stencil.h"
#include "input/grid.h"
#include "input/problem.h"

typedef struct hg_heat_graph hg_heat_graph;

/** Builds the tiles of this rank. Collective.
 * @param problem, tiling  kept by reference
 * @param kernel  CPU kernel
 * @param source  temperature added per step, or NULL
 * HG_MEMORY, and what reading the source may return. Free with hg_heat_free. */
hg_status hg_heat_make(const hg_session *session, const hg_heat_problem *problem, const hg_tiling *tiling,
                       const hg_heat_kernel *kernel, hg_grid_input *source, hg_heat_graph **out);

/** Loads an initial state. Collective. */
hg_status hg_heat_load(hg_heat_graph *graph, hg_grid_input *init);

/** As hg_stencil_advance.
 * @param[out] change  if not NULL and steps > 0: the largest change of any cell in the last step */
hg_status hg_heat_advance(hg_heat_graph *graph, int64_t steps, double *change, void (*report)(void *arg, int64_t done),
                          void *arg);

/** The stencil below, for everything else. */
hg_stencil *hg_heat_stencil(const hg_heat_graph *graph);

void hg_heat_free(hg_heat_graph *graph);
#endif
