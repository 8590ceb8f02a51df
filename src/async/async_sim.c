/* SPDX-License-Identifier: MIT */
#include "async/async_sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef enum happening { SWEPT, ARRIVED, MEASURED } happening;

typedef struct event {
  double time;
  happening what;
  int number; /* of a block, or of a link */
} event;

typedef enum kind { FACE, REPORT, ORDER } kind;

typedef struct letter {
  bool any;
  int64_t round;         /* of frozen faces */
  int64_t version, used; /* of running ones: version of the sender's values, and of the receiver's used for them */
  void *face;
  hg_detect_report report;
  hg_detect_order order;
} letter;

/* From block to block, or from rank to rank. */
typedef struct wire {
  kind what;
  int from, to;
  letter waiting, frozen, flight;
} wire;

typedef struct side {
  int out;                                        /* link to that neighbour, or -1 */
  letter ready, frozen;                           /* the newest messages from that neighbour */
  int64_t version, taken, counted, age, answered; /* answered: version of our values that it has used */
} side;

typedef struct block {
  int rank, slot; /* number among the rank's */
  bool busy, given_up;
  double residual, measured;                 /* of the current sweep, of frozen values */
  int64_t frozen, measuring, begun, version; /* version: of its values */
  bool updated;                              /* the current sweep uses news */
  side side[2];
} block;

typedef struct rank {
  hg_detect *detect;
  int first, blocks, children, child[2], down[2], up;
  hg_detect_report sent;
  hg_detect_order passed[2];
} rank;

typedef struct world {
  const hg_async_sim *row;
  hg_async_sim_stats *stats;
  hg_detection how;
  double now;
  int ranks, links, events;
  block *block;
  rank *rank;
  wire *link;
  event *event;
} world;

/* --- events, the earliest first -------------------------------------------------------------- */

static void add_event(world *w, double after, happening what, int number)
{
  int i = w->events++;
  const event new = {w->now + after, what, number};
  for (; i > 0 && w->event[(i - 1) / 2].time > new.time; i = (i - 1) / 2) w->event[i] = w->event[(i - 1) / 2];
  w->event[i] = new;
}

static event next_event(world *w)
{
  const event first = w->event[0], last = w->event[--w->events];
  int i = 0;
  for (int child = 1; child < w->events; child = 2 * i + 1) {
    if (child + 1 < w->events && w->event[child + 1].time < w->event[child].time) child++;
    if (last.time <= w->event[child].time) break;
    w->event[i] = w->event[child];
    i = child;
  }
  w->event[i] = last;
  return first;
}

/* --- links ----------------------------------------------------------------------------------- */

static size_t bytes_of(const world *w, const wire *l)
{
  return l->what == FACE ? w->row->face : l->what == REPORT ? sizeof(hg_detect_report) : sizeof(hg_detect_order);
}

/* Messages between ranks go from the first block of one to the first block of the other. */
static double flight(const world *w, const wire *l)
{
  const int from = l->what == FACE ? l->from : w->rank[l->from].first,
            to = l->what == FACE ? l->to : w->rank[l->to].first;
  return w->row->work->flight(w->row->self, from, to, bytes_of(w, l));
}

static void depart(world *w, int number)
{
  wire *l = &w->link[number];
  letter *next = l->frozen.any ? &l->frozen : &l->waiting;
  if (l->flight.any || !next->any) return;
  const letter spare = l->flight;
  l->flight = *next;
  *next = spare;
  add_event(w, flight(w, l), ARRIVED, number);
}

static void post_face(world *w, int number, int at, hg_async_sim_vector vector, int64_t round)
{
  const int out = w->block[number].side[at].out;
  if (out < 0) return;
  letter *m = vector == HG_ROW_FROZEN ? &w->link[out].frozen : &w->link[out].waiting;
  w->row->work->leave(w->row->self, number, at, vector, m->face);
  m->any = true;
  m->round = round;
  m->version = w->block[number].version;
  m->used = w->block[number].side[at].taken;
  depart(w, out);
}

