/* SPDX-License-Identifier: MIT */
/* FPMC-R. Algorithm 4-1 of the thesis alternates between dividing by speeds S_i(w_i, c_i) and recomputing the c_i of
 * the new partition. As printed, its loop ends at once (lines 2 and 8), and a partition rebuilt from new shares may
 * have quite different borders, so the makespan can rise. Here the slicing tree is kept while shares change, which
 * makes c_i(w) continuous, and a step is accepted only if the makespan of the rounded partition falls:
 *
 *   w* = FPM(T_i(., c_i fixed));  w <- w + lambda (w* - w), lambda = 1, 1/2 .. 1/64
 *
 * Example: two processors of equal speed, the second behind a slow link: FPM gives half each; the link's time c tc
 * then delays the second, and steps move cells to the first until both finish together. If the link costs more than
 * the second one gains, all cells move: then the division with m = 1 wins. */
#include "placement/fpmc.h"

#include <math.h>
#include <string.h>

#include "speed/fpm.h"
#include "placement/search.h"

enum { ROUNDS = 3, STEPS = 12, HALVINGS = 7 };

/* Shares that balance with the present borders and links, among the processors with a share. */
static hg_status solve(hg_search *s)
{
  double *border = s->trial;
  int m = 0;
  for (int i = 0; i < s->parts; i++)
    if (s->share[i] > 0) {
      s->model[m] = s->machine->model[i];
      s->model[m].wait += s->wait[i];
      s->model[m].apart = s->machine->levels > 0;
      border[m] = s->border[i];
      s->id[m++] = i;
    }
  HG_TRY(hg_fpm(m, s->model, border, s->cells, s->work));
  for (int k = m - 1, i = s->parts - 1; i >= 0; i--) s->work[i] = k >= 0 && s->id[k] == i ? s->work[k--] : 0;
  return HG_OK;
}

/* Moves once towards the balance; *moved tells whether the time fell. */
static hg_status step(hg_search *s, const hg_tree *tree, double *seconds, bool *moved)
{
  double lambda = 1;
  *moved = false;
  HG_TRY(solve(s));
  for (int k = 0; k < HALVINGS && !*moved; k++, lambda /= 2) {
    double value;
    for (int i = 0; i < s->parts; i++) {
      double w = s->share[i] + lambda * ((double)s->work[i] - s->share[i]);
      s->trial[i] = s->share[i] > 0 ? fmax(w, 1e-3) : 0; /* keeps the tree's processors in it */
    }
    HG_TRY(hg_search_evaluate(s, tree, s->trial, &value));
    if (value < *seconds) {
      *seconds = value;
      *moved = true;
      memcpy(s->share, s->trial, (size_t)s->parts * sizeof *s->share);
    }
  }
  return HG_OK;
}

/* Improves the search's shares, on the tree that a partitioner makes of them. */
static hg_status descend_on(hg_search *s, const hg_cutting *c)
{
  hg_tree tree;
  double seconds;
  bool moved = true;
  const int steps = s->parts > HG_SEARCH_MOST ? 2 : STEPS;
  HG_TRY(hg_search_cut(s, c, &tree));
  hg_status status = hg_search_evaluate(s, &tree, s->share, &seconds);
  for (int k = 0; k < steps && moved && status == HG_OK; k++) status = step(s, &tree, &seconds, &moved);
  if (status == HG_OK && s->followed) status = hg_search_evaluate(s, &tree, s->share, &seconds);
  hg_tree_free(&tree);
  return status == HG_OK ? hg_search_offer(s, seconds, false) : status;
}

/* Drops processors with less than a cell, unless all have; returns whether any was dropped. */
static bool drop_small_shares(hg_search *s)
{
  bool dropped = false, large = false;
  for (int i = 0; i < s->parts; i++) large = large || s->share[i] >= 1;
  for (int i = 0; i < s->parts && large && !s->machine->everyone; i++)
    if (s->share[i] > 0 && s->share[i] < 1) s->share[i] = 0, dropped = true;
  return dropped;
}

static hg_status descend(hg_search *s, const hg_cutting *c)
{
  HG_TRY(descend_on(s, c));
  return drop_small_shares(s) ? descend_on(s, c) : HG_OK;
}

static hg_status search_all(hg_search *s)
{
  HG_TRY(hg_search_enter(s));
  for (int k = 0; k < s->keeps; k++) {
    memcpy(s->share, s->kept[k].share, (size_t)s->parts * sizeof *s->share);
    HG_TRY(descend(s, &s->kept[k].cutting));
  }
  for (int round = 0; round < ROUNDS && s->parts <= HG_SEARCH_MOST; round++) {
    double before = s->best;
    for (int c = 0; c < s->cuttings; c++) {
      memcpy(s->share, s->best_share, (size_t)s->parts * sizeof *s->share);
      HG_TRY(descend(s, &s->cutting[c]));
    }
    if (!(s->best < before)) break;
  }
  return HG_OK;
}

