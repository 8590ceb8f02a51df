/* SPDX-License-Identifier: MIT */
/* The time of a division by following its tasks and messages. */
#ifndef HG_PLACEMENT_FOLLOW_H
#define HG_PLACEMENT_FOLLOW_H

#include "base/box.h"
#include "placement/machine.h"

/** Processors of a machine that is followed at most. */
enum { HG_FOLLOW_MOST = 64 };

/** Whether a machine is one whose divisions can be followed: it has two nodes or more, and not too many processors. */
bool hg_machine_is_followed(const hg_machine *machine);

/** s of a step of a division: like hg_machine_time, but event by event, so that who is done early sends early. A task
 * of a tile starts when those before it and its neighbours' are done and their margins are there; messages share the
 * links of their groups, and are announced to a group one after the other; what GPUs exchange goes through the ports of
 * both, one piece after the other. Runs of up to 20 blocks are followed from their begin to their end, longer ones
 * while they repeat themselves.
 * @param box  [machine->parts] of cells; a block's margins are as deep as it has steps
 * HG_MEMORY. O(tiles^2 + blocks messages (log tiles + messages at a time)). */
hg_status hg_machine_follow(const hg_machine *machine, int dims, const hg_box *box, double *seconds);
#endif
