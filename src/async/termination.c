/* SPDX-License-Identifier: MIT */
#include "async/termination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/integers.h"

enum { RUNNING = 3 /* small updates in a row that make a block persistent */, CHILDREN = 2 };

const char *const hg_detection_names[] = {"exact", "persistent", "bounded", NULL};

typedef struct block {
  int small;    /* small updates in a row */
  double since; /* when the first of them ended, s */
  bool converged, given_up;
  int64_t measured;
  double residual, running;
  uint64_t balance;
} block;

struct hg_detect {
  hg_detection how;
  double tolerance;
  double hold; /* s that a criterion must have held; for bounded delays */
  int blocks, children;
  bool root;
  block *block;
  int64_t relapses; /* of this rank's blocks */
  hg_detect_report child[CHILDREN], report;
  hg_detect_order order;
  int64_t relapses_before; /* root: count when all had converged at the previous wave */
  bool last;               /* root: the current round is the last, whatever it measures */
};

double hg_detection_criterion(hg_detection how, double tolerance)
{
  return how.kind == HG_DETECT_BOUNDED ? tolerance / 2 : tolerance;
}

hg_status hg_detect_make(int blocks, int children, bool root, hg_detect **out)
{
  hg_detect *d = calloc(1, sizeof *d);
  block *list = calloc((size_t)blocks + 1, sizeof *list);
  if (!d || !list) {
    free(d);
    free(list);
    return hg_fail(HG_MEMORY, "no memory for %d blocks", blocks);
  }
  *d = (hg_detect){.blocks = blocks, .children = children, .root = root, .block = list};
  *out = d;
  return HG_OK;
}

void hg_detect_free(hg_detect *d)
{
  if (d) free(d->block);
  free(d);
}

int hg_detect_parent(int rank)
{
  return rank > 0 ? (rank - 1) / CHILDREN : -1;
}

int hg_detect_children(int rank, int ranks, int child[2])
{
  int count = 0;
  for (int i = 1; i <= CHILDREN; i++)
    if (CHILDREN * rank + i < ranks) child[count++] = CHILDREN * rank + i;
  return count;
}

/* --- reports --- */

static double larger(double a, double b)
{
  return isnan(a) || a > b ? a : b;
}

/* The report of no block at all. */
static hg_detect_report nobody(const hg_detect *d)
{
  return (hg_detect_report){.decided = d->order.decided,
                            .wave = d->order.wave,
                            .measured = d->order.round,
                            .residual = -INFINITY,
                            .running = -INFINITY,
                            .relapses = d->relapses,
                            .converged = true};
}

static void join(hg_detect_report *all, const hg_detect_report *one)
{
  all->decided = hg_min(all->decided, one->decided);
  all->wave = hg_min(all->wave, one->wave);
  all->relapses += one->relapses;
  all->residual = larger(one->residual, all->residual);
  all->measured = hg_min(all->measured, one->measured);
  all->converged = all->converged && one->converged;
  all->given_up = all->given_up || one->given_up;
  all->balance += one->balance;
  all->running = larger(one->running, all->running);
}

/* The report of this rank's own blocks. */
static hg_detect_report sum_up_own(const hg_detect *d)
{
  hg_detect_report all = nobody(d);
  for (int i = 0; i < d->blocks; i++) {
    const block *b = &d->block[i];
    const hg_detect_report one = {.decided = d->order.decided,
                                  .wave = d->order.wave,
                                  .measured = b->measured,
                                  .residual = b->residual,
                                  .converged = b->converged,
                                  .balance = b->balance,
                                  .running = b->running,
                                  .given_up = b->given_up};
    join(&all, &one);
  }
  return all;
}

/* The residual is valid only if all have measured the same round, which is then the newest. */
static void sum_up(hg_detect *d)
{
  d->report = sum_up_own(d);
  for (int i = 0; i < d->children; i++) join(&d->report, &d->child[i]);
}

/* --- rank 0 decides --- */

static void freeze(hg_detect *d, bool last)
{
  d->order.round++;
  d->last = last;
}

/* A second check that all blocks have converged; none may have relapsed in between. */
static void ask_again(hg_detect *d)
{
  const hg_detect_report *r = &d->report;
  if (r->wave < d->order.wave) return;
  if (d->order.wave > 0 && r->relapses == d->relapses_before) {
    freeze(d, true);
    return;
  }
  d->relapses_before = r->relapses;
  d->order.wave++;
}

static void decide_round(hg_detect *d)
{
  d->order.decided = d->order.round;
  d->order.residual = d->report.residual;
  d->order.stop = d->last || d->report.residual <= d->tolerance;
}

/* Ends with the running vector, which no block will change. */
static void settle(hg_detect *d)
{
  hg_detect_report all = d->report;
  if (!d->root) join(&all, &d->order.others);
  if (!all.converged || all.balance != 0) return;
  d->order.stop = d->order.settled = true;
  d->order.residual = all.running;
}

