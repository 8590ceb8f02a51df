/* SPDX-License-Identifier: MIT */
#include "schedulers/task_graph.h"

#include <stdlib.h>

#include "base/memory.h"

/* A task of the graph, possibly finished by now. */
typedef struct reference {
  int node;
  uint32_t born;
} reference;

typedef struct hg_data_record {
  const void *key;
  reference writer, *reader; /* of this version of the data; some may be finished */
  int readers, room;
  bool written;       /* by some task */
  const void *serves; /* what the last task that reads it writes */
  bool again;         /* ... and one before that wrote the same */
} hg_data_record;

static bool alive(const hg_task_graph *g, reference r)
{
  return r.node >= 0 && g->node[r.node].task && g->node[r.node].born == r.born;
}

/* Whether a task other than node `n` uses the data. */
static bool in_use(const hg_task_graph *g, const hg_data_record *d, int n)
{
  bool used = d->writer.node != n && alive(g, d->writer);
  for (int i = 0; i < d->readers && !used; i++) used = d->reader[i].node != n && alive(g, d->reader[i]);
  return used;
}

/* Forgets data that no task uses. */
static void purge(hg_task_graph *g)
{
  int kept = 0;
  for (int i = 0; i < g->datas; i++) {
    const hg_data_record d = g->data[i];
    if (in_use(g, &d, -1)) {
      hg_map_set(&g->of_data, d.key, kept);
      g->data[kept++] = d;
    } else {
      hg_map_forget(&g->of_data, d.key);
      free(d.reader);
    }
  }
  g->datas = kept;
}

static hg_data_record *record_of(hg_task_graph *g, const void *key)
{
  int i = hg_map_find(&g->of_data, key);
  if (i >= 0) return &g->data[i];
  if (g->datas == g->data_room) {
    purge(g);
    const int room = g->datas > g->data_room / 2 ? 2 * g->data_room : g->data_room ? g->data_room : 64;
    hg_data_record *data = realloc(g->data, (size_t)room * sizeof *data);
    if (!data) return NULL;
    g->data = data;
    g->data_room = room;
  }
  if (!hg_map_set(&g->of_data, key, g->datas)) return NULL;
  g->data[g->datas] = (hg_data_record){.key = key, .writer = {.node = -1}};
  return &g->data[g->datas++];
}

static int new_node(hg_task_graph *g)
{
  if (g->free >= 0 && g->nodes > 0) {
    const int n = g->free;
    g->free = g->node[n].later;
    return n;
  }
  if (hg_grow("the graph of tasks", (void **)&g->node, g->nodes, sizeof *g->node) != HG_OK) return -1;
  if (g->nodes == 0) g->first = g->last = g->free = -1;
  g->node[g->nodes].wait = NULL;
  g->node[g->nodes].wait_room = 0;
  return g->nodes++;
}

/* `n` waits for the task. Ranks are updated by one step at once. If memory runs out the dependency is not recorded. */
static void wait_for(hg_task_graph *g, int n, reference r)
{
  if (!alive(g, r) || r.node == n) return;
  hg_task_graph_node *node = &g->node[n], *other = &g->node[r.node];
  if (other->rank < other->seconds + node->rank) other->rank = other->seconds + node->rank;
  if (node->waits == node->wait_room) {
    const int room = node->wait_room ? 2 * node->wait_room : 2;
    int *wait = realloc(node->wait, (size_t)room * sizeof *wait);
    if (!wait) return;
    node->wait = wait;
    node->wait_room = room;
  }
  node->wait[node->waits++] = r.node;
}

/* Drops readers that are finished. */
static bool make_room(const hg_task_graph *g, hg_data_record *d)
{
  int left = 0;
  for (int i = 0; i < d->readers; i++)
    if (alive(g, d->reader[i])) d->reader[left++] = d->reader[i];
  d->readers = left;
  if (2 * left < d->room) return true;
  const int room = d->room ? 2 * d->room : 4;
  reference *reader = realloc(d->reader, (size_t)room * sizeof *reader);
  if (!reader) return left < d->room;
  d->reader = reader;
  d->room = room;
  return true;
}

