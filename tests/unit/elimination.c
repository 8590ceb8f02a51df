/* SPDX-License-Identifier: MIT */
/* The parts of elimination that need no runtime: permutations, owners of tiles, families, kernels. */
#include <stdlib.h>

#include "codelets/lu/lu_kernels.h"
#include "elimination/predict.h"
#include "hetgrid.h"
#include "tap.h"

enum { ROWS = 200 };

static void net_permutation_equals_the_exchanges(void)
{
  uint64_t state = 5;
  int32_t row[ROWS], pivot[ROWS];
  bool equal = true, short_enough = true, clean = true;
  for (int32_t i = 0; i < ROWS; i++) row[i] = i;
  for (int trial = 0; trial < 2000; trial++) {
    int count = (int)tap_between(&state, 0, 40), rows = (int)tap_between(&state, count > 0 ? count : 1, ROWS);
    int wanted[ROWS], got[ROWS], before[ROWS];
    hg_row_move move[2 * 40];
    for (int i = 0; i < ROWS; i++) wanted[i] = got[i] = before[i] = i;
    for (int c = 0; c < count; c++) {
      pivot[c] = (int32_t)tap_between(&state, c, rows - 1);
      int kept = wanted[c];
      wanted[c] = wanted[pivot[c]];
      wanted[pivot[c]] = kept;
    }
    int moves = hg_net_permutation(count, pivot, row, move);
    for (int m = 0; m < moves; m++) got[move[m].to] = before[move[m].from];
    equal &= memcmp(wanted, got, sizeof got) == 0;
    short_enough &= moves <= 2 * count;
    for (int32_t i = 0; i < ROWS; i++) clean &= row[i] == i;
  }
  tap_ok(equal, "the net permutation equals the exchanges one by one (2000 random panels)");
  tap_ok(short_enough, "it has at most two moves per column");
  tap_ok(clean, "its workspace is unchanged");
}

static void every_tile_has_one_owner_in_proportion(void)
{
  const double speed[] = {3, 2, 1};
  int count[3] = {0};
  hg_tile_map map;
  tap_ok(hg_tile_map_columns(3, speed, NULL, 60, &map) == HG_OK, "columns are dealt out");
  for (int j = 0; j < 60; j++) count[hg_tile_owner(&map, 7, j)]++;
  tap_ok(count[0] == 30 && count[1] == 20 && count[2] == 10, "in proportion to 3, 2, 1 (%d, %d, %d)", count[0],
         count[1], count[2]);
  int worst = 0;
  for (int from = 0; from < 60; from++) {
    int rest[3] = {0};
    for (int j = from; j < 60; j++) rest[hg_tile_owner(&map, 0, j)]++;
    for (int r = 0; r < 3; r++) {
      int excess = (int)ceil(fabs(rest[r] - (60 - from) * speed[r] / 6));
      worst = excess > worst ? excess : worst;
    }
  }
  tap_ok(worst <= 1, "whatever column the rest begins with, shares differ from it by at most %d tile", worst);
  tap_ok(hg_tile_owner(&map, 0, 0) == 0 && hg_tile_owner(&map, 0, 59) == 0, "the fastest has the first and the last");
  hg_tile_map ranks;
  const int rank_of[] = {0, 1, 1};
  bool agree = hg_tile_map_of_ranks(&map, rank_of, &ranks) == HG_OK;
  for (int j = 0; j < 61 && agree; j++) agree = hg_tile_owner(&ranks, 3, j) == rank_of[hg_tile_owner(&map, 3, j)];
  tap_ok(agree, "the ranks' pattern is that of their workers");
  if (agree) hg_tile_map_free(&ranks);
  hg_tile_map_free(&map);
  tap_ok(hg_tile_map_grid(2, 3, &map) == HG_OK && hg_tile_owner(&map, 3, 4) == 4, "a 2 x 3 grid is block-cyclic");
  hg_tile_map_free(&map);
  tap_ok(hg_tile_map_pattern("nphp", 3, speed, 6, &map) == HG_OK, "a pattern of 6 x 6 is divided by nphp");
  memset(count, 0, sizeof count);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) count[hg_tile_owner(&map, i, j)]++;
  tap_ok(count[0] == 18 && count[1] == 12 && count[2] == 6, "in proportion (%d, %d, %d)", count[0], count[1], count[2]);
  hg_tile_map_free(&map);
}

