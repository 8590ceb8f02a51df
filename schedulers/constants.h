/* SPDX-License-Identifier: MIT */
/* The tuning constants of the policy. They were found by trial on graphs and machines drawn by bench/graphs and on the
 * timed node; docs/SCHEDULING.md says what each rule is worth. None is sensitive: where two or three different values
 * were in use for one constant, a single value takes 1.0002 of the time on 150 drawn graphs. */
#ifndef HG_SCHEDULERS_CONSTANTS_H
#define HG_SCHEDULERS_CONSTANTS_H

#include "base/average.h"

/** Ratios of measured to expected time up to this are chance, among identical workers and among one worker's tasks. */
#define HG_NOISE 1.25
/** Modelled times whose ratio is at least this differ for a reason. */
#define HG_DIFFERS 1.05
/** Multiple of the expected time: beyond it a worker is not slow, but loads a library, pins or allocates memory. */
#define HG_STALL 16.0
/** s: the measured times of tasks expected to be shorter show the drivers' overhead, not speed. */
#define HG_GRAIN 1e-5
/** Multiple of the expected time: a worker that takes longer has become slow. Also what counts as a long task. */
#define HG_LONG 2.0
/** s: a program whose models say as much of a worker, or infinity, wants it for a task only where no other can. */
#define HG_NEVER 1e9
/** Tasks until a change of speed is believed. */
#define HG_SOON 4
/** Number of tasks that use a piece of data once it has been transferred. */
#define HG_SERVES 4
/** A path at least this part of all remaining work is urgent. */
#define HG_URGENT 0.2
/** Part of a memory that prefetched or resident data may fill; the rest is for running tasks. */
#define HG_SHARE 0.7
/** Tasks of a queue whose data are prefetched; half as many if tasks update data, since others may take those. */
#define HG_AHEAD 24
/** How many tasks of a queue, and how many queues, an idle worker looks at. */
#define HG_CHOICE 4
/** Number of tasks that a memory must have room for at once. */
#define HG_IN_FLIGHT 4
#endif
