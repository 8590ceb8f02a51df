/* SPDX-License-Identifier: MIT */
/* Where the rows of a tile in lanes are while it is advanced (codelets/units/units_lanes.h), how they come in and
 * leave. */
#ifndef HG_CODELETS_UNITS_LANE_SWEEP_H
#define HG_CODELETS_UNITS_LANE_SWEEP_H

#include "codelets/units/lane_rows.h"
#include "codelets/units/units_tile.h"

/* Layers of a level that are held at most, a power of two: no layer is found by a division. */
enum { HG_LANE_RING = 16 };

/* The state after some step: its last layers (rows, in 3-D planes). Layer i is at i & (HG_LANE_RING - 1) and again
 * HG_LANE_RING further, so that those from any one on follow each other. Each begins with its first vector. */
typedef struct hg_lane_level {
  char *layer[2 * HG_LANE_RING];
  hg_units_range has;
} hg_lane_level;

/* Rows of the state before that come in next: they are asked for while steps are computed. */
typedef struct hg_lane_expectation {
  int64_t layer, y, end; /* of the next one; the layer where they end */
  int rows;              /* with each step */
} hg_lane_expectation;

/* A tile on its way. */
typedef struct hg_lane_sweep {
  const hg_units_tile *tile;
  const hg_lane_rows *rows;
  int slow;                  /* axis whose layers stream: 1, in 3-D 2 */
  int reach[3];              /* units that a step reads on each side along an axis */
  int wave;                  /* layers that enter together */
  int64_t bytes, vectors;    /* of a value; of a row, of each word */
  int64_t vector;            /* bytes of a vector */
  int64_t around, row;       /* bytes of the vectors before a row; of a row with those around it */
  int64_t layer;             /* bytes */
  int64_t strips, cut[2];    /* in 3-D: of a plane; the rows of this one at level 0 */
  int64_t base;              /* first row that planes have room for */
  char *edges;               /* what a strip leaves to the next one */
  int64_t open[3], close[3]; /* units outside open <= i < close are held */
  char *flat, *spare;        /* a row in natural order; one that nobody reads */
  char **unused;             /* layers that hold nothing any more, the last one first */
  int64_t count;             /* of them */
  bool mends;                /* rows have units that are held, or images */
  void (*compute)(const hg_units *units, const hg_lanes *lanes);
  hg_lane_expectation next;
} hg_lane_sweep;

/** Where layer i is. */
static inline char **hg_lane_slot(hg_lane_level *l, int64_t i)
{
  return &l->layer[i & (HG_LANE_RING - 1)];
}

/** First vector of a row. */
static inline char *hg_lane_row(const hg_lane_sweep *s, const hg_lane_level *l, int64_t y, int64_t z)
{
  return s->slow == 2 ? l->layer[z & (HG_LANE_RING - 1)] + (y - s->base) * s->row : l->layer[y & (HG_LANE_RING - 1)];
}

/** A tile that is to be advanced by so many steps, in `work` or NULL. */
hg_lane_sweep hg_lane_sweep_start(const hg_units_tile *tile, int steps, char *work);

/** The widest vectors that the processor and the update have. */
hg_lane_set hg_lane_set_of(const hg_update *update);

/** Rows that planes hold before those of a strip: it leans by the radius with each step, and reads what precedes it. */
int64_t hg_lane_lean(const hg_lane_sweep *s, int steps);

/** Bytes of scratch memory. */
size_t hg_lane_workspace(const hg_lane_sweep *s, int steps);

/** Makes all layers unused. */
void hg_lane_layers(hg_lane_sweep *s);

/** A place for layer i, the one that was read last: it is still in the cache. */
void hg_lane_take(hg_lane_sweep *s, hg_lane_level *l, int64_t i);

/** Layers lo .. hi - 1 hold nothing any more. */
void hg_lane_return(hg_lane_sweep *s, hg_lane_level *l, int64_t lo, int64_t hi);

/** Unit x of row `to` becomes unit `at` of row `from`. */
void hg_lane_copy(const hg_lane_sweep *s, const char *from, int64_t at, char *to, int64_t x);

/** Writes the vectors around a row. */
void hg_lane_surround(const hg_lane_sweep *s, char *row);

/** Layers at .. at + wave - 1 come in; those of the wave behind are asked for, as many rows as are due with each step;
 * layers at .. at + wave - 1 of the last step go out. */
void hg_lane_enter(hg_lane_sweep *s, hg_lane_level *l, const char *before, int64_t at);
void hg_lane_expect(hg_lane_sweep *s, const hg_lane_level *l, const char *before);
void hg_lane_leave(hg_lane_sweep *s, hg_lane_level *l, char *after, int64_t at);
#endif
