/* SPDX-License-Identifier: MIT */
/* Example: 1, 2, 3, 13, 14, 15 us at 1 .. 6 KiB are two pieces: 0 + k us/KiB, and 9 + k us/KiB from
 * 4 KiB on. Optimal segmentation by dynamic programming: cost[s][j] = min_i cost[s-1][i] + fit(i,
 * j). */
#include "network/fit.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST = 3 }; /* least points of a piece */
#define NOISE .005  /* relative errors below this do not justify another piece */
#define PER_PIECE 3 /* parameters per piece: beginning, latency, slope */

/* Sums of w, w k, w k^2, w t, w k t over points, w = 1/t^2: relative errors. */
typedef struct sums {
  double w, k, kk, t, kt;
  int count;
} sums;

static void add_point(sums *s, const hg_network_point *p)
{
  const double w = 1 / (p->seconds * p->seconds), k = p->bytes;
  s->w += w;
  s->k += w * k;
  s->kk += w * k * k;
  s->t += w * p->seconds;
  s->kt += w * k * p->seconds;
  s->count++;
}

/* The line with the least sum of squared relative errors and both parameters >= 0. */
static hg_network_segment fit_line(const sums *s)
{
  const double determinant = s->w * s->kk - s->k * s->k;
  hg_network_segment line = {0, s->t / s->w, 0};
  if (!(determinant > 1e-14 * s->w * s->kk)) return line;
  const double latency = (s->t * s->kk - s->kt * s->k) / determinant,
               slope = (s->w * s->kt - s->k * s->t) / determinant;
  if (slope < 0) return line;
  line.latency = latency < 0 ? 0 : latency;
  line.per_byte = latency < 0 ? s->kt / s->kk : slope;
  return line;
}

static double line_at(const hg_network_segment *line, double bytes)
{
  return line->latency + bytes * line->per_byte;
}

/* Sum of squared relative errors of a line over points i .. j - 1. */
static double error_of(const hg_network_level *l, int i, int j, const hg_network_segment *line)
{
  double sum = 0;
  for (int k = i; k < j; k++) {
    const double off = line_at(line, l->point[k].bytes) / l->point[k].seconds - 1;
    sum += off * off;
  }
  return sum;
}

/* error[i * (n + 1) + j]: error of the best line over points i .. j - 1. */
static void fill_errors(const hg_network_level *l, double *error)
{
  const int n = l->points;
  for (int i = 0; i < n; i++) {
    sums s = {0};
    for (int j = i + 1; j <= n; j++) {
      add_point(&s, &l->point[j - 1]);
      const hg_network_segment line = fit_line(&s);
      error[i * (n + 1) + j] = error_of(l, i, j, &line);
    }
  }
}

/* best[s * (n + 1) + j]: least error of s + 1 pieces up to point j - 1; from[..]: where the last
 * begins. */
static void divide(int n, int most, const double *error, double *best, int *from)
{
  for (int s = 0; s < most; s++)
    for (int j = 0; j <= n; j++) {
      double *cost = &best[s * (n + 1) + j];
      *cost = s == 0 && j >= LEAST ? error[j] : INFINITY;
      from[s * (n + 1) + j] = 0;
      for (int i = s * LEAST; s > 0 && i + LEAST <= j; i++) {
        const double sum = best[(s - 1) * (n + 1) + i] + error[i * (n + 1) + j];
        if (sum < *cost) *cost = sum, from[s * (n + 1) + j] = i;
      }
    }
}

/* Number of pieces by the criterion. */
static int choose_pieces(int n, int most, const double *best)
{
  int chosen = 0;
  double least = INFINITY;
  for (int s = 0; s < most; s++) {
    const double mean = best[s * (n + 1) + n] / n + NOISE * NOISE, value = n * log(mean) + PER_PIECE * (s + 1) * log(n);
    if (value < least) least = value, chosen = s + 1;
  }
  return chosen;
}

static void set_pieces(hg_network_level *l, int pieces, const int *from)
{
  int end = l->points;
  l->segments = pieces;
  for (int s = pieces - 1; s >= 0; s--) {
    const int begin = from[s * (l->points + 1) + end];
    sums sum = {0};
    for (int k = begin; k < end; k++) add_point(&sum, &l->point[k]);
    l->segment[s] = fit_line(&sum);
    l->segment[s].from = s == 0 ? 0 : l->point[begin].bytes;
    end = begin;
  }
}

hg_status hg_network_fit(hg_network_level *l, int most)
{
  const int n = l->points;
  if (most > n / LEAST) most = n / LEAST;
  if (most < 1) {
    l->segments = 0;
    return HG_OK;
  }
  const size_t row = (size_t)n + 1, pieces = (size_t)most;
  double *error = malloc(row * row * sizeof *error), *best = malloc(pieces * row * sizeof *best);
  int *from = malloc(pieces * row * sizeof *from);
  hg_network_segment *segment = calloc(pieces, sizeof *segment);
  const bool all = error && best && from && segment;
  if (all) {
    free(l->segment);
    l->segment = segment;
    fill_errors(l, error);
    divide(n, most, error, best, from);
    set_pieces(l, choose_pieces(n, most, best), from);
  } else
    free(segment);
  free(error);
  free(best);
  free(from);
  return all ? HG_OK : hg_fail(HG_MEMORY, "no memory to fit %d points", n);
}

double hg_network_by_segments(const hg_network_level *l, double bytes)
{
  int i = 0;
  while (i + 1 < l->segments && l->segment[i + 1].from <= bytes) i++;
  return line_at(&l->segment[i], bytes);
}

/* Least squares of y = g + x G. */
static hg_status fit_gaps(int n, int rows, const hg_network_train *row, hg_loggp *out)
{
  double x0 = 0, y0 = 0, xx = 0, xy = 0;
  for (int i = 0; i < rows; i++) {
    x0 += (row[i].bytes - 1) / rows;
    y0 += (row[i].many - row[i].one) / (n - 1) / rows;
  }
  for (int i = 0; i < rows; i++) {
    const double x = row[i].bytes - 1 - x0;
    xx += x * x;
    xy += x * ((row[i].many - row[i].one) / (n - 1) - y0);
  }
  if (!(xx > 0)) return hg_fail(HG_INVALID, "%d sizes of messages cannot separate g from G", rows);
  out->G = xy / xx;
  out->g = y0 - x0 * out->G;
  return HG_OK;
}

hg_status hg_loggp_recover(int n, int rows, const hg_network_train *row, hg_loggp *out)
{
  if (n < 2) return hg_fail(HG_INVALID, "trains of %d messages, must be >= 2", n);
  if (rows < 2) return hg_fail(HG_INVALID, "%d sizes of messages, must be >= 2", rows);
  HG_TRY(fit_gaps(n, rows, row, out));
  out->o = 0;
  for (int i = 0; i < rows; i++) out->o += ((row[i].delayed - row[i].one) / (n - 1) - row[i].delay) / rows;
  out->L = row[0].one / 2 - 2 * out->o - (row[0].bytes - 1) * out->G;
  return HG_OK;
}
