/* SPDX-License-Identifier: MIT */
#ifndef HG_PARTITION_AUTO_H
#define HG_PARTITION_AUTO_H

#include "partition/partition.h"

/** Grows the best guillotine partition of at most 6 processors; false if there are more. */
bool hg_exact_grow(const hg_share *s, int count, int dims, const double size[3], hg_tree *t, int parent);

/** Layers along one axis, each divided into optimal columns; 3-D only. */
hg_status hg_partition_layers(const hg_partition_request *request, int axis, int layers, hg_tree *tree);
/** Reverses the children of cuts where that lowers the largest number of neighbours; parts keep their sizes, and the
 * border does not grow. Tries each cut once, from the root on. HG_MEMORY. O(cuts) measurements. */
hg_status hg_partition_mirror(const hg_partition_request *request, hg_tree *tree);
#endif
