/* SPDX-License-Identifier: MIT */
/* What watches programs while they run: it sees the timed runs begin and end, and may append
 * columns and lines to what is reported; programs know nothing of it. */
#ifndef HG_PROGRAM_OBSERVER_H
#define HG_PROGRAM_OBSERVER_H

#include "program/life.h"

typedef struct hg_observer {
  hg_status (*open)(hg_life *life);                      /**< after the start, collective; or NULL */
  void (*begin)(hg_life *life);                          /**< after the barrier before a run */
  void (*end)(hg_life *life);                            /**< after the barrier behind it */
  void (*columns)(const hg_life *life, hg_columns *row); /**< or NULL */
  void (*text)(const hg_life *life);                     /**< or NULL */
  hg_status (*finish)(hg_life *life);                    /**< after the last run, collective; or NULL */
  hg_status (*close)(hg_life *life, int ranks);          /**< on rank 0, when StarPU has stopped; or NULL */
} hg_observer;
#endif
