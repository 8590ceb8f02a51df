/* SPDX-License-Identifier: MIT */
/* Where the rows of a tile in lane layout are kept while it is advanced (codelets/units/units_lanes.h), and how they
 * enter and leave. */
#ifndef HG_CODELETS_UNITS_LANE_SWEEP_H
#define HG_CODELETS_UNITS_LANE_SWEEP_H

#include "codelets/units/lane_rows.h"
#include "codelets/units/units_tile.h"

/* The state after some steps. */
typedef struct hg_lane_level {
  int64_t step; /* number of these steps */
  hg_units_range has;
} hg_lane_level;

/* A word of a unit that is not computed: its position in the row, and that of its original. Images have it in the same
 * row, held units in the row after the previous step. */
typedef struct hg_lane_restore {
  int64_t to, from; /* bytes from the row's first vector */
  bool image;
} hg_lane_restore;

/* Rows of the previous state that enter next; they are prefetched while steps are computed. */
typedef struct hg_lane_expectation {
  int64_t layer, y, end; /* of the next row; the layer where they end */
  int rows;              /* to prefetch with each step */
} hg_lane_expectation;

/* A tile being advanced. */
typedef struct hg_lane_sweep {
  const hg_units_tile *tile;
  const hg_lane_rows *rows;
  const char *before;        /* the state it starts from */
  int slow;                  /* axis whose layers stream: 1, in 3-D 2 */
  int reach[3];              /* units that a step reads on each side along an axis */
  int wave;                  /* number of layers that enter together */
  int steps;                 /* to advance by */
  int64_t bytes, vectors;    /* of a value; per row, for each word */
  int64_t vector;            /* bytes of a vector */
  int64_t around, row;       /* bytes of the vectors before a row; bytes of a row including those around it */
  int64_t layer;             /* bytes */
  int64_t strips, cut[2];    /* of a plane, in 3-D; the rows of the current one at level 0 */
  int64_t base;              /* first row that the stored planes have room for */
  char *edges;               /* what a strip leaves for the next one */
  int64_t open[3], close[3]; /* units outside open <= i < close are held */
  char *flat, *spare;        /* a row in natural order; rows for results that are not used */
  char **slot;               /* [2 * count] addresses of layers, so that those from any one on are consecutive */
  int64_t count;             /* number of layers in the window */
  hg_lane_restore *restore;  /* the words of a row that are not computed */
  int restores;              /* how many */
  void (*compute)(const hg_units *units, const hg_lanes *lanes);
  hg_lane_expectation next;
} hg_lane_sweep;

/** Addresses of layer i of a level and of the following ones. It replaces the previous level's layer i - `reach`,
 * which no unit of this level still to be computed reads. */
static inline char **hg_lane_slot(const hg_lane_sweep *s, const hg_lane_level *l, int64_t i)
{
  const int64_t at = (i - l->step * s->reach[s->slow]) % s->count;
  return &s->slot[at < 0 ? at + s->count : at];
}

/** Bytes from the first vector of a layer of a level to row y. Rows of planes, too, are shifted back by `reach` per
 * step. */
static inline int64_t hg_lane_place(const hg_lane_sweep *s, const hg_lane_level *l, int64_t y)
{
  return s->slow == 2 ? (y - l->step * s->reach[1] - s->base) * s->row : 0;
}

/** First vector of a row. */
static inline char *hg_lane_row(const hg_lane_sweep *s, const hg_lane_level *l, int64_t y, int64_t z)
{
  return *hg_lane_slot(s, l, s->slow == 2 ? z : y) + hg_lane_place(s, l, y);
}

/** A tile to be advanced by `steps` steps from state `before`. */
hg_lane_sweep hg_lane_sweep_start(const hg_units_tile *tile, int steps, const char *before);

/** The widest vectors that both the processor and the update support. */
hg_lane_set hg_lane_set_of(const hg_update *update);

/** Bytes of scratch memory. */
size_t hg_lane_workspace(const hg_lane_sweep *s);

/** Assigns places in `work` to the layers of the window and whatever else is needed. */
void hg_lane_lay_out(hg_lane_sweep *s, char *work);

/** Switches to strip i. */
void hg_lane_strip(hg_lane_sweep *s, int64_t i);

/** Saves what is not computed of a row from the one after the previous step, and writes it into the row. kept:
 * [restores] */
void hg_lane_keep(const hg_lane_sweep *s, const char *former, uint64_t *kept);
void hg_lane_restore_row(const hg_lane_sweep *s, const uint64_t *kept, char *row);

/** Loads layers at .. at + wave - 1. Then: prefetches as many rows of the next wave as each step has to; writes layers
 * at .. at + wave - 1 of the last step. */
void hg_lane_enter(const hg_lane_sweep *s, const hg_lane_level *l, int64_t at);
void hg_lane_expect(hg_lane_sweep *s, const hg_lane_level *l);
void hg_lane_leave(const hg_lane_sweep *s, const hg_lane_level *l, char *after, int64_t at);
#endif
