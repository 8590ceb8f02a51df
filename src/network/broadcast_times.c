/* SPDX-License-Identifier: MIT */
/* The time of a broadcast, message by message. Example: 4 ranks, T = 3 us, overhead 1 us, binomial: rank 0 sends to 2
 * at 0 and to 1 at 1 us. Rank 2 has the data at 3 us and sends them to 3, which has them at 6 us; 1 has them at 4 us.
 * The broadcast takes 6 us. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "network/schedule.h"

const char *const hg_broadcast_names[] = {"linear", "binomial", "chain", "doubling", "ring", NULL};

enum { TRANSFERS = 16 }; /* most messages of a rank in a tree, for 2^TRANSFERS ranks */

static const hg_message_cost *cost_of(hg_schedule *s, bool nodes, int64_t bytes)
{
  hg_message_cost *c = &s->last[nodes];
  if (c->bytes == bytes) return c;
  c->bytes = bytes;
  c->time = hg_network_time(s->level[nodes], (double)bytes);
  c->gap = hg_network_gap(s->level[nodes], (double)bytes);
  c->wire = hg_network_wire(s->level[nodes], (double)bytes);
  c->link = nodes ? hg_network_link(s->level[nodes], (double)bytes) : 0;
  c->overhead = hg_network_overhead(s->level[nodes], (double)bytes);
  return c;
}

/* Arrival of a message that takes `time` if alone, given when the links of both nodes are free. */
static double through_links(hg_schedule *s, int a, int b, const hg_message_cost *c, double start)
{
  const double rest = c->time - c->wire; /* time apart from the links */
  s->node_out[a] = fmax(s->node_out[a], start) + c->link;
  s->node_in[b] = fmax(s->node_in[b], start + rest) + c->link;
  return fmax(s->node_out[a] + rest, s->node_in[b]);
}

double hg_schedule_send(hg_schedule *s, int from, int to, int64_t bytes)
{
  const int a = from / s->per_node, b = to / s->per_node;
  const hg_message_cost *c = cost_of(s, a != b, bytes);
  const double start = fmax(s->data[from], s->out[from]);
  double arrival = fmax(start + c->time, s->in[to] + c->gap);
  if (a != b) arrival = fmax(arrival, through_links(s, a, b, c, start));
  s->out[from] = c->overhead < c->wire ? start + c->wire : arrival - c->time + c->overhead;
  s->in[to] = arrival;
  return arrival;
}

static void linear(hg_schedule *s)
{
  for (int r = 1; r < s->ranks; r++) s->data[r] = hg_schedule_send(s, 0, r, s->bytes);
}

int64_t hg_broadcast_part(int64_t bytes, int ranks, int rank)
{
  const int64_t part = (bytes + ranks - 1) / ranks, rest = bytes - part * rank;
  return rest < 0 ? 0 : rest < part ? rest : part;
}

/* Bytes of ranks first .. first + count - 1 after the scatter. */
static int64_t share_of(const hg_schedule *s, int first, int count)
{
  int64_t sum = 0;
  for (int r = first; r < first + count && r < s->ranks; r++) sum += hg_broadcast_part(s->bytes, s->ranks, r);
  return sum;
}

/* Messages of a rank on its node's link, which they share equally while they overlap. */
typedef struct transfers {
  int count, to[TRANSFERS];
  double begin[TRANSFERS], wire[TRANSFERS], rest[TRANSFERS],
      end[TRANSFERS];     /* wire: s on the link if alone; rest: the rest of T */
  double link[TRANSFERS]; /* share of the link's time that it takes from other ranks */
} transfers;

/* Time of the next change on the link, with `on` messages on it. */
static double next_event(const transfers *c, double now, const double *left, int on)
{
  double next = INFINITY;
  for (int i = 0; i < c->count; i++) {
    if (c->begin[i] > now) next = fmin(next, c->begin[i]);
    if (c->begin[i] <= now && left[i] > 0) next = fmin(next, now + left[i] * on);
  }
  return next;
}

