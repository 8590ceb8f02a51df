/* SPDX-License-Identifier: MIT */
/* FPMC of the thesis (4.3, algorithm 4-1), for comparison; use hg_fpmc.
 *
 * A processor is a point (work x, speed y = x / T(x, c)); balanced points lie on one line through the origin, the best
 * fitting line (BFL) y = k x. The move single x point method (MSXP) moves a point towards it by half the horizontal
 * distance, then by half of the rest, as long as it stays on its side; borders come from a partition by the speeds at
 * that moment. The move all x points method (MAXP) does so for all points and then takes moves back, from processors
 * that lose least, until gains and losses of cells are equal.
 *
 * Example: points (60, 6) and (40, 10) with total 100: k = 0.17 by least squares in x, so the first lies 25 cells
 * below the line and the second 19 above; 12 cells leave the first, 9 come to the second, 3 of the 12 are taken back.
 *
 * Apparent misprints: lines 2 and 8 set alpha' to alpha before the test, so the loop would run once (here: as long as
 * alpha falls). MSXP adds d/2 to every other processor, which does not preserve the total (it only looks up speeds
 * with it). MAXP's step 5 says rm_i where lm_i is moved. Alpha may fall while the makespan rises: the algorithm never
 * evaluates the makespan. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"
#include "partition/metrics.h"
#include "placement/fpmc.h"

enum { LOOPS = 100, HALVINGS = 40 };

typedef struct thesis {
  int parts;
  const int64_t *n;
  const hg_speed_model *model;
  const char *name; /* partitioner */
  hg_partition_request request;
  double *x, *y, *c;                    /* work, speed, border */
  double *speed, *border, *move, *loss; /* of a trial; of a motion: cells, > 0 to the right; speed lost or gained */
  hg_box *box;
  hg_rect *rect;
  hg_part_metrics *part;
  int evaluations;
} thesis;

static double speed_of(const thesis *t, int i, double x, double c)
{
  return x > 0 ? x / hg_speed_time(&t->model[i], x, c) : 0;
}

/* Computes the borders of the partition by these speeds. */
static hg_status find_borders(thesis *t, const double *speed, double *border)
{
  hg_partition_metrics total;
  t->request.speed = speed;
  t->evaluations++;
  HG_TRY(hg_partition(t->name, &t->request, t->n, t->box));
  hg_boxes_to_rects(t->parts, t->box, t->rect);
  HG_TRY(hg_partition_measure(&t->request, t->rect, t->part, &total));
  for (int i = 0; i < t->parts; i++) border[i] = t->part[i].border;
  return HG_OK;
}

/* Returns 1 / k of the line with the least sum of squared horizontal distances; *alpha is that sum. */
static double fit(const thesis *t, double *alpha)
{
  double xy = 0, yy = 0;
  for (int i = 0; i < t->parts; i++) {
    xy += t->x[i] * t->y[i];
    yy += t->y[i] * t->y[i];
  }
  const double u = yy > 0 ? xy / yy : 0;
  *alpha = 0;
  for (int i = 0; i < t->parts; i++) *alpha += (t->x[i] - u * t->y[i]) * (t->x[i] - u * t->y[i]);
  return u;
}

/* Speed of processor i with work x, with the border from the partition by all speeds at that point. */
static hg_status try_point(thesis *t, int i, double x, double shift, double *y)
{
  for (int j = 0; j < t->parts; j++) {
    const double other = speed_of(t, j, fmax(t->x[j] + shift, 1), t->c[j]);
    const bool rises = (other - t->y[j]) * shift > 0; /* if the speed falls with work, the old one is kept */
    t->speed[j] = j == i ? speed_of(t, i, x, t->c[i]) : rises ? other : t->y[j];
  }
  HG_TRY(find_borders(t, t->speed, t->border));
  *y = speed_of(t, i, x, t->border[i]);
  return HG_OK;
}

/* MSXP: cells that point i moves, > 0 to the right. */
static hg_status move_point(thesis *t, int i, double u, double *moved, double *loss)
{
  const bool right = u * t->y[i] > t->x[i]; /* above the line */
  double at = t->x[i], distance = fabs(at - u * t->y[i]), step = distance / 2, y = t->y[i];
  for (int k = 0; k < HALVINGS && step >= 1; k++) {
    const double x = right ? at + step : fmax(at - step, 1);
    double value;
    HG_TRY(try_point(t, i, x, right ? -step : step, &value));
    const double left = fabs(x - u * value);
    if ((u * value > x) != right) {
      step /= 2;
      continue;
    }
    if (left >= distance) break;
    at = x;
    y = value;
    distance = left;
    step = left / 2;
  }
  *moved = right ? floor(at - t->x[i]) : -floor(t->x[i] - at);
  *loss = fabs(t->y[i] - y);
  return HG_OK;
}

