/* SPDX-License-Identifier: MIT */
/* The numbers of the policy that were chosen. They were found by trying on graphs and machines drawn by bench/graphs
 * and on the timed node; docs/SCHEDULING.md says what rules are worth. None is sensitive: where each had two or three
 * values in different places, one for all takes 1.0002 of the time on 150 drawn graphs. */
#ifndef HG_SCHEDULERS_CONSTANTS_H
#define HG_SCHEDULERS_CONSTANTS_H

#include "base/average.h"

/** Measured over expected times up to this are chance: of workers that are alike, and of one worker's tasks. */
#define HG_NOISE 1.25
/** Times that models tell differ for a reason from here on. */
#define HG_DIFFERS 1.05
/** Times of the expected time: who takes longer is not slow, but loads a library, pins or allocates. */
#define HG_STALL 16.0
/** s: how long tasks take that are expected to take less tells of drivers, not of speeds. */
#define HG_GRAIN 1e-5
/** Times of the expected time: a worker that takes longer has become slow. Also what is a long task among others. */
#define HG_LONG 2.0
/** Tasks until a change of speed is believed. */
#define HG_SOON 4
/** Tasks that a piece of data serves once it has been brought. */
#define HG_SERVES 4
/** Part of all work that is left: a path as long as this is urgent. */
#define HG_URGENT 0.2
/** Part of a memory that may be filled by what was asked for, or stays; the rest is for what runs. */
#define HG_SHARE 0.7
/** Tasks of a queue whose data are asked for; half as many where tasks update data, which others may take. */
#define HG_AHEAD 24
/** Tasks of a queue, and queues, among which an idle worker chooses. */
#define HG_CHOICE 4
/** Tasks for which a memory must have room at once. */
#define HG_IN_FLIGHT 4
#endif
