/* SPDX-License-Identifier: MIT */
/* The time of a division, by simulating its tasks and messages. */
#ifndef HG_PLACEMENT_FOLLOW_H
#define HG_PLACEMENT_FOLLOW_H

#include "base/box.h"
#include "placement/machine.h"

/** Most processors of a machine that is followed. */
enum { HG_FOLLOW_MOST = 64 };

/** Whether divisions of a machine can be followed: it has two or more nodes, and not too many processors. */
bool hg_machine_is_followed(const hg_machine *machine);

/** s per step of a division: like hg_machine_time, but event by event, so that processors that finish early send
 * early. A tile's task starts when its own previous task is done and the pieces of its neighbours have arrived.
 * Messages share the links of their groups, and are announced to a group one after the other; exchange between GPUs
 * passes both ports, one piece after the other. Runs of up to 20 blocks are followed from beginning to end, longer
 * ones only in their periodic part.
 * @param box  [machine->parts] of cells; margins are as deep as a block has steps
 * HG_MEMORY. O(tiles^2 + blocks messages (log tiles + messages at a time)). */
hg_status hg_machine_follow(const hg_machine *machine, int dims, const hg_box *box, double *seconds);

/** s per step by which divisions are compared: of machines that are followed, a mean of both times.
 * @param[in,out] seconds  by hg_machine_time, which other machines keep. HG_MEMORY. */
hg_status hg_machine_weigh(const hg_machine *machine, int dims, const hg_box *box, double *seconds);
#endif