static void share_link(transfers *c)
{
  double left[TRANSFERS], now = -INFINITY, next;
  memcpy(left, c->wire, sizeof left);
  do {
    int on = 0;
    for (int i = 0; i < c->count; i++) on += c->begin[i] <= now && left[i] > 0;
    next = next_event(c, now, left, on);
    for (int i = 0; i < c->count && on > 0 && next < INFINITY; i++) {
      if (c->begin[i] > now || !(left[i] > 0)) continue;
      left[i] -= (next - now) / on;
      if (left[i] <= 1e-9 * c->wire[i]) left[i] = 0, c->end[i] = next;
    }
    now = next;
  } while (next < INFINITY);
}

/* Adds a message, for which its sender does not wait, to those on the link. */
static void join(hg_schedule *s, int from, int to, const hg_message_cost *c, transfers *all)
{
  const int i = all->count++;
  const double start = fmax(fmax(s->data[from], s->out[from]), s->node_out[from / s->per_node]);
  all->to[i] = to;
  all->begin[i] = all->end[i] = start;
  all->wire[i] = c->wire;
  all->rest[i] = c->time - c->wire;
  all->link[i] = c->wire > 0 ? fmin(c->link / c->wire, 1) : 0;
  s->out[from] = start + c->overhead;
}

static void arrive(hg_schedule *s, int from, transfers *all)
{
  share_link(all);
  for (int i = 0; i < all->count; i++) {
    s->in[all->to[i]] = s->data[all->to[i]] = all->end[i] + all->rest[i];
    s->node_in[all->to[i] / s->per_node] = fmax(s->node_in[all->to[i] / s->per_node], s->data[all->to[i]]);
    s->out[from] = fmax(s->out[from], all->end[i]);
    s->node_out[from / s->per_node] =
        fmax(s->node_out[from / s->per_node], all->begin[i] + all->link[i] * (all->end[i] - all->begin[i]));
  }
}

/* Sends down a binomial tree: everything, or to each child the part for its subtree. Messages between nodes that leave
 * the sender while the link is busy share it, so the first arrives as late as the last. */
static void pass_on(hg_schedule *s, int rank, int top, bool scatter)
{
  transfers all = {.count = 0};
  for (int step = top / 2; step > 0; step /= 2) {
    const int to = rank + step;
    const int64_t bytes = to >= s->ranks ? 0 : scatter ? share_of(s, to, step) : s->bytes;
    const bool nodes = rank / s->per_node != to / s->per_node;
    const hg_message_cost *c = cost_of(s, nodes, bytes);
    if (bytes == 0) continue;
    if (nodes && c->overhead < c->wire)
      join(s, rank, to, c, &all);
    else
      s->data[to] = hg_schedule_send(s, rank, to, bytes);
  }
  arrive(s, rank, &all);
}

static void tree(hg_schedule *s, bool scatter)
{
  int top = 1;
  while (top < s->ranks) top *= 2;
  for (int r = 0; r < s->ranks; r++) pass_on(s, r, r ? r & -r : top, scatter);
}

static void binomial(hg_schedule *s)
{
  tree(s, false);
}

/* A rank's step ends when its receive has arrived and its send has left. */
static void finish_step(hg_schedule *s, double *arrival)
{
  for (int r = 0; r < s->ranks; r++) s->data[r] = fmax(fmax(arrival[r], s->out[r]), s->data[r]);
}

/* Messages between the ranks of two nodes in a step share the link, so the first arrives as late as the last. */
static void even_out(const hg_schedule *s, int step, double *arrival)
{
  for (int first = 0; first < s->ranks; first += s->per_node) {
    const int end = first + s->per_node < s->ranks ? first + s->per_node : s->ranks;
    double last = 0;
    for (int r = first; r < end; r++)
      if ((r ^ step) / s->per_node != r / s->per_node) last = fmax(last, arrival[r]);
    for (int r = first; r < end; r++)
      if ((r ^ step) / s->per_node != r / s->per_node) arrival[r] = last;
  }
}

static void doubling(hg_schedule *s)
{
  double arrival[s->ranks];
  tree(s, true);
  for (int step = 1; step < s->ranks; step *= 2) {
    for (int r = 0; r < s->ranks; r++) {
      const int64_t bytes = share_of(s, r / step * step, step);
      arrival[r ^ step] = bytes > 0 ? hg_schedule_send(s, r, r ^ step, bytes) : 0;
    }
    even_out(s, step, arrival);
    finish_step(s, arrival);
  }
}

