/* SPDX-License-Identifier: MIT */
/* What an update reads: its unit, the values around it, random numbers. Part of job/app.h. */
#ifndef HG_JOB_APP_UNIT_H
#define HG_JOB_APP_UNIT_H

/** The unit that an update computes; only the functions below use its members. */
typedef struct hg_unit {
  const hg_units *g;          /**< what it may read */
  const HG_VALUE *const *row; /**< CPU: the rows that the update may read */
  int high;                   /**< CPU: number of rows per dz in `row` */
  int behind;                 /**< CPU: rows from the first of the units computed together to this one */
  const hg_word *near;        /**< CPU, in lanes: [rows around][units along x][words][lanes], or NULL */
  int lane, lanes;            /**< CPU, in lanes: the unit's lane; number of lanes */
  const HG_VALUE *centre;     /**< CUDA: its own value */
  int64_t stride[3];          /**< CUDA: distance of neighbours in values */
  int64_t i;                  /**< CPU: index in the run; CUDA: 0 */
  int64_t at[3];              /**< place of unit 0 of the run; CUDA: of the unit */
  int64_t local;              /**< its position among the values of the tile */
  bool quantity;              /**< CPU: a quantity is computed, which reads its own unit alone */
} hg_unit;

/* --- what and where ---------------------------------------------------------------------------------------------- */

HG_BOTH int64_t hg_fold(int64_t i, int64_t n)
{
  return i < 0 ? i + n : i >= n ? i - n : i;
}

/** Column, row, layer of the unit, from 0. */
HG_BOTH int64_t hg_x(const hg_unit *u)
{
  return hg_fold(u->at[0] + u->i, u->g->n[0]);
}
HG_BOTH int64_t hg_y(const hg_unit *u)
{
  return hg_fold(u->at[1], u->g->n[1]);
}
HG_BOTH int64_t hg_z(const hg_unit *u)
{
  return hg_fold(u->at[2], u->g->n[2]);
}

/** Extent of the grid along an axis, 0: x. */
HG_BOTH int64_t hg_extent(const hg_unit *u, int axis)
{
  return u->g->n[axis];
}

/** Identifier of the unit: x + nx (y + ny z). */
HG_BOTH int64_t hg_id(const hg_unit *u)
{
  return hg_x(u) + u->g->n[0] * (hg_y(u) + u->g->n[1] * hg_z(u));
}

/** Number of the step being computed, from 0. */
HG_BOTH int64_t hg_step(const hg_unit *u)
{
  return u->g->step;
}

/** The job's parameters as they were when the step was submitted. */
HG_BOTH const void *hg_parameters(const hg_unit *u)
{
  return u->g->parameters;
}

/* --- random numbers ---------------------------------------------------------------------------------------------- */

/* A step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
HG_BOTH uint64_t hg_mix(uint64_t state, uint64_t key)
{
  uint64_t z = state + (key + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** A random number in [0, 1) by position: the same for the same identifier, step and key, unrelated for others. `init`
 * has no step: use any step below 0 there. */
HG_BOTH double hg_random_at(int64_t id, int64_t step, int64_t key)
{
  return (double)(hg_mix(hg_mix(hg_mix(0, (uint64_t)key), (uint64_t)step), (uint64_t)id) >> 11) * 0x1p-53;
}

/** A random number in [0, 1) for the unit in this step; `key` distinguishes several numbers of a step, or runs (as a
 * parameter of the job). Updates must not keep state: a unit may be computed several times, and anywhere. */
