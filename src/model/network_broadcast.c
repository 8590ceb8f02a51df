/* SPDX-License-Identifier: MIT */
/* The time of a broadcast, message by message. Example: 4 ranks, T = 3 us, overhead 1 us, binomial:
 * rank 0 sends to 2 at 0 and to 1 at 1 us; 2 has it at 3 us and sends to 3, which has it at 6 us; 1
 * has it at 4 us: 6 us. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/network_predict.h"

const char *const hg_broadcast_names[] = {"linear", "binomial", "chain", "doubling", "ring", NULL};

/* T and gap of the size asked for last, by level. */
typedef struct cost {
  int64_t bytes;
  double time, gap, wire, busy; /* wire: what its bytes take; busy: the sender, for the next */
} cost;

/* When what becomes free. */
typedef struct schedule {
  const hg_network_level *level[2]; /* within a node, between nodes */
  cost last[2];
  double sharing; /* of a node's link by its ranks' messages */
  int ranks, per_node;
  int64_t bytes;
  double *data;               /* [ranks] when a rank has what it sends next */
  double *out, *in;           /* [ranks] when its next message may leave; when the last arrived */
  double *node_out, *node_in; /* [ranks] the same of nodes */
} schedule;

static const cost *cost_of(schedule *s, bool nodes, int64_t bytes)
{
  cost *c = &s->last[nodes];
  if (c->bytes == bytes) return c;
  c->bytes = bytes;
  c->time = hg_network_time(s->level[nodes], (double)bytes);
  c->gap = hg_network_gap(s->level[nodes], (double)bytes);
  c->wire = hg_network_wire(s->level[nodes], (double)bytes);
  c->busy = fmax(hg_network_overhead(s->level[nodes], (double)bytes), c->wire);
  return c;
}

/* Sends when the sender has the data. @return when they arrive */
static double send(schedule *s, int from, int to, int64_t bytes)
{
  const int a = from / s->per_node, b = to / s->per_node;
  const bool nodes = a != b;
  const cost *c = cost_of(s, nodes, bytes);
  double start = fmax(s->data[from], s->out[from]);
  if (nodes) start = fmax(start, s->node_out[a]);
  double arrival = fmax(start + c->time, s->in[to] + c->gap);
  if (nodes) {
    arrival = fmax(arrival, s->node_in[b] + s->sharing * c->wire);
    s->node_out[a] = start + s->sharing * c->wire;
    s->node_in[b] = arrival;
  }
  s->out[from] = start + c->busy;
  s->in[to] = arrival;
  return arrival;
}

static void linear(schedule *s)
{
  for (int r = 1; r < s->ranks; r++) s->data[r] = send(s, 0, r, s->bytes);
}

int64_t hg_broadcast_part(int64_t bytes, int ranks, int rank)
{
  const int64_t part = (bytes + ranks - 1) / ranks, rest = bytes - part * rank;
  return rest < 0 ? 0 : rest < part ? rest : part;
}

/* Bytes that belong to ranks first .. first + count - 1 once all is scattered. */
static int64_t share_of(const schedule *s, int first, int count)
{
  int64_t sum = 0;
  for (int r = first; r < first + count && r < s->ranks; r++)
    sum += hg_broadcast_part(s->bytes, s->ranks, r);
  return sum;
}

/* Down a binomial tree: all of it, or to each child what is meant for its subtree. */
static void tree(schedule *s, bool scatter)
{
  int top = 1;
  while (top < s->ranks) top *= 2;
  for (int r = 0; r < s->ranks; r++)
    for (int step = (r ? r & -r : top) / 2; step > 0; step /= 2) {
      const int64_t bytes = r + step >= s->ranks ? 0
                            : scatter            ? share_of(s, r + step, step)
                                                 : s->bytes;
      if (bytes > 0) s->data[r + step] = send(s, r, r + step, bytes);
    }
}

static void binomial(schedule *s)
{
  tree(s, false);
}

/* A rank's step ends when what it receives is there and what it sends has left. */
static void finish_step(schedule *s, double *arrival)
{
  for (int r = 0; r < s->ranks; r++) s->data[r] = fmax(fmax(arrival[r], s->out[r]), s->data[r]);
}

