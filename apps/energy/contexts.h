/* SPDX-License-Identifier: MIT */
/* Contexts of use in JSON:
 *
 *   {"contexts": [{"name": "gpu", "points": [[N, T], [N, T, E], ..], "mode": "sync", "beta": .6,
 *                  "units": [{"count": 1, "full": 90, "wait": 5, "idle": 0}], "base": 140,
 *                  "switch": 34, "N_max": 16, "s": .8}], "error": .04}
 *
 * Points are nodes, s and, where it was measured, J. `mode` is async unless given; sync wants
 * `beta`. `s` is taken where points have one N only. */
#ifndef HG_APPS_CONTEXTS_H
#define HG_APPS_CONTEXTS_H

#include <stddef.h>

#include "energy/use_context.h"

enum { CONTEXTS_MAX = 32 };

typedef struct contexts {
  int count;
  hg_use_context context[CONTEXTS_MAX];
} contexts;

/** Parses and fits. @param decay  measured betas are corrected (1.48). HG_FORMAT, HG_INVALID naming
 * place, context and value; unknown keys are refused. */
hg_status contexts_parse(const char *text, size_t size, const char *place, bool decay, contexts *out);
hg_status contexts_read(const char *path, bool decay, contexts *out);

/** The context of a name; NULL if there is none. */
const hg_use_context *contexts_find(const contexts *all, const char *name);
#endif