static void ring(hg_schedule *s)
{
  double arrival[s->ranks];
  tree(s, true);
  for (int step = 0; step + 1 < s->ranks; step++) {
    for (int r = 0; r < s->ranks; r++) {
      const int next = (r + 1) % s->ranks, part = (r - step + s->ranks) % s->ranks;
      const int64_t bytes = hg_broadcast_part(s->bytes, s->ranks, part);
      arrival[next] = bytes > 0 ? hg_schedule_send(s, r, next, bytes) : 0;
    }
    finish_step(s, arrival);
  }
}

static void chain(hg_schedule *s, int64_t segment)
{
  const double begin = s->data[0];
  for (int64_t at = 0; at < s->bytes; at += segment) {
    const int64_t bytes = s->bytes - at < segment ? s->bytes - at : segment;
    s->data[0] = begin;
    for (int r = 1; r < s->ranks; r++) s->data[r] = hg_schedule_send(s, r - 1, r, bytes);
  }
}

static double latest(const hg_schedule *s)
{
  double time = 0;
  for (int r = 0; r < s->ranks; r++) time = fmax(time, s->data[r]);
  return time;
}

static hg_status check(const hg_rank_layout *g, hg_broadcast_algorithm algorithm, int64_t bytes)
{
  if (g->ranks < 1 || g->ranks > HG_GROUP_MOST)
    return hg_fail(HG_INVALID, "a broadcast among %d ranks, must be in 1..%d", g->ranks, HG_GROUP_MOST);
  if (g->per_node < 0) return hg_fail(HG_INVALID, "%d ranks per node, must be >= 0", g->per_node);
  if (bytes < 0) return hg_fail(HG_INVALID, "a broadcast of %lld bytes, must be >= 0", (long long)bytes);
  if (algorithm == HG_BROADCAST_DOUBLING && (g->ranks & (g->ranks - 1)) != 0)
    return hg_fail(HG_INVALID, "doubling among %d ranks, must be a power of 2", g->ranks);
  return HG_OK;
}

void hg_schedule_broadcast(hg_schedule *s, hg_broadcast_algorithm algorithm, int64_t bytes, int64_t segment)
{
  s->bytes = bytes;
  s->data[0] = fmax(s->data[0], s->out[0]);
  switch (algorithm) {
  case HG_BROADCAST_LINEAR: linear(s); break;
  case HG_BROADCAST_BINOMIAL: binomial(s); break;
  case HG_BROADCAST_CHAIN: chain(s, segment > 0 ? segment : bytes); break;
  case HG_BROADCAST_DOUBLING: doubling(s); break;
  case HG_BROADCAST_RING:
  case HG_BROADCASTS: ring(s); break;
  }
}

hg_status hg_schedule_make(const hg_network *n, const hg_rank_layout *g, hg_schedule *out)
{
  const size_t ranks = (size_t)g->ranks;
  if (!hg_network_between(n, false)) return hg_fail(HG_UNSUPPORTED, "%s: has no level between ranks", n->path);
  hg_schedule s = {.level = {hg_network_between(n, false), hg_network_between(n, true)},
                   .last = {{.bytes = -1}, {.bytes = -1}},
                   .ranks = g->ranks,
                   .per_node = g->per_node ? g->per_node : g->ranks,
                   .data = calloc(5 * ranks, sizeof *s.data)};
  if (!s.data) return hg_fail(HG_MEMORY, "no memory to predict messages among %d ranks", g->ranks);
  s.out = s.data + ranks;
  s.in = s.out + ranks;
  s.node_out = s.in + ranks;
  s.node_in = s.node_out + ranks;
  for (size_t r = 0; r < 3 * ranks; r++) s.in[r] = -INFINITY; /* nothing arrived yet; links are free */
  *out = s;
  return HG_OK;
}

void hg_schedule_free(hg_schedule *s)
{
  free(s->data);
}

hg_status hg_network_broadcast(const hg_network *n, const hg_rank_layout *g, hg_broadcast_algorithm algorithm,
                               int64_t bytes, int64_t segment, double *seconds)
{
  hg_schedule s;
  HG_TRY(check(g, algorithm, bytes));
  *seconds = 0;
  if (g->ranks == 1 || bytes == 0) return HG_OK;
  HG_TRY(hg_schedule_make(n, g, &s));
  hg_schedule_broadcast(&s, algorithm, bytes, segment);
  *seconds = latest(&s);
  hg_schedule_free(&s);
  return HG_OK;
}