/* Sends what the rank's detection reports by now, if it is new. */
static void send_report(world *w, rank *r)
{
  const hg_detect_report *report = hg_detect_report_now(r->detect);
  if (r->up >= 0 && memcmp(report, &r->sent, sizeof r->sent) != 0) {
    w->link[r->up].waiting.any = true;
    w->link[r->up].waiting.report = *report;
    depart(w, r->up);
  }
  r->sent = *report;
  for (int i = 0; i < r->children; i++) {
    const hg_detect_order order = hg_detect_order_for(r->detect, i);
    if (memcmp(&order, &r->passed[i], sizeof order) == 0) continue;
    w->link[r->down[i]].waiting.any = true;
    w->link[r->down[i]].waiting.order = r->passed[i] = order;
    depart(w, r->down[i]);
  }
}

/* A message with the same version as the previous one is only an answer. */
static void take_face(world *w, wire *l)
{
  side *to = &w->block[l->to].side[l->from < l->to ? 0 : 1];
  const bool running = l->flight.round == 0;
  letter *place = running ? &to->ready : &to->frozen;
  const letter old = *place;
  if (running) to->answered = l->flight.used;
  if (running && l->flight.version == to->version) return;
  if (running) to->version = l->flight.version;
  *place = l->flight;
  l->flight = old;
}

static void arrive(world *w, int number)
{
  wire *l = &w->link[number];
  if (l->what == FACE)
    take_face(w, l);
  else if (l->what == ORDER)
    hg_detect_receive_order(w->rank[l->to].detect, &l->flight.order);
  else
    hg_detect_receive_report(w->rank[l->to].detect, w->rank[l->to].child[0] == l->from ? 0 : 1, &l->flight.report);
  l->flight.any = false;
  depart(w, number);
}

/* --- blocks ---------------------------------------------------------------------------------- */

static bool has_news(const block *b)
{
  for (int s = 0; s < 2; s++)
    if (b->side[s].version > b->side[s].taken) return true;
  return false;
}

static bool all_updated(block *b)
{
  for (int s = 0; s < 2; s++)
    if (b->side[s].out >= 0 && b->side[s].taken <= b->side[s].counted) return false;
  for (int s = 0; s < 2; s++) b->side[s].counted = b->side[s].taken;
  return true;
}

static void take_newest(world *w, int number)
{
  const hg_async_sim_work *work = w->row->work;
  for (int s = 0; s < 2; s++) {
    side *from = &w->block[number].side[s];
    if (from->out < 0) continue;
    if (from->version > from->taken) work->arrive(w->row->self, number, s, HG_ROW_RUNNING, from->ready.face);
    from->age = from->version > from->taken ? 0 : from->age + 1;
    from->taken = from->version;
    if (from->age > w->stats[number].staleness) w->stats[number].staleness = from->age;
  }
}

static void give_up(world *w, block *b)
{
  if (!b->given_up) hg_detect_give_up(w->rank[b->rank].detect, b->slot);
  b->given_up = true;
}

/* Whether each neighbour has sent something newer, or has used this block's current values without changing its own. */
static bool is_answered(const block *b)
{
  for (int s = 0; s < 2; s++) {
    const side *from = &b->side[s];
    if (from->out >= 0 && from->version == from->taken && from->answered < b->version) return false;
  }
  return true;
}

/* A block that has converged rests until there is news; with detection of rest, any block rests until it is
 * answered. */
static bool is_resting(const world *w, const block *b)
{
  if (w->row->eager) return false;
  if (w->how.kind == HG_DETECT_REST && !is_answered(b)) return true;
  return hg_detect_is_converged(w->rank[b->rank].detect, b->slot) && !has_news(b);
}

