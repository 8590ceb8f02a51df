/* SPDX-License-Identifier: MIT */
/* Properties of all partitioners on thousands of random grids and speeds, and known layouts. */
#include "partition/partition.h"

#include <unistd.h>

#include "partition/auto.h"
#include "partition/boxfile.h"
#include "partition/groups.h"
#include "partition/metrics.h"
#include "random_grids.h"

static void check_partitioner(const hg_partitioner *p, int dims, int rounds)
{
  uint64_t state = 10 + (uint64_t)dims;
  int uncovered = 0, fed = 0, starved = 0, unequal = 0, different = 0, most = strcmp(p->name, "exact") == 0 ? 6 : PARTS;
  double worst = 0;
  for (int round = 0; round < rounds; round++) {
    sample s;
    hg_box box[PARTS], again[PARTS];
    hg_rect rect[PARTS];
    hg_tree tree;
    random_sample(&state, dims, most, &s);
    s.request.speed = s.speed;
    uncovered += hg_partition(p->name, &s.request, s.n, box) != HG_OK ||
                 hg_partition_check_cover(s.request.parts, box, s.n) != HG_OK;
    hg_partition(p->name, &s.request, s.n, again);
    different += memcmp(box, again, (size_t)s.request.parts * sizeof *box) != 0;
    for (int i = 0; i < s.request.parts; i++) {
      fed += s.speed[i] <= 0 && hg_box_cells(&box[i]) > 0;
      starved += s.speed[i] > 0 && hg_box_cells(&box[i]) == 0 && s.working <= s.n[0] * s.n[1] * s.n[2];
    }
    if (hg_partition_tree(p->divide, &s.request, &tree) != HG_OK) {
      unequal++;
      continue;
    }
    hg_tree_rects(&tree, s.request.size, s.request.parts, s.speed, rect);
    hg_tree_free(&tree);
    double sum = 0, cells = s.request.size[0] * s.request.size[1] * s.request.size[2];
    for (int i = 0; i < s.request.parts; i++) sum += s.speed[i];
    for (int i = 0; i < s.request.parts; i++) {
      double area = (rect[i].hi[0] - rect[i].lo[0]) * (rect[i].hi[1] - rect[i].lo[1]) * (rect[i].hi[2] - rect[i].lo[2]);
      worst = fmax(worst, fabs(area / cells - s.speed[i] / sum));
    }
  }
  tap_ok(uncovered == 0 && different == 0,
         "%s %d-D: %d grids are covered exactly once, always in the same way (%d, %d not)", p->name, dims, rounds,
         uncovered, different);
  tap_ok(fed == 0 && starved == 0, "... speed 0 gets nothing (%d did), no other goes empty if there is room (%d did)",
         fed, starved);
  tap_ok(unequal == 0 && worst < 1e-12, "... real shares are proportional to the speeds (largest error %g)", worst);
}

static double cut_of(const char *name, sample *s, bool thesis)
{
  const hg_partitioner *p;
  hg_tree tree;
  hg_rect rect[PARTS];
  hg_partition_metrics m;
  hg_partition_request r = s->request;
  r.speed = s->speed;
  r.thesis = thesis;
  if (hg_partition_find(name, &p) != HG_OK || hg_partition_tree(p->divide, &r, &tree) != HG_OK) return NAN;
  hg_tree_rects(&tree, r.size, r.parts, r.speed, rect);
  hg_tree_free(&tree);
  hg_partition_measure(&r, rect, NULL, &m);
  return m.cut;
}

/* Cases in which rounding to whole cells decides. */
static double cells_cut(const char *name, sample *s)
{
  hg_box box[PARTS];
  hg_rect rect[PARTS];
  if (hg_partition(name, &s->request, s->n, box) != HG_OK) return INFINITY;
  hg_boxes_to_rects(s->request.parts, box, rect);
  return hg_partition_cut(&s->request, rect);
}

static void auto_is_best_in_cells(void)
{
  uint64_t state = 33;
  int worse = 0, systems = 300;
  sample s = {.request = {.dims = 2, .parts = 7, .size = {1455, 1364, 1}}, .n = {1455, 1364, 1}};
  for (int i = 0; i < PARTS; i++) s.speed[i] = 1;
  s.request.speed = s.speed;
  tap_near(cells_cut("auto", &s), cells_cut("column-based", &s), 0, "7 equal processors on 1455 x 1364");
  for (int round = 0; round < systems; round++) {
    random_sample(&state, (int)tap_between(&state, 2, 3), PARTS, &s);
    s.request.speed = s.speed;
    for (int a = 0; a < s.request.dims; a++) s.request.periodic[a] = round % 2; /* bands then are ahead more often */
    const double best = cells_cut("auto", &s);
    for (const hg_partitioner *p = hg_partitioners; p->name; p++)
      worse += (strcmp(p->name, "exact") != 0 || s.working <= 6) && cells_cut(p->name, &s) < best;
  }
  tap_ok(worse == 0, "auto is never above another partitioner in cells (%d times in %d systems)", worse, systems);
}