/* Returns whether the order has changed. */
static bool decide(hg_detect *d)
{
  const hg_detect_order before = d->order;
  const hg_detect_report *r = &d->report;
  if (d->order.stop) return false;
  if (d->order.round > d->order.decided) {
    if (r->measured == d->order.round) decide_round(d);
  } else if (r->decided == d->order.decided) {
    if (r->given_up)
      freeze(d, true);
    else if (r->converged && d->how.kind == HG_DETECT_PERSISTENT)
      ask_again(d);
    else if (r->converged && d->how.kind == HG_DETECT_REST)
      settle(d);
    else if (r->converged)
      freeze(d, d->how.kind != HG_DETECT_EXACT);
  }
  return before.wave != d->order.wave || before.round != d->order.round || before.decided != d->order.decided;
}

/* After a decision to continue, a block must sweep before it counts as converged again. */
static void sweep_on(hg_detect *d, int64_t decided_before)
{
  for (int i = 0; i < d->blocks && d->order.decided > decided_before; i++) {
    d->block[i].converged = false;
    d->block[i].small = 0;
  }
}

static void follow(hg_detect *d)
{
  sum_up(d);
  for (int64_t decided = d->order.decided; d->root && decide(d); decided = d->order.decided) {
    sweep_on(d, decided);
    sum_up(d);
  }
  if (!d->root && d->how.kind == HG_DETECT_REST && !d->order.stop) settle(d);
}

/* --- events --- */

/* Depth of the tree: how many messages a report takes to rank 0. */
static int depth(int ranks)
{
  int levels = 0;
  for (int rank = ranks - 1; rank > 0; rank = hg_detect_parent(rank)) levels++;
  return levels;
}

void hg_detect_begin(hg_detect *d, hg_detection how, double tolerance, int ranks)
{
  d->how = how;
  d->tolerance = tolerance;
  d->hold = how.kind == HG_DETECT_BOUNDED ? (depth(ranks) + 1) * how.bound : 0;
  memset(d->block, 0, (size_t)d->blocks * sizeof *d->block);
  memset(d->child, 0, sizeof d->child);
  memset(&d->order, 0, sizeof d->order);
  d->relapses = d->relapses_before = 0;
  d->last = false;
  follow(d);
}

/* Whether a block whose criterion has held until now has converged. */
static bool is_enough(const hg_detect *d, const block *b, double now)
{
  const int wanted = d->how.kind == HG_DETECT_PERSISTENT ? RUNNING : 1;
  return b->small >= wanted && now - b->since >= d->hold;
}

uint64_t hg_detect_version(uint64_t link, int64_t version)
{
  const uint64_t both[] = {link, (uint64_t)version};
  uint64_t hash = HG_HASH_START;
  hg_hash_mix(&hash, both, sizeof both);
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

void hg_detect_balance(hg_detect *d, int number, double residual, uint64_t balance)
{
  if (d->how.kind != HG_DETECT_REST) return;
  d->block[number].running = residual;
  d->block[number].balance = balance;
}

void hg_detect_sweep(hg_detect *d, int number, bool small, bool news, double now)
{
  block *b = &d->block[number];
  if (!small)
    b->small = 0;
  else if (b->small < RUNNING && (news || d->how.kind != HG_DETECT_PERSISTENT) && b->small++ == 0)
    b->since = now;
  const bool converged = is_enough(d, b, now);
  if (b->converged && !converged) d->relapses++;
  b->converged = converged;
  follow(d);
}

void hg_detect_give_up(hg_detect *d, int number)
{
  d->block[number].given_up = true;
  follow(d);
}

void hg_detect_measured(hg_detect *d, int number, int64_t round, double residual)
{
  d->block[number].measured = round;
  d->block[number].residual = residual;
  follow(d);
}

void hg_detect_receive_report(hg_detect *d, int child, const hg_detect_report *report)
{
  d->child[child] = *report;
  follow(d);
}

void hg_detect_receive_order(hg_detect *d, const hg_detect_order *order)
{
  const int64_t decided = d->order.decided;
  d->order = *order;
  sweep_on(d, decided);
  follow(d);
}

/* --- */

const hg_detect_report *hg_detect_report_now(const hg_detect *d)
{
  return &d->report;
}

const hg_detect_order *hg_detect_order_now(const hg_detect *d)
{
  return &d->order;
}

hg_detect_order hg_detect_order_for(const hg_detect *d, int child)
{
  hg_detect_order order = d->order;
  if (d->how.kind != HG_DETECT_REST) return order;
  hg_detect_report others = sum_up_own(d);
  for (int i = 0; i < d->children; i++)
    if (i != child) join(&others, &d->child[i]);
  if (!d->root) join(&others, &d->order.others);
  order.others = others;
  return order;
}

bool hg_detect_is_converged(const hg_detect *d, int number)
{
  return d->block[number].converged;
}