/* 1e9 flop/s each, without other costs: 2/3 n^3 flops. */
static void times_are_predicted(void)
{
  hg_device fast = {.name = "fast", .panel = 1e9, .update.smax = 1e9 / (2 * HG_PLATFORM_DEPTH)}, slow = fast;
  slow.panel = fast.panel / 3;
  slow.update.smax = fast.update.smax / 3;
  const hg_device *device[] = {&fast, &slow};
  const int same[] = {0, 0}, other[] = {0, 1};
  hg_lu_machine m = {.workers = 1, .ranks = 1, .device = device, .rank = same, .bandwidth = 1e15};
  double alone, both, even, far, share[] = {3, 1}, equal[] = {1, 1};
  int nb;
  tap_ok(hg_lu_choose_tiles(&m, 4000, 100, share, &nb, &alone) == HG_OK, "one worker");
  tap_ok(nb == 100 && fabs(alone / (2. / 3 * 64) - 1) < .001, "takes 2/3 n^3 flops (%g s)", alone);
  m.workers = 2;
  hg_lu_choose_tiles(&m, 4000, 100, share, &nb, &both);
  hg_lu_choose_tiles(&m, 4000, 100, equal, &nb, &even);
  tap_ok(both < alone * .8 && both > alone * .75, "a second one, a third as fast, saves nearly a quarter (%g s)", both);
  tap_ok(fabs(even / both - 1) < .05, "with an equal share too, since workers of a rank share columns (%g s)", even);
  m.rank = other;
  m.ranks = 2;
  hg_lu_choose_tiles(&m, 4000, 100, equal, &nb, &even);
  tap_ok(even > alone * 1.3, "but not on a rank of its own (%g s)", even);
  m.bandwidth = 1e6;
  hg_lu_choose_nodes(&m, 4000, 100, share, &nb, &far);
  tap_ok(share[1] == 0 && far == alone, "with a slow network it is left out (%g s)", far);
  const hg_status again = hg_lu_choose_nodes(&m, 4000, 100, share, &nb, &far);
  tap_ok(again == HG_OK && share[0] == 3 && far == alone, "and the other one stays, the only one with a share");
}

/* Two nodes, each with a processor and another half as fast; panels travel faster and faster. */
static void shares_know_of_communication(void)
{
  hg_device fast = {.name = "fast", .panel = 1e9, .update.smax = 1e9 / (2 * HG_PLATFORM_DEPTH)}, slow = fast;
  slow.panel = fast.panel / 2;
  slow.update.smax = fast.update.smax / 2;
  const hg_device *device[] = {&fast, &slow, &fast, &slow};
  const int rank[] = {0, 0, 1, 1};
  const double bandwidths[] = {1e5, 1e6, 1e8, 1e10};
  const double candidate[][4] = {{2, 1, 2, 1}, {1, 1, 1, 1}};
  int alone = 0, worse = 0;
  for (int k = 0; k < 4; k++) {
    const hg_lu_machine m = {4, 2, device, rank, bandwidths[k], 1e-4, false};
    double share[4], seconds, simple;
    int nb;
    hg_lu_choose_tiles(&m, 4000, 100, candidate[0], &nb, &simple);
    const hg_status status = hg_lu_choose_shares(&m, 4000, 100, 2, &candidate[0][0], share, &nb, &seconds);
    tap_ok(status == HG_OK, "%g bytes/s: shares %g %g %g %g, %g s by speed, %g", bandwidths[k], share[0], share[1],
           share[2], share[3], simple, seconds);
    alone += share[2] == 0 && share[3] == 0;
    worse += seconds > simple || (share[2] > 0 && memcmp(share, candidate[0], sizeof share) != 0);
  }
  tap_ok(worse == 0 && alone == 2, "shares are those by speed, except if panels are slow for one node alone");
}

/* If each task costs a second, tiles are the largest that give two columns to each worker that counts; a value after
 * the two shares belongs to no worker. */