/* MAXP's steps 3 to 5: the side that moves more gives cells back, starting where the speed changes least. */
static void balance_moves(thesis *t)
{
  double sum = 0;
  for (int i = 0; i < t->parts; i++) sum += t->move[i];
  while (sum != 0) {
    int least = -1;
    for (int i = 0; i < t->parts; i++)
      if (t->move[i] * sum > 0 && (least < 0 || t->loss[i] < t->loss[least])) least = i;
    const double back = fabs(t->move[least]) >= fabs(sum) ? sum : t->move[least];
    t->move[least] -= back;
    sum -= back;
  }
}

static hg_status move_all(thesis *t, double u)
{
  for (int i = 0; i < t->parts; i++) HG_TRY(move_point(t, i, u, &t->move[i], &t->loss[i]));
  balance_moves(t);
  for (int i = 0; i < t->parts; i++) t->x[i] += t->move[i];
  HG_TRY(find_borders(t, t->x, t->c));
  for (int i = 0; i < t->parts; i++) t->y[i] = speed_of(t, i, t->x[i], t->c[i]);
  return HG_OK;
}

static hg_status start(thesis *t, int64_t cells)
{
  int64_t work[t->parts];
  HG_TRY(hg_fpm(t->parts, t->model, NULL, cells, work));
  for (int i = 0; i < t->parts; i++) t->x[i] = (double)work[i];
  HG_TRY(find_borders(t, t->x, t->c));
  for (int i = 0; i < t->parts; i++) t->y[i] = speed_of(t, i, t->x[i], t->c[i]);
  return HG_OK;
}

/* Line 12: partitions by the speeds. */
static hg_status finish(thesis *t, hg_box *box, hg_fpmc_result *result)
{
  double sum = 0;
  int working = 0;
  HG_TRY(find_borders(t, t->y, t->border));
  memcpy(box, t->box, (size_t)t->parts * sizeof *box);
  *result = (hg_fpmc_result){.evaluations = t->evaluations};
  for (int i = 0; i < t->parts; i++) {
    const double seconds = hg_speed_time(&t->model[i], t->part[i].cells, t->border[i]);
    result->makespan = fmax(result->makespan, seconds);
    sum += seconds;
    working += seconds > 0;
  }
  result->imbalance = sum > 0 ? result->makespan * working / sum : 1;
  return HG_OK;
}

static hg_status run(thesis *t, int64_t cells, hg_box *box, hg_fpmc_result *result)
{
  double before = INFINITY, alpha;
  HG_TRY(start(t, cells));
  double u = fit(t, &alpha);
  for (int k = 0; k < LOOPS && alpha > 0 && alpha < before; k++) {
    before = alpha;
    HG_TRY(move_all(t, u));
    u = fit(t, &alpha);
  }
  return finish(t, box, result);
}

hg_status hg_fpmc_thesis(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name,
                         hg_box *box, hg_fpmc_result *result)
{
  const int64_t cells = n[0] * n[1] * n[2];
  const size_t p = parts > 0 ? (size_t)parts : 0;
  if (parts < 1 || cells < parts)
    return hg_fail(HG_INVALID, "fpmc-thesis: %lld cells for %d processors", (long long)cells, parts);
  double *numbers = calloc(7 * p, sizeof *numbers);
  thesis t = {.parts = parts,
              .n = n,
              .model = model,
              .name = name,
              .request = {.dims = dims, .size = {(double)n[0], (double)n[1], (double)n[2]}, .parts = parts},
              .x = numbers,
              .y = numbers + p,
              .c = numbers + 2 * p,
              .speed = numbers + 3 * p,
              .border = numbers + 4 * p,
              .move = numbers + 5 * p,
              .loss = numbers + 6 * p,
              .box = calloc(p, sizeof *t.box),
              .rect = calloc(p, sizeof *t.rect),
              .part = calloc(p, sizeof *t.part)};
  hg_status status = numbers && t.box && t.rect && t.part
                         ? run(&t, cells, box, result)
                         : hg_fail(HG_MEMORY, "fpmc-thesis: no memory for %d processors", parts);
  free(numbers);
  free(t.box);
  free(t.rect);
  free(t.part);
  return status;
}
