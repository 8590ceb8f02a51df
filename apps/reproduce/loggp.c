/* SPDX-License-Identifier: MIT */
/* Evaluates the mHLogGP paper's tables and formulas, and shows their errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/network/network.h"
#include "base/sort.h"

static double parameter(const char *name, double k)
{
  double value = NAN;
  return hg_mhloggp_parameter(name, k, &value) == HG_OK ? value : NAN;
}

static void print_tables(void)
{
  puts("Tables 1 and 2 as printed (us; G: us/B). o_rg is o_sg; l_nn is the latency between nodes, "
       "not within one.");
  for (const hg_printed *p = hg_mhloggp_tables; p->name; p++) {
    printf("  %-6s", p->name);
    for (int i = 0; i < 9; i++) printf(" %.0f B: %g%s", p->bytes[i], p->value[i], i < 8 ? "," : "\n");
  }
}

static void print_identity(void)
{
  puts("\nEquation (1) counts the transfer twice: G k is the whole time o_scn + l_nn + o_rn "
       "already.");
  printf("%12s %14s %22s %12s %14s %8s\n", "bytes", "G k (us)", "o_scn+l_nn+o_rn (us)", "off", "(1) (us)", "/ time");
  static const double sizes[] = {16384, 65536, 262144, 1048576, 16777216};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double k = sizes[i];
    const hg_printed_message m = {k, parameter("G", k),   parameter("o_scn", k), parameter("o_rn", k),
                                  0, parameter("l_nn", k)};
    const double whole = m.o_s + m.l + m.o_r, gaps = m.G * k, one = hg_mhloggp_equation1(&m);
    printf("%12.0f %14.2f %22.2f %11.3f%% %14.2f %8.4f\n", k, gaps, whole, 100 * fabs(gaps / whole - 1), one,
           one / whole);
  }
  puts("Correct formula: T = o_s + l(k) + o_r.");
}

static void print_stream(void)
{
  hg_printed_message m[8];
  puts("\nEquation (2) waits for the latency of every message; LogGP pays it once. 8 messages:");
  for (double k = 1024; k <= 1048576; k *= 32) {
    for (int i = 0; i < 8; i++)
      m[i] = (hg_printed_message){
          k, parameter("G", k), parameter("o_scn", k), parameter("o_rn", k), parameter("g_c", k), parameter("l_nn", k)};
    printf("%12.0f B: (2) %.1f us, LogGP with L = l_nn(1 B) %.1f us\n", k, hg_mhloggp_equation2(8, m),
           hg_mhloggp_stream(8, m, parameter("l_nn", 1)));
  }
}

/* A broadcast according to one reading of section 3.2. */
static double broadcast(const char *algorithm, bool printed, int P, double k)
{
  const double o = printed ? parameter("o_scn", k) + parameter("o_rn", k) : parameter("o_rgb", k),
               b = printed ? parameter("G", k) + parameter("l_nn", k) : parameter("G", k) + parameter("l_nn", k) / k;
  double time = NAN;
  return hg_mhloggp_broadcast_time(algorithm, P, k, o, b, &time) == HG_OK ? time : NAN;
}

static void print_reading(const char *algorithm, bool printed, const char *what)
{
  printf("  %s:", what);
  for (int p = 0; p < HG_TABLE3_ROWS; p++) {
    double off[HG_TABLE3_COLUMNS];
    for (int i = 0; i < HG_TABLE3_COLUMNS; i++)
      off[i] = 100 * fabs(broadcast(algorithm, printed, hg_mhloggp_nodes[p], hg_mhloggp_broadcast_bytes[i]) /
                              hg_mhloggp_broadcast[p][i] -
                          1);
    qsort(off, HG_TABLE3_COLUMNS, sizeof *off, hg_by_value);
    printf(" %d nodes: median %.4g %%, max %.4g %%%s", hg_mhloggp_nodes[p],
           (off[HG_TABLE3_COLUMNS / 2 - 1] + off[HG_TABLE3_COLUMNS / 2]) / 2, off[HG_TABLE3_COLUMNS - 1],
           p < 2 ? ";" : "\n");
  }
}

