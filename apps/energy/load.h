/* SPDX-License-Identifier: MIT */
/* What --measure lets a machine do. */
#ifndef HG_APPS_LOAD_H
#define HG_APPS_LOAD_H

#include <stdbool.h>

#include "base/status.h"

typedef struct load load;

typedef enum load_kind {
  LOAD_IDLE, /**< nothing */
  LOAD_WAIT, /**< workers of StarPU without tasks */
  LOAD_FULL  /**< heat steps and products of matrices, in turn */
} load_kind;
extern const char *const load_names[];

/** Begins to keep `units` cores (or GPUs) so. HG_MEMORY, HG_RUNTIME */
hg_status load_begin(load_kind kind, bool gpus, int units, load **out);

/** Whether its work runs as it should. */
bool load_works(const load *l);

void load_end(load *l);
#endif
