/* SPDX-License-Identifier: MIT */
/* Divides a grid among processors of different speed: all partitioners have one signature and are in one table.
 *
 * A partitioner grows a slicing tree (partition/tree.h); shares and cells follow from the speeds. */
#ifndef HG_PARTITION_PARTITION_H
#define HG_PARTITION_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/status.h"
#include "partition/tree.h"

enum { HG_PARTITION_LEVELS = 2 };

/** The problem of a partitioner. */
typedef struct hg_partition_request {
  int dims;            /**< 1..3 */
  double size[3];      /**< extents of the grid, any unit (cells), > 0; 1 beyond dims */
  bool periodic[3];    /**< axes whose two ends are neighbours */
  int parts;           /**< processors, >= 1 */
  const double *speed; /**< [parts], >= 0, any unit, not all 0; a processor's share is its fraction of the sum */
  double tolerance;    /**< relative difference up to which speeds count as equal (php, nphp); 0: 0.01 */
  bool thesis;      /**< use the thesis' rules as printed (equation 3-7 corrected) where hetgrid's differ: asgp, nphp */
  double latency;   /**< s per message, for auto; with bandwidth 0: auto minimises the total border */
  double bandwidth; /**< bytes/s, or 0 */
  double bytes_per_cell; /**< bytes, for auto */
  const struct hg_network_level
      *link;  /**< measured messages (network/network.h), for auto; NULL: latency and bandwidth */
  int levels; /**< levels of groups between the machine and its processors: nodes, ranks of a node; 0: none */
  const int *group[HG_PARTITION_LEVELS]; /**< [levels][parts] a processor's group, from the outermost level on; 0 ..
                                            parts - 1; groups within different outer groups have different numbers */
  bool whole; /**< sizes are whole numbers of cells and only whole cells are assigned: auto compares such boxes */
} hg_partition_request;

/** Grows the tree of a checked request; processors of speed 0 are left out. Deterministic. HG_MEMORY, or HG_INVALID
 * for what this partitioner cannot do. */
typedef hg_status hg_partition_fn(const hg_partition_request *request, hg_tree *tree);

typedef struct hg_partitioner {
  const char *name;
  const char *summary;
  hg_partition_fn *divide;
} hg_partitioner;

/** All partitioners, ended by a NULL name. */
extern const hg_partitioner hg_partitioners[];

/** The partitioner of that name. HG_INVALID listing the known ones. */
hg_status hg_partition_find(const char *name, const hg_partitioner **out);

/** HG_INVALID if there is no positive speed, a negative or infinite one, or a size that is not positive. */
hg_status hg_partition_check(const hg_partition_request *request);

/** Checks the request and grows the tree by `divide`. Free it with hg_tree_free. */
hg_status hg_partition_tree(hg_partition_fn *divide, const hg_partition_request *request, hg_tree *tree);

/** Grows one tree level by level: cuts between the groups of the outermost level, then inside each of them, always
 * with the same partitioner. Each group gets one box. HG_MEMORY, or what `divide` returns. */
hg_status hg_partition_by_levels(hg_partition_fn *divide, const hg_partition_request *request, hg_tree *tree);

/** Divides n cells by the partitioner of that name: box[parts] cover every cell exactly once; processors of speed 0, or
 * for which no cell is left, get an empty box. request->size is set to n. */
hg_status hg_partition(const char *name, const hg_partition_request *request, const int64_t n[3], hg_box *box);

/** A processor of positive speed. */
typedef struct hg_share {
  int id;
  double speed;
} hg_share;

/** Lists the processors of positive speed, by falling speed (ties by number) or by number.
 * @param[out] share  malloc'ed [count]; the caller frees it */
hg_status hg_partition_shares(const hg_partition_request *request, bool sorted, hg_share **share, int *count);

/** Sum of the speeds. */
double hg_shares_total(const hg_share *share, int count);

/** Length 1..count-1 of the prefix whose total is nearest to half of all; the shorter one in a tie.
 * @param weight  the first of `count` weights that lie `stride` bytes apart */
int hg_half_way(const double *weight, size_t stride, int count);

/** The first of the longest of `dims` sides. */
int hg_longest_axis(const double size[3], int dims);

/** Name of the programs' default partitioner. */
#define HG_PARTITION_DEFAULT "auto"

hg_partition_fn hg_partition_rows, hg_partition_rows_sorted, hg_partition_columns, hg_partition_two_factor,
    hg_partition_sgp, hg_partition_asgp, hg_partition_php, hg_partition_nphp, hg_partition_nodes,
    hg_partition_column_based, hg_partition_recursive, hg_partition_rcb, hg_partition_exact, hg_partition_auto;
#endif