static void begin_sweep(world *w, int number)
{
  block *b = &w->block[number];
  double seconds;
  if (!b->busy && b->begun >= w->row->sweeps) give_up(w, b);
  if (b->busy || b->given_up) return;
  if (is_resting(w, b)) return;
  b->updated = has_news(b);
  take_newest(w, number);
  b->residual = w->row->work->sweep(w->row->self, number, &seconds);
  b->busy = true;
  b->begun++;
  w->stats[number].busy += seconds;
  add_event(w, seconds, SWEPT, number);
}

static void freeze(world *w, int number)
{
  block *b = &w->block[number];
  const int64_t round = hg_detect_order_now(w->rank[b->rank].detect)->round;
  if (b->busy || b->frozen >= round) return;
  b->frozen = round;
  w->row->work->freeze(w->row->self, number);
  for (int s = 0; s < 2; s++) post_face(w, number, s, HG_ROW_FROZEN, round);
}

static void measure(world *w, int number)
{
  block *b = &w->block[number];
  double seconds;
  if (b->measuring >= b->frozen) return;
  for (int s = 0; s < 2; s++)
    if (b->side[s].out >= 0 && b->side[s].frozen.round < b->frozen) return;
  for (int s = 0; s < 2; s++)
    if (b->side[s].out >= 0) w->row->work->arrive(w->row->self, number, s, HG_ROW_FROZEN, b->side[s].frozen.face);
  b->measuring = b->frozen;
  b->measured = w->row->work->measure(w->row->self, number, &seconds);
  w->stats[number].busy += seconds;
  add_event(w, seconds, MEASURED, number);
}

static uint64_t balance(const world *w, const block *b)
{
  uint64_t sum = 0;
  for (int s = 0; s < 2; s++) {
    const int out = b->side[s].out;
    if (out < 0) continue;
    const int in = w->block[w->link[out].to].side[1 - s].out;
    sum += hg_detect_version((uint64_t)out, b->version) - hg_detect_version((uint64_t)in, b->side[s].taken);
  }
  return sum;
}

static void end_sweep(world *w, int number)
{
  block *b = &w->block[number];
  const bool small = b->residual <= hg_detection_criterion(w->how, w->row->tolerance);
  const bool changed = w->how.kind != HG_DETECT_REST || !small;
  b->busy = false;
  b->version += changed;
  w->stats[number].sweeps++;
  for (int s = 0; s < 2 && (changed || b->updated); s++) post_face(w, number, s, HG_ROW_RUNNING, 0);
  if (isnan(b->residual)) return;
  hg_detect_balance(w->rank[b->rank].detect, b->slot, b->residual, balance(w, b));
  hg_detect_sweep(w->rank[b->rank].detect, b->slot, small, all_updated(b), w->now);
  if (w->row->hopeless > 0 && !(b->residual <= w->row->hopeless)) give_up(w, b);
}

/* --- a run ----------------------------------------------------------------------------------- */

static void go_on(world *w)
{
  for (int i = 0; i < w->row->blocks; i++) {
    freeze(w, i);
    measure(w, i);
    begin_sweep(w, i);
  }
  for (int i = 0; i < w->ranks; i++) send_report(w, &w->rank[i]);
}

static void end_measurement(world *w, const block *b)
{
  hg_detect_measured(w->rank[b->rank].detect, b->slot, b->measuring, b->measured);
}

static void handle(world *w, const event *e)
{
  w->now = e->time;
  switch (e->what) {
  case ARRIVED: arrive(w, e->number); break;
  case SWEPT: end_sweep(w, e->number); break;
  case MEASURED: end_measurement(w, &w->block[e->number]); break;
  }
}

static bool stopped(const world *w)
{
  for (int i = 0; i < w->ranks; i++)
    if (!hg_detect_order_now(w->rank[i].detect)->stop) return false;
  return true;
}

static hg_status run(world *w, hg_async_sim_end *end)
{
  for (go_on(w); !stopped(w); go_on(w)) {
    if (w->events == 0)
      return hg_fail(HG_RUNTIME, "no events are left at %g s, but the iteration has not ended", w->now);
    const event e = next_event(w);
    handle(w, &e);
  }
  const hg_detect_order *order = hg_detect_order_now(w->rank[0].detect);
  *end = (hg_async_sim_end){w->now, order->residual, order->decided, order->settled};
  return HG_OK;
}

