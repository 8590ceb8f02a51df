/* SPDX-License-Identifier: MIT */
/* Tiles with stored neighbours on a CPU: units that may be read, received and sent units, and results. */
#include "codelets/units/stored.h"

#include "tap.h"

/* Units have different numbers of elements; unit i begins at offset[i]. */
typedef struct tables {
  int64_t offset[7], start[5], ghost[2];
  int32_t member[4];
} tables;

static const tables index_of_four = {{0, 1, 3, 6, 10, 12, 15}, {0, 1, 2, 3, 4}, {40, 50}, {1, 2, 3, 4}};

static void tables_are_found(void)
{
  const tables *t = &index_of_four;
  const double state[15] = {0};
  hg_stored_tile tile = {.start_at = offsetof(tables, start),
                         .ghost_at = offsetof(tables, ghost),
                         .member_at = offsetof(tables, member),
                         .has_offsets = true};
  hg_units u = hg_stored_units(&tile, state, t);
  tap_ok(u.values == (const char *)state && u.offset == t->offset && u.start == t->start && u.ghost == t->ghost &&
             u.member == t->member,
         "the tables of a tile");
  tile.has_offsets = false;
  tile.start_at = -1;
  u = hg_stored_units(&tile, state, t);
  tap_ok(!u.offset && !u.start && u.member == t->member,
         "units of one element have no offsets, units of zones no lists");
  u = hg_stored_units(&tile, state, NULL);
  tap_ok(u.values == (const char *)state && !u.offset && !u.ghost && !u.member,
         "without tables there is the state alone");
}

static void twice(const hg_units *units, int64_t count, void *out)
{
  const double *in = units->row[0];
  for (int64_t i = 0; i < count; i++)
    ((double *)out)[i] = 2 * in[i] + (double)(100 * (units->at[1] + 10 * units->at[2]) + units->at[0]);
}

static const hg_update update = {.value_bytes = sizeof(double), .run = twice};

static void rows_are_computed(void)
{
  hg_stored_tile tile = {.update = &update};
  double before[12], after[12];
  int wrong = 0;
  for (int i = 0; i < 12; i++) before[i] = i;
  const hg_units u = {.values = (const char *)before, .lo = {5, 6, 7}, .own = {2, 3, 2}};
  hg_stored_advance(&tile, &u, after);
  for (int i = 0; i < 12; i++) wrong += after[i] != 2 * i + 100 * (6 + i / 2 % 3 + 10 * (7 + i / 6)) + 5;
  tap_int(wrong, 0, "rows of a box have their positions");
}

static void pieces_come_and_go(void)
{
  double state[15], first[4], second[3];
  void *pieces[] = {first, second};
  for (int i = 0; i < 15; i++) state[i] = i;
  hg_stored_tile tile = {.update = &update,
                         .has_offsets = true,
                         .in_count = 2,
                         .out_count = 2,
                         .in_bytes = (int64_t[]){sizeof(double), 2 * sizeof(double)},
                         .out_first = (int64_t[]){0, 2, 3},
                         .elements = 10};
  const int32_t positions[] = {2, 0, 1};
  hg_stored_pack(&tile, state, &index_of_four, positions, pieces);
  tap_ok(first[0] == 3 && first[2] == 5 && first[3] == 0 && second[0] == 1 && second[1] == 2,
         "units of several elements go whole, piece after piece");
  tile.has_offsets = false;
  hg_stored_pack(&tile, state, &index_of_four, positions, pieces);
  tap_ok(first[0] == 2 && first[1] == 0 && second[0] == 1, "... and those of one element by their positions");
  hg_stored_unpack(&tile, (const void *const[]){(double[]){-1}, (double[]){-2, -3}}, state);
  tap_ok(state[9] == 9 && state[10] == -1 && state[11] == -2 && state[12] == -3 && state[13] == 13,
         "received units are stored after the tile's own");
}

static void change(const hg_units *units, int64_t count, double *out)
{
  for (int64_t i = 0; i < count; i++)
    out[i] = ((const double *)units->after)[i] - ((const double *)units->row[1])[i] + (double)(units->at[0] + i);
}

typedef struct taken {
  int64_t units;
  double sum;
} taken;

static void take(void *arg, const double *values, int64_t count)
{
  taken *t = arg;
  t->units += count;
  for (int64_t i = 0; i < count; i++) t->sum += values[i];
}

static void all_units_are_measured(void)
{
  enum { WIDE = 1100 };
  static double before[2 * WIDE], after[2 * WIDE];
  const hg_quantity quantity = {.rows = 2, .run = change};
  const hg_stored_tile tile = {.update = &update, .quantity = &quantity};
  const hg_units u = {.values = (const char *)before, .own = {WIDE, 2, 1}};
  taken t = {0};
  double want = 0;
  for (int i = 0; i < 2 * WIDE; i++) {
    before[i] = i;
    after[i] = 3 * i;
    want += 2 * i + i % WIDE;
  }
  hg_stored_measure(&tile, &u, after, take, &t);
  tap_int(t.units, 2 * WIDE, "each unit of rows that are longer than what is measured at once is measured once");
  tap_near(t.sum, want, 0, "... and has its position");
}

int main(void)
{
  tables_are_found();
  rows_are_computed();
  pieces_come_and_go();
  all_units_are_measured();
  return tap_done();
}
