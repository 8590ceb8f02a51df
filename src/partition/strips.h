/* SPDX-License-Identifier: MIT */
/* Bands and meshes. */
#ifndef HG_PARTITION_STRIPS_H
#define HG_PARTITION_STRIPS_H

#include "partition/partition.h"

hg_partition_fn hg_partition_rows, hg_partition_columns, hg_partition_two_factor;
#endif
