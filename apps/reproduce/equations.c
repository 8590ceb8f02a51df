/* SPDX-License-Identifier: MIT */
/* Results that the thesis computes instead of measuring: figures 3-9 to 3-11 (messages and items by partitioner,
 * equation 3-8), figures 5-5 and 5-6 (equations 5-1 and 5-2) with their limits (5-3, 5-4), and the cost of a table
 * (7-1). */
#include <math.h>

#include "speed/measure.h"
#include "partition/auto.h"
#include "partition/metrics.h"
#include "partition/partition.h"
#include "partition/tree.h"
#include "apps/simulate/simulate.h"

/* --- figures 3-9 to 3-11 ------------------------------------------------------------------------------------------ */

enum { PROCESSORS = 29, LAYOUTS = 3, MESSAGES_MOST = 8 };

/* One partitioner on a grid of n x n. */
typedef struct layout {
  const char *name;
  int most, with[MESSAGES_MOST + 1]; /* messages of a processor; number of processors with so many */
  double items;                      /* per n */
} layout;

/* Ten of speed 2, five of 4, four of 5, five of 3 and five of 1 (figure 3-9). */
static void set_speeds(double *speed)
{
  static const int count[] = {10, 5, 4, 5, 5}, value[] = {2, 4, 5, 3, 1};
  for (int g = 0, i = 0; g < 5; g++)
    for (int k = 0; k < count[g]; k++) speed[i++] = value[g];
}

/* With real-valued rectangles on a square of side 1, so valid for any n. */
static hg_status lay_out(layout *l)
{
  double speed[PROCESSORS];
  hg_rect rect[PROCESSORS];
  hg_part_metrics part[PROCESSORS];
  hg_partition_metrics total;
  const hg_partitioner *p;
  hg_tree tree;
  const hg_partition_request r = {.dims = 2, .size = {1, 1, 1}, .parts = PROCESSORS, .speed = speed, .thesis = true};
  set_speeds(speed);
  HG_TRY(hg_partition_find(l->name, &p));
  HG_TRY(hg_partition_tree(p->divide, &r, &tree));
  hg_status status = hg_partition_mirror(&r, &tree);
  if (status == HG_OK) status = hg_tree_rects(&tree, r.size, PROCESSORS, speed, rect);
  hg_tree_free(&tree);
  HG_TRY(status);
  HG_TRY(hg_partition_measure(&r, rect, part, &total));
  l->items = total.items;
  l->most = total.max_neighbours;
  for (int i = 0; i < PROCESSORS; i++)
    if (part[i].neighbours <= MESSAGES_MOST) l->with[part[i].neighbours]++;
  return HG_OK;
}

/* Equation 3-8 with 1 ms per message, 10 MB/s and items of 4 bytes. */
static double exchange_seconds(const layout *l, double n)
{
  return hg_communication_time(l->most, l->items * n * 4, 1e-3, 10e6);
}

/* The side length from which `b` is faster than `a`. */
static double crossing(const layout *a, const layout *b)
{
  return 1e-3 * (b->most - a->most) / ((a->items - b->items) * 4 / 10e6);
}

/* Values printed in the thesis. */
static const layout printed[LAYOUTS] = {{.name = "rows", .most = 2, .items = 56},
                                        {.name = "php", .most = 7, .items = 18.4},
                                        {.name = "nphp", .most = 6, .items = 16.9}};

static void figure_3_9(FILE *out, const layout *l)
{
  fputs(
      "## Messages and items of 29 processors (3.5, figures 3-9 to 3-11)\n\nSpeeds 2 (ten), 4 (five), 5 (four), 3 "
      "(five) and 1 (five) on n x n; messages of a processor are its neighbours, the children of each cut in the order "
      "that gives the fewest.\n\n"
      "| partitioner | processors with 1, 2, .. 8 messages | most | the thesis | items | the thesis |\n"
      "|---|---|---|---|---|---|\n",
      out);
  for (int k = 0; k < LAYOUTS; k++) {
    fprintf(out, "| %s |", l[k].name);
    for (int i = 1; i <= MESSAGES_MOST; i++) fprintf(out, " %d", l[k].with[i]);
    fprintf(out, " | %d | %d | %.1f n | %.1f n |\n", l[k].most, printed[k].most, l[k].items, printed[k].items);
  }
}

