/* SPDX-License-Identifier: MIT */
/* FPMC-R. Algorithm 4-1 of the thesis alternates between dividing by speeds S_i(w_i, c_i) and recomputing the c_i of
 * the new partition. As printed its loop ends at once (lines 2 and 8), and a partition rebuilt from new shares may have
 * quite different borders, so the makespan can rise. Here the slicing tree is frozen while shares change, which makes
 * c_i(w) continuous, and a step is taken only if the makespan of the rounded partition falls:
 *
 *   w* = FPM(T_i(., c_i fixed));  w <- w + lambda (w* - w), lambda = 1, 1/2 .. 1/64
 *
 * Example: two processors of equal speed, the second behind a slow link: FPM gives half each; the link's time c tc then
 * makes the second late, and the steps move cells to the first until both finish together, or all, if the link costs
 * more than the second one gains: then the division with m = 1 wins. */
#include "placement/fpmc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fpm.h"
#include "partition/metrics.h"

enum { ROUNDS = 3, STEPS = 12, HALVINGS = 7 };

typedef struct search {
  int dims, parts;
  const int64_t *n;
  int64_t cells;
  const hg_speed_model *model;
  hg_partition_request request;
  double *share, *trial, *border; /* [parts] */
  int64_t *work;                  /* [parts] */
  hg_box *box;                    /* [parts], of the evaluation before */
  hg_rect *rect;
  hg_part_metrics *part;
  hg_box *best_box;
  double *best_share;
  hg_fpmc_result best;
} search;

/* Makespan of shares realised along a tree; leaves boxes and borders in the search, and keeps the best ever seen. */
static hg_status evaluate(search *s, const hg_tree *tree, const double *share, double *makespan)
{
  hg_partition_metrics total;
  double sum = 0;
  int working = 0;
  HG_TRY(hg_tree_boxes(tree, s->n, s->parts, share, s->box));
  hg_boxes_to_rects(s->parts, s->box, s->rect);
  s->request.speed = share;
  HG_TRY(hg_partition_measure(&s->request, s->rect, s->part, &total));
  *makespan = 0;
  for (int i = 0; i < s->parts; i++) {
    s->border[i] = s->part[i].border;
    double t = hg_speed_time(&s->model[i], s->part[i].cells, s->border[i]);
    *makespan = fmax(*makespan, t);
    sum += t;
    working += t > 0;
  }
  s->best.evaluations++;
  if (*makespan < s->best.makespan) {
    s->best.makespan = *makespan;
    s->best.imbalance = sum > 0 ? *makespan * working / sum : 1;
    memcpy(s->best_box, s->box, (size_t)s->parts * sizeof *s->box);
    memcpy(s->best_share, share, (size_t)s->parts * sizeof *share);
  }
  return HG_OK;
}

/* Shares that balance with the present borders, among the processors that have a share. */
static hg_status solve(search *s)
{
  hg_speed_model model[s->parts];
  double border[s->parts];
  int64_t work[s->parts];
  int id[s->parts], m = 0;
  for (int i = 0; i < s->parts; i++)
    if (s->share[i] > 0) {
      model[m] = s->model[i];
      border[m] = s->border[i];
      id[m++] = i;
    }
  memset(s->work, 0, (size_t)s->parts * sizeof *s->work);
  HG_TRY(hg_fpm(m, model, border, s->cells, work));
  for (int i = 0; i < m; i++) s->work[id[i]] = work[i];
  return HG_OK;
}

/* One move towards the balance; *moved tells whether the makespan fell. */
static hg_status step(search *s, const hg_tree *tree, double *makespan, bool *moved)
{
  double lambda = 1;
  *moved = false;
  HG_TRY(solve(s));
  for (int k = 0; k < HALVINGS && !*moved; k++, lambda /= 2) {
    double value;
    for (int i = 0; i < s->parts; i++) {
      double w = s->share[i] + lambda * ((double)s->work[i] - s->share[i]);
      s->trial[i] = s->share[i] > 0 ? fmax(w, 1e-3) : 0; /* the tree's processors stay in it */
    }
    HG_TRY(evaluate(s, tree, s->trial, &value));
    if (value < *makespan) {
      *makespan = value;
      *moved = true;
      memcpy(s->share, s->trial, (size_t)s->parts * sizeof *s->share);
    }
  }
  return HG_OK;
}

