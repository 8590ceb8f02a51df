/* SPDX-License-Identifier: MIT */
#include "placement/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "placement/follow.h"

/* Allocates all arrays as one block, in the order of alignment. */
static bool allocate(hg_search *s)
{
  const size_t p = (size_t)s->parts, shares = 5 + (size_t)s->most;
  s->model = calloc(p, sizeof *s->model + 2 * sizeof *s->box + sizeof *s->rect + sizeof *s->part +
                           shares * sizeof *s->share + sizeof *s->work + 2 * sizeof *s->order + sizeof *s->use);
  if (!s->model) return false;
  s->box = (hg_box *)(s->model + p);
  s->best_box = s->box + p;
  s->rect = (hg_rect *)(s->best_box + p);
  s->part = (hg_part_metrics *)(s->rect + p);
  s->share = (double *)(s->part + p);
  s->trial = s->share + p;
  s->wait = s->trial + p;
  s->border = s->wait + p;
  s->best_share = s->border + p;
  for (int k = 0; k < s->most; k++) s->kept[k].share = s->best_share + (size_t)(k + 1) * p;
  s->work = (int64_t *)(s->share + shares * p);
  s->order = (int *)(s->work + p);
  s->id = s->order + p;
  s->use = (bool *)(s->id + p);
  return true;
}

hg_status hg_search_open(hg_search *s, int dims, const int64_t n[3], const hg_machine *machine, hg_box *box)
{
  *s = (hg_search){.dims = dims,
                   .parts = machine->parts,
                   .n = n,
                   .cells = n[0] * n[1] * n[2],
                   .machine = machine,
                   .request = {.dims = dims,
                               .size = {(double)n[0], (double)n[1], (double)n[2]},
                               .parts = machine->parts,
                               .levels = machine->levels,
                               .whole = true},
                   .best = INFINITY,
                   .followed = hg_machine_is_followed(machine),
                   .chosen = box,
                   .result = {.makespan = INFINITY}};
  for (int l = 0; l < machine->levels; l++) s->request.group[l] = machine->group[l];
  memcpy(s->request.periodic, machine->periodic, sizeof s->request.periodic);
  if (s->parts < 1 || s->cells < 1)
    return hg_fail(HG_INVALID, "fpmc: %lld cells for %d processors", (long long)s->cells, s->parts);
  s->most = s->parts <= HG_SEARCH_FEW    ? HG_SEARCH_KEPT
            : s->parts <= HG_SEARCH_SOME ? HG_SEARCH_KEPT / 4
            : s->parts <= HG_SEARCH_MANY ? HG_SEARCH_KEPT / 16
            : s->parts <= HG_SEARCH_MOST ? 2
                                         : 1;
  return allocate(s) ? HG_OK : hg_fail(HG_MEMORY, "fpmc: no memory for %d processors", s->parts);
}

void hg_search_close(hg_search *s)
{
  free(s->model);
}

static void choose(hg_search *s, double seconds)
{
  if (!(seconds < s->result.makespan)) return;
  s->result.makespan = seconds;
  s->result.imbalance = s->imbalance;
  memcpy(s->chosen, s->box, (size_t)s->parts * sizeof *s->box);
}

hg_status hg_search_judge(hg_search *s, const double *share, double *seconds)
{
  hg_partition_metrics total;
  double sum = 0;
  int working = 0;
  hg_boxes_to_rects(s->parts, s->box, s->rect);
  s->request.speed = share;
  HG_TRY(hg_partition_measure(&s->request, s->rect, s->part, &total));
  HG_TRY(hg_machine_time(s->machine, s->part, s->wait, seconds));
  s->result.evaluations++;
  for (int i = 0; i < s->parts; i++) {
    s->border[i] = s->part[i].border;
    if (s->part[i].cells <= 0) continue;
    sum += hg_machine_time_of(s->machine, i, s->part, s->wait[i]);
    working++;
  }
  s->imbalance = sum > 0 ? *seconds * working / sum : 1;
  if (!s->followed) choose(s, *seconds);
  if (*seconds >= s->best) return HG_OK;
  s->best = *seconds;
  memcpy(s->best_share, share, (size_t)s->parts * sizeof *share);
  memcpy(s->best_box, s->box, (size_t)s->parts * sizeof *s->box);
  return HG_OK;
}

hg_status hg_search_offer(hg_search *s, double seconds, bool always)
{
  const double FAR = 1.4;
  double weighed = seconds;
  if (!s->followed || (!always && (seconds > FAR * s->best || seconds == s->offered))) return HG_OK;
  s->offered = seconds;
  HG_TRY(hg_machine_weigh(s->machine, s->dims, s->box, &weighed));
  choose(s, weighed);
  return HG_OK;
}

hg_status hg_search_settle(hg_search *s)
{
  const double CLEARLY = .999;
  double weighed;
  if (!s->followed) return HG_OK;
  memcpy(s->box, s->best_box, (size_t)s->parts * sizeof *s->box);
  HG_TRY(hg_search_judge(s, s->best_share, &weighed));
  HG_TRY(hg_machine_weigh(s->machine, s->dims, s->box, &weighed));
  if (s->result.makespan < CLEARLY * weighed) return HG_OK;
  s->result.makespan = INFINITY;
  choose(s, weighed);
  return HG_OK;
}

hg_status hg_search_evaluate(hg_search *s, const hg_tree *tree, const double *share, double *seconds)
{
  HG_TRY(hg_tree_boxes(tree, s->n, s->parts, share, s->box));
  return hg_search_judge(s, share, seconds);
}

/* Makes the tree of the search's shares. */
hg_status hg_search_cut(hg_search *s, const hg_cutting *c, hg_tree *tree)
{
  s->request.speed = s->share;
  *tree = (hg_tree){0};
  return c->by_levels ? hg_partition_by_levels(c->divide, &s->request, tree)
                      : hg_partition_tree(c->divide, &s->request, tree);
}