static void all_who_count_have_two_columns(void)
{
  const hg_device core = {.name = "core", .panel = 1e12, .start = 1, .update.smax = 1e12 / (2 * HG_PLATFORM_DEPTH)};
  const hg_device *device[] = {&core, &core};
  const int rank[] = {0, 0};
  const hg_lu_machine m = {.workers = 2, .ranks = 1, .device = device, .rank = rank, .bandwidth = 1e15};
  const double share[] = {1, 1, 1}, one[] = {1, .1, 1};
  double seconds;
  int nb;
  hg_lu_choose_tiles(&m, 4000, 0, share, &nb, &seconds);
  tap_int(nb, 768, "of 4000 rows, tiles that leave two columns to each of two workers");
  hg_lu_choose_tiles(&m, 3000, 0, one, &nb, &seconds);
  tap_int(nb, 1024, "... to the one that does nearly all of 3000 rows");
}

static double time_of(const hg_lu_machine *m, const hg_tile_map *homes)
{
  double seconds = -1;
  hg_lu_time(m, 200, 100, homes, &seconds);
  return seconds;
}

/* Two columns of 100, on GPUs with links: in order, columns arrive, panel, its copy, column, panel. A copy of a tile
 * takes 1e-5 s and 2e-6 s besides its bytes, one of a panel another 1e-5 s. */
static void copies_are_part_of_times(void)
{
  hg_device gpu = {.name = "gpu",
                   .cuda = true,
                   .latency = 1e-5,
                   .to = 1e9,
                   .from = 5e8,
                   .panel = 1e9,
                   .update.smax = 1e9 / (2 * HG_PLATFORM_DEPTH)};
  const hg_device *device[] = {&gpu, &gpu};
  const int same[] = {0, 0}, other[] = {0, 1};
  const double shares[] = {1, 1}, wide = 100, bytes = 2 * wide * wide * 8;
  hg_lu_machine m = {.workers = 1, .ranks = 1, .device = device, .rank = same, .bandwidth = 1e8, .latency = 1e-3};
  hg_tile_map one, two;
  if (hg_tile_map_columns(1, shares, NULL, 2, &one) != HG_OK || hg_tile_map_columns(2, shares, NULL, 2, &two) != HG_OK)
    return;
  const double tasks = hg_platform_panel_time(&gpu, wide, wide * wide * (2 * wide - wide / 3)) +
                       hg_platform_update_time(&gpu, 1.5 * wide, wide, wide) + /* the solve is half a tile */
                       hg_platform_panel_time(&gpu, wide, wide * wide * (wide - wide / 3)),
               panel = 2 * (2 * 1e-5 + 2e-6), column = 2 * (1e-5 + 2e-6), alone = tasks + panel + column;
  tap_near(time_of(&m, &one), alone + 2 * bytes / 1e9, 1e-9, "on one GPU, which receives two columns");
  gpu.to = 1e7;
  tap_near(time_of(&m, &one), alone + 2 * bytes / 1e7, 1e-9, "... by a slow link");
  gpu.to = 1e9;
  m.workers = 2;
  tap_near(time_of(&m, &two), alone + 2 * bytes / 1e9, 1e-9,
           "on two in a node everything stays on the one with the panel");
  m.rank = other;
  m.ranks = 2;
  const double starts = alone + 2 * panel + 1e-3 - tasks, carried = 3 * bytes / 1e9 + bytes / 5e8 + bytes / 1e8;
  tap_near(time_of(&m, &two), tasks + starts + carried, 1e-9, "on two nodes the panel goes from one to the other");
  m.single = true;
  tap_near(time_of(&m, &two), (tasks + carried) / 2 + starts, 1e-9,
           "in single precision half of that, except latencies");
  hg_tile_map_free(&one);
  hg_tile_map_free(&two);
}

/* A GPU with a nearly free link takes almost everything, except at 1.3 us per tile. One that receives a column later
 * than four cores have updated theirs leaves most columns to them. */
static void tasks_go_where_they_end_first(void)
{
  hg_device gpu = {.name = "gpu", .cuda = true, .to = 1e15, .from = 1e15, .panel = 1e15, .update.smax = 1e15},
            core = gpu;
  core.cuda = false;
  core.panel = 1e9;
  core.update.smax = 1e9 / (2 * HG_PLATFORM_DEPTH);
  const hg_device *device[] = {&gpu, &core, &core, &core, &core};
  const int rank[] = {0, 0, 0, 0, 0};
  const double shares[] = {1, 1, 1, 1, 1};
  hg_lu_machine m = {.workers = 5, .ranks = 1, .device = device, .rank = rank, .bandwidth = 1e15};
  double fast, slow, cores;
  int nb;
  hg_lu_choose_tiles(&m, 2000, 100, shares, &nb, &fast);
  const double least = 1.3e-6 * 20 * 21 * 41 / 6; /* of each column's tiles at each step, twice */
  tap_ok(fast > .8 * least && fast < 3 * least, "a fast GPU needs its driver's time, %g s of %g", fast, least);
  gpu.to = gpu.from = 1e7;
  hg_lu_choose_tiles(&m, 2000, 100, shares, &nb, &slow);
  m.workers = 4;
  m.device++;
  hg_lu_choose_tiles(&m, 2000, 100, shares, &nb, &cores);
  tap_ok(slow > 10 * fast && slow < 2 * cores, "with a slow link, %g s; four cores alone %g", slow, cores);
}

