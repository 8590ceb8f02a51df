/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and in which order the tasks that wait reuse it. Data are asked for ahead only as far as
 * they fit beside each other: more would evict what was brought before. Where they do not all fit, the next task is the
 * one that wants the fewest bytes that are not there (as in Gonthier, Marchal, Thibault, Memory-aware scheduling of
 * tasks sharing data on multiple GPUs with dynamic runtime systems, IPDPS 2022). */
#include <math.h>

#include "schedulers/policy.h"

/* That are not kept in the memory anyway. */
static double bytes_of(const hg_policy *p, unsigned node, struct starpu_task *task)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!hg_sched_keeps(p, node, handle)) bytes += (double)starpu_data_get_size(handle);
  }
  return bytes;
}

void hg_sched_find_memories(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) {
    const unsigned node = hg_sched_node(p, w);
    const starpu_ssize_t bytes = starpu_node_get_kind(node) == STARPU_CPU_RAM ? -1 : starpu_memory_get_total(node);
    p->memory[node].bytes = bytes > 0 ? (double)bytes : 0;
  }
  p->memories_known = true;
  hg_sched_count_members(p);
}

bool hg_sched_limited(const hg_policy *p, int w)
{
  return p->memory[hg_sched_node(p, w)].bytes > 0;
}

bool hg_sched_is_full(const hg_policy *p, unsigned memory)
{
  const double NEARLY = .3, bytes = p->memory[memory].bytes;
  return bytes > 0 && (double)starpu_memory_get_available(memory) < NEARLY * bytes;
}

int hg_sched_without_room(const hg_policy *p, int *ids)
{
  int count = 0;
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].taken > 0 && p->worker[w].begun <= 0 && hg_sched_is_full(p, hg_sched_node(p, w)))
      ids[count++] = p->worker[w].id;
  return count;
}

static bool updates(struct starpu_task *task)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if ((STARPU_TASK_GET_MODE(task, b) & STARPU_RW) == STARPU_RW) return true;
  return false;
}

/* What tasks update leaves where it was, and others may want to take the task there: fewer are asked for. */
int hg_sched_ahead(struct starpu_task *task)
{
  enum { UPDATES = 12 };
  return updates(task) ? UPDATES : HG_AHEAD;
}

/* Data asked for ahead may fill a share of a memory; the rest is for what runs. And no more than the first tasks of a
 * queue want: those that come behind them since keep what they have from others who might take them. */
bool hg_sched_claim(hg_policy *p, int w, hg_ready *r)
{
  const double SHARE = .7, WITH_KEPT = .9;
  const unsigned node = hg_sched_node(p, w);
  hg_memory *m = &p->memory[node];
  r->claimed = 0;
  if (m->bytes <= 0) return true;
  const double bytes = bytes_of(p, node, r->task), room = fmin(SHARE * m->bytes, WITH_KEPT * m->bytes - m->kept);
  if ((m->claimed > 0 && m->claimed + bytes > room) || p->worker[w].asked >= hg_sched_ahead(r->task)) return false;
  p->worker[w].asked++;
  r->claimed = (float)bytes;
  m->claimed += bytes;
  return true;
}

void hg_sched_release(hg_policy *p, int w, const hg_ready *ready)
{
  hg_memory *m = &p->memory[hg_sched_node(p, w)];
  if (m->bytes <= 0) return;
  m->claimed = fmax(0, m->claimed - (double)ready->claimed);
  p->worker[w].asked--;
}

/* StarPU lets a task's data be asked for once; if the task goes elsewhere now, they travel when nothing else does. */
void hg_sched_prefetch(hg_policy *p, int w, struct starpu_task *task)
{
  const unsigned id = (unsigned)p->worker[w].id;
  if (task->prefetched)
    starpu_idle_prefetch_task_input_for(task, id);
  else
    starpu_prefetch_task_input_for(task, id);
}

/* Data that were asked for and have not come are not to be had elsewhere before the device's driver looks again, which
 * it does between tasks: what the device might lose to others must not be asked for too early. Beyond the first tasks
 * the way must not be short against the time until the data are needed; a slow device keeps no data from others at all.
 */
bool hg_sched_is_time(const hg_policy *p, int w, const hg_ready *r, int number, double before)
{
  const double EARLY = 40;
  enum { FEW = 3 };
  const hg_member *m = &p->worker[w];
  if (r->alone <= 0 || (number < FEW && m->pace <= HG_SLOW)) return true;
  const double way = fmax(0, hg_sched_brought(p, w, hg_sched_now())) + (double)r->alone;
  return hg_sched_lasts(m, before) < EARLY * way;
}

