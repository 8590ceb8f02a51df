/* SPDX-License-Identifier: MIT */
/* The divisions that a search starts from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"
#include "placement/search.h"

/* Shares by a simple model among the processors in use. */
hg_status hg_search_shares(hg_search *s, hg_balance balance)
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

/* Keeps the search's shares if they are among the best. */
static void keep(hg_search *s, const hg_cutting *c, double seconds)
{
  int at = s->keeps;
  if (s->keeps == s->most && seconds >= s->kept[s->most - 1].seconds) return;
  if (s->keeps < s->most)
    s->keeps++, at = s->keeps - 1;
  else
    at = s->most - 1;
  double *share = s->kept[at].share;
  for (; at > 0 && s->kept[at - 1].seconds > seconds; at--) s->kept[at] = s->kept[at - 1];
  s->kept[at] = (hg_candidate){seconds, *c, share};
  memcpy(share, s->share, (size_t)s->parts * sizeof *share);
}

/* Enters all models and cuttings with the processors in use. */
static hg_status enter(hg_search *s, bool all)
{
  static const hg_balance starts[] = {HG_BALANCE_FPM, HG_BALANCE_EVEN, HG_BALANCE_CPM};
  for (int start = 0; start < 3; start++) {
    HG_TRY(hg_search_shares(s, starts[start]));
    for (int c = all ? 0 : s->slow; c < s->cuttings; c++) {
      hg_tree tree;
      double seconds;
      HG_TRY(hg_search_cut(s, &s->cutting[c], &tree));
      hg_status status = hg_search_evaluate(s, &tree, s->share, &seconds);
      hg_tree_free(&tree);
      if (status == HG_OK) status = hg_search_offer(s, seconds, all);
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

/* Enters the first m processors in order, or all processors of their nodes. */
static hg_status enter_first(hg_search *s, int m, const int *node)
{
  int *chosen = s->id;
  memset(chosen, 0, (size_t)s->parts * sizeof *chosen);
  for (int k = 0; k < m; k++) chosen[s->order[k]] = 1;
  for (int i = 0; i < s->parts; i++) s->use[i] = chosen[node ? node[i] : i];
  return enter(s, false);
}

/* Enters the fastest m: every m if there are few processors, else those where the next one is much slower, and ever
 * smaller ones. */
static hg_status enter_fewer(hg_search *s, const rated *r, int count, const int *node)
{
  const double ratio = count <= 4 * HG_SEARCH_SOME ? .75 : .5;
  double next = count <= HG_SEARCH_MANY ? ratio * count : 0;
  for (int m = 0; m < count; m++) s->order[m] = r[m].id;
  for (int m = count - 1; m >= 1; m--) {
    const bool gap = r[m].seconds > (count > HG_SEARCH_MOST ? 4 : 1.5) * r[m - 1].seconds;
    if (count > HG_SEARCH_FEW && !gap && m > next) continue;
    next = fmin(next, ratio * m);
    HG_TRY(enter_first(s, m, node));
  }
  return HG_OK;
}

/* s per cell at an even share. */
static double rate(const hg_search *s, int i)
{
  const double even = (double)s->cells / s->parts;
  return hg_speed_time(&s->machine->model[i], even, 0) / even;
}

static hg_status enter_fewer_processors(hg_search *s, rated *r)
{
  for (int i = 0; i < s->parts; i++) r[i] = (rated){rate(s, i), i};
  qsort(r, (size_t)s->parts, sizeof *r, by_seconds);
  return enter_fewer(s, r, s->parts, NULL);
}

static hg_status enter_fewer_nodes(hg_search *s, rated *r)
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

hg_status hg_search_enter(hg_search *s)
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
