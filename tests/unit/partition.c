/* SPDX-License-Identifier: MIT */
#include "partition/partition.h"

#include <stdlib.h>

#include "tap.h"

/* Every cell exactly once, counted on a map of the grid. */
static bool covers(const hg_partition_request *r, const hg_box *box)
{
  int64_t cells = r->n[0] * r->n[1] * r->n[2];
  unsigned char *seen = calloc((size_t)cells, 1);
  bool good = true;
  for (int i = 0; i < r->parts; i++)
    for (int64_t z = box[i].lo[2]; z < box[i].hi[2]; z++)
      for (int64_t y = box[i].lo[1]; y < box[i].hi[1]; y++)
        for (int64_t x = box[i].lo[0]; x < box[i].hi[0]; x++)
          seen[x + r->n[0] * (y + r->n[1] * z)]++;
  for (int64_t i = 0; i < cells; i++)
    good = good && seen[i] == 1;
  free(seen);
  return good;
}

static void random_request(uint64_t *state, hg_partition_request *r, double *speed)
{
  r->dims = (int)tap_between(state, 1, 3);
  r->parts = (int)tap_between(state, 1, 12);
  for (int a = 0; a < 3; a++)
    r->n[a] = a < r->dims ? tap_between(state, 1, r->dims == 3 ? 12 : 40) : 1;
  for (int i = 0; i < r->parts; i++)
    speed[i] = tap_between(state, 0, 4) ? (double)tap_between(state, 1, 1000) : 0;
  speed[tap_between(state, 0, r->parts - 1)] = 5;
  r->speed = speed;
}

static void every_cell_belongs_to_one_part(void)
{
  uint64_t state = 1;
  for (const hg_partitioner *p = hg_partitioners; p->name; p++) {
    int bad = 0, zero_fed = 0;
    for (int round = 0; round < 3000; round++) {
      double speed[12];
      hg_box box[12];
      hg_partition_request r;
      random_request(&state, &r, speed);
      if (hg_partition(p->name, &r, box) != HG_OK || !covers(&r, box))
        bad++;
      for (int i = 0; i < r.parts; i++)
        zero_fed += speed[i] <= 0 && hg_box_cells(&box[i]) > 0;
    }
    tap_ok(bad == 0, "%s covers every cell exactly once in 3000 random grids (%d not)", p->name, bad);
    tap_ok(zero_fed == 0, "%s gives nothing to processors of speed 0 (%d did)", p->name, zero_fed);
  }
}

static void shares_are_proportional(void)
{
  uint64_t state = 2;
  double worst = 0;
  int sums = 0, empty = 0;
  for (int round = 0; round < 5000; round++) {
    int count = (int)tap_between(&state, 1, 20);
    int64_t n = tap_between(&state, 1, 500), start[21];
    double weight[20], sum = 0;
    for (int i = 0; i < count; i++)
      sum += weight[i] = (double)tap_between(&state, 1, 100);
    hg_split(n, count, weight, start);
    sums += start[0] == 0 && start[count] == n;
    for (int i = 0; i < count; i++) {
      double off = fabs((double)(start[i + 1] - start[i]) - (double)n * weight[i] / sum);
      if (n >= 20 * count && off > worst)
        worst = off;
      empty += n >= count && start[i + 1] == start[i];
    }
  }
  tap_int(sums, 5000, "parts_sum_to_n");
  tap_int(empty, 0, "no positive weight goes empty while there are cells enough");
  tap_ok(worst < 2, "a run is less than 2 cells off its share (worst %g)", worst);
}

static void bad_requests_are_refused(void)
{
  double speed[2] = {1, 1};
  hg_box box[2];
  hg_partition_request r = {.dims = 2, .n = {4, 4, 1}, .parts = 2, .speed = speed};
  tap_ok(hg_partition("diagonal", &r, box) == HG_INVALID, "an unknown name (%s)", hg_message());
  speed[0] = -1;
  tap_ok(hg_partition("rows", &r, box) == HG_INVALID, "a negative speed (%s)", hg_message());
  speed[0] = NAN;
  tap_ok(hg_partition("rows", &r, box) == HG_INVALID, "a NaN speed (%s)", hg_message());
  speed[0] = speed[1] = 0;
  tap_ok(hg_partition("rows", &r, box) == HG_INVALID, "no speed at all (%s)", hg_message());
}

static void known_layouts(void)
{
  double speed[4] = {3, 1, 1, 3};
  hg_box box[4];
  hg_partition_request r = {.dims = 2, .n = {8, 8, 1}, .parts = 4, .speed = speed};
  hg_partition("rows", &r, box);
  tap_int(hg_box_extent(&box[0], 1), 3, "rows: speed 3 of 8 on 8 rows gets 3");
  hg_partition("columns", &r, box);
  tap_int(hg_box_extent(&box[1], 0), 1, "columns: speed 1 of 8 on 8 columns gets 1");
  hg_partition("two-factor", &r, box);
  tap_ok(hg_box_extent(&box[0], 0) == 4 && hg_box_extent(&box[0], 1) == 6 && hg_box_extent(&box[3], 1) == 6,
         "two-factor: columns {3,1} and {1,3} of width 4 are cut 6,2 and 2,6");
}

int main(void)
{
  every_cell_belongs_to_one_part();
  shares_are_proportional();
  bad_requests_are_refused();
  known_layouts();
  return tap_done();
}