static void better_ones_are_never_worse(void)
{
  uint64_t state = 5;
  int above_nphp = 0, above_printed = 0, above_exact = 0, rounds = 1500, small = 0, below_bound = 0;
  for (int round = 0; round < rounds; round++) {
    sample s;
    random_sample(&state, 2, PARTS, &s);
    double best = cut_of("auto", &s, false), cost = cut_of("nphp", &s, false), printed = cut_of("nphp", &s, true);
    above_nphp += best > cost * (1 + 1e-12) || best > cut_of("column-based", &s, false) * (1 + 1e-12);
    above_printed += cost > printed * (1 + 1e-12);
    hg_partition_request r = s.request;
    double bound = 0, sum = 0;
    for (int i = 0; i < r.parts; i++) sum += s.speed[i];
    for (int i = 0; i < r.parts; i++)
      bound += hg_least_half_surface(s.speed[i] / sum * r.size[0] * r.size[1], r.size, 2);
    below_bound += best + r.size[0] + r.size[1] < bound * (1 - 1e-12);
    if (s.working <= 6) small++, above_exact += best > cut_of("exact", &s, false) * (1 + 1e-12);
  }
  tap_int(above_nphp, 0, "auto is never above nphp or column-based");
  tap_int(above_printed, 0, "nphp by cost is never above nphp as printed");
  tap_int(below_bound, 0, "the lower bound holds");
  tap_ok(above_exact == 0 && small > 100, "auto equals the guillotine optimum up to 6 processors (%d of %d not)",
         above_exact, small);
}

/* The cut of layers along an axis, each divided separately. */
static double layered_cut(const sample *s, int axis, int layers)
{
  hg_partition_request r = s->request;
  hg_partition_metrics m;
  hg_rect rect[PARTS];
  hg_tree tree = {0};
  r.speed = s->speed;
  if (hg_partition_layers(&r, axis, layers, &tree) != HG_OK) return INFINITY;
  hg_tree_rects(&tree, r.size, r.parts, r.speed, rect);
  hg_tree_free(&tree);
  hg_partition_measure(&r, rect, NULL, &m);
  return m.cut;
}

static void layers_are_never_better(void)
{
  uint64_t state = 44;
  int above = 0, tried = 0;
  for (int round = 0; round < 150; round++) {
    sample s;
    random_sample(&state, 3, PARTS, &s);
    const double best = cut_of("auto", &s, false);
    for (int axis = 0; axis < 3; axis++)
      for (int layers = 1; layers <= s.working && layers <= 12; layers++)
        tried++, above += best > layered_cut(&s, axis, layers) * (1 + 1e-12);
  }
  tap_ok(above == 0, "auto is never above layers of a space (%d of %d times)", above, tried);
}

enum { SIDE = 6 };

/* Tries all rectangles of the remaining areas at the first free cell; keeps the least sum of half perimeters. */
static void tile_all(int nx, int ny, unsigned char taken[SIDE * SIDE], const int *area, int parts, unsigned left,
                     int sum, int *best)
{
  int first = 0;
  while (first < nx * ny && taken[first]) first++;
  if (left == 0 && sum < *best) *best = sum;
  for (int i = 0; i < parts && first < nx * ny; i++)
    for (int w = 1; (left >> i & 1) && w <= area[i]; w++) {
      int h = area[i] / w, x = first % nx, y = first / nx;
      bool fits = area[i] % w == 0 && x + w <= nx && y + h <= ny;
      for (int c = 0; c < w * h && fits; c++) fits = !taken[(y + c / w) * nx + x + c % w];
      if (!fits || sum + w + h >= *best) continue;
      for (int c = 0; c < w * h; c++) taken[(y + c / w) * nx + x + c % w] = 1;
      tile_all(nx, ny, taken, area, parts, left & ~(1u << i), sum + w + h, best);
      for (int c = 0; c < w * h; c++) taken[(y + c / w) * nx + x + c % w] = 0;
    }
}

/* With up to 4 rectangles every partition is a guillotine partition, so no tiling by whole cells may beat `exact`. With
 * 5 a pinwheel could; then auto must not be above nphp, and the tilings found must respect the bound. */