static void doubling(schedule *s)
{
  double arrival[s->ranks];
  tree(s, true);
  for (int step = 1; step < s->ranks; step *= 2) {
    for (int r = 0; r < s->ranks; r++) {
      const int64_t bytes = share_of(s, r / step * step, step);
      arrival[r ^ step] = bytes > 0 ? send(s, r, r ^ step, bytes) : 0;
    }
    finish_step(s, arrival);
  }
}

static void ring(schedule *s)
{
  double arrival[s->ranks];
  tree(s, true);
  for (int step = 0; step + 1 < s->ranks; step++) {
    for (int r = 0; r < s->ranks; r++) {
      const int next = (r + 1) % s->ranks, part = (r - step + s->ranks) % s->ranks;
      const int64_t bytes = hg_broadcast_part(s->bytes, s->ranks, part);
      arrival[next] = bytes > 0 ? send(s, r, next, bytes) : 0;
    }
    finish_step(s, arrival);
  }
}

static void chain(schedule *s, int64_t segment)
{
  for (int64_t at = 0; at < s->bytes; at += segment) {
    const int64_t bytes = s->bytes - at < segment ? s->bytes - at : segment;
    s->data[0] = 0;
    for (int r = 1; r < s->ranks; r++) s->data[r] = send(s, r - 1, r, bytes);
  }
}

static double latest(const schedule *s)
{
  double time = 0;
  for (int r = 0; r < s->ranks; r++) time = fmax(time, s->data[r]);
  return time;
}

static hg_status check(const hg_group *g, hg_broadcast_algorithm algorithm, int64_t bytes)
{
  if (g->ranks < 1 || g->ranks > HG_GROUP_MOST)
    return hg_fail(HG_INVALID, "a broadcast among %d ranks, must be in 1..%d", g->ranks,
                   HG_GROUP_MOST);
  if (g->per_node < 0) return hg_fail(HG_INVALID, "%d ranks of a node, must be >= 0", g->per_node);
  if (bytes < 0)
    return hg_fail(HG_INVALID, "a broadcast of %lld bytes, must be >= 0", (long long)bytes);
  if (algorithm == HG_BROADCAST_DOUBLING && (g->ranks & (g->ranks - 1)) != 0)
    return hg_fail(HG_INVALID, "doubling among %d ranks, must be a power of 2", g->ranks);
  return HG_OK;
}

static void go_through(schedule *s, hg_broadcast_algorithm algorithm, int64_t segment)
{
  switch (algorithm) {
  case HG_BROADCAST_LINEAR: linear(s); break;
  case HG_BROADCAST_BINOMIAL: binomial(s); break;
  case HG_BROADCAST_CHAIN: chain(s, segment > 0 ? segment : s->bytes); break;
  case HG_BROADCAST_DOUBLING: doubling(s); break;
  case HG_BROADCAST_RING:
  case HG_BROADCASTS: ring(s); break;
  }
}

hg_status hg_network_broadcast(const hg_network *n, const hg_group *g,
                               hg_broadcast_algorithm algorithm, int64_t bytes, int64_t segment,
                               double *seconds)
{
  HG_TRY(check(g, algorithm, bytes));
  *seconds = 0;
  if (g->ranks == 1 || bytes == 0) return HG_OK;
  if (!hg_network_between(n, false))
    return hg_fail(HG_UNSUPPORTED, "%s: has no level between ranks", n->path);
  const size_t ranks = (size_t)g->ranks;
  schedule s = {.level = {hg_network_between(n, false), hg_network_between(n, true)},
                .last = {{.bytes = -1}, {.bytes = -1}},
                .ranks = g->ranks,
                .per_node = g->per_node ? g->per_node : g->ranks,
                .bytes = bytes,
                .data = calloc(5 * ranks, sizeof *s.data)};
  if (!s.data)
    return hg_fail(HG_MEMORY, "no memory to predict a broadcast among %d ranks", g->ranks);
  s.sharing = hg_network_sharing(s.level[1]);
  s.out = s.data + ranks;
  s.in = s.out + ranks;
  s.node_out = s.in + ranks;
  s.node_in = s.node_out + ranks;
  for (size_t r = 0; r < 3 * ranks; r++) s.in[r] = -INFINITY; /* nothing came yet, links are free */
  go_through(&s, algorithm, segment);
  *seconds = latest(&s);
  free(s.data);
  return HG_OK;
}