static void families_have_their_properties(void)
{
  enum { N = 60 };
  static double a[N * N];
  hg_matrix *m;
  double worst = 0;
  if (hg_matrix_open("orthog:60", 1, &m) != HG_OK || hg_matrix_read(m, 0, 0, N, N, a, N) != HG_OK) return;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double dot = 0;
      for (int k = 0; k < N; k++) dot += a[k + i * N] * a[k + j * N];
      worst = fmax(worst, fabs(dot - (i == j)));
    }
  tap_near(worst, 0, 1e-13, "orthog is orthogonal");
  hg_matrix_close(m);
  double norm = 0, trace = 0;
  if (hg_matrix_open("randsvd:60,1e4", 3, &m) != HG_OK || hg_matrix_read(m, 0, 0, N, N, a, N) != HG_OK) return;
  for (int i = 0; i < N; i++) norm += pow(1e4, -2. * i / (N - 1));
  for (int i = 0; i < N * N; i++) trace += a[i] * a[i];
  tap_near(trace / norm, 1, 1e-12, "the squares of randsvd add up to those of its singular values");
  hg_matrix_close(m);
  double part[6];
  if (hg_matrix_open("uniform:60", 9, &m) != HG_OK || hg_matrix_read(m, 0, 0, N, N, a, N) != HG_OK) return;
  tap_ok(hg_matrix_read(m, 10, 20, 2, 3, part, 2) == HG_OK && part[3] == a[11 + 21 * N],
         "a part is the part of the whole");
  tap_ok(hg_matrix_read(m, 59, 0, 2, 1, part, 2) == HG_INVALID, "a part outside is refused (%s)", hg_message());
  hg_matrix_close(m);
}

/* exp of h [[-1/6, 1], [1, -1/6]], by its series. */
static void shoot(double h, double out[2][2])
{
  const double step[2][2] = {{-h / 6, h}, {h, -h / 6}};
  double term[2][2] = {{1, 0}, {0, 1}};
  memset(out, 0, 4 * sizeof(double));
  for (int k = 1; k < 40; k++) {
    double next[2][2];
    for (int i = 0; i < 4; i++) out[i / 2][i % 2] += term[i / 2][i % 2];
    for (int i = 0; i < 4; i++)
      next[i / 2][i % 2] = (term[i / 2][0] * step[0][i % 2] + term[i / 2][1] * step[1][i % 2]) / k;
    memcpy(term, next, sizeof term);
  }
}

/* By hand: in an integral from 0 to each point the trapezoidal rule halves the first and the last value. */
static void foster_is_an_integral(void)
{
  static const double half = .25, whole = .5;
  const double known[4][4] = {
      {1, 0, 0, -1}, {-half, 1 - half, 0, -1}, {-half, -whole, 1 - half, -1}, {-half, -whole, -whole, -half}};
  double a[4 * 4];
  hg_matrix *m;
  int wrong = 0;
  if (!tap_ok(hg_matrix_open("foster:4,0.5", 1, &m) == HG_OK, "Foster's matrix of 4 %s", hg_message())) return;
  hg_matrix_read(m, 0, 0, 4, 4, a, 4);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) wrong += a[i + 4 * j] != known[i][j];
  tap_int(wrong, 0, "... is as computed by hand");
  hg_matrix_close(m);
}

