/* SPDX-License-Identifier: MIT */
/* An application's functions that define which units depend on which. */
#ifndef HG_INPUT_DEPENDENCE_H
#define HG_INPUT_DEPENDENCE_H

#include "input/cells.h"

/** Dependences of units; none without both functions. */
typedef struct hg_dependence {
  void (*neighbours)(const hg_cell *cell, hg_set *set, void *arg);          /**< adds a unit's neighbours */
  void (*zone)(const hg_box *tile, int64_t step, hg_zone *zone, void *arg); /**< adds what a tile may read */
  int64_t (*length)(const hg_cell *cell, void *arg); /**< elements of a unit's value; NULL: one each */
  int limit;                                         /**< most neighbours of a unit */
  void *arg;                                         /**< for these functions */
} hg_dependence;
#endif