/* Descends from the shares in the search, on the tree that a partitioner makes of them. */
static hg_status descend_on(search *s, hg_partition_fn *divide)
{
  hg_tree tree;
  double makespan;
  bool moved = true;
  s->request.speed = s->share;
  HG_TRY(hg_partition_tree(divide, &s->request, &tree));
  hg_status status = evaluate(s, &tree, s->share, &makespan);
  for (int k = 0; k < STEPS && moved && status == HG_OK; k++) status = step(s, &tree, &makespan, &moved);
  hg_tree_free(&tree);
  return status;
}

/* Processors with less than a cell drop out, unless all have; whether any did. */
static bool drop_small_shares(search *s)
{
  bool dropped = false, large = false;
  for (int i = 0; i < s->parts; i++) large = large || s->share[i] >= 1;
  for (int i = 0; i < s->parts && large; i++)
    if (s->share[i] > 0 && s->share[i] < 1) s->share[i] = 0, dropped = true;
  return dropped;
}

static hg_status descend(search *s, hg_partition_fn *divide)
{
  HG_TRY(descend_on(s, divide));
  return drop_small_shares(s) ? descend_on(s, divide) : HG_OK;
}

/* Shares of a simple model among the processors that `use` allows. */
static hg_status simple_shares(hg_balance balance, int64_t cells, int parts, const hg_speed_model *model,
                               const bool *use, double *share)
{
  hg_speed_model some[parts];
  int64_t work[parts];
  double sum = 0;
  memcpy(some, model, sizeof some);
  int id[parts], m = 0;
  for (int i = 0; i < parts; i++) {
    share[i] = 0;
    if (use[i]) some[m] = model[i], id[m++] = i;
  }
  if (balance == HG_BALANCE_FPM) HG_TRY(hg_fpm(m, some, NULL, cells, work));
  for (int i = 0; i < m; i++) {
    double even = (double)cells / m;
    double s = balance == HG_BALANCE_FPM   ? (double)work[i]
               : balance == HG_BALANCE_CPM ? even / hg_speed_time(&some[i], even, 0)
                                           : even;
    share[id[i]] = s;
    sum += s;
  }
  for (int i = 0; i < parts; i++) share[i] *= (double)cells / sum;
  return HG_OK;
}

/* Ranks processors by the time of an even share, and marks the m fastest. */
static void mark_fastest(const search *s, int m, bool *use)
{
  double even = (double)s->cells / s->parts;
  for (int i = 0; i < s->parts; i++) {
    double mine = hg_speed_time(&s->model[i], even, 0);
    int faster = 0;
    for (int j = 0; j < s->parts; j++) {
      double other = hg_speed_time(&s->model[j], even, 0);
      faster += other < mine || (other == mine && j < i);
    }
    use[i] = faster < m;
  }
}

/* The first `slow` partitioners are left out for part of the processors. */
static hg_status search_all(search *s, hg_partition_fn *const *divide, int partitioners, int slow)
{
  static const hg_balance starts[] = {HG_BALANCE_FPM, HG_BALANCE_EVEN, HG_BALANCE_CPM};
  bool use[s->parts];
  for (int m = s->parts; m >= 1; m = m > 16 ? m * 3 / 4 : m - 1) {
    mark_fastest(s, m, use);
    for (int start = 0; start < 3; start++)
      for (int p = m < s->parts ? slow : 0; p < partitioners; p++) {
        HG_TRY(simple_shares(starts[start], s->cells, s->parts, s->model, use, s->share));
        HG_TRY(descend(s, divide[p]));
      }
  }
  for (int round = 0; round < ROUNDS; round++) {
    double before = s->best.makespan;
    for (int p = 0; p < partitioners; p++) {
      memcpy(s->share, s->best_share, (size_t)s->parts * sizeof *s->share);
      HG_TRY(descend(s, divide[p]));
    }
    if (!(s->best.makespan < before)) break;
  }
  return HG_OK;
}

