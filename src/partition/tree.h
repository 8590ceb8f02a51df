/* SPDX-License-Identifier: MIT */
/* Slicing trees: how a box is cut, recursively, into one box per processor. Partitioners only determine the tree; the
 * positions of cuts follow from the speeds, on the real box (exact shares) or on cells (every cell once). */
#ifndef HG_PARTITION_TREE_H
#define HG_PARTITION_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/box.h"
#include "base/status.h"

/** A node: a processor (leaf), or a box cut across `axis` into its children, in order of rising coordinates. */
typedef struct hg_node {
  int leaf;  /**< processor, or -1 */
  int axis;  /**< 0..2 */
  int first; /**< first child, or -1 */
  int next;  /**< next sibling, or -1 */
  int last;  /**< last child, while the tree grows */
} hg_node;

/** Nodes in one array; the root is node 0 if the tree is not empty. */
typedef struct hg_tree {
  hg_node *node;
  int count;
  bool failed; /**< memory ran out while growing (hg_tree_check) */
} hg_tree;

/** Adds a leaf or a cut under `parent` (-1: as root) and returns its number (-1 once memory has run out). */
int hg_tree_leaf(hg_tree *tree, int parent, int processor);
int hg_tree_cut(hg_tree *tree, int parent, int axis);

/** HG_MEMORY if the tree could not grow. */
hg_status hg_tree_check(const hg_tree *tree);

void hg_tree_free(hg_tree *tree);

/** Real box of each processor: lo and hi of 3 axes. */
typedef struct hg_rect {
  double lo[3], hi[3];
} hg_rect;

/** Cuts the real box 0..size[a] along the tree, each cut in proportion to the speeds below its children.
 * @param[out] rect  [parts]; processors that are not in the tree get an empty one */
hg_status hg_tree_rects(const hg_tree *tree, const double size[3], int parts, const double *speed, hg_rect *rect);

/** Cuts n cells along the tree: largest remainders along each cut, every cell exactly once, and no processor of the
 * tree empty if there are enough cells (if a cut cannot give every processor below it a cell, these processors are
 * bisected instead). @param[out] box  [parts] */
hg_status hg_tree_boxes(const hg_tree *tree, const int64_t n[3], int parts, const double *speed, hg_box *box);

/** Cuts n cells into `count` runs proportional to weight[count] >= 0, run i at least least[i] long (NULL: at least 1
 * if the weight is positive, as long as there are enough cells); run i is start[i] .. start[i+1]-1. Largest
 * remainders, ties to the lower index; a zero weight gets none. If all weights are 0, the first run takes all.
 * HG_MEMORY. */
hg_status hg_split(int64_t n, int count, const double *weight, const int64_t *least, int64_t *start);
#endif
