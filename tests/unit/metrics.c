/* SPDX-License-Identifier: MIT */
/* Metrics of partitions against brute force over all pairs of parts, and of runs of cells over all cells. */
#include <unistd.h>

#include "partition/metrics.h"
#include "partition/points.h"
#include "random_grids.h"

static void messages_wait_both_ways(void)
{
  const double speed[] = {2, 1, 1};
  const hg_rect rect[] = {{{0, 0, 0}, {5, 8, 1}}, {{5, 0, 0}, {10, 4, 1}}, {{5, 4, 0}, {10, 8, 1}}};
  const hg_partition_request r = {
      .dims = 2, .size = {10, 8, 1}, .parts = 3, .speed = speed, .latency = .5, .bandwidth = 13, .bytes_per_cell = 2};
  hg_partition_metrics m;
  hg_partition_measure(&r, rect, NULL, &m);
  tap_near(m.comm_seconds, .5 * 2 * 2 + 2 * 13 * 2 / 13., 1e-15, "messages to and from two neighbours (eq. 3-8)");
  tap_near(m.makespan, 20 + m.comm_seconds, 1e-15, "... which lengthen a step");
}

/* A band between two others keeps them apart, however thin: real ones, and five cells of 10^10. */
static void thin_parts_keep_others_apart(void)
{
  const double speed[] = {1, 1e-10, 1}, size[] = {1, 1e10};
  for (int k = 0; k < 2; k++) {
    const double middle = size[k] / 2, thin = k ? 5 : 1e-10;
    const hg_rect rect[] = {
        {{0, 0, 0}, {1, middle, 1}}, {{0, middle, 0}, {1, middle + thin, 1}}, {{0, middle + thin, 0}, {1, size[k], 1}}};
    const hg_partition_request r = {.dims = 2, .size = {1, size[k], 1}, .parts = 3, .speed = speed};
    hg_partition_metrics m;
    hg_partition_measure(&r, rect, NULL, &m);
    tap_ok(m.pairs == 2 && m.cut == 2, "a band of %g of %g has both its neighbours between them: %d pairs, cut %g",
           thin, size[k], m.pairs, m.cut);
  }
}

/* Border and neighbours of part i by checking all others; rectangles on whole cells. */
static hg_part_metrics slow_metrics(int parts, const hg_rect *rect, int i)
{
  hg_part_metrics p = {.cells = 1};
  for (int a = 0; a < 3; a++) p.cells *= rect[i].hi[a] - rect[i].lo[a];
  for (int j = 0; j < parts; j++) {
    double border = 1;
    int touching = 0;
    for (int a = 0; a < 3; a++) {
      double overlap = fmin(rect[i].hi[a], rect[j].hi[a]) - fmax(rect[i].lo[a], rect[j].lo[a]);
      touching += overlap == 0;
      border *= overlap > 0 ? overlap : overlap == 0;
    }
    if (j == i || touching != 1) border = 0;
    p.border += border;
    p.neighbours += border > 0;
  }
  return p;
}

static void metrics_are_those_of_all_pairs(void)
{
  uint64_t state = 31;
  int unlike = 0, compared = 0;
  for (int round = 0; round < 2000; round++) {
    sample s;
    hg_box box[PARTS];
    hg_rect rect[PARTS];
    hg_part_metrics part[PARTS];
    hg_partition_metrics m;
    random_sample(&state, (int)tap_between(&state, 1, 3), PARTS, &s);
    s.request.speed = s.speed;
    const hg_partitioner *p = &hg_partitioners[tap_between(&state, 0, 10)];
    if (hg_partition(p->name, &s.request, s.n, box) != HG_OK) continue;
    hg_boxes_to_rects(s.request.parts, box, rect);
    unlike += hg_partition_measure(&s.request, rect, part, &m) != HG_OK;
    for (int i = 0; i < s.request.parts; i++, compared++) {
      const hg_part_metrics slow = slow_metrics(s.request.parts, rect, i);
      const bool empty = !(slow.cells > 0);
      unlike += part[i].cells != slow.cells || part[i].border != (empty ? 0 : slow.border) ||
                part[i].neighbours != (empty ? 0 : slow.neighbours);
    }
  }
  tap_ok(unlike == 0 && compared > 10000, "borders and neighbours by sweeping are those of all pairs (%d of %d not)",
         unlike, compared);
}

