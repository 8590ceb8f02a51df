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

enum { ROUNDS = 3, STEPS = 12, HALVINGS = 7, KEPT = 24, FEW = 16, SOME = 64, MANY = 1024, HOSTS = 4096 };

/* How a grid is cut. */
typedef struct cutting {
  hg_partition_fn *divide;
  bool by_levels;
} cutting;

/* A division to start from. */
typedef struct candidate {
  double seconds;
  cutting cutting;
  double *share; /* [parts] */
} candidate;

typedef struct search {
  int dims, parts;
  const int64_t *n;
  int64_t cells;
  const hg_machine *machine;
  hg_partition_request request;
  cutting cutting[2 * 5];
  int cuttings, slow;                    /* the first `slow` are left out for part of the processors */
  double *share, *trial, *wait, *border; /* [parts] */
  int64_t *work;                         /* [parts] */
  int *order, *id;                       /* [parts] by falling speed; of those that are used */
  bool *use;                             /* [parts] */
  hg_speed_model *model;                 /* [parts] of those that are used */
  hg_box *box;                           /* [parts], of the evaluation before */
  hg_rect *rect;
  hg_part_metrics *part;
  hg_box *best_box;
  double *best_share;
  hg_fpmc_result best;
  candidate kept[KEPT]; /* the best so far */
  int most, keeps;      /* of them */
} search;

/* Judges the boxes in the search, and keeps the best ever seen. */
static hg_status judge(search *s, const double *share, double *seconds)
{
  hg_partition_metrics total;
  double sum = 0;
  int working = 0;
  hg_boxes_to_rects(s->parts, s->box, s->rect);
  s->request.speed = share;
  HG_TRY(hg_partition_measure(&s->request, s->rect, s->part, &total));
  HG_TRY(hg_machine_time(s->machine, s->part, s->wait, seconds));
  s->best.evaluations++;
  for (int i = 0; i < s->parts; i++) {
    s->border[i] = s->part[i].border;
    if (s->part[i].cells <= 0) continue;
    sum += hg_speed_time(&s->machine->model[i], s->part[i].cells, s->border[i]) + s->wait[i];
    working++;
  }
  if (*seconds >= s->best.makespan) return HG_OK;
  s->best.makespan = *seconds;
  s->best.imbalance = sum > 0 ? *seconds * working / sum : 1;
  memcpy(s->best_box, s->box, (size_t)s->parts * sizeof *s->box);
  memcpy(s->best_share, share, (size_t)s->parts * sizeof *share);
  return HG_OK;
}

static hg_status evaluate(search *s, const hg_tree *tree, const double *share, double *seconds)
{
  HG_TRY(hg_tree_boxes(tree, s->n, s->parts, share, s->box));
  return judge(s, share, seconds);
}

/* The tree of the shares in the search. */
static hg_status cut(search *s, const cutting *c, hg_tree *tree)
{
  s->request.speed = s->share;
  *tree = (hg_tree){0};
  return c->by_levels ? hg_partition_by_levels(c->divide, &s->request, tree)
                      : hg_partition_tree(c->divide, &s->request, tree);
}

/* --- from a division to a better one ------------------------------------------------------------------------------ */

/* Shares that balance with the present borders and links, among the processors that have a share. */
static hg_status solve(search *s)
{
  double *border = s->trial;
  int m = 0;
  for (int i = 0; i < s->parts; i++)
    if (s->share[i] > 0) {
      s->model[m] = s->machine->model[i];
      s->model[m].wait += s->wait[i];
      border[m] = s->border[i];
      s->id[m++] = i;
    }
  HG_TRY(hg_fpm(m, s->model, border, s->cells, s->work));
  for (int k = m - 1, i = s->parts - 1; i >= 0; i--) s->work[i] = k >= 0 && s->id[k] == i ? s->work[k--] : 0;
  return HG_OK;
}

/* One move towards the balance; *moved tells whether the time fell. */
static hg_status step(search *s, const hg_tree *tree, double *seconds, bool *moved)
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
    if (value < *seconds) {
      *seconds = value;
      *moved = true;
      memcpy(s->share, s->trial, (size_t)s->parts * sizeof *s->share);
    }
  }
  return HG_OK;
}

/* Descends from the shares in the search, on the tree that a partitioner makes of them. */
static hg_status descend_on(search *s, const cutting *c)
{
  hg_tree tree;
  double seconds;
  bool moved = true;
  const int steps = s->parts > HOSTS ? 2 : STEPS;
  HG_TRY(cut(s, c, &tree));
  hg_status status = evaluate(s, &tree, s->share, &seconds);
  for (int k = 0; k < steps && moved && status == HG_OK; k++) status = step(s, &tree, &seconds, &moved);
  hg_tree_free(&tree);
  return status;
}

