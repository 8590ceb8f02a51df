/* SPDX-License-Identifier: MIT */
/* Where the rows of a tile in lanes are while it is advanced (codelets/units/units_lanes.h), how they come in and
 * leave. */
#ifndef HG_CODELETS_UNITS_LANE_SWEEP_H
#define HG_CODELETS_UNITS_LANE_SWEEP_H

#include "codelets/units/lane_rows.h"
#include "codelets/units/units_tile.h"

/* The state after some step. */
typedef struct hg_lane_level {
  int64_t step; /* how many */
  hg_units_range has;
} hg_lane_level;

/* A word of a row, from its first vector, that belongs to a unit which is not computed: where it stands in the row, and
 * its original, of images in the row, of what is held in the row after the step before. */
typedef struct hg_lane_restore {
  int64_t to, from; /* bytes */
  bool image;
} hg_lane_restore;

/* Rows of the state before that come in next: they are asked for while steps are computed. */
typedef struct hg_lane_expectation {
  int64_t layer, y, end; /* of the next one; the layer where they end */
  int rows;              /* with each step */
} hg_lane_expectation;

/* A tile on its way. */
typedef struct hg_lane_sweep {
  const hg_units_tile *tile;
  const hg_lane_rows *rows;
  const char *before;        /* the state it has */
  int slow;                  /* axis whose layers stream: 1, in 3-D 2 */
  int reach[3];              /* units that a step reads on each side along an axis */
  int wave;                  /* layers that enter together */
  int steps;                 /* to be advanced by */
  int64_t bytes, vectors;    /* of a value; of a row, of each word */
  int64_t vector;            /* bytes of a vector */
  int64_t around, row;       /* bytes of the vectors before a row; of a row with those around it */
  int64_t layer;             /* bytes */
  int64_t strips, cut[2];    /* in 3-D: of a plane; the rows of this one at level 0 */
  int64_t base;              /* first row that planes have room for */
  char *edges;               /* what a strip leaves to the next one */
  int64_t open[3], close[3]; /* units outside open <= i < close are held */
  char *flat, *spare;        /* a row in natural order; rows that nobody reads */
  char **slot;               /* [2 * count] where layers stand, those from any one on */
  int64_t count;             /* layers of the window */
  hg_lane_restore *restore;  /* what is not computed in a row */
  int restores;              /* how many */
  void (*compute)(const hg_units *units, const hg_lanes *lanes);
  hg_lane_expectation next;
} hg_lane_sweep;

/** Where layer i of a level stands, and behind it the next ones: in the place of the level before's that is `reach`
 * layers back, which no unit of this level reads that is not computed yet. */
static inline char **hg_lane_slot(const hg_lane_sweep *s, const hg_lane_level *l, int64_t i)
{
  const int64_t at = (i - l->step * s->reach[s->slow]) % s->count;
  return &s->slot[at < 0 ? at + s->count : at];
}

/** Bytes from the first vector of a layer of a level to that of row y: of planes, too, rows are `reach` rows back. */
static inline int64_t hg_lane_place(const hg_lane_sweep *s, const hg_lane_level *l, int64_t y)
{
  return s->slow == 2 ? (y - l->step * s->reach[1] - s->base) * s->row : 0;
}

/** First vector of a row. */
static inline char *hg_lane_row(const hg_lane_sweep *s, const hg_lane_level *l, int64_t y, int64_t z)
{
  return *hg_lane_slot(s, l, s->slow == 2 ? z : y) + hg_lane_place(s, l, y);
}

/** A tile that is to be advanced by so many steps from state `before`. */
hg_lane_sweep hg_lane_sweep_start(const hg_units_tile *tile, int steps, const char *before);

/** The widest vectors that the processor and the update have. */
hg_lane_set hg_lane_set_of(const hg_update *update);

/** Bytes of scratch memory. */
size_t hg_lane_workspace(const hg_lane_sweep *s);

/** Gives the layers of the window, and what else is needed, its place in `work`. */
void hg_lane_lay_out(hg_lane_sweep *s, char *work);

/** Goes to strip i. */
void hg_lane_strip(hg_lane_sweep *s, int64_t i);

/** Keeps what is not computed of a row after the step before, and writes it into the row. kept: [restores] */
void hg_lane_keep(const hg_lane_sweep *s, const char *former, uint64_t *kept);
void hg_lane_restore_row(const hg_lane_sweep *s, const uint64_t *kept, char *row);

/** Layers at .. at + wave - 1 come in; those of the wave behind are asked for, as many rows as are due with each step;
 * layers at .. at + wave - 1 of the last step go out. */
void hg_lane_enter(const hg_lane_sweep *s, const hg_lane_level *l, int64_t at);
void hg_lane_expect(hg_lane_sweep *s, const hg_lane_level *l);
void hg_lane_leave(const hg_lane_sweep *s, const hg_lane_level *l, char *after, int64_t at);
#endif