static void exact_is_not_beaten_by_brute_force(void)
{
  uint64_t state = 8;
  int tilings = 0, beaten = 0, pinwheels = 0;
  for (int round = 0; round < 4000; round++) {
    int nx = (int)tap_between(&state, 2, SIDE), ny = (int)tap_between(&state, 2, SIDE),
        parts = (int)tap_between(&state, 2, 5), area[5];
    sample s = {.request = {.dims = 2, .size = {nx, ny, 1}, .parts = parts}};
    unsigned char taken[SIDE * SIDE] = {0};
    int rest = nx * ny, best = 1 << 20;
    for (int i = 0; i < parts; i++) {
      area[i] = i == parts - 1 ? rest : (int)tap_between(&state, 1, 8);
      rest -= area[i];
      s.speed[i] = area[i];
    }
    if (rest < 0 || area[parts - 1] < 1) continue;
    tile_all(nx, ny, taken, area, parts, (1u << parts) - 1, 0, &best);
    if (best == 1 << 20) continue; /* these areas do not tile this grid */
    tilings++;
    bool lower = best - nx - ny < cut_of("exact", &s, false) - 1e-9;
    beaten += lower && parts <= 4;
    pinwheels += lower && parts == 5;
  }
  tap_ok(tilings > 300 && beaten == 0,
         "no tiling of small grids by brute force beats exact (%d tilings, %d did; %d pinwheels of 5)", tilings, beaten,
         pinwheels);
}

static void shares_are_proportional(void)
{
  uint64_t state = 2;
  double worst = 0;
  int sums = 0, empty = 0, beyond = 0;
  for (int round = 0; round < 5000; round++) {
    int count = (int)tap_between(&state, 1, 20);
    int64_t n = tap_between(&state, 1, 500), start[22];
    double weight[20], sum = 0;
    for (int i = 0; i < count; i++) sum += weight[i] = (double)tap_between(&state, 1, 100);
    start[count + 1] = -1;
    if (hg_split(n, count, weight, NULL, start) != HG_OK) sums--;
    beyond += start[count + 1] != -1;
    sums += start[0] == 0 && start[count] == n;
    for (int i = 0; i < count; i++) {
      double off = fabs((double)(start[i + 1] - start[i]) - (double)n * weight[i] / sum);
      if (n >= 20 * count && off > worst) worst = off;
      empty += n >= count && start[i + 1] == start[i];
    }
  }
  tap_int(sums, 5000, "parts_sum_to_n");
  tap_int(beyond, 0, "... and nothing is written after them");
  tap_int(empty, 0, "no positive weight goes empty while there are cells enough");
  tap_ok(worst < 2, "a run is less than 2 cells off its share (worst %g)", worst);
}

static void refused(const char *name, double a, double b, const char *part)
{
  double speed[2] = {a, b};
  hg_box box[2];
  const int64_t n[3] = {4, 4, 1};
  const hg_partition_request r = {.dims = 2, .parts = 2, .speed = speed};
  hg_status s = hg_partition(name, &r, n, box);
  tap_ok(s == HG_INVALID && strstr(hg_message(), part), "refused: %s", hg_message());
}

static void boxes_of_the_user_are_checked(void)
{
  const int64_t n[3] = {4, 3, 1};
  hg_box box[2];
  const struct {
    const char *text, *part;
  } bad[] = {{"0,0,2,3\n1,0,3,3", "overlap"},
             {"0,0,2,3\n2,0,1,3", "cover"},
             {"0,0,2,3\n2,0,3,3", "outside"},
             {"0,0,2,3\n-2,0,2,3", "whole"},
             {"0,0,2,3", "parts"},
             {"0,0,2\n2,0,2", "numbers per line"},
             {"0,0,2,3\n2,0,x,3", "x"},
             {"0,0,1.5,3\n2,0,2,3", "whole"},
             {"", "no numbers"}};
  const char *good = "0,0,1,3\n1,0,3,3\n";
  tap_ok(hg_boxes_parse(good, strlen(good), "boxes.csv", 2, n, 2, box) == HG_OK && box[1].hi[0] == 4,
         "a file of boxes is read");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hg_status s = hg_boxes_parse(bad[i].text, strlen(bad[i].text), "boxes.csv", 2, n, 2, box);
    tap_ok(s != HG_OK && strstr(hg_message(), bad[i].part), "refused: %s", hg_message());
  }
}