/* Each pair of unknowns follows from the previous one by the differential equation. */
static void wright_is_multiple_shooting(void)
{
  enum { N = 12 };
  double a[N * N], e[2][2], worst = 0;
  hg_matrix *m;
  if (hg_matrix_open("wright:12,.5", 1, &m) != HG_OK || hg_matrix_read(m, 0, 0, N, N, a, N) != HG_OK) return;
  hg_matrix_close(m);
  shoot(.5, e);
  for (int i = 2; i < N; i++)
    for (int j = 0; j < N; j++) {
      const double known = i / 2 == j / 2 ? i == j : i / 2 == j / 2 + 1 ? -e[i % 2][j % 2] : 0;
      worst = fmax(worst, fabs(a[i + j * N] - known));
    }
  tap_near(worst, 0, 1e-15, "wright steps by the exponential of its equation");
}

/* A panel of random values by both kernels, against a reconstruction. */
static void panels_multiply_back(void)
{
  enum { M = 90, N = 37 };
  static double a[M * N], lu[M * N];
  int32_t pivot[N];
  for (int kind = 0; kind < 2; kind++) {
    double worst = 0, largest_l = 0;
    for (int i = 0; i < M * N; i++) a[i] = hg_random_unit(4, (uint64_t)i) - .5 + (kind == 1 && i % M == i / M ? 10 : 0);
    memcpy(lu, a, sizeof a);
    int info = (kind ? hg_lu_cpu[0].panel_unpivoted : hg_lu_cpu[0].panel)(M, N, lu, M, pivot);
    for (int c = 0; c < N; c++)
      for (int j = 0; j < N; j++) {
        double kept = a[c + j * M];
        a[c + j * M] = a[pivot[c] + j * M];
        a[pivot[c] + j * M] = kept;
      }
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k <= (i < j ? i : j); k++) sum += (i == k ? 1 : lu[i + k * M]) * lu[k + j * M];
        worst = fmax(worst, fabs(sum - a[i + j * M]));
        if (i > j) largest_l = fmax(largest_l, fabs(lu[i + j * M]));
      }
    tap_ok(info == 0 && worst < 1e-13 && largest_l <= 1, "%s: L U = P A to %.3g, |l| <= %.3g",
           kind ? "panel without exchanges" : "panel", worst, largest_l);
  }
}

enum { PANEL_ROWS = 300, PANEL_COLS = 150, PANEL_LD = PANEL_ROWS + 3 };

/* A panel in a column-major array of at least m rows, its factors, and their error. */
typedef struct factored {
  double a[PANEL_LD * PANEL_COLS], lu[PANEL_LD * PANEL_COLS];
  int32_t pivot[PANEL_COLS];
  int info;
  double off, largest_l; /* max |PA - LU| / max |A|; max |l| */
  bool margin;           /* rows below the panel are as they were */
} factored;

/* Random panels, also of -1, 0 and 1, with a dependent right half, and so small that reciprocals overflow. */
static double panel_value(int kind, bool is_float, int i, int j, int cols)
{
  const double unit = hg_random_unit(7, (uint64_t)(i * PANEL_COLS + j)) - 0.5, tiny = is_float ? 1e-38 : 1e-308;
  const double value = kind == 1 ? rint(2 * unit) : kind == 3 ? (i == j ? tiny : unit * tiny) : unit;
  if (kind == 2 && j >= (cols + 1) / 2) return 0;
  return is_float ? (float)value : value;
}

static void run_panel(int (*panel)(int, int, void *, int, int32_t *), bool is_float, int m, int n, factored *f)
{
  static float single[PANEL_LD * PANEL_COLS];
  for (int i = 0; i < PANEL_LD * n; i++) single[i] = (float)(f->lu[i] = f->a[i]);
  f->info = panel(m, n, is_float ? (void *)single : f->lu, PANEL_LD, f->pivot);
  for (int i = 0; i < PANEL_LD * n && is_float; i++) f->lu[i] = single[i];
}

static void check_panel(int m, int n, factored *f)
{
  double largest = 0;
  f->off = f->largest_l = 0;
  f->margin = true;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < PANEL_LD; i++) {
      largest = fmax(largest, i < m ? fabs(f->a[i + j * PANEL_LD]) : 0);
      f->margin &= i < m || f->lu[i + j * PANEL_LD] == f->a[i + j * PANEL_LD];
    }
  for (int c = 0; c < n && c < m; c++)
    for (int j = 0; j < n; j++) {
      const double kept = f->a[c + j * PANEL_LD];
      f->a[c + j * PANEL_LD] = f->a[f->pivot[c] + j * PANEL_LD];
      f->a[f->pivot[c] + j * PANEL_LD] = kept;
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = i <= j ? f->lu[i + j * PANEL_LD] : 0;
      for (int k = 0; k < i && k <= j; k++) sum += f->lu[i + k * PANEL_LD] * f->lu[k + j * PANEL_LD];
      f->off = fmax(f->off, fabs(sum - f->a[i + j * PANEL_LD]) / largest);
      if (i > j) f->largest_l = fmax(f->largest_l, fabs(f->lu[i + j * PANEL_LD]));
    }
}

