/* SPDX-License-Identifier: MIT */
/* Contexts of use in JSON:
 *
 *   {"contexts": [{"name": "gpu", "points": [[N, T], [N, T, E], ..], "mode": "sync", "beta": 0.6,
 *                  "units": [{"count": 1, "full": 90, "wait": 5, "idle": 0}], "base": 140,
 *                  "switch": 34, "N_max": 16, "s": 0.8}], "error": 0.04}
 *
 * Points are nodes, s and, if measured, J. `mode` is async unless given; sync requires `beta`. `s` is used if points
 * have only one N. */
#ifndef HG_APPS_CONTEXTS_H
#define HG_APPS_CONTEXTS_H

#include <stddef.h>

#include "energy/use_context.h"

enum { CONTEXTS_MAX = 32 };

typedef struct contexts {
  int count;
  hg_use_context context[CONTEXTS_MAX];
} contexts;

/** Parses and fits. @param decay  correct measured betas (1.48). HG_FORMAT, HG_INVALID naming place, context and
 * value; unknown keys are rejected. */
hg_status contexts_parse(const char *text, size_t size, const char *place, bool decay, contexts *out);
hg_status contexts_read(const char *path, bool decay, contexts *out);

/** The context with this name; NULL if there is none. */
const hg_use_context *contexts_find(const contexts *all, const char *name);
#endif
