/* SPDX-License-Identifier: MIT */
/* hetgrid-nphp, the policy of the thesis, also meant to learn from. The grid of tiles is divided into one region per
 * worker, with as many tiles as balance the workers' times (FPMC, thesis 4.3), placed by the slicing tree of NPHP
 * (3.4). A task runs on the owner of the tile that it writes; no other worker takes it. Tasks that write no tile, or
 * tiles that are not written equally often, go where they finish first. HETGRID_NPHP has options, with commas between:
 *   rows  regions are rows of tiles
 *   even  regions are equal
 *   dfpa  regions are made again from measured times when workers are out of balance (DFPA) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "schedulers/constants.h"
#include "schedulers/costs.h"
#include "schedulers/nphp.h"
#include "schedulers/placement.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"
#include "schedulers/speeds.h"

typedef struct hg_nphp {
  const char *partitioner;
  bool even, refines;
  double epsilon;                  /* by which part of the shortest busy time the longest may exceed it */
  int out_of_balance;              /* rounds in a row */
  int64_t finished;                /* tasks since busy times were last compared */
  double busy[STARPU_NMAXWORKERS]; /* s, since then */
  double mean[STARPU_NMAXWORKERS]; /* s, measured for a task that writes a tile; 0: none yet */
  hg_tile_tables tables;
} hg_nphp;

static void count_owned(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) p->worker[w].owned = 0;
  for (int i = 0; i < p->owners.tiles; i++)
    if (p->owners.tile[i].key && p->owners.tile[i].worker >= 0) p->worker[p->owners.tile[i].worker].owned++;
}

/* The owner of a waiting task's tile, if the task is in another worker's queue and the owner can run it, or -1. */
static int wanted_elsewhere(hg_policy *p, const hg_ready *r, int w, double *seconds)
{
  const int owner = r->tile >= 0 ? p->owners.tile[r->tile].worker : w;
  if (owner == w || owner < 0) return -1;
  *seconds = hg_sched_expected(p, r, owner);
  return isfinite(*seconds) ? owner : -1;
}

/* Moves the tasks of a queue to their tiles' new owners. */
static void follow_from(hg_policy *p, hg_queue *q, int w)
{
  for (int i = q->count - 1; i >= 0; i--) {
    double seconds;
    const int owner = wanted_elsewhere(p, hg_queue_at(q, i), w, &seconds);
    if (owner < 0) continue;
    hg_sched_put(p, &p->worker[owner].queue, owner, hg_sched_take(p, q, i, seconds));
  }
}

/* Divides the tiles that have not run, by p->seconds: each worker's time per tile. */
static void assign(hg_policy *p)
{
  const hg_nphp *n = p->nphp;
  if (!n->even) hg_tile_tables_divide(&n->tables, &p->owners, p->workers, n->partitioner, p->seconds);
  for (int w = 0; n->even && w < p->workers; w++)
    if (isfinite(p->seconds[w])) p->seconds[w] = 1;
  if (hg_owners_assign(&p->owners, n->partitioner, p->workers, p->seconds) != HG_OK) return;
  count_owned(p);
  follow_from(p, &p->shared, -1);
  for (int w = 0; w < p->workers; w++) follow_from(p, &p->worker[w].queue, w);
}

/* As long as no task has run, divides all tiles at once. */
static void known(hg_policy *p)
{
  if (!hg_sched_regions_of_use(p) || p->owners.assigned == 0) return;
  assign(p);
  for (int w = 0; w < p->workers; w++) hg_sched_prefetch_next(p, w);
}

/* New tiles: measurements of the previous ones say nothing about them. */
static void begin_anew(hg_nphp *n)
{
  memset(n->busy, 0, sizeof n->busy);
  memset(n->mean, 0, sizeof n->mean);
  n->finished = n->out_of_balance = 0;
}