/* Factors panels of all shapes by the kernels of all instruction sets. */
static void every_instruction_set_factors(void)
{
  static const char *const kind_name[] = {"random values", "equal magnitudes", "no rank in the right half",
                                          "tiny values"};
  static factored f;
  uint64_t state = 11;
  const hg_lu_panels *set;
  for (int number = 0; (set = hg_lu_panels_at(number)); number++)
    for (int kind = 0; kind < 4; kind++)
      for (int p = 0; p < 2; p++) {
        double off = 0, largest_l = 0;
        int wrong = 0;
        for (int trial = 0; trial < 40; trial++) {
          const int n = (int)tap_between(&state, 1, trial < 20 ? 40 : PANEL_COLS);
          const int m = (int)tap_between(&state, trial % 4 == 0 ? 1 : n, trial % 2 == 0 ? n : PANEL_ROWS);
          for (int j = 0; j < n; j++)
            for (int i = 0; i < PANEL_LD; i++) f.a[i + j * PANEL_LD] = panel_value(kind, p == 1, i, j, n);
          run_panel(set->factor[p], p == 1, m, n, &f);
          check_panel(m, n, &f);
          const int first = kind == 2 && (n + 1) / 2 < m && n > 1 ? (n + 1) / 2 + 1 : 0;
          wrong += !f.margin || (kind % 2 == 0 && f.info != first);
          off = fmax(off, f.off), largest_l = fmax(largest_l, f.largest_l);
        }
        tap_ok(wrong == 0 && off < (p ? 2e-5 : 4e-14) && largest_l <= 1,
               "instruction set %d, %s, %s: P A = L U to %.3g, |l| <= %.3g", number, p ? "float" : "double",
               kind_name[kind], off, largest_l);
      }
}

static void wilkinson_is_tridiagonal(void)
{
  enum { N = 5 };
  double a[N * N];
  hg_matrix *m;
  int wrong = 0;
  if (!tap_ok(hg_matrix_open("wilkinson:5", 1, &m) == HG_OK && hg_matrix_read(m, 0, 0, N, N, a, N) == HG_OK,
              "Wilkinson's W+"))
    return;
  hg_matrix_close(m);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) wrong += a[i + N * j] != (i == j ? abs(2 - i) : abs(i - j) == 1);
  tap_int(wrong, 0, "... has 2 1 0 1 2 on its diagonal, and ones next to it");
}

/* A residual and factors just within their bounds, just beyond them, and NaN. */
static void verdicts(void)
{
  static const struct {
    double residual, factors;
    int info;
    const char *word;
  } list[] = {{15.9, 29.9, 0, "ok"}, {-1, -1, 0, "ok"},     {16.1, 1, 0, "FAILED"}, {1, 30.1, 0, "FAILED"},
              {NAN, 1, 0, "FAILED"}, {1, NAN, 0, "FAILED"}, {1, 1, 3, "singular"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const hg_lu_run r = {.metadata.info = list[i].info,
                         .quality = {.residual_hpl = list[i].residual, .dget01 = list[i].factors}};
    tap_ok(strcmp(hg_lu_validate(&r), list[i].word) == 0, "a residual of %g and an error of factors of %g: %s",
           list[i].residual, list[i].factors, hg_lu_validate(&r));
  }
}

int main(int argc, char **argv)
{
  (void)argc;
  if (hg_blas_prepare(argv) != HG_OK) return 1;
  net_permutation_equals_the_exchanges();
  every_tile_has_one_owner_in_proportion();
  times_are_predicted();
  shares_know_of_communication();
  all_who_count_have_two_columns();
  copies_are_part_of_times();
  tasks_go_where_they_end_first();
  families_have_their_properties();
  foster_is_an_integral();
  wright_is_multiple_shooting();
  panels_multiply_back();
  every_instruction_set_factors();
  wilkinson_is_tridiagonal();
  verdicts();
  return tap_done();
}