bool hg_sched_may_go_elsewhere(const hg_policy *p, int w, const hg_ready *r, const hg_costs *c)
{
  if (p->worker[w].queue.count < HG_KEPT || atomic_load(&p->idlers) == 0) return false;
  for (int i = 0; i < p->workers; i++)
    if (p->idle[i] && p->worker[i].group != p->worker[w].group &&
        hg_sched_do_as_much(p, p->worker[i].group, c->seconds[i], r->seconds))
      return true;
  return false;
}

/* While tiles are still turning up, nothing is brought to a worker that may lose the tile. */
bool hg_sched_may_ask_ahead(hg_policy *p, int w, hg_ready *r, const hg_costs *c)
{
  if (!starpu_get_prefetch_flag() || starpu_memory_nodes_get_count() == 1) return false;
  const bool may_lose = p->regions ? !p->complete : !p->refuted && !p->waited_for && p->owners.most < 2;
  if (r->tile >= 0 && may_lose && !p->owners.tile[r->tile].settled) return false;
  const hg_queue *q = &p->worker[w].queue;
  return q->count < hg_sched_ahead(r->task) && !hg_sched_may_go_elsewhere(p, w, r, c) &&
         hg_sched_is_time(p, w, r, q->count, hg_queue_before(q, r)) && hg_sched_claim(p, w, r);
}

void hg_sched_prefetch_next(hg_policy *p, int w)
{
  int number[HG_AHEAD];
  hg_queue *q = &p->worker[w].queue;
  if (!starpu_get_prefetch_flag() || starpu_memory_nodes_get_count() == 1) return;
  const int count = hg_queue_head(q, HG_AHEAD, number);
  double before = 0;
  for (int i = 0; i < count; before += hg_queue_at(q, number[i++])->seconds) {
    hg_ready *r = hg_queue_at(q, number[i]);
    if (r->prefetched) continue;
    if (!hg_sched_is_time(p, w, r, i, before) || !hg_sched_claim(p, w, r)) return;
    r->prefetched = true;
    const hg_way way = hg_sched_transfer(p, r->task, false, hg_sched_node(p, w), &(hg_fares){.told = 0});
    hg_sched_bring(p, w, r, way.alone - way.updated);
    hg_sched_prefetch(p, w, r->task);
  }
}

/* Bytes that the task reads and that are not in the worker's memory; those on their way count half. */
static double missing(struct starpu_task *task, unsigned node)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    int allocated, valid, loading, requested;
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_R)) continue;
    starpu_data_query_status2(handle, (int)node, &allocated, &valid, &loading, &requested);
    if (!valid || loading || requested)
      bytes += (double)starpu_data_get_size(handle) * (loading || requested ? .5 : 1) + 1;
  }
  return bytes;
}

/* Whether a task of lower priority than the most urgent one may go before it while that one's data travel, where memory
 * is not short: if it takes at most twice as long as what was asked for will be on its way, or begins a path that is
 * nearly as long. */
static bool may_go_before(const hg_policy *p, const hg_ready *r, const hg_ready *first, double way)
{
  const double TIMES = 2, NEARLY = .7;
  return r->seconds <= TIMES * way || (!p->regions && r->rank > NEARLY * first->rank);
}

/* Whether the cores have fewer tasks than would be one more for each, while no path is so long that it decides when all
 * is done. */
static bool cores_starve(const hg_policy *p, const hg_ready *first)
{
  const double LONG = .5; /* of the time that all known tasks take together */
  int cores = 0, waiting = 0;
  if (p->regions || p->groups < 2 || first->rank * p->workers >= LONG * p->graph.seconds) return false;
  for (int w = 0; w < p->workers; w++) {
    if (p->group[p->worker[w].group].type != STARPU_CPU_WORKER) continue;
    cores++;
    waiting += p->worker[w].queue.count;
  }
  return waiting < cores;
}

/* The first of these tasks of the highest priority for which one that suits cores waits, if its data are there; or -1.
 */
static int feeding(const hg_policy *p, const hg_queue *q, unsigned node, const int *number, int count)
{
  const int priority = hg_queue_at(q, number[0])->priority;
  for (int i = 0; i < count; i++) {
    const hg_ready *r = hg_queue_at(q, number[i]);
    if (r->priority != priority) break;
    if (r->node >= 0 && p->graph.node[r->node].feeds && missing(r->task, node) == 0) return number[i];
  }
  return -1;
}

/* Of the first tasks what feeds cores that starve, or the first whose data are there. If there is none, of those of the
 * highest priority the one with the fewest bytes missing where memory is short, else the one whose data were asked for
 * first, since waiting for it is shortest. */
