/* SPDX-License-Identifier: MIT */
#include "codelets/units/stored.h"

#include <string.h>

hg_units hg_stored_units(const hg_stored_tile *t, const void *state, const void *index)
{
  const char *tables = index;
  hg_units u = t->units;
  u.values = state;
  if (!index) return u;
  u.offset = t->has_offsets ? index : NULL;
  u.start = t->start_at >= 0 ? (const void *)(tables + t->start_at) : NULL;
  u.ghost = (const void *)(tables + t->ghost_at);
  u.member = (const void *)(tables + t->member_at);
  return u;
}

void hg_stored_unpack(const hg_stored_tile *t, const void *const *pieces, void *state)
{
  char *to = (char *)state + t->elements * t->update->value_bytes;
  for (int i = 0; i < t->in_count; i++) {
    memcpy(to, pieces[i], (size_t)t->in_bytes[i]);
    to += t->in_bytes[i];
  }
}

/* The row-th run along x of the tile's own box. */
static hg_units row_of(const hg_units *units, int64_t row)
{
  hg_units u = *units;
  u.local = row * u.own[0];
  u.at[0] = u.lo[0];
  u.at[1] = u.lo[1] + row % u.own[1];
  u.at[2] = u.lo[2] + row / u.own[1];
  return u;
}

static int64_t first_byte(const hg_units *u, int64_t value_bytes)
{
  return (u->offset ? u->offset[u->local] : u->local) * value_bytes;
}

void hg_stored_advance(const hg_stored_tile *t, const hg_units *units, void *after)
{
  const hg_update *update = t->update;
  for (int64_t row = 0; row < units->own[1] * units->own[2]; row++) {
    hg_units u = row_of(units, row);
    const int64_t at = first_byte(&u, update->value_bytes);
    const void *values = u.values + at;
    u.row = &values;
    update->run(&u, u.own[0], (char *)after + at);
  }
}

void hg_stored_pack(const hg_stored_tile *t, const void *state, const void *index, const int32_t *positions,
                    void *const *pieces)
{
  const int64_t bytes = t->update->value_bytes;
  const int64_t *offset = t->has_offsets ? index : NULL;
  for (int i = 0; i < t->out_count; i++) {
    char *to = pieces[i];
    for (int64_t j = t->out_first[i]; j < t->out_first[i + 1]; j++) {
      const int64_t p = positions[j], first = offset ? offset[p] : p, count = offset ? offset[p + 1] - first : 1;
      memcpy(to, (const char *)state + first * bytes, (size_t)(count * bytes));
      to += count * bytes;
    }
  }
}

void hg_stored_measure(const hg_stored_tile *t, const hg_units *units, const void *after,
                       void (*take)(void *arg, const double *values, int64_t count), void *arg)
{
  enum { PART = 512 };
  const hg_quantity *quantity = t->quantity;
  const int64_t bytes = t->update->value_bytes;
  const void *rows[quantity->rows];
  double values[PART];
  for (int64_t row = 0; row < units->own[1] * units->own[2]; row++)
    for (int64_t x = 0, part; x < units->own[0]; x += part) {
      hg_units u = row_of(units, row);
      part = u.own[0] - x < PART ? u.own[0] - x : PART;
      u.local += x;
      u.at[0] += x;
      for (int i = 0; i < quantity->rows; i++) rows[i] = u.values + u.local * bytes;
      u.row = rows;
      u.after = (const char *)after + u.local * bytes;
      quantity->run(&u, part, values);
      take(arg, values, part);
    }
}