static hg_status figures_3(FILE *out)
{
  static const double sides[] = {100, 200, 250, 300, 350, 500, 1000, 10000, 1e6, 200e6};
  layout l[LAYOUTS] = {{.name = "rows"}, {.name = "php"}, {.name = "nphp"}};
  for (int k = 0; k < LAYOUTS; k++) HG_TRY(lay_out(&l[k]));
  figure_3_9(out, l);
  fputs("\nSeconds of an exchange by equation 3-8 with the thesis' 1 ms per message, 10 MB/s and items of 4 bytes "
        "(figure 3-11; MB transmitted: figure 3-10):\n\n"
        "| n | MB rows | php | nphp | s rows | php | nphp | nphp less than rows | than php |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        out);
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    double s[LAYOUTS];
    for (int k = 0; k < LAYOUTS; k++) s[k] = exchange_seconds(&l[k], sides[i]);
    fprintf(out, "| %.0f | %.4g | %.4g | %.4g | %.4g | %.4g | %.4g | %.0f %% | %.1f %% |\n", sides[i],
            l[0].items * sides[i] * 4e-6, l[1].items * sides[i] * 4e-6, l[2].items * sides[i] * 4e-6, s[0], s[1], s[2],
            100 * (1 - s[2] / s[0]), 100 * (1 - s[2] / s[1]));
  }
  fprintf(
      out,
      "\nNPHP takes less than rows from n = %.0f on, PHP from %.0f; with the thesis' own counts from %.0f "
      "and %.0f.\nThe thesis: rows are best below n = 200 million; beyond, NPHP takes 58 %% less than rows and 10 %% "
      "less than PHP.\n\n",
      crossing(&l[0], &l[2]), crossing(&l[0], &l[1]), crossing(&printed[0], &printed[2]),
      crossing(&printed[0], &printed[1]));
  return HG_OK;
}

/* --- figures 5-5 and 5-6 ------------------------------------------------------------------------------------------ */

static const double XEON = 96e9, M2050 = 1.03e12, K20X = 3.95e12, /* flop/s */
    NETWORK = 40e9, DEVICE = 16e9;                                /* bytes/s */

/* Seconds to transfer a row of n floats, for GPUs including the copies from and to the device. */
static double on_the_way(double n, bool gpus)
{
  return n * 4 * (1 / NETWORK + (gpus ? 2 / DEVICE : 0));
}

/* Equations 5-1 and 5-2: one flop per cell, as the thesis counts; `rate` of all processors together. */
static double on_paper(double n, double rate, bool gpus)
{
  return n * n / rate + on_the_way(n, gpus);
}

static void figure_5_5(FILE *out)
{
  const double n = 256000, gpus[] = {on_paper(n, 16 * M2050, true), on_paper(n, 32 * M2050, true),
                                     on_paper(n, 32 * K20X, true), on_paper(n, 32 * (M2050 + K20X), true)};
  fputs("## GPUs against CPUs, on paper (figure 5-5)\n\nEquations 5-1 and 5-2 with the thesis' numbers: 256000 x "
        "256000, Xeon E5-2620 96 GFLOP/s, M2050 1.03, K20x 3.95 TFLOP/s, network 40 GB/s, device 16 GB/s.\n\n"
        "| CPUs | 16 M2050 | 32 M2050 | 32 K20x | 32 (K20x + M2050) |\n|---|---|---|---|---|\n",
        out);
  for (int cpus = 16; cpus <= 2048; cpus *= 2) {
    const double t = on_paper(n, cpus * XEON, false);
    fprintf(out, "| %d | %.2f | %.2f | %.2f | %.2f |\n", cpus, t / gpus[0], t / gpus[1], t / gpus[2], t / gpus[3]);
  }
  fputs("\nThe thesis: almost 5 with 256 CPUs and 32 (K20x + M2050).\n\n", out);
}

static void limits_5(FILE *out)
{
  const double n = 256000;
  fputs("## Increasing numbers of processors (equations 5-3 and 5-4)\n\nThe same grid on m CPUs, m M2050 "
        "and m K20x (ms):\n\n| m | CPUs | M2050 | K20x | CPUs / K20x |\n|---|---|---|---|---|\n",
        out);
  for (double m = 32; m <= 1 << 25; m *= 32) {
    const double t[] = {on_paper(n, m * XEON, false), on_paper(n, m * M2050, true), on_paper(n, m * K20X, true)};
    fprintf(out, "| %.0f | %.4f | %.4f | %.4f | %.2f |\n", m, 1e3 * t[0], 1e3 * t[1], 1e3 * t[2], t[0] / t[2]);
  }
  const double cpus = on_the_way(n, false), gpus = on_the_way(n, true);
  fprintf(out, "| limit | %.4f | %.4f | %.4f | %.2f |\n", 1e3 * cpus, 1e3 * gpus, 1e3 * gpus, cpus / gpus);
  fputs(
      "\nThe thesis: in the end the network alone decides for CPUs (5-4), network and device for GPUs (5-3), which is "
      "slower.\n\n",
      out);
}