/* --- making one ------------------------------------------------------------------------------ */

static int add_link(world *w, kind what, int from, int to)
{
  w->link[w->links] = (wire){.what = what, .from = from, .to = to};
  return w->links++;
}

static hg_status add_faces(const world *w, wire *l, side *to)
{
  letter *const place[] = {&l->waiting, &l->frozen, &l->flight, &to->ready, &to->frozen};
  for (int i = 0; i < 5; i++) HG_TRY(hg_allocate("a face", w->row->face, &place[i]->face));
  return HG_OK;
}

static hg_status make_blocks(world *w)
{
  const hg_async_sim *r = w->row;
  for (int i = 0; i < r->blocks; i++) {
    block *b = &w->block[i];
    rank *home = &w->rank[r->rank[i]];
    if (home->blocks == 0) home->first = i;
    b->rank = r->rank[i];
    b->slot = home->blocks++;
    b->side[0].out = i > 0 ? add_link(w, FACE, i, i - 1) : -1;
    b->side[1].out = i + 1 < r->blocks ? add_link(w, FACE, i, i + 1) : -1;
  }
  for (int i = 0; i < w->links; i++) {
    wire *l = &w->link[i];
    HG_TRY(add_faces(w, l, &w->block[l->to].side[l->from < l->to ? 0 : 1]));
  }
  return HG_OK;
}

static hg_status make_ranks(world *w)
{
  for (int i = 0; i < w->ranks; i++) {
    rank *r = &w->rank[i];
    r->up = i > 0 ? add_link(w, REPORT, i, hg_detect_parent(i)) : -1;
    r->children = hg_detect_children(i, w->ranks, r->child);
    for (int c = 0; c < r->children; c++) r->down[c] = add_link(w, ORDER, i, r->child[c]);
    HG_TRY(hg_detect_make(r->blocks, r->children, i == 0, &r->detect));
    hg_detect_begin(r->detect, w->how, w->row->tolerance, w->ranks);
  }
  return HG_OK;
}

/* At most two links per block and three per rank; one event per link, two per block. */
static hg_status make(world *w)
{
  const size_t blocks = (size_t)w->row->blocks, ranks = (size_t)w->ranks, links = 2 * blocks + 3 * ranks;
  w->block = calloc(blocks, sizeof *w->block);
  w->rank = calloc(ranks, sizeof *w->rank);
  w->link = calloc(links, sizeof *w->link);
  w->event = calloc(links + 2 * blocks, sizeof *w->event);
  if (!w->block || !w->rank || !w->link || !w->event) return hg_fail(HG_MEMORY, "no memory for %zu blocks", blocks);
  HG_TRY(make_blocks(w));
  return make_ranks(w);
}

static void release(world *w)
{
  for (int i = 0; i < w->links; i++) free(w->link[i].waiting.face), free(w->link[i].frozen.face);
  for (int i = 0; i < w->links; i++) free(w->link[i].flight.face);
  for (int i = 0; w->block && i < w->row->blocks; i++)
    for (int s = 0; s < 2; s++) free(w->block[i].side[s].ready.face), free(w->block[i].side[s].frozen.face);
  for (int i = 0; w->rank && i < w->ranks; i++) hg_detect_free(w->rank[i].detect);
  free(w->block);
  free(w->rank);
  free(w->link);
  free(w->event);
}

hg_status hg_async_sim_run(const hg_async_sim *row, hg_async_sim_stats *stats, hg_async_sim_end *end)
{
  world w = {.row = row, .stats = stats, .how = row->detection, .ranks = row->rank[row->blocks - 1] + 1};
  if (row->still && w.how.kind == HG_DETECT_EXACT) w.how.kind = HG_DETECT_REST;
  hg_status status = make(&w);
  if (status == HG_OK) status = run(&w, end);
  release(&w);
  return status;
}
