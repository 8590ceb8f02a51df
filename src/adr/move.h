/* SPDX-License-Identifier: MIT */
/* The values of an adr graph under another division, between two time steps: what blocks own is moved, margins are
 * exchanged. Internal to adr/. */
#ifndef HG_ADR_MOVE_H
#define HG_ADR_MOVE_H

#include "adr/tiles.h"

/** Takes over states, counts and times of workers from a graph whose tasks are done, and which is only to be freed
 * then. Collective. HG_MEMORY. @param to  of the same problem, settings and session */
hg_status hg_adr_move(hg_adr_graph *from, hg_adr_graph *to);
#endif
