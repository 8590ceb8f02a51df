/* SPDX-License-Identifier: MIT */
/* Random grids and speeds for the tests of partitions. */
#ifndef HG_TESTS_RANDOM_GRIDS_H
#define HG_TESTS_RANDOM_GRIDS_H

#include "partition/partition.h"
#include "tap.h"

enum { PARTS = 24 };

typedef struct sample {
  hg_partition_request request;
  int64_t n[3];
  double speed[PARTS];
  int working;
} sample;

/* Speeds: equal, of a few kinds, random, one dominant, up to 1e6 : 1, with zeros. Sizes include strips and grids with
 * few cells per processor. */
static inline void random_sample(uint64_t *state, int dims, int most, sample *s)
{
  int kind = (int)tap_between(state, 0, 4), parts = (int)tap_between(state, 1, most);
  static const double kinds[] = {1, 2.5, 12};
  *s = (sample){.request = {.dims = dims, .parts = parts}};
  for (int a = 0; a < 3; a++) {
    s->n[a] = a < dims ? tap_between(state, 1, tap_between(state, 0, 3) ? (dims == 3 ? 16 : 60) : 4) : 1;
    s->request.size[a] = (double)s->n[a];
  }
  for (int i = 0; i < parts; i++) {
    double any = (double)tap_between(state, 1, 1000);
    s->speed[i] = kind == 0   ? 7
                  : kind == 1 ? kinds[tap_between(state, 0, 2)]
                  : kind == 2 ? any
                  : kind == 3 ? 1
                              : any * any;
    if (tap_between(state, 0, 9) == 0) s->speed[i] = 0;
  }
  s->speed[0] = kind == 3 ? 1e6 : 3;
  for (int i = 0; i < parts; i++) s->working += s->speed[i] > 0;
}
#endif