HG_BOTH double hg_random(const hg_unit *u, int64_t key)
{
  return hg_random_at(hg_id(u), hg_step(u), key);
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

/* Each worker keeps its first fault; the step is completed, then the job ends. */
HG_BOTH void hg_note_fault(const hg_unit *u, int kind, int64_t value, int64_t bound)
{
  hg_fault *f = u->g->fault;
#ifdef HG_ON_DEVICE
  if (atomicCAS_system(&f->kind, HG_FAULT_NONE, kind) != HG_FAULT_NONE) return;
#else
  if (f->kind != HG_FAULT_NONE) return;
  f->kind = kind;
#endif
  f->unit = hg_id(u);
  f->step = u->g->step;
  f->value = value;
  f->bound = bound;
}

/** Ends the job on all ranks with an error that names the unit, the step and `code`. The value returned is ignored. */
HG_BOTH void hg_stop(const hg_unit *u, int64_t code)
{
  hg_note_fault(u, HG_FAULT_USER, code, 0);
}

/* --- values in a stencil, and the unit's own --- */

/* The value returned for what an update may not read. */
HG_BOTH HG_VALUE hg_nothing(void)
{
  HG_VALUE v;
  memset((void *)&v, 0, sizeof v); /* C++ warns of classes */
  return v;
}

HG_BOTH HG_VALUE hg_at_offset(const hg_unit *u, int dx, int dy, int dz)
{
  const int reach = u->quantity ? 0 : HG_RADIUS;
  const int far = dx < -reach   ? dx
                  : dx > reach  ? dx
                  : dy < -reach ? dy
                  : dy > reach  ? dy
                  : dz < -reach ? dz
                  : dz > reach  ? dz
                                : 0;
  if (far != 0) {
    hg_note_fault(u, u->quantity ? HG_FAULT_QUANTITY : HG_FAULT_OFFSET, far, reach);
    return hg_nothing();
  }
#ifdef HG_ON_DEVICE
  return u->centre[dx + dy * u->stride[1] + dz * u->stride[2]];
#else
#if HG_DIMS == 3
  const int row = (dz + HG_RADIUS) * u->high + dy + HG_RADIUS + u->behind;
#elif HG_DIMS == 2
  const int row = dy + HG_RADIUS + u->behind;
#else
  const int row = 0;
#endif
  if (!u->near) return u->row[row][u->i + dx];
  HG_VALUE v;
  for (int w = 0; w < HG_WORDS; w++)
    memcpy((char *)&v + w * (int)sizeof(hg_word),
           u->near + ((row * (2 * HG_RADIUS + 1) + dx + HG_RADIUS) * HG_WORDS + w) * u->lanes + u->lane,
           sizeof(hg_word));
  return v;
#endif
}

/** The value that the unit dx columns (dy rows, dz layers) from this one had before the step. */
#if HG_DIMS == 1
HG_BOTH HG_VALUE hg_at(const hg_unit *u, int dx)
{
  return hg_at_offset(u, dx, 0, 0);
}
#elif HG_DIMS == 2
HG_BOTH HG_VALUE hg_at(const hg_unit *u, int dx, int dy)
{
  return hg_at_offset(u, dx, dy, 0);
}
#elif HG_DIMS == 3
HG_BOTH HG_VALUE hg_at(const hg_unit *u, int dx, int dy, int dz)
{
  return hg_at_offset(u, dx, dy, dz);
}
#endif

/** The unit's own value before the step. */
HG_BOTH HG_VALUE hg_value(const hg_unit *u)
{
  return hg_at_offset(u, 0, 0, 0);
}

/** In a quantity: the unit's value after the step. */
HG_BOTH HG_VALUE hg_value_after(const hg_unit *u)
{
  if (u->quantity) return ((const HG_VALUE *)u->g->after)[u->i];
  hg_note_fault(u, HG_FAULT_AFTER, 0, 0);
  return hg_nothing();
}

/* --- stored neighbours and zones --------------------------------------------------------------------------------- */

/* First element of the value at a position among those of the tile. */
HG_BOTH const HG_VALUE *hg_element(const hg_unit *u, int64_t position)
{
  return (const HG_VALUE *)u->g->values + (u->g->offset ? u->g->offset[position] : position);
}

HG_BOTH int64_t hg_elements(const hg_unit *u, int64_t position)
{
  return u->g->offset ? u->g->offset[position + 1] - u->g->offset[position] : 1;
}

/* Whether values are addressed by position in the tile, as they are without HG_RADIUS, and may be read. */
HG_BOTH bool hg_is_stored(const hg_unit *u, bool own)
{
  if (HG_RADIUS == 0 && (own || !u->quantity)) return true;
  hg_note_fault(u, HG_RADIUS == 0 ? HG_FAULT_QUANTITY : HG_FAULT_STORED, 0, HG_RADIUS);
  return false;
}

/* Address of a value that stands in for what may not be read. */
HG_BOTH const HG_VALUE *hg_stand_in(const hg_unit *u)
{
#ifdef HG_ON_DEVICE
  return u->centre;
#else
  static HG_VALUE nothing;
  (void)u;
  return &nothing;
#endif
}

/** Number of neighbours that the job stored for the unit. */
HG_BOTH int64_t hg_neighbours(const hg_unit *u)
{
  const int64_t l = u->local + u->i;
  if (!hg_is_stored(u, false)) return 0;
  return u->g->start ? u->g->start[l + 1] - u->g->start[l] : 0;
}

/* Position of neighbour j, -1 if there is none. */
HG_BOTH int64_t hg_neighbour_position(const hg_unit *u, int64_t j)
{
  const int64_t count = hg_neighbours(u);
  if (j >= 0 && j < count) return u->g->member[u->g->start[u->local + u->i] + j];
  hg_note_fault(u, HG_FAULT_NEIGHBOUR, j, count);
  return -1;
}

/** The value of the unit's neighbour j before the step; neighbours count from 0 in the order in which they were
 * added. */
HG_BOTH HG_VALUE hg_neighbour(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? hg_nothing() : *hg_element(u, p);
}

/** Elements of the unit's own value and of neighbour j's, and their numbers. For values of variable size. */
HG_BOTH const HG_VALUE *hg_values(const hg_unit *u)
{
  return hg_is_stored(u, true) ? hg_element(u, u->local + u->i) : hg_stand_in(u);
}
HG_BOTH int64_t hg_length(const hg_unit *u)
{
  return hg_elements(u, u->local + u->i);
}
HG_BOTH const HG_VALUE *hg_neighbour_values(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? hg_values(u) : hg_element(u, p);
}
HG_BOTH int64_t hg_neighbour_length(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? 0 : hg_elements(u, p);
}

/* Identifier of the unit at a position among the values of the tile. */
HG_BOTH int64_t hg_identifier(const hg_unit *u, int64_t p)
{
  const hg_units *g = u->g;
  const int64_t own = g->own[0] * g->own[1] * g->own[2];
  if (p >= own) return g->ghost[p - own];
  const int64_t x = g->lo[0] + p % g->own[0], y = g->lo[1] + p / g->own[0] % g->own[1],
                z = g->lo[2] + p / g->own[0] / g->own[1];
  return x + g->n[0] * (y + g->n[1] * z);
}

/** Identifier of neighbour j. */
HG_BOTH int64_t hg_neighbour_id(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? -1 : hg_identifier(u, p);
}

HG_BOTH bool hg_in_box(const int64_t lo[3], const int64_t n[3], int64_t x, int64_t y, int64_t z)
{
  return x >= lo[0] && x < lo[0] + n[0] && y >= lo[1] && y < lo[1] + n[1] && z >= lo[2] && z < lo[2] + n[2];
}

/** The value of any unit of the tile or of its zones before the step. */
HG_BOTH HG_VALUE hg_get(const hg_unit *u, int64_t x, int64_t y, int64_t z)
{
  const hg_units *g = u->g;
  if (!hg_is_stored(u, x == hg_x(u) && y == hg_y(u) && z == hg_z(u))) return hg_nothing();
  if (hg_in_box(g->lo, g->own, x, y, z))
    return *hg_element(u, x - g->lo[0] + g->own[0] * (y - g->lo[1] + g->own[1] * (z - g->lo[2])));
  for (int b = 0; b < g->zones; b++) {
    const hg_zone_box *box = &g->zone[b];
    if (hg_in_box(box->lo, box->n, x, y, z))
      return *hg_element(
          u, g->member[box->first + x - box->lo[0] + box->n[0] * (y - box->lo[1] + box->n[1] * (z - box->lo[2]))]);
  }
  hg_note_fault(u, HG_FAULT_ZONE, x + g->n[0] * (y + g->n[1] * z), 0);
  return hg_nothing();
}
#endif
