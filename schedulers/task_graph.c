/* SPDX-License-Identifier: MIT */
#include "schedulers/task_graph.h"

#include <stdlib.h>
#include <string.h>

/* A task of the graph that may be done by now. */
typedef struct reference {
  int node;
  uint32_t born;
} reference;

enum { READERS = 4 };

typedef struct hg_data_record {
  const void *key;
  reference writer, reader[READERS]; /* the last ones since it was written */
  int readers;
  int known, ready; /* tasks that read it and are not done; those of them that wait for nothing */
  bool written;
  const void *serves; /* what the last one that reads it writes */
  bool again;         /* ... and one before it did */
} hg_data_record;

static bool alive(const hg_task_graph *g, reference r)
{
  return r.node >= 0 && g->node[r.node].task && g->node[r.node].born == r.born;
}

static bool in_use(const hg_task_graph *g, const hg_data_record *d)
{
  bool used = alive(g, d->writer);
  for (int i = 0; i < d->readers; i++) used = used || alive(g, d->reader[i]);
  return used;
}

/* Forgets data that no task uses. */
static void purge(hg_task_graph *g)
{
  int kept = 0;
  for (int i = 0; i < g->datas; i++) {
    const hg_data_record d = g->data[i];
    if (in_use(g, &d)) {
      hg_table_set(&g->of_data, d.key, kept);
      g->data[kept++] = d;
    } else {
      hg_table_forget(&g->of_data, d.key);
    }
  }
  g->datas = kept;
}

static hg_data_record *record_of(hg_task_graph *g, const void *key)
{
  int i = hg_table_find(&g->of_data, key);
  if (i >= 0) return &g->data[i];
  if (g->datas == g->data_room) {
    purge(g);
    const int room = g->datas > g->data_room / 2 ? 2 * g->data_room : g->data_room ? g->data_room : 64;
    hg_data_record *data = realloc(g->data, (size_t)room * sizeof *data);
    if (!data) return NULL;
    g->data = data;
    g->data_room = room;
  }
  if (!hg_table_set(&g->of_data, key, g->datas)) return NULL;
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
  if (g->nodes == g->room) {
    const int room = g->room ? 2 * g->room : 64;
    hg_task_graph_node *node = realloc(g->node, (size_t)room * sizeof *node);
    if (!node) return -1;
    g->node = node;
    g->room = room;
  }
  if (g->nodes == 0) g->first = g->last = g->free = -1;
  return g->nodes++;
}

/* `n` waits for the task. One step of ranking is done at once. */
static void wait_for(hg_task_graph *g, int n, int *links, reference r)
{
  if (!alive(g, r) || r.node == n) return;
  hg_task_graph_node *node = &g->node[n], *other = &g->node[r.node];
  if (other->rank < other->seconds + node->rank) other->rank = other->seconds + node->rank;
  for (int i = 0; i < *links; i++)
    if (node->wait[i] == r.node) return;
  if (*links < HG_GRAPH_LINKS) node->wait[(*links)++] = r.node;
}

static void follow(hg_task_graph *g, int n, int *links, const hg_access *a, const void *serves)
{
  hg_data_record *d = record_of(g, a->data);
  const bool writes = a->how == HG_WRITES;
  if (!d) return;
  const reference self = {n, g->node[n].born};
  if (!writes || d->readers == 0) wait_for(g, n, links, d->writer);
  for (int i = 0; writes && i < d->readers && i < READERS; i++) wait_for(g, n, links, d->reader[i]);
  if (writes) {
    d->writer = self;
    d->readers = 0;
    d->written = true;
  } else {
    d->known++;
    d->again = d->again || (serves && d->serves == serves);
    d->serves = serves;
    d->reader[d->readers < READERS ? d->readers++ : (int)(self.born % READERS)] = self;
  }
}

/* What a task is for. */
static const void *first_written(const hg_access *access, int accesses)
{
  for (int i = 0; i < accesses; i++)
    if (access[i].how != HG_READS) return access[i].data;
  return NULL;
}

int hg_task_graph_add(hg_task_graph *g, const void *task, double seconds, const hg_access *access, int accesses)
{
  int links = 0;
  const int n = new_node(g);
  if (n < 0) return -1;
  g->node[n] = (hg_task_graph_node){.task = task,
                                    .seconds = (float)seconds,
                                    .rank = (float)seconds,
                                    .earlier = g->last,
                                    .later = -1,
                                    .tile = -1,
                                    .worker = -1,
                                    .born = ++g->births};
  const void *serves = first_written(access, accesses);
  for (int i = 0; i < accesses; i++) follow(g, n, &links, &access[i], serves);
  if (links < HG_GRAPH_LINKS) g->node[n].wait[links] = -1;
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
  const int i = hg_table_find(&g->of_data, data);
  if (i < 0) return false;
  const hg_data_record *d = &g->data[i];
  bool wanted = d->writer.node != n && alive(g, d->writer);
  for (int r = 0; r < d->readers; r++) wanted = wanted || (d->reader[r].node != n && alive(g, d->reader[r]));
  return wanted;
}

hg_reading hg_task_graph_reading(const hg_task_graph *g, const void *data)
{
  const int i = hg_table_find(&g->of_data, data);
  if (i < 0) return (hg_reading){.written = false};
  const hg_data_record *d = &g->data[i];
  return (hg_reading){d->written, d->ready, d->known > d->ready ? d->known - d->ready : 0, d->again};
}

void hg_task_graph_reader_ready(hg_task_graph *g, const void *data)
{
  const int i = hg_table_find(&g->of_data, data);
  if (i >= 0) g->data[i].ready++;
}

void hg_task_graph_reader_done(hg_task_graph *g, const void *data)
{
  const int i = hg_table_find(&g->of_data, data);
  if (i < 0) return;
  hg_data_record *d = &g->data[i];
  if (d->known > 0) d->known--;
  if (d->ready > 0) d->ready--;
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

void hg_task_graph_rank(hg_task_graph *g)
{
  for (int n = g->nodes > 0 ? g->last : -1; n >= 0; n = g->node[n].earlier) {
    const hg_task_graph_node *node = &g->node[n];
    for (int i = 0; i < HG_GRAPH_LINKS && node->wait[i] >= 0; i++) {
      hg_task_graph_node *other = &g->node[node->wait[i]];
      if (!other->task || (int32_t)(other->born - node->born) > 0) continue;
      if (other->rank < other->seconds + node->rank) other->rank = other->seconds + node->rank;
    }
  }
  g->unranked = 0;
}

double hg_task_graph_longest(const hg_task_graph *g)
{
  float longest = 0;
  for (int n = g->live > 0 ? g->first : -1; n >= 0; n = g->node[n].later)
    if (g->node[n].rank > longest) longest = g->node[n].rank;
  return longest;
}

void hg_task_graph_free(hg_task_graph *g)
{
  hg_table_clear(&g->of_data);
  free(g->node);
  free(g->data);
  *g = (hg_task_graph){0};
}

void hg_task_graph_forget_tiles(hg_task_graph *g)
{
  for (int i = 0; i < g->nodes; i++) g->node[i].tile = -1;
}