static void figure_5_6(FILE *out)
{
  fputs(
      "## 32 M2050, 32 K20x, and both, on paper (figure 5-6)\n\nEquation 5-1: speedup over 32 M2050; even shares wait "
      "for the M2050.\n\n"
      "| side | 32 K20x | 32 (M2050 + K20x), even | by speed |\n|---|---|---|---|\n",
      out);
  for (double n = 16000; n <= 512000; n *= 2) {
    const double base = on_paper(n, 32 * M2050, true);
    fprintf(out, "| %.0f | %.2f | %.2f | %.2f |\n", n, base / on_paper(n, 32 * K20X, true),
            base / on_paper(n, 64 * M2050, true), base / on_paper(n, 32 * (M2050 + K20X), true));
  }
  fputs("\nThe thesis: 32 K20x up to 3.5.\n\n", out);
}

/* --- equation 7-1 and figure 7-1 ---------------------------------------------------------------------------------- */

enum { TRIALS_MOST = 100000 };

/* A GPU whose time is known, and the number of queries. */
typedef struct trials {
  const hg_speed_model *model;
  int count;
} trials;

static hg_status ask(void *arg, double w, int visit, hg_timing *out)
{
  trials *t = arg;
  const double s = hg_speed_time(t->model, w, 0);
  (void)visit;
  t->count++;
  *out = (hg_timing){.seconds = s, .low = s, .high = s, .agreed = true};
  return HG_OK;
}

static double speed_of(trials *t, double w)
{
  t->count++;
  return w / hg_speed_time(t->model, w, 0);
}

/* Figure 7-1 as printed: where the speed differs by more than h from that of the previous point, the interval is
 * halved and the step is taken back; otherwise the interval is d again. */
static void as_printed(trials *t, double least, double most, double d, double h)
{
  double x1 = least, y1 = speed_of(t, x1), interval = d;
  for (double x2 = x1 + d; x1 < most && t->count < TRIALS_MOST;) {
    const double y2 = speed_of(t, x2);
    if (fabs(y1 - y2) > h && interval > 1) {
      interval /= 2;
      x2 -= interval;
      continue;
    }
    x1 = x2, y1 = y2, interval = d;
    x2 = fmin(x1 + d, most);
  }
}

static hg_status tables_of(FILE *out, const hg_platform *p)
{
  const double LEAST = 1e3, MOST = 100e6, H = .035; /* cells; of the speed */
  for (int i = 0; i < p->devices; i++) {
    const hg_speed_model *m = &p->device[i].heat;
    trials as_drawn = {.model = m}, ours = {.model = m};
    const hg_measure_plan plan = {.x0 = LEAST, .xmax = MOST, .d = (MOST - LEAST) / 6, .error = H, .most = 60};
    hg_measure_report report;
    hg_speed_table table;
    as_printed(&as_drawn, LEAST, MOST, plan.d, H * MOST / hg_speed_time(m, MOST, 0));
    HG_TRY(hg_speed_table_measure(ask, &ours, &plan, &table, &report));
    hg_speed_table_free(&table);
    fprintf(out, "| %s | %d | %d | %.1f %% |\n", p->device[i].name, as_drawn.count, ours.count, 100 * report.error);
  }
  return HG_OK;
}

static hg_status effort(FILE *out)
{
  hg_platform p;
  HG_TRY(hg_platform_find("thesis", &p));
  fprintf(
      out,
      "## Cost of a speed table (equation 7-1, figure 7-1)\n\nWith fixed intervals of 1000 in 100 million cells "
      "and of 100 in 4 million items: %.0g runs, as printed.\nRuns for one size of exchange with adaptive intervals, "
      "speeds of platform `thesis`, 1000 to 100 million cells, h = 3.5 %%:\n\n"
      "| GPU | figure 7-1 as printed | hetgrid | largest error between the points |\n|---|---|---|---|\n",
      100e6 / 1000 * (4e6 / 100));
  const hg_status status = tables_of(out, &p);
  fputs("\nhetgrid halves the worst interval until a straight line is accurate enough (`src/speed/measure.h`).\n\n",
        out);
  hg_platform_free(&p);
  return status;
}

hg_status simulate_paper(FILE *out)
{
  HG_TRY(figures_3(out));
  figure_5_5(out);
  limits_5(out);
  figure_5_6(out);
  return effort(out);
}
