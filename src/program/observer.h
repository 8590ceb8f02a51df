/* SPDX-License-Identifier: MIT */
/* Observers of programs: they see timed runs begin and end, and may append columns and lines to the report. Programs
 * do not know of them. */
#ifndef HG_PROGRAM_OBSERVER_H
#define HG_PROGRAM_OBSERVER_H

#include "program/run_context.h"

typedef struct hg_observer {
  hg_status (*open)(hg_run_context *context);                      /**< after the start, collective; or NULL */
  void (*begin)(hg_run_context *context);                          /**< after the barrier before a run */
  void (*end)(hg_run_context *context);                            /**< after the barrier after it */
  void (*columns)(const hg_run_context *context, hg_columns *row); /**< or NULL */
  void (*text)(const hg_run_context *context);                     /**< or NULL */
  hg_status (*finish)(hg_run_context *context);                    /**< after the last run, collective; or NULL */
  hg_status (*close)(hg_run_context *context, int ranks);          /**< on rank 0, after StarPU has stopped; or NULL */
} hg_observer;
#endif
