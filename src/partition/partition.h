/* SPDX-License-Identifier: MIT */
/* Dividing a grid among processors of different speed: one signature for all partitioners, one table of names. */
#ifndef HG_PARTITION_PARTITION_H
#define HG_PARTITION_PARTITION_H

#include <stdint.h>

#include "base/box.h"
#include "base/status.h"

/** What is to be divided. */
typedef struct hg_partition_request {
  int dims;            /**< 1..3 */
  int64_t n[3];        /**< cells per axis, 1 beyond dims */
  int parts;           /**< processors, >= 1 */
  const double *speed; /**< [parts], >= 0, any unit, not all 0; the share of a processor is its part of the sum */
} hg_partition_request;

/** Fills box[parts]; together the boxes cover every cell exactly once. A processor of speed 0, or one for which no cell
 * is left, gets an empty box. Same request, same answer. */
typedef hg_status hg_partition_fn(const hg_partition_request *request, hg_box *box);

typedef struct hg_partitioner {
  const char *name;
  const char *summary;
  hg_partition_fn *divide;
} hg_partitioner;

/** All partitioners, ended by a NULL name. */
extern const hg_partitioner hg_partitioners[];

/** Checks the request and divides it by the partitioner of that name.
 * HG_INVALID: unknown name, no positive speed, a negative or infinite one. */
hg_status hg_partition(const char *name, const hg_partition_request *request, hg_box *box);

/** Cuts n cells into `count` runs proportional to weight[count] >= 0: run i is start[i] .. start[i+1]-1. Largest
 * remainders, ties to the lower index; a positive weight gets a cell as long as there are cells enough; a zero weight
 * gets none. With all weights 0 the first run takes all. */
void hg_split(int64_t n, int count, const double *weight, int64_t *start);
#endif