/* The thesis has no nodes: each processor has its node's link to itself. */
static hg_status by_thesis(hg_search *s, const char *name)
{
  const hg_machine *m = s->machine;
  hg_fpmc_result r;
  double seconds;
  for (int i = 0; i < s->parts; i++) {
    s->model[i] = m->model[i];
    if (m->port) s->model[i].tc += m->port[i].out + m->port[i].in;
    if (m->levels == 0) continue;
    s->model[i].link = m->wire[0].measured ? m->wire[0].measured : s->model[i].link;
    s->model[i].item_bytes = m->item_bytes;
    if (m->wire[0].bandwidth > 0) s->model[i].tc += m->item_bytes / m->wire[0].bandwidth;
  }
  HG_TRY(hg_fpmc_thesis(s->dims, s->n, s->parts, s->model, name, s->box, &r));
  s->result.evaluations += r.evaluations;
  for (int i = 0; i < s->parts; i++) s->trial[i] = (double)hg_box_cells(&s->box[i]);
  HG_TRY(hg_search_judge(s, s->trial, &seconds));
  return hg_search_offer(s, seconds, true);
}

static void add_cutting(hg_search *s, hg_partition_fn *divide)
{
  s->cutting[s->cuttings++] = (hg_cutting){divide, false};
  if (s->machine->levels > 0) s->cutting[s->cuttings++] = (hg_cutting){divide, true};
}

/* Chooses all cuttings, or the one of that name. Those with time quadratic in the processors are left out if there are
 * many. */
static hg_status choose_cuttings(hg_search *s, const char *name)
{
  const hg_partitioner *p;
  if (name) {
    HG_TRY(hg_partition_find(name, &p));
    add_cutting(s, p->divide);
    return HG_OK;
  }
  if (s->parts <= HG_SEARCH_MANY) s->cutting[s->cuttings++] = (hg_cutting){hg_partition_auto, false}, s->slow = 1;
  add_cutting(s, hg_partition_nphp);
  if (s->parts <= HG_SEARCH_MOST) add_cutting(s, hg_partition_column_based);
  if (s->parts <= HG_SEARCH_MOST) add_cutting(s, hg_partition_recursive);
  add_cutting(s, hg_partition_rows);
  return HG_OK;
}

/* Also tries the thesis' own algorithm, which is occasionally better, if there are few processors: its cost grows
 * fast. */
static hg_status find_best(hg_search *s, const char *name)
{
  HG_TRY(choose_cuttings(s, name));
  HG_TRY(search_all(s));
  if (s->parts <= HG_SEARCH_FEW && s->cells >= s->parts) HG_TRY(by_thesis(s, name ? name : "nphp"));
  return hg_search_settle(s);
}

hg_status hg_fpmc(int dims, const int64_t n[3], const hg_machine *machine, const char *name, hg_box *box,
                  hg_fpmc_result *result)
{
  hg_search s;
  hg_status status = hg_search_open(&s, dims, n, machine, box);
  if (status == HG_OK) status = find_best(&s, name);
  *result = s.result;
  hg_search_close(&s);
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

static hg_status by_simple_model(hg_search *s, hg_balance balance, const char *name)
{
  const hg_partitioner *p;
  hg_tree tree;
  double seconds;
  HG_TRY(hg_partition_find(name, &p));
  for (int i = 0; i < s->parts; i++) s->use[i] = true;
  HG_TRY(hg_search_shares(s, balance));
  HG_TRY(hg_search_cut(s, &(hg_cutting){p->divide, false}, &tree));
  const hg_status status = hg_search_evaluate(s, &tree, s->share, &seconds);
  hg_tree_free(&tree);
  return status == HG_OK ? hg_search_offer(s, seconds, true) : status;
}

hg_status hg_divide_by_model(hg_balance balance, int dims, const int64_t n[3], const hg_machine *machine,
                             const char *name, hg_box *box, hg_fpmc_result *result)
{
  hg_search s;
  if (balance == HG_BALANCE_FPMC)
    return hg_fpmc(dims, n, machine, strcmp(name, "auto") == 0 ? NULL : name, box, result);
  hg_status status = hg_search_open(&s, dims, n, machine, box);
  if (status == HG_OK)
    status = balance == HG_BALANCE_FPMC_THESIS ? by_thesis(&s, name) : by_simple_model(&s, balance, name);
  *result = s.result;
  hg_search_close(&s);
  return status;
}