int hg_sched_with_data(const hg_policy *p, int w, bool *ready)
{
  enum { LOOK_AT = 128 };
  int number[LOOK_AT];
  const hg_queue *q = &p->worker[w].queue;
  const unsigned node = hg_sched_node(p, w);
  *ready = true;
  const int count = hg_queue_head(q, LOOK_AT, number);
  const hg_ready *first = hg_queue_at(q, number[0]), *oldest = first;
  const double way = hg_sched_brought(p, w, hg_sched_now());
  const bool full = hg_sched_is_full(p, node);
  double least = INFINITY;
  bool short_of_memory = false;
  const int feeds = cores_starve(p, first) ? feeding(p, q, node, number, count) : -1;
  if (feeds >= 0) return feeds;
  int best = number[0];
  for (int i = 0; i < count; i++) {
    const hg_ready *r = hg_queue_at(q, number[i]);
    const bool urgent = r->priority == first->priority;
    if (!urgent && (full || !may_go_before(p, r, first, way))) continue;
    const double bytes = missing(r->task, node);
    if (bytes == 0) return number[i];
    if (!urgent) continue;
    short_of_memory = short_of_memory || !r->prefetched;
    if (short_of_memory ? bytes < least : r->order < oldest->order) {
      best = number[i];
      oldest = r;
    }
    least = fmin(bytes, least);
  }
  *ready = false;
  return best;
}

int hg_sched_readiest(const hg_policy *p, int w, bool *ready)
{
  *ready = true;
  return starpu_memory_nodes_get_count() == 1 ? hg_queue_first(&p->worker[w].queue) : hg_sched_with_data(p, w, ready);
}

bool hg_sched_for_pool(const hg_policy *p, struct starpu_task *task, const hg_costs *c)
{
  if (updates(task)) return false;
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].member && hg_sched_limited(p, w) && !isfinite(c->seconds[w])) return false;
  return true;
}

/* A task of the pool, with what it lacks in a memory. */
typedef struct candidate {
  int number, lacks, sharing; /* handles that are missing; candidates that lack the same one and nothing else */
  double bytes;
  starpu_data_handle_t missing;
} candidate;

static candidate look(struct starpu_task *task, int number, unsigned node)
{
  candidate c = {.number = number};
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    int allocated, valid, loading, requested;
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_R)) continue;
    starpu_data_query_status2(handle, (int)node, &allocated, &valid, &loading, &requested);
    if (valid || loading || requested) continue;
    c.lacks++;
    c.missing = handle;
    c.bytes += (double)starpu_data_get_size(handle);
  }
  return c;
}

/* First what lacks nothing; then what lacks one piece of data that most others lack, too, and nothing else: it makes
 * them ready for free (DARTS); then what lacks least. */
static bool is_better(const candidate *a, const candidate *b)
{
  if ((a->lacks <= 1) != (b->lacks <= 1)) return a->lacks <= 1;
  if (a->lacks <= 1 && a->lacks != b->lacks) return a->lacks < b->lacks;
  if (a->sharing != b->sharing) return a->sharing > b->sharing;
  return a->bytes < b->bytes;
}

/* Entry of the pool that reuses best what is in a worker's memory, of the first ones of the highest priority. */
static int best_of_pool(const hg_policy *p, int w)
{
  enum { LOOK_AT = 128 };
  int number[LOOK_AT], n = 0, best = 0;
  candidate c[LOOK_AT];
  const int count = hg_queue_head(&p->pool, LOOK_AT, number);
  const int priority = hg_queue_at(&p->pool, number[0])->priority;
  for (; n < count && hg_queue_at(&p->pool, number[n])->priority == priority; n++) {
    c[n] = look(hg_queue_at(&p->pool, number[n])->task, number[n], hg_sched_node(p, w));
    if (c[n].lacks == 0) return number[n];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n && c[i].lacks == 1; j++) c[i].sharing += c[j].lacks == 1 && c[j].missing == c[i].missing;
  for (int i = 1; i < n; i++)
    if (is_better(&c[i], &c[best])) best = i;
  return c[best].number;
}

void hg_sched_draw(hg_policy *p, int w)
{
  enum { AHEAD = 8 };
  hg_queue *own = &p->worker[w].queue;
  while (p->pool.count > 0 && own->count < AHEAD) {
    const int number = best_of_pool(p, w);
    struct starpu_task *task = hg_queue_at(&p->pool, number)->task;
    const double seconds = hg_sched_expected(p, hg_queue_at(&p->pool, number), w);
    if (!isfinite(seconds) || !hg_sched_claim(p, w, hg_queue_at(&p->pool, number))) return;
    hg_ready r = hg_sched_take(p, &p->pool, number);
    r.seconds = seconds;
    r.model = 0;
    r.prefetched = true;
    hg_sched_put(p, own, p->worker[w].id, &r);
    if (starpu_get_prefetch_flag()) hg_sched_prefetch(p, w, task);
  }
}
