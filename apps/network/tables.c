/* SPDX-License-Identifier: MIT */
/* The mHLogGP paper's tables 1 to 4 for a measured machine. */
#include <math.h>
#include <stdio.h>

#include "network.h"

enum { SIZES = 8 };
static const double sizes[SIZES] = {1, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};

static void print_row(const char *name, const hg_network_level *l, double (*value)(const hg_network_level *l, double k))
{
  if (!l) return;
  printf("%-22s", name);
  for (int i = 0; i < SIZES; i++)
    if (hg_network_beyond(l, sizes[i]))
      printf(" %11s", "-");
    else
      printf(" %11.5g", value(l, sizes[i]));
  putchar('\n');
}

static double time_us(const hg_network_level *l, double k)
{
  return hg_network_time(l, k) * 1e6;
}

static double gap_us(const hg_network_level *l, double k)
{
  return hg_network_gap(l, k) * 1e6;
}

static double per_byte_us(const hg_network_level *l, double k)
{
  return hg_network_time(l, k) * 1e6 / k;
}

/* Processor time per message, from the nearest smaller train. */
static double overhead_us(const hg_network_level *l, double k)
{
  const hg_network_train *t = l->train;
  if (l->trains == 0) return NAN;
  while (t + 1 < l->train + l->trains && t[1].bytes <= k) t++;
  return ((t->delayed - t->one) / (l->train_length - 1) - t->delay) * 1e6;
}

static void print_sizes(const char *what)
{
  printf("\n%-22s", what);
  for (int i = 0; i < SIZES; i++) printf(" %9.0f B", sizes[i]);
  putchar('\n');
}

static hg_status print_table3(const hg_network *n, const hg_rank_layout *g)
{
  printf("\nTable 3, broadcast (us, predicted by the fastest algorithm)\n");
  for (int ranks = 2; ranks <= 8; ranks *= 2) {
    printf("%-22d", ranks);
    for (int i = 0; i < SIZES; i++) {
      const hg_rank_layout some = {ranks, g->per_node};
      hg_network_choice c;
      HG_TRY(hg_network_choose(n, &some, (int64_t)sizes[i], &c));
      printf(" %11.5g", c.seconds * 1e6);
    }
    putchar('\n');
  }
  return HG_OK;
}

static hg_status print_table4(const network_options *o, const hg_network *n)
{
  const bool gpu = hg_network_level_find(n, "h2d") != NULL;
  printf("\nTable 4, matrix multiplication, one worker%s (s)\n%-10s %14s %14s %14s\n", gpu ? " with a GPU" : "", "n",
         "communication", "computation", "total");
  for (double side = 64; side <= 8192; side *= 2) {
    hg_matmul m;
    double seconds = NAN;
    if (o->compute) HG_TRY(network_compute(o, side, 2 * side * side * side, &seconds));
    HG_TRY(hg_network_matmul(n, &(hg_rank_layout){2, 0}, (int64_t)side, o->compute ? seconds : 0, gpu, &m));
    printf("%-10.0f %14.5g ", side, m.total - m.compute);
    if (o->compute)
      printf("%14.5g %14.5g\n", m.compute, m.total);
    else
      printf("%14s %14s\n", "-", "-");
  }
  if (!o->compute) puts("(--compute FLOP/S|FILE gives the speed of the worker)");
  return HG_OK;
}

hg_status network_tables(const network_options *o, const hg_network *n)
{
  const hg_network_level *wire = hg_network_between(n, true), *to = hg_network_level_find(n, "h2d"),
                         *from = hg_network_level_find(n, "d2h");
  printf("predicted by %s\n", n->path);
  print_sizes("Table 1 (us)");
  print_row("o_scd, o_rd (h2d)", to, time_us);
  print_row("o_sg (d2h)", from, time_us);
  print_row("o_scn (explains only)", wire, overhead_us);
  print_row("o_rn (explains only)", wire, overhead_us);
  if (!isnan(n->gpu_start)) printf("%-22s %11.5g (once per process)\n", "o_rgb", n->gpu_start * 1e6);
  print_row("o + l_nn + o (total)", wire, time_us);
  puts("l_g, l_c: inside kernels and part of the total time: not measured");
  print_sizes("Table 2 (us/B; us)");
  print_row("G", wire, per_byte_us);
  print_row("g_g (h2d)", to, gap_us);
  print_row("g_c + (k-1) G", wire, gap_us);
  if (!hg_network_between(n, false)) return HG_OK;
  HG_TRY(print_table3(n, &o->group));
  return print_table4(o, n);
}