/* Returns whether the task writes data that an unfinished task wrote and none has read since. */
static bool follow(hg_task_graph *g, int n, const hg_access *a, const void *serves)
{
  hg_data_record *d = record_of(g, a->data);
  const bool writes = a->how == HG_WRITES;
  if (!d) return false;
  const reference self = {n, g->node[n].born};
  const bool rewrites = writes && d->readers == 0 && alive(g, d->writer);
  if (!writes || d->readers == 0) wait_for(g, n, d->writer);
  for (int i = 0; writes && i < d->readers; i++) wait_for(g, n, d->reader[i]);
  if (writes) {
    d->writer = self;
    d->readers = 0;
    d->written = true;
  } else {
    d->again = d->again || (serves && d->serves == serves);
    d->serves = serves;
    if (d->readers < d->room || make_room(g, d)) d->reader[d->readers++] = self;
  }
  return rewrites;
}

/* The data that a task is for. */
static const void *first_written(const hg_access *access, int accesses)
{
  for (int i = 0; i < accesses; i++)
    if (access[i].how != HG_READS) return access[i].data;
  return NULL;
}

int hg_task_graph_add(hg_task_graph *g, const void *task, double seconds, const hg_access *access, int accesses)
{
  const int n = new_node(g);
  if (n < 0) return -1;
  g->node[n] = (hg_task_graph_node){.task = task,
                                    .seconds = (float)seconds,
                                    .rank = (float)seconds,
                                    .earlier = g->last,
                                    .later = -1,
                                    .tile = -1,
                                    .worker = -1,
                                    .owner = -1,
                                    .wait = g->node[n].wait,
                                    .wait_room = g->node[n].wait_room,
                                    .born = ++g->births};
  const void *serves = first_written(access, accesses);
  bool rewrites = false;
  for (int i = 0; i < accesses; i++) rewrites |= follow(g, n, &access[i], serves);
  if (rewrites && g->node[n].waits == 1) g->node[g->node[n].wait[0]].chained = true;
  *(g->last >= 0 ? &g->node[g->last].later : &g->first) = n;
  g->last = n;
  g->live++;
  g->seconds += g->node[n].seconds;
  g->unranked++;
  return n;
}

bool hg_task_graph_holds(const hg_task_graph *g, intptr_t n, const void *task)
{
  return n >= 0 && n < g->nodes && g->node[n].task == task;
}

bool hg_task_graph_wants(const hg_task_graph *g, const void *data, int n)
{
  const int i = hg_map_find(&g->of_data, data);
  return i >= 0 && in_use(g, &g->data[i], n);
}

bool hg_task_graph_again(const hg_task_graph *g, const void *data)
{
  const int i = hg_map_find(&g->of_data, data);
  return i >= 0 && g->data[i].again && !g->data[i].written;
}

void hg_task_graph_remove(hg_task_graph *g, int n)
{
  hg_task_graph_node *node = &g->node[n];
  *(node->earlier >= 0 ? &g->node[node->earlier].later : &g->first) = node->later;
  *(node->later >= 0 ? &g->node[node->later].earlier : &g->last) = node->earlier;
  g->live--;
  g->seconds = g->live > 0 ? g->seconds - node->seconds : 0;
  node->task = NULL;
  node->later = g->free;
  g->free = n;
}

bool hg_task_graph_has_grown(const hg_task_graph *g)
{
  return g->unranked >= 32 && 2 * g->unranked > g->live;
}

/* The path of a task is at least as long as that of a task that waits for it, unless the node by now belongs to a
 * newer task. */
static void rank_before(hg_task_graph *g, const hg_task_graph_node *node, int before)
{
  hg_task_graph_node *other = &g->node[before];
  if (!other->task || (int32_t)(other->born - node->born) > 0) return;
  if (other->rank < other->seconds + node->rank) other->rank = other->seconds + node->rank;
}

void hg_task_graph_rank(hg_task_graph *g)
{
  for (int n = g->nodes > 0 ? g->last : -1; n >= 0; n = g->node[n].earlier) {
    const hg_task_graph_node *node = &g->node[n];
    for (int i = 0; i < node->waits; i++) rank_before(g, node, node->wait[i]);
  }
  g->unranked = 0;
}

void hg_task_graph_free(hg_task_graph *g)
{
  hg_map_clear(&g->of_data);
  for (int n = 0; n < g->nodes; n++) free(g->node[n].wait);
  for (int i = 0; i < g->datas; i++) free(g->data[i].reader);
  free(g->node);
  free(g->data);
  *g = (hg_task_graph){0};
}

void hg_task_graph_forget_tiles(hg_task_graph *g)
{
  for (int i = 0; i < g->nodes; i++) g->node[i].tile = -1;
}
