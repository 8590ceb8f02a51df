/* SPDX-License-Identifier: MIT */
/* --choose: which context is best on how many nodes. */
#ifndef HG_APPS_CHOOSE_H
#define HG_APPS_CHOOSE_H

#include <stdint.h>

#include "contexts.h"

typedef struct choose_options {
  hg_criterion by;
  hg_estimate_rules rules;
  bool decay, csv, json;
  int64_t first, last;       /* nodes; 0: as far as contexts reach */
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
  const hg_use_context *rival; /* of a winner: one that is within the error, or NULL */
  bool pareto;                 /* allowed, and nothing allowed that is known is both faster and greener */
  int unknown;                 /* contexts with as many nodes of which their points do not tell */
} candidate;

typedef struct choice {
  const contexts *all;
  int64_t first, last;
  int count;
  candidate *list;           /* by nodes, then contexts */
  const candidate *best;     /* of those allowed, by the criterion; NULL: none is */
  const candidate *greenest; /* of those allowed */
} choice;

/** Warns of contexts whose runs do not scale as the model supposes. */
void choose_warn(const contexts *all);

/** Weighs them. Free list. HG_INVALID, HG_MEMORY */
hg_status choose(const contexts *all, const choose_options *o, choice *out);

/** 1, 2, 3 of a against b on so many nodes (hg_configuration). */
int choose_configuration(const hg_use_context *a, const hg_use_context *b, double nodes,
                         const hg_estimate_rules *rules);

void choose_print(const choice *c, const choose_options *o);
hg_status choose_draw(const choice *c, const choose_options *o);

/** --map A,B[,A2,B2]: two clusters together, n_A x n_B nodes. */
hg_status choose_map(const contexts *all, const choose_options *o);
#endif