/* us per byte between the two largest sizes of table 3, relative to that of two nodes. */
static void print_slopes(void)
{
  double slope[HG_TABLE3_ROWS];
  const int last = HG_TABLE3_COLUMNS - 1;
  for (int p = 0; p < HG_TABLE3_ROWS; p++) slope[p] = hg_mhloggp_broadcast[p][last] - hg_mhloggp_broadcast[p][last - 1];
  printf("  slopes of table 3 for 2, 4, 8 nodes: 1 : %.2f : %.2f; a binomial tree has 1 : 2 : 3, a "
         "ring 1 : 1.5 : 1.75\n",
         slope[1] / slope[0], slope[2] / slope[0]);
}

static void print_broadcast(void)
{
  puts("\nBroadcast (section 3.2) against table 3:");
  print_reading("ring", true, "ring as printed, bytes times microseconds");
  print_reading("ring", false, "ring, l per byte, o = o_rgb              ");
  print_reading("binomial", false, "binomial, l per byte, o = o_rgb          ");
  print_slopes();
  puts("  The text says ring; the binomial tree with a start of the GPU at every level explains "
       "the table best.");
}

/* Parts of A, B and the results between a master and one worker: 3 n^2 numbers of 4 bytes, each with the time of a
 * message. */
static double seed_matmul(double n)
{
  const double k = 4 * n * n;
  return parameter("o_rgb", k) + 3 * (parameter("o_scn", k) + parameter("l_nn", k) + parameter("o_rn", k)) +
         2 * parameter("o_rd", k) + parameter("o_sg", k);
}

static void print_matmul(void)
{
  double start, rate;
  puts("\nMatrix multiplication (table 4, figure 5), one GPU:");
  if (hg_mhloggp_fit(HG_TABLE4_ROWS, hg_mhloggp_n, hg_mhloggp_total, &start, &rate) != HG_OK) return;
  printf("%8s %14s %22s %12s %26s\n", "n", "total (us)", "communication (us)", "fit (us)", "'computing cost' means");
  for (int i = 0; i < HG_TABLE4_ROWS; i++) {
    const double n = hg_mhloggp_n[i], flops = 2 * n * n * n;
    printf("%8.0f %14.0f %22.0f %12.0f %17.4g TFLOP/s\n", n, hg_mhloggp_total[i], seed_matmul(n), start + flops / rate,
           flops / hg_mhloggp_computing[i] * 1e-6);
  }
  printf("  Total = %.4g s + 2 n^3 / %.4g GFLOP/s by least relative squares: computation is what "
         "counts, and the paper "
         "leaves it out.\n  A C2050 computes at most 1.03 TFLOP/s; 4192 is 4096.\n",
         start * 1e-6, rate * 1e-3);
}

static void print_figure5(void)
{
  puts("\nFigure 5, by the formulas of section 5 in the correct form, communication and the "
       "fitted computation (s):");
  double start, rate;
  if (hg_mhloggp_fit(HG_TABLE4_ROWS, hg_mhloggp_n, hg_mhloggp_total, &start, &rate) != HG_OK) return;
  for (int p = 1; p <= 8; p *= 2) {
    printf("  %d workers:", p);
    for (int i = 4; i < HG_TABLE4_ROWS; i++) {
      const double n = hg_mhloggp_n[i], whole = 4 * n * n, part = whole / p;
      const double message = parameter("o_scn", part) + parameter("l_nn", part) + parameter("o_rn", part);
      const double all = parameter("o_scn", whole) + parameter("l_nn", whole) + parameter("o_rn", whole);
      const double time = start + 2 * p * message + ceil(log2(p + 1)) * all + 2 * n * n * n / p / rate;
      printf(" n %.0f: %.4g%s", n, time * 1e-6, i + 1 < HG_TABLE4_ROWS ? "," : "\n");
    }
  }
}

void network_printed(void)
{
  print_tables();
  print_identity();
  print_stream();
  print_broadcast();
  print_matmul();
  print_figure5();
}