static int part_at(int parts, const hg_box *box, const int64_t at[3])
{
  for (int i = 0; i < parts; i++) {
    bool inside = true;
    for (int a = 0; a < 3; a++) inside &= box[i].lo[a] <= at[a] && at[a] < box[i].hi[a];
    if (inside) return i;
  }
  return -1;
}

/* Borders between parts by checking all cells and their next cells, across periodic boundaries, too. */
static void count_cells(const sample *s, const hg_box *box, double border[PARTS][PARTS])
{
  const int64_t *n = s->n;
  memset(border, 0, PARTS * sizeof *border);
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
    for (int a = 0; a < s->request.dims; a++) {
      int64_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
      const int one = part_at(s->request.parts, box, at);
      if (++at[a] == n[a] && !s->request.periodic[a]) continue;
      at[a] %= n[a];
      const int other = part_at(s->request.parts, box, at);
      border[one][other] += one != other;
      border[other][one] += one != other;
    }
}

static void ends_meet_where_an_axis_is_periodic(void)
{
  static const char *const others[] = {"rows", "columns", "nphp", "column-based", "recursive", "rcb"};
  uint64_t state = 33;
  int unlike = 0, worse = 0, compared = 0;
  for (int round = 0; round < 600; round++) {
    sample s;
    hg_box box[PARTS];
    hg_rect rect[PARTS];
    hg_part_metrics part[PARTS];
    hg_partition_metrics m, best;
    double border[PARTS][PARTS], cut = 0;
    int pairs = 0;
    random_sample(&state, (int)tap_between(&state, 1, 3), round % 2 ? PARTS : 4, &s);
    for (int a = 0; a < s.request.dims; a++) {
      s.request.periodic[a] = tap_between(&state, 0, 3) > 0;
      s.request.size[a] = (double)s.n[a];
    }
    s.request.speed = s.speed;
    if (hg_partition("auto", &s.request, s.n, box) != HG_OK) continue;
    hg_boxes_to_rects(s.request.parts, box, rect);
    hg_partition_measure(&s.request, rect, NULL, &best);
    if (hg_partition(others[round % 6], &s.request, s.n, box) != HG_OK) continue;
    hg_boxes_to_rects(s.request.parts, box, rect);
    unlike += hg_partition_measure(&s.request, rect, part, &m) != HG_OK;
    worse += best.cut > m.cut;
    count_cells(&s, box, border);
    for (int i = 0; i < s.request.parts; i++, compared++) {
      double sum = 0;
      int neighbours = 0;
      for (int j = 0; j < s.request.parts; j++) sum += border[i][j], neighbours += border[i][j] > 0;
      unlike += part[i].border != sum || part[i].neighbours != neighbours;
      cut += sum / 2;
      pairs += neighbours;
    }
    unlike += m.cut != cut || m.pairs != pairs / 2 || fabs(hg_partition_cut(&s.request, rect) - cut) > 1e-9;
  }
  tap_ok(unlike == 0 && compared > 3000, "borders across periodic boundaries are those of all cells (%d of %d not)",
         unlike, compared);
  tap_ok(worse == 0, "auto counts them, too: %d times others have less", worse);
}

