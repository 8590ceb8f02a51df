/* SPDX-License-Identifier: MIT */
/* --choose: which context is best on each number of nodes. */
#ifndef HG_APPS_CHOOSE_H
#define HG_APPS_CHOOSE_H

#include <stdint.h>

#include "contexts.h"

typedef struct choose_options {
  hg_criterion by;
  hg_estimate_rules rules;
  bool decay, csv, json;
  int64_t first, last;       /* numbers of nodes; 0: as far as contexts support */
  double deadline, cap;      /* s, W; INFINITY: none */
  const char *picture, *map; /* files; names of --map */
} choose_options;

/** A context on a number of nodes. */
typedef struct candidate {
  const hg_use_context *context;
  int64_t nodes;
  hg_run_estimate run;
  double value, error;         /* by the criterion; relative */
  bool allowed;                /* by deadline and power cap */
  bool winner;                 /* on these nodes */
  const hg_use_context *rival; /* for a winner: another one within the error, or NULL */
  bool pareto;                 /* allowed, and no known allowed one is both faster and uses less energy */
  int unknown;                 /* contexts with this many nodes whose points do not support a prediction */
} candidate;

typedef struct choice {
  const contexts *all;
  int64_t first, last;
  int count;
  candidate *list;           /* by nodes, then contexts */
  const candidate *best;     /* allowed one that is best by the criterion; NULL: none */
  const candidate *greenest; /* allowed one with the least energy */
} choice;

/** Warns of contexts whose runs do not scale as the model assumes. */
void choose_warn(const contexts *all);

/** Evaluates them. Free list. HG_INVALID, HG_MEMORY */
hg_status choose(const contexts *all, const choose_options *o, choice *out);

/** Configuration 1, 2, 3 of a against b on this many nodes (hg_configuration). */
int choose_configuration(const hg_use_context *a, const hg_use_context *b, double nodes,
                         const hg_estimate_rules *rules);

void choose_print(const choice *c, const choose_options *o);
hg_status choose_draw(const choice *c, const choose_options *o);

/** --map A,B[,A2,B2]: two clusters together, n_A x n_B nodes. */
hg_status choose_map(const contexts *all, const choose_options *o);
#endif
