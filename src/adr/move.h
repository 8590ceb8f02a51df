/* SPDX-License-Identifier: MIT */
/* Moves the values of an adr graph to another division, between two time steps: owned values are moved, margins are
 * exchanged. Internal to adr/. */
#ifndef HG_ADR_MOVE_H
#define HG_ADR_MOVE_H

#include "adr/tiles.h"

/** Takes over states, counts and times of workers from a graph whose tasks have finished; after this, `from` may only
 * be freed. Collective. HG_MEMORY. @param to  of the same problem, settings and session */
hg_status hg_adr_move(hg_adr_graph *from, hg_adr_graph *to);
#endif
