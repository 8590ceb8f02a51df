/* SPDX-License-Identifier: MIT */
/* A search for the division of least time: its state, and the divisions that it starts from. Internal to
 * placement/. */
#ifndef HG_PLACEMENT_SEARCH_H
#define HG_PLACEMENT_SEARCH_H

#include "base/box.h"
#include "partition/partition.h"
#include "placement/machine.h"

/** Numbers of processors above which less is tried. */
enum { HG_SEARCH_FEW = 16, HG_SEARCH_SOME = 64, HG_SEARCH_MANY = 1024, HG_SEARCH_MOST = 4096, HG_SEARCH_KEPT = 96 };

/** How a grid is cut. */
typedef struct hg_cutting {
  hg_partition_fn *divide;
  bool by_levels;
} hg_cutting;

/** A starting division. */
typedef struct hg_candidate {
  double seconds;
  hg_cutting cutting;
  double *share; /* [parts] */
} hg_candidate;

typedef struct hg_search {
  int dims, parts;
  const int64_t *n;
  int64_t cells;
  const hg_machine *machine;
  hg_partition_request request;
  hg_cutting cutting[2 * 5];
  int cuttings, slow;                    /* the first `slow` are left out for subsets of the processors */
  double *share, *trial, *wait, *border; /* [parts] */
  int64_t *work;                         /* [parts] */
  int *order, *id;                       /* [parts] order: by falling speed; id: processors in use */
  bool *use;                             /* [parts] */
  hg_speed_model *model;                 /* [parts] of processors in use */
  hg_box *box;                           /* [parts] of the last evaluation */
  hg_rect *rect;
  hg_part_metrics *part;
  double best, *best_share; /* s by hg_machine_time */
  hg_box *best_box;         /* [parts] boxes of the best */
  double imbalance;         /* of the last judged division */
  bool followed;            /* the result is chosen by hg_machine_follow */
  double offered;           /* s as judged for the last division that was followed */
  hg_box *chosen;
  hg_fpmc_result result;             /* the chosen division */
  hg_candidate kept[HG_SEARCH_KEPT]; /* the best so far */
  int most, keeps;                   /* of them */
} hg_search;

/** @param[out] box  [parts] the best division, once one was judged. HG_INVALID, HG_MEMORY. */
hg_status hg_search_open(hg_search *s, int dims, const int64_t n[3], const hg_machine *machine, hg_box *box);
void hg_search_close(hg_search *s);

/** Evaluates the search's boxes by hg_machine_time, and keeps the best so far, which is the result if the machine is
 * not followed. @param share  [parts] shares of the boxes */
hg_status hg_search_judge(hg_search *s, const double *share, double *seconds);

/** If the machine is followed, follows the last judged division, and takes it as the result if it is the best so far.
 * @param seconds  as judged; if far from the best, nothing is done @param always  follow it even then. HG_MEMORY. */
hg_status hg_search_offer(hg_search *s, double seconds, bool always);

/** The best division by hg_machine_time becomes the result, unless another is clearly better when both are followed:
 * for smaller differences the formula better tells which division sends least. HG_MEMORY. */
hg_status hg_search_settle(hg_search *s);

/** Judges shares as cut along a tree. */
hg_status hg_search_evaluate(hg_search *s, const hg_tree *tree, const double *share, double *seconds);

/** The tree of the shares in the search. */
hg_status hg_search_cut(hg_search *s, const hg_cutting *c, hg_tree *tree);

/** Sets the search's shares by a simple model (even, cpm, fpm), among the processors in use. */
hg_status hg_search_shares(hg_search *s, hg_balance balance);

/** Judges all simple candidates, and keeps the best as starting divisions. */
hg_status hg_search_enter(hg_search *s);
#endif