/* Moves one box of a partition by a cell: the message names the fault that comparing all pairs finds first. */
static void the_first_overlap_is_named(void)
{
  uint64_t state = 32;
  int unlike = 0, overlaps = 0;
  for (int round = 0; round < 1000; round++) {
    sample s;
    hg_box box[PARTS];
    char named[64] = "";
    random_sample(&state, 2, PARTS, &s);
    s.request.speed = s.speed;
    if (hg_partition("nphp", &s.request, s.n, box) != HG_OK) continue;
    hg_box *moved = &box[tap_between(&state, 0, s.request.parts - 1)];
    if (hg_box_cells(moved) == 0 || moved->lo[0] == 0) continue;
    moved->lo[0]--;
    for (int i = 0; i < s.request.parts && !named[0]; i++)
      for (int j = 0; j < i && !named[0]; j++) {
        const hg_box common = hg_box_meet(&box[i], &box[j]);
        if (hg_box_cells(&common) > 0) snprintf(named, sizeof named, "parts %d and %d overlap", j, i);
      }
    overlaps += named[0] != 0;
    unlike += hg_partition_check_cover(s.request.parts, box, s.n) != HG_INVALID || !strstr(hg_message(), named);
  }
  tap_ok(unlike == 0 && overlaps > 100, "the first overlap is named (%d of %d not)", unlike, overlaps);
}

static int run_of(const int64_t *start, int64_t cell)
{
  int run = 0;
  while (start[run + 1] <= cell) run++;
  return run;
}

/* Twice the number of neighbouring cells of different runs, by checking all cells. */
static int64_t edges_of(const int64_t n[3], const bool periodic[3], const int64_t *start)
{
  const int64_t stride[] = {1, n[0], n[0] * n[1]};
  int64_t edges = 0;
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
    for (int a = 0; a < 3; a++)
      if (i / stride[a] % n[a] + 1 < n[a])
        edges += 2 * (run_of(start, i) != run_of(start, i + stride[a]));
      else if (periodic[a])
        edges += 2 * (run_of(start, i) != run_of(start, i - (n[a] - 1) * stride[a]));
  return edges;
}

static void borders_of_runs_are_counted(void)
{
  static const int64_t size[][3] = {{29, 4, 1}, {4, 29, 1}, {9, 5, 7}, {50, 1, 1}, {3, 2, 20}};
  const double speed[] = {1, 2, 3};
  for (int i = 0; i < 5; i++)
    for (int ends = 0; ends < 8; ends++) {
      const bool periodic[] = {ends & 1, ends & 2, ends & 4};
      int64_t start[4];
      hg_points_metrics m;
      hg_points_divide(size[i], 3, speed, start);
      hg_points_measure(size[i], periodic, 3, start, &m);
      char name[80];
      snprintf(name, sizeof name, "borders of three runs of %d x %d x %d cells, ends that meet: %d", (int)size[i][0],
               (int)size[i][1], (int)size[i][2], ends);
      tap_int(m.items_edges, edges_of(size[i], periodic, start), name);
    }
}

static void runs_end_in_short_rows(void)
{
  const int64_t tall[3] = {10, INT64_C(1) << 31, 1}, wide[3] = {INT64_C(1) << 31, 10, 1};
  const double speed[] = {1, 1};
  int64_t start[3];
  tap_int(hg_points_divide(tall, 2, speed, start), HG_OK, "rows of ten cells, however many, are divided");
  tap_int(hg_points_divide(wide, 2, speed, start), HG_INVALID, "rows of 2^31 are refused");
  const int64_t endless[3] = {10, INT64_C(1) << 50, 1}; /* checking all cells would never end */
  hg_points_metrics m = {0};
  alarm(60);
  hg_points_divide(endless, 2, speed, start);
  tap_int(hg_points_measure(endless, NULL, 2, start, &m), HG_OK, "2^50 rows are measured if a run ends in one of them");
  alarm(0);
  tap_int(m.items_edges, 20, "... a row of ten next to another");
}

int main(void)
{
  metrics_are_those_of_all_pairs();
  ends_meet_where_an_axis_is_periodic();
  the_first_overlap_is_named();
  messages_wait_both_ways();
  thin_parts_keep_others_apart();
  borders_of_runs_are_counted();
  runs_end_in_short_rows();
  return tap_done();
}
