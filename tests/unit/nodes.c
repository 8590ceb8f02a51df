/* SPDX-License-Identifier: MIT */
/* Divisions level by level: every node gets one box, whatever the partitioner, and auto has least border between nodes.
 */

#include "partition/metrics.h"
#include "partition/partition.h"
#include "tap.h"

enum { PARTS = 24, ROOM = 60 };

typedef struct sample {
  hg_partition_request request;
  int64_t n[3];
  double speed[PARTS];
} sample;

/* Random speeds up to 50 : 1, some of them 0, on grids with room for all. */
static void random_sample(uint64_t *state, int dims, sample *s)
{
  const int parts = (int)tap_between(state, 1, PARTS);
  *s = (sample){.request = {.dims = dims, .parts = parts}};
  for (int a = 0; a < 3; a++) s->n[a] = a < dims ? 2 * PARTS + tap_between(state, 1, ROOM) : 1;
  for (int i = 0; i < parts; i++) s->speed[i] = tap_between(state, 0, 9) ? (double)tap_between(state, 1, 50) : 0;
  s->speed[0] = 3;
}

/* Groups consecutive processors in nodes, and these in machines of two nodes. @param[out] group  [2][PARTS] */
static void random_nodes(uint64_t *state, sample *s, int group[2][PARTS])
{
  const int most = (int)tap_between(state, 1, 5);
  for (int i = 0, node = 0, left = 0; i < s->request.parts; i++, left--) {
    if (left == 0) left = (int)tap_between(state, 1, most), node++;
    group[1][i] = node - 1;
    group[0][i] = (node - 1) / 2;
  }
  s->request.levels = (int)tap_between(state, 1, 2);
  s->request.group[0] = s->request.levels == 1 ? group[1] : group[0];
  s->request.group[1] = group[1];
}

/* Whether the parts of each group of a level cover one box. */
static bool groups_are_boxes(const sample *s, int level, const hg_box *box)
{
  hg_box around[PARTS];
  int64_t cells[PARTS] = {0};
  for (int i = 0; i < s->request.parts; i++) {
    const int g = s->request.group[level][i];
    if (hg_box_cells(&box[i]) == 0) continue;
    if (cells[g] == 0) around[g] = box[i];
    for (int a = 0; a < 3; a++) {
      if (box[i].lo[a] < around[g].lo[a]) around[g].lo[a] = box[i].lo[a];
      if (box[i].hi[a] > around[g].hi[a]) around[g].hi[a] = box[i].hi[a];
    }
    cells[g] += hg_box_cells(&box[i]);
  }
  for (int g = 0; g < PARTS; g++)
    if (cells[g] > 0 && cells[g] != hg_box_cells(&around[g])) return false;
  return true;
}

/* The number that auto compares if there are nodes. */
static double weighed_cut(const sample *s, const hg_box *box)
{
  hg_rect rect[PARTS];
  hg_partition_metrics m;
  hg_boxes_to_rects(s->request.parts, box, rect);
  hg_partition_measure(&s->request, rect, NULL, &m);
  return m.cut + 16 * m.between[0] + 4 * m.between[1];
}

static void nodes_get_one_box(int dims)
{
  uint64_t state = 40 + (uint64_t)dims;
  int failed = 0, scattered = 0, worse = 0, better = 0, rounds = 200;
  for (int round = 0; round < rounds; round++) {
    sample s;
    int group[2][PARTS];
    random_sample(&state, dims, &s);
    s.request.speed = s.speed;
    random_nodes(&state, &s, group);
    for (const hg_partitioner *p = hg_partitioners; p->name; p++) {
      hg_box box[PARTS];
      hg_tree tree = {0};
      for (int a = 0; a < 3; a++) s.request.size[a] = (double)s.n[a];
      if (strcmp(p->name, "exact") == 0) continue;
      failed += hg_partition_by_levels(p->divide, &s.request, &tree) != HG_OK ||
                hg_tree_boxes(&tree, s.n, s.request.parts, s.speed, box) != HG_OK ||
                hg_partition_check_cover(s.request.parts, box, s.n) != HG_OK;
      hg_tree_free(&tree);
      for (int l = 0; l < s.request.levels; l++) scattered += !groups_are_boxes(&s, l, box);
    }
    hg_box by_auto[PARTS], by_nodes[PARTS], flat[PARTS];
    hg_partition("auto", &s.request, s.n, by_auto);
    hg_partition("nodes", &s.request, s.n, by_nodes);
    hg_partition("nphp", &s.request, s.n, flat);
    const double own = weighed_cut(&s, by_auto), theirs = fmin(weighed_cut(&s, by_nodes), weighed_cut(&s, flat));
    worse += own > theirs * (1 + 1e-9);
    better += weighed_cut(&s, by_nodes) < weighed_cut(&s, flat);
  }
  tap_ok(failed == 0 && scattered == 0, "%d-D: level by level every node, and every machine, gets one box (%d, %d not)",
         dims, failed, scattered);
  tap_ok(worse == 0,
         "... auto has no more border between nodes than nphp, flat or by nodes (%d of %d times; less by nodes in %d)",
         worse, rounds, better);
}

/* Two nodes of speeds 1, 1 and 2, 2 on 6 x 4 cells. */
static void a_division_by_nodes_is_known(void)
{
  const double speed[] = {1, 1, 2, 2};
  const int node[] = {0, 0, 1, 1};
  const int64_t n[3] = {6, 4, 1};
  const hg_partition_request r = {.dims = 2,
                                  .size = {6, 4, 1},
                                  .parts = 4,
                                  .speed = speed,
                                  .levels = 1,
                                  .group = {node},
                                  .latency = 1,
                                  .bandwidth = 1,
                                  .bytes_per_cell = 1};
  hg_box box[4];
  hg_rect rect[4];
  hg_partition_metrics m;
  hg_partition("nodes", &r, n, box);
  hg_boxes_to_rects(4, box, rect);
  hg_partition_measure(&r, rect, NULL, &m);
  tap_near(m.between[0], 4, 1e-12, "a column of 4 cells is between two nodes");
  tap_near(m.cut, 10, 1e-12, "... of a total cut of 10");
  tap_near(m.comm_seconds, 12, 1e-12, "... two messages each way and 8 bytes take 12 s of its link");
}

int main(void)
{
  for (int dims = 1; dims <= 3; dims++) nodes_get_one_box(dims);
  a_division_by_nodes_is_known();
  return tap_done();
}