/* Processors with less than a cell drop out, unless all have; whether any did. */
static bool drop_small_shares(search *s)
{
  bool dropped = false, large = false;
  for (int i = 0; i < s->parts; i++) large = large || s->share[i] >= 1;
  for (int i = 0; i < s->parts && large && !s->machine->everyone; i++)
    if (s->share[i] > 0 && s->share[i] < 1) s->share[i] = 0, dropped = true;
  return dropped;
}

static hg_status descend(search *s, const cutting *c)
{
  HG_TRY(descend_on(s, c));
  return drop_small_shares(s) ? descend_on(s, c) : HG_OK;
}

/* --- candidates --------------------------------------------------------------------------------------------------- */

/* Shares of a simple model among the processors that are used. */
static hg_status simple_shares(search *s, hg_balance balance)
{
  double sum = 0;
  int m = 0;
  for (int i = 0; i < s->parts; i++)
    if (s->use[i]) s->model[m] = s->machine->model[i], s->id[m++] = i;
  if (balance == HG_BALANCE_FPM) HG_TRY(hg_fpm(m, s->model, NULL, s->cells, s->work));
  memset(s->share, 0, (size_t)s->parts * sizeof *s->share);
  for (int i = 0; i < m; i++) {
    double even = (double)s->cells / m;
    double share = balance == HG_BALANCE_FPM   ? (double)s->work[i]
                   : balance == HG_BALANCE_CPM ? even / hg_speed_time(&s->model[i], even, 0)
                                               : even;
    s->share[s->id[i]] = share;
    sum += share;
  }
  for (int i = 0; i < s->parts; i++) s->share[i] *= (double)s->cells / sum;
  return HG_OK;
}

/* Takes the shares in the search among the best if they are. */
static void keep(search *s, const cutting *c, double seconds)
{
  int at = s->keeps;
  if (s->keeps == s->most && seconds >= s->kept[s->most - 1].seconds) return;
  if (s->keeps < s->most) s->keeps++, at = s->keeps - 1;
  else at = s->most - 1;
  double *share = s->kept[at].share;
  for (; at > 0 && s->kept[at - 1].seconds > seconds; at--) s->kept[at] = s->kept[at - 1];
  s->kept[at] = (candidate){seconds, *c, share};
  memcpy(share, s->share, (size_t)s->parts * sizeof *share);
}

/* All models and cuttings with the processors that are used. */
static hg_status enter(search *s, bool all)
{
  static const hg_balance starts[] = {HG_BALANCE_FPM, HG_BALANCE_EVEN, HG_BALANCE_CPM};
  for (int start = 0; start < 3; start++) {
    HG_TRY(simple_shares(s, starts[start]));
    for (int c = all ? 0 : s->slow; c < s->cuttings; c++) {
      hg_tree tree;
      double seconds;
      HG_TRY(cut(s, &s->cutting[c], &tree));
      const hg_status status = evaluate(s, &tree, s->share, &seconds);
      hg_tree_free(&tree);
      HG_TRY(status);
      keep(s, &s->cutting[c], seconds);
    }
  }
  return HG_OK;
}

typedef struct rated {
  double seconds;
  int id;
} rated;

static int by_seconds(const void *a, const void *b)
{
  const rated *s = a, *t = b;
  return s->seconds != t->seconds ? (s->seconds > t->seconds) - (s->seconds < t->seconds) : s->id - t->id;
}

/* The first m in order, or all processors of their nodes. */
static hg_status enter_first(search *s, int m, const int *node)
{
  for (int i = 0; i < s->parts; i++) s->use[i] = false;
  for (int k = 0; k < m && !node; k++) s->use[s->order[k]] = true;
  for (int i = 0; i < s->parts && node; i++)
    for (int k = 0; k < m && !s->use[i]; k++) s->use[i] = node[i] == s->order[k];
  return enter(s, false);
}

/* The fastest m alone: each m of few, else where the next is slower by a half, and ever fewer. */
static hg_status enter_fewer(search *s, const rated *r, int count, const int *node)
{
  const double ratio = count <= 4 * SOME ? .75 : .5;
  double next = count <= MANY ? ratio * count : 0;
  for (int m = 0; m < count; m++) s->order[m] = r[m].id;
  for (int m = count - 1; m >= 1; m--) {
    const bool gap = r[m].seconds > 1.5 * r[m - 1].seconds;
    if (count > FEW && !gap && m > next) continue;
    next = fmin(next, ratio * m);
    HG_TRY(enter_first(s, m, node));
  }
  return HG_OK;
}