static void known_layouts(void)
{
  sample ten = {.request = {.dims = 2, .size = {1, 1, 1}, .parts = 10}},
         five = {.request = {.dims = 2, .size = {1, 1, 1}, .parts = 5}};
  for (int i = 0; i < 10; i++) ten.speed[i] = 1;
  for (int i = 0; i < 5; i++) five.speed[i] = 1;
  tap_near(cut_of("sgp", &ten, false), 5, 1e-12, "10 equal processors, sgp: 10 n items (thesis, figure 3-7 a)");
  tap_near(cut_of("asgp", &ten, true), 4.8, 1e-12, "10 equal processors, asgp: 9.6 n items (figure 3-7 b)");
  tap_near(cut_of("asgp", &five, true), 2.8, 1e-12, "5 equal processors: 14/5 n");
  tap_near(hg_asgp_mu(10), .8, 1e-15, "mu(10) = 4/5, as the text says and equation 3-7 does not");
  tap_near(hg_asgp_mu(5), .4, 1e-15, "mu(5) = 2/5 (the text prints 2/3)");
  tap_ok(isinf(hg_asgp_mu(6)) && isinf(hg_asgp_mu(12)), "mu is infinite for p = k(k+1)");

  static const int kinds[][2] = {{2, 10}, {4, 5}, {5, 4}, {3, 5}, {1, 5}};
  double speed[29];
  hg_rect rect[29];
  int parts = 0;
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < kinds[k][1]; i++) speed[parts++] = kinds[k][0];
  const struct {
    const char *name;
    double cut;
  } thesis[] = {{"rows", 28}, {"php", 9.2}, {"nphp", 8.95}};
  for (int i = 0; i < 3; i++) {
    const hg_partitioner *p;
    hg_tree tree;
    hg_partition_metrics m;
    const hg_partition_request r = {.dims = 2, .size = {1, 1, 1}, .parts = parts, .speed = speed, .thesis = true};
    hg_partition_find(thesis[i].name, &p);
    hg_partition_tree(p->divide, &r, &tree);
    hg_tree_rects(&tree, r.size, parts, speed, rect);
    hg_partition_measure(&r, rect, NULL, &m);
    tap_near(m.cut, thesis[i].cut, 1e-9, thesis[i].name);
    const int before = m.max_neighbours;
    tap_ok(hg_partition_mirror(&r, &tree) == HG_OK, "... its parts in another order");
    hg_tree_rects(&tree, r.size, parts, speed, rect);
    hg_tree_free(&tree);
    hg_partition_measure(&r, rect, NULL, &m);
    tap_near(m.cut, thesis[i].cut, 1e-9, "... have the same border");
    tap_ok(m.max_neighbours <= before && (i == 0 || m.max_neighbours < before),
           "... and %d neighbours at most, %d before", m.max_neighbours, before);
  }
}

static void what_is_said_of_other_axes_is_not_read(void)
{
  uint64_t state = 12;
  int differ = 0;
  for (int round = 0; round < 50; round++) {
    sample s;
    random_sample(&state, 2, PARTS, &s);
    hg_partition_request r = s.request;
    const hg_partitioner *p;
    hg_tree flat, deep;
    hg_rect a[PARTS], b[PARTS];
    r.speed = s.speed;
    hg_partition_find("auto", &p);
    if (hg_partition_tree(p->divide, &r, &flat) != HG_OK) return;
    r.size[2] = 0;
    const bool divided = hg_partition_tree(p->divide, &r, &deep) == HG_OK;
    hg_tree_rects(&flat, s.request.size, r.parts, r.speed, a);
    if (divided) hg_tree_rects(&deep, s.request.size, r.parts, r.speed, b);
    differ += !divided || memcmp(a, b, (size_t)r.parts * sizeof *a) != 0;
    hg_tree_free(&flat);
    if (divided) hg_tree_free(&deep);
  }
  tap_int(differ, 0, "the depth of a plane changes nothing");
}

static void groups_of_many_come_first(void)
{
  const hg_partitioner *p;
  const double speed[] = {3, 2, 2, 2, 2};
  const hg_partition_request r = {.dims = 2, .size = {1, 1, 1}, .parts = 5, .speed = speed, .thesis = true};
  hg_rect rect[5];
  hg_tree tree;
  hg_partition_find("php", &p);
  if (!tap_ok(hg_partition_tree(p->divide, &r, &tree) == HG_OK, "one fast and four slow by php")) return;
  hg_tree_rects(&tree, r.size, 5, speed, rect);
  hg_tree_free(&tree);
  tap_ok(rect[0].lo[0] > 0 || rect[0].lo[1] > 0, "the group of the slow, which is faster together, comes first");
}

int main(void)
{
  for (const hg_partitioner *p = hg_partitioners; p->name; p++)
    for (int dims = 1; dims <= 3; dims++) check_partitioner(p, dims, dims == 3 ? 150 : 400);
  better_ones_are_never_worse();
  layers_are_never_better();
  auto_is_best_in_cells();
  exact_is_not_beaten_by_brute_force();
  shares_are_proportional();
  refused("diagonal", 1, 1, "known");
  refused("rows", -1, 1, "-1");
  refused("rows", NAN, 1, "nan");
  refused("rows", 0, 0, "sum");
  boxes_of_the_user_are_checked();
  what_is_said_of_other_axes_is_not_read();
  groups_of_many_come_first();
  known_layouts();
  return tap_done();
}