static hg_status open_search(search *s, int dims, const int64_t n[3], int parts, const hg_speed_model *model,
                             hg_box *box)
{
  size_t p = (size_t)parts;
  *s = (search){.dims = dims,
                .parts = parts,
                .n = n,
                .cells = n[0] * n[1] * n[2],
                .model = model,
                .request = {.dims = dims,
                            .size = {(double)n[0], (double)n[1], (double)n[2]},
                            .parts = parts,
                            .whole = true},
                .best = {.makespan = INFINITY},
                .best_box = box};
  if (parts < 1 || s->cells < 1)
    return hg_fail(HG_INVALID, "fpmc: %lld cells for %d processors", (long long)s->cells, parts);
  s->share = calloc(p, sizeof *s->share);
  s->trial = calloc(p, sizeof *s->trial);
  s->border = calloc(p, sizeof *s->border);
  s->work = calloc(p, sizeof *s->work);
  s->box = calloc(p, sizeof *s->box);
  s->rect = calloc(p, sizeof *s->rect);
  s->part = calloc(p, sizeof *s->part);
  s->best_share = calloc(p, sizeof *s->best_share);
  bool all = s->share && s->trial && s->border && s->work && s->box && s->rect && s->part && s->best_share;
  return all ? HG_OK : hg_fail(HG_MEMORY, "fpmc: no memory for %d processors", parts);
}

static void close_search(search *s)
{
  free(s->share);
  free(s->trial);
  free(s->border);
  free(s->work);
  free(s->box);
  free(s->rect);
  free(s->part);
  free(s->best_share);
}

/* The thesis' own algorithm takes other ways, and is ahead now and then. Its cost grows fast. */
static hg_status try_thesis(search *s, const char *name)
{
  enum { MOST = 16 };
  hg_box box[MOST];
  hg_fpmc_result r;
  if (s->parts > MOST || s->cells < s->parts) return HG_OK;
  HG_TRY(hg_fpmc_thesis(s->dims, s->n, s->parts, s->model, name, box, &r));
  s->best.evaluations += r.evaluations;
  if (r.makespan >= s->best.makespan) return HG_OK;
  memcpy(s->best_box, box, (size_t)s->parts * sizeof *box);
  s->best.makespan = r.makespan;
  s->best.imbalance = r.imbalance;
  return HG_OK;
}

hg_status hg_fpmc(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name, hg_box *box,
                  hg_fpmc_result *result)
{
  hg_partition_fn *divide[] = {hg_partition_auto, hg_partition_nphp, hg_partition_column_based, hg_partition_recursive,
                               hg_partition_rows};
  int partitioners = 5, slow = 1;
  if (name) {
    const hg_partitioner *p;
    HG_TRY(hg_partition_find(name, &p));
    divide[0] = p->divide;
    partitioners = 1;
    slow = 0;
  }
  search s;
  hg_status status = open_search(&s, dims, n, parts, model, box);
  if (status == HG_OK) status = search_all(&s, divide, partitioners, slow);
  if (status == HG_OK) status = try_thesis(&s, name ? name : "nphp");
  *result = s.best;
  close_search(&s);
  return status;
}

const char *const hg_balance_names[] = {"even", "cpm", "fpm", "fpmc", "fpmc-thesis", NULL};

bool hg_balance_parse(const char *name, hg_balance *out)
{
  for (int i = 0; hg_balance_names[i]; i++) {
    if (strcmp(name, hg_balance_names[i]) != 0) continue;
    *out = (hg_balance)i;
    return true;
  }
  return false;
}

hg_status hg_divide_by_model(hg_balance balance, int dims, const int64_t n[3], int parts, const hg_speed_model *model,
                             const char *name, hg_box *box, hg_fpmc_result *result)
{
  const hg_partitioner *p;
  hg_tree tree;
  search s;
  double makespan;
  if (balance == HG_BALANCE_FPMC)
    return hg_fpmc(dims, n, parts, model, strcmp(name, "auto") == 0 ? NULL : name, box, result);
  HG_TRY(hg_partition_find(name, &p));
  if (balance == HG_BALANCE_FPMC_THESIS) return hg_fpmc_thesis(dims, n, parts, model, name, box, result);
  hg_status status = open_search(&s, dims, n, parts, model, box);
  if (status == HG_OK) {
    bool use[parts];
    for (int i = 0; i < parts; i++) use[i] = true;
    status = simple_shares(balance, s.cells, parts, model, use, s.share);
  }
  s.request.speed = s.share;
  if (status == HG_OK) status = hg_partition_tree(p->divide, &s.request, &tree);
  if (status == HG_OK) {
    status = evaluate(&s, &tree, s.share, &makespan);
    hg_tree_free(&tree);
  }
  *result = s.best;
  close_search(&s);
  return status;
}