/* s of a cell at an even share. */
static double rate(const search *s, int i)
{
  const double even = (double)s->cells / s->parts;
  return hg_speed_time(&s->machine->model[i], even, 0) / even;
}

static hg_status enter_fewer_processors(search *s, rated *r)
{
  for (int i = 0; i < s->parts; i++) r[i] = (rated){rate(s, i), i};
  qsort(r, (size_t)s->parts, sizeof *r, by_seconds);
  return enter_fewer(s, r, s->parts, NULL);
}

static hg_status enter_fewer_nodes(search *s, rated *r)
{
  int nodes = 0;
  if (s->machine->levels == 0) return HG_OK;
  for (int i = 0; i < s->parts; i++) r[i] = (rated){0, i};
  for (int i = 0; i < s->parts; i++) r[s->machine->group[0][i]].seconds += 1 / rate(s, i);
  for (int i = 0; i < s->parts; i++)
    if (r[i].seconds > 0) r[nodes++] = (rated){1 / r[i].seconds, r[i].id};
  qsort(r, (size_t)nodes, sizeof *r, by_seconds);
  return enter_fewer(s, r, nodes, s->machine->group[0]);
}

static hg_status enter_all(search *s)
{
  for (int i = 0; i < s->parts; i++) s->use[i] = true;
  HG_TRY(enter(s, true));
  if (s->machine->everyone) return HG_OK;
  rated *r = malloc((size_t)s->parts * sizeof *r);
  if (!r) return hg_fail(HG_MEMORY, "fpmc: no memory for %d processors", s->parts);
  hg_status status = enter_fewer_processors(s, r);
  if (status == HG_OK) status = enter_fewer_nodes(s, r);
  free(r);
  return status;
}

static hg_status search_all(search *s)
{
  HG_TRY(enter_all(s));
  for (int k = 0; k < s->keeps; k++) {
    memcpy(s->share, s->kept[k].share, (size_t)s->parts * sizeof *s->share);
    HG_TRY(descend(s, &s->kept[k].cutting));
  }
  for (int round = 0; round < ROUNDS && s->parts <= HOSTS; round++) {
    double before = s->best.makespan;
    for (int c = 0; c < s->cuttings; c++) {
      memcpy(s->share, s->best_share, (size_t)s->parts * sizeof *s->share);
      HG_TRY(descend(s, &s->cutting[c]));
    }
    if (!(s->best.makespan < before)) break;
  }
  return HG_OK;
}

/* --- the search --------------------------------------------------------------------------------------------------- */

static bool allocate(search *s)
{
  const size_t p = (size_t)s->parts;
  bool all = true;
  s->share = calloc(p, sizeof *s->share);
  s->trial = calloc(p, sizeof *s->trial);
  s->wait = calloc(p, sizeof *s->wait);
  s->border = calloc(p, sizeof *s->border);
  s->work = calloc(p, sizeof *s->work);
  s->order = calloc(p, sizeof *s->order);
  s->id = calloc(p, sizeof *s->id);
  s->use = calloc(p, sizeof *s->use);
  s->model = calloc(p, sizeof *s->model);
  s->box = calloc(p, sizeof *s->box);
  s->rect = calloc(p, sizeof *s->rect);
  s->part = calloc(p, sizeof *s->part);
  s->best_share = calloc(p, sizeof *s->best_share);
  for (int k = 0; k < s->most; k++) all &= (s->kept[k].share = calloc(p, sizeof *s->share)) != NULL;
  return all && s->share && s->trial && s->wait && s->border && s->work && s->order && s->id && s->use && s->model &&
         s->box && s->rect && s->part && s->best_share;
}

static hg_status open_search(search *s, int dims, const int64_t n[3], const hg_machine *machine, hg_box *box)
{
  *s = (search){.dims = dims,
                .parts = machine->parts,
                .n = n,
                .cells = n[0] * n[1] * n[2],
                .machine = machine,
                .request = {.dims = dims,
                            .size = {(double)n[0], (double)n[1], (double)n[2]},
                            .parts = machine->parts,
                            .levels = machine->levels,
                            .whole = true},
                .best = {.makespan = INFINITY},
                .best_box = box};
  for (int l = 0; l < machine->levels; l++) s->request.group[l] = machine->group[l];
  if (s->parts < 1 || s->cells < 1)
    return hg_fail(HG_INVALID, "fpmc: %lld cells for %d processors", (long long)s->cells, s->parts);
  s->most = s->parts <= SOME ? KEPT : s->parts <= MANY ? KEPT / 4 : 2;
  return allocate(s) ? HG_OK : hg_fail(HG_MEMORY, "fpmc: no memory for %d processors", s->parts);
}

