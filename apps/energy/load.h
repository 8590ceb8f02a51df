/* SPDX-License-Identifier: MIT */
/* The loads that --measure puts on a machine. */
#ifndef HG_APPS_LOAD_H
#define HG_APPS_LOAD_H

#include <stdbool.h>

#include "base/status.h"

typedef struct load load;

typedef enum load_kind {
  LOAD_IDLE, /**< nothing */
  LOAD_WAIT, /**< StarPU workers without tasks */
  LOAD_FULL  /**< heat steps and matrix products, in turn */
} load_kind;
extern const char *const load_names[];

/** Keeps `units` cores (or GPUs) in this state. HG_MEMORY, HG_RUNTIME */
hg_status load_begin(load_kind kind, bool gpus, int units, load **out);

/** Whether the load works as it should. */
bool load_works(const load *l);

void load_end(load *l);
#endif