/* While new tiles appear, regions are made again each time their number has grown by an eighth. */
static int owner_of(hg_policy *p, const hg_ready *r, const hg_costs *c)
{
  hg_tile_owner *t = &p->owners.tile[r->tile];
  if (t->worker >= 0 && t->settled) return t->worker;
  if (p->owners.assigned == 0) begin_anew(p->nphp);
  if (!p->user_owned && !p->nphp->even) hg_sched_find_tables(p, r, c, &p->nphp->tables);
  memcpy(p->seconds, c->seconds, sizeof p->seconds);
  if (p->owners.known > p->owners.assigned + p->owners.assigned / 8) assign(p);
  if (t->worker >= 0) return t->worker;
  int best = -1;
  for (int w = 0; w < p->workers; w++)
    if (isfinite(c->seconds[w]) &&
        (best < 0 || (p->worker[w].owned + 1) * c->seconds[w] < (p->worker[best].owned + 1) * c->seconds[best]))
      best = w;
  if (best >= 0) {
    t->worker = best;
    p->worker[best].owned++;
  }
  return best;
}

static int place(hg_policy *p, const hg_ready *r, const hg_costs *c, bool *shared)
{
  *shared = false;
  const int owner = r->tile >= 0 && hg_sched_regions_of_use(p) ? owner_of(p, r, c) : hg_sched_owner(p, r->task, true);
  return owner >= 0 && isfinite(c->seconds[owner]) ? owner : hg_sched_earliest(p, r->task, c);
}

/* Whether the workers' busy times differ too much for the second round in a row. */
static bool out_of_balance(hg_policy *p)
{
  hg_nphp *n = p->nphp;
  double least = INFINITY, most = 0;
  for (int w = 0; w < p->workers; w++) {
    least = fmin(least, n->busy[w]);
    most = fmax(most, n->busy[w]);
  }
  memset(n->busy, 0, sizeof n->busy);
  n->finished = 0;
  n->out_of_balance = most - least > n->epsilon * least ? n->out_of_balance + 1 : 0;
  return n->out_of_balance >= 2;
}

/* DFPA: at most once per round; a tile moves only once. */
static void refine(hg_policy *p)
{
  hg_nphp *n = p->nphp;
  if (!p->regions || n->finished < p->owners.known || !out_of_balance(p)) return;
  n->out_of_balance = 0;
  for (int w = 0; w < p->workers; w++)
    if (n->mean[w] > 0) p->seconds[w] = n->mean[w];
  int owned[p->workers];
  for (int w = 0; w < p->workers; w++) owned[w] = p->worker[w].owned;
  hg_tile_tables_learn(&n->tables, p->workers, owned, n->mean);
  for (int i = 0; i < p->owners.tiles; i++) p->owners.tile[i].settled = false;
  assign(p);
}

static void done(hg_policy *p, int w, double seconds)
{
  hg_nphp *n = p->nphp;
  hg_average_time(&n->mean[w], seconds);
  n->busy[w] += seconds;
  n->finished++;
  hg_tile_tables_measure(&n->tables, w, seconds);
  if (n->refines) refine(p);
}

const hg_rule hg_nphp_rule = {.place = place, .known = known, .done = done, .steals = false};

static void set_option(hg_nphp *n, const char *word)
{
  if (strcmp(word, "rows") == 0)
    n->partitioner = "rows";
  else if (strcmp(word, "even") == 0)
    n->even = true;
  else if (strcmp(word, "dfpa") == 0)
    n->refines = true;
  else
    hg_log(HG_WARN, "HETGRID_NPHP: '%s' is ignored, must be rows, even or dfpa", word);
}

bool hg_nphp_open(hg_policy *p, const char *options, double epsilon)
{
  char *text = strdup(options ? options : ""), *rest = text;
  hg_nphp *n = p->nphp = calloc(1, sizeof *n);
  if (!n || !text) return false;
  n->partitioner = "nphp";
  n->epsilon = epsilon;
  for (const char *word; (word = strsep(&rest, ","));)
    if (*word) set_option(n, word);
  free(text);
  return true;
}

void hg_nphp_close(hg_policy *p)
{
  if (p->nphp) hg_tile_tables_free(&p->nphp->tables);
  free(p->nphp);
}
