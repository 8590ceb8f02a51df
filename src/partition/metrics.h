/* SPDX-License-Identifier: MIT */
/* The cost of a partition. Each quantity has a name of its own, since the thesis uses one word for several. */
#ifndef HG_PARTITION_METRICS_H
#define HG_PARTITION_METRICS_H

#include "base/box.h"
#include "partition/partition.h"

/** One processor's part. Lengths are in cells in 2-D, areas in 3-D. */
typedef struct hg_part_metrics {
  double cells;                        /**< its area (volume) */
  double border;                       /**< border shared with others: values sent per step for halo 1 */
  int neighbours;                      /**< parts that it shares a border with */
  double outside[HG_PARTITION_LEVELS]; /**< part of `border` shared with parts in another group at this level, but in
                                          the same group at outer levels */
  int across[HG_PARTITION_LEVELS];     /**< number of such parts among `neighbours` */
  double seconds; /**< with a measured network: s of its messages per step, to and from each neighbour on another node;
                     else 0 */
} hg_part_metrics;

typedef struct hg_partition_metrics {
  double cut;            /**< length of all internal borders */
  double items;          /**< 2 cut: values sent per step, both directions, halo 1 */
  double half_perimeter; /**< sum over the parts; cut + NX + NY in 2-D, unless the ends of an axis meet */
  double lower_bound;    /**< bound of the half perimeter: 2 sum sqrt(area), more for parts wider than the short side */
  double between[HG_PARTITION_LEVELS]; /**< part of `cut` between groups of a level within one of the outer level */
  int pairs;                           /**< neighbouring pairs */
  int messages;        /**< sent per step by all parts: 2 pairs (the thesis counts them at one or at both ends) */
  int max_neighbours;  /**< largest number of neighbours */
  double comm_seconds; /**< latency * 2 max_neighbours + items * bytes / bandwidth (thesis, equation 3-8); with a
                          measured network the longest time of a part's messages; with levels that of a node, whose
                          parts share its link and exchange freely inside; 0 without either */
  double imbalance;    /**< largest / mean of cells / speed over processors with speed */
  double makespan;     /**< s: largest cells / speed, plus comm_seconds */
} hg_partition_metrics;

/** Measures real parts rect[parts]. @param[out] part  [parts] or NULL. HG_MEMORY. Cost: that of hg_near_pairs. */
hg_status hg_partition_measure(const hg_partition_request *request, const hg_rect *rect, hg_part_metrics *part,
                               hg_partition_metrics *total);

/** Half the perimeter (surface) of the most nearly square (cubic) box of this area (volume) that fits in the grid. */
double hg_least_half_surface(double cells, const double size[3], int dims);

/** Time of one exchange (thesis, equation 3-8): latency * messages + bytes / bandwidth, in s. */
double hg_communication_time(double messages, double bytes, double latency, double bandwidth);

/** Length of all internal borders: half the perimeters of the parts minus half that of the grid. O(parts). */
double hg_partition_cut(const hg_partition_request *request, const hg_rect *rect);

/** Converts boxes of cells to real ones. */
void hg_boxes_to_rects(int parts, const hg_box *box, hg_rect *rect);

/** Checks that boxes cover n cells exactly once. HG_INVALID naming the first fault; HG_MEMORY. Cost: that of
 * hg_near_pairs. */
hg_status hg_partition_check_cover(int parts, const hg_box *box, const int64_t n[3]);
#endif