static void close_search(search *s)
{
  for (int k = 0; k < s->most; k++) free(s->kept[k].share);
  free(s->share);
  free(s->trial);
  free(s->wait);
  free(s->border);
  free(s->work);
  free(s->order);
  free(s->id);
  free(s->use);
  free(s->model);
  free(s->box);
  free(s->rect);
  free(s->part);
  free(s->best_share);
}

/* The thesis knows no nodes: each processor has its node's link to itself. */
static hg_status by_thesis(search *s, const char *name)
{
  const hg_machine *m = s->machine;
  hg_fpmc_result r;
  double seconds;
  for (int i = 0; i < s->parts; i++) {
    s->model[i] = m->model[i];
    if (m->levels == 0) continue;
    s->model[i].link = m->wire[0].measured ? m->wire[0].measured : s->model[i].link;
    s->model[i].item_bytes = m->item_bytes;
    if (m->wire[0].bandwidth > 0) s->model[i].tc += m->item_bytes / m->wire[0].bandwidth;
  }
  HG_TRY(hg_fpmc_thesis(s->dims, s->n, s->parts, s->model, name, s->box, &r));
  s->best.evaluations += r.evaluations;
  for (int i = 0; i < s->parts; i++) s->trial[i] = (double)hg_box_cells(&s->box[i]);
  return judge(s, s->trial, &seconds);
}

static void add_cutting(search *s, hg_partition_fn *divide)
{
  s->cutting[s->cuttings++] = (cutting){divide, false};
  if (s->machine->levels > 0) s->cutting[s->cuttings++] = (cutting){divide, true};
}

/* By all, or the one of that name. Those whose time grows with the square of the processors are left out for many. */
static hg_status choose_cuttings(search *s, const char *name)
{
  const hg_partitioner *p;
  if (name) {
    HG_TRY(hg_partition_find(name, &p));
    add_cutting(s, p->divide);
    return HG_OK;
  }
  if (s->parts <= MANY) s->cutting[s->cuttings++] = (cutting){hg_partition_auto, false}, s->slow = 1;
  add_cutting(s, hg_partition_nphp);
  if (s->parts <= HOSTS) add_cutting(s, hg_partition_column_based);
  if (s->parts <= HOSTS) add_cutting(s, hg_partition_recursive);
  add_cutting(s, hg_partition_rows);
  return HG_OK;
}

/* The thesis' own algorithm takes other ways, and is ahead now and then. Its cost grows fast. */
static hg_status find_best(search *s, const char *name)
{
  HG_TRY(choose_cuttings(s, name));
  HG_TRY(search_all(s));
  return s->parts > FEW || s->cells < s->parts ? HG_OK : by_thesis(s, name ? name : "nphp");
}

hg_status hg_fpmc(int dims, const int64_t n[3], const hg_machine *machine, const char *name, hg_box *box,
                  hg_fpmc_result *result)
{
  search s;
  hg_status status = open_search(&s, dims, n, machine, box);
  if (status == HG_OK) status = find_best(&s, name);
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

static hg_status by_simple_model(search *s, hg_balance balance, const char *name)
{
  const hg_partitioner *p;
  hg_tree tree;
  double seconds;
  HG_TRY(hg_partition_find(name, &p));
  for (int i = 0; i < s->parts; i++) s->use[i] = true;
  HG_TRY(simple_shares(s, balance));
  HG_TRY(cut(s, &(cutting){p->divide, false}, &tree));
  const hg_status status = evaluate(s, &tree, s->share, &seconds);
  hg_tree_free(&tree);
  return status;
}

hg_status hg_divide_by_model(hg_balance balance, int dims, const int64_t n[3], const hg_machine *machine,
                             const char *name, hg_box *box, hg_fpmc_result *result)
{
  search s;
  if (balance == HG_BALANCE_FPMC)
    return hg_fpmc(dims, n, machine, strcmp(name, "auto") == 0 ? NULL : name, box, result);
  hg_status status = open_search(&s, dims, n, machine, box);
  if (status == HG_OK)
    status = balance == HG_BALANCE_FPMC_THESIS ? by_thesis(&s, name) : by_simple_model(&s, balance, name);
  *result = s.best;
  close_search(&s);
  return status;
}
