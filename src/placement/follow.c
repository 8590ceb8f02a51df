/* SPDX-License-Identifier: MIT */
/* A discrete-event simulation of the exchange graph. The heap holds the next events. Messages share the links between
 * groups evenly; all other resources serve one request after the other.
 *
 * Example: two nodes of two cores with a row of 4 cells each, at 1 cell/s; a message takes 0.5 s, the link 8 bytes/s
 * for items of 8 bytes. The rows beside the border are done after 4 s. Their messages are announced 0.5 s later,
 * transferred in another 4 s and delivered 0.5 s later: a step takes 9 s. The other rows wait for these. */
#include "placement/follow.h"

#include <math.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/memory.h"
#include "placement/choose.h"

enum { BLOCKS = 20, FIRST = 4, LOCAL = -1 };

typedef struct tile {
  int part;
  hg_box box;
  double seconds; /* of a task */
  int needs;      /* pieces, and its own previous task */
  int got[2];     /* how many of these are there, for the next block and the one after it */
  int out, in;    /* its first pieces in f->piece and in f->into */
} tile;

typedef struct piece {
  int from, to; /* tiles */
  int level;    /* level of the link, or LOCAL */
  double cells;
} piece;

typedef enum event_kind { TASK_DONE, SENT, ANNOUNCED, CARRIED, ARRIVED, READY } event_kind;

typedef struct event {
  double time;
  int64_t number; /* orders events of equal time by creation */
  event_kind kind;
  int what, block; /* tile, or piece, or state of the links */
} event;

typedef struct message {
  int piece, block;
  double left, share; /* s left if alone on the link; share of the link */
} message;

typedef struct follow {
  const hg_machine *m;
  int tiles, pieces, blocks;
  double steps; /* of a block */
  int64_t n[3]; /* cells of the grid */
  tile *tile;
  piece *piece; /* by `from` */
  int *into;    /* [pieces] by `to` */
  event *heap;
  int events;
  int64_t made;
  message *message; /* on links */
  int messages, state;
  double clock;                                                      /* time up to which messages were advanced */
  double *sends, *fetches, *computes, *announces;                    /* [parts] end of the present activity */
  int *leaving[HG_PARTITION_LEVELS], *entering[HG_PARTITION_LEVELS]; /* [parts] messages of a group */
  double end[BLOCKS + 1];
  hg_status status;
} follow;

bool hg_machine_is_followed(const hg_machine *m)
{
  if (m->levels == 0 || m->parts > HG_FOLLOW_MOST) return false;
  const int *node = m->group[m->levels - 1];
  for (int i = 1; i < m->parts; i++)
    if (node[i] != node[0]) return true;
  return false;
}

/* --- the heap ----------------------------------------------------------------------------------------------------- */

static bool is_before(const event *a, const event *b)
{
  return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void add_event(follow *f, double time, event_kind kind, int what, int block)
{
  if (f->status == HG_OK) f->status = hg_grow("events", (void **)&f->heap, f->events, sizeof *f->heap);
  if (f->status != HG_OK) return;
  const event e = {time, f->made++, kind, what, block};
  int at = f->events++;
  for (; at > 0 && is_before(&e, &f->heap[(at - 1) / 2]); at = (at - 1) / 2) f->heap[at] = f->heap[(at - 1) / 2];
  f->heap[at] = e;
}

static event next_event(follow *f)
{
  const event first = f->heap[0], last = f->heap[--f->events];
  int at = 0;
  for (int child = 1; child < f->events; at = child, child = 2 * at + 1) {
    if (child + 1 < f->events && is_before(&f->heap[child + 1], &f->heap[child])) child++;
    if (!is_before(&f->heap[child], &last)) break;
    f->heap[at] = f->heap[child];
  }
  f->heap[at] = last;
  return first;
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static int group_of(const follow *f, int level, int of_tile)
{
  return f->m->group[level][f->tile[of_tile].part];
}

static double carry_time(const follow *f, const piece *p)
{
  return hg_wire_carry(&f->m->wire[p->level], p->cells * f->m->item_bytes);
}

/* Advances all messages to that time. */
static void carry(follow *f, double time)
{
  for (int i = 0; i < f->messages; i++) f->message[i].left -= f->message[i].share * (time - f->clock);
  f->clock = time;
}

/* Recomputes shares of links and the next message to end. */
static void share_links(follow *f)
{
  double next = INFINITY;
  for (int i = 0; i < f->messages; i++) {
    message *x = &f->message[i];
    const piece *p = &f->piece[x->piece];
    const int leaving = f->leaving[p->level][group_of(f, p->level, p->from)],
              entering = f->entering[p->level][group_of(f, p->level, p->to)];
    x->share = 1. / (leaving > entering ? leaving : entering);
    next = fmin(next, fmax(x->left, 0) / x->share);
  }
  f->state++;
  if (f->messages > 0) add_event(f, f->clock + next, CARRIED, f->state, 0);
}

static void count_on_link(follow *f, const piece *p, int by)
{
  f->leaving[p->level][group_of(f, p->level, p->from)] += by;
  f->entering[p->level][group_of(f, p->level, p->to)] += by;
}

static void enter_link(follow *f, double time, int id, int block)
{
  const piece *p = &f->piece[id];
  carry(f, time);
  f->message[f->messages++] = (message){id, block, carry_time(f, p), 0};
  count_on_link(f, p, 1);
  share_links(f);
}

static void leave_link(follow *f, double time)
{
  const double NOTHING = 1e-9;
  double least = INFINITY;
  int kept = 0;
  carry(f, time);
  for (int i = 0; i < f->messages; i++) least = fmin(least, f->message[i].left / f->message[i].share);
  for (int i = 0; i < f->messages; i++) {
    const message x = f->message[i];
    const piece *p = &f->piece[x.piece];
    if (x.left / x.share > least + NOTHING * carry_time(f, p)) {
      f->message[kept++] = x;
      continue;
    }
    count_on_link(f, p, -1);
    add_event(f, time + hg_wire_start(&f->m->wire[p->level]), ARRIVED, x.piece, x.block);
  }
  f->messages = kept;
  share_links(f);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static const hg_gpu_port *port_of(const follow *f, int of_tile)
{
  static const hg_gpu_port none;
  return f->m->port ? &f->m->port[f->tile[of_tile].part] : &none;
}

static bool has_port(const hg_gpu_port *p)
{
  return p->out > 0 || p->in > 0;
}

/* Transfers a piece through the sender's port (unless it is in main memory) and the receiver's. Between two GPUs, both
 * ports are blocked for other transfers, as observed with StarPU. @return time of arrival */
static double fetch(follow *f, double time, const piece *p)
{
  static const hg_gpu_port none;
  const int from = f->tile[p->from].part, to = f->tile[p->to].part;
  const hg_gpu_port *out = p->level == LOCAL ? port_of(f, p->from) : &none, *in = port_of(f, p->to);
  double begin = time;
  if (from == to || (!has_port(out) && !has_port(in))) return time;
  if (has_port(out)) begin = fmax(begin, f->sends[from]);
  if (has_port(in)) begin = fmax(begin, f->fetches[to]);
  if (has_port(out) && has_port(in)) begin = fmax(begin, f->fetches[from]);
  const double end = begin + out->latency + in->latency + p->cells * fmax(out->out, in->in);
  if (has_port(out)) f->sends[from] = end;
  if (has_port(in)) f->fetches[to] = end;
  if (has_port(out) && has_port(in)) f->fetches[from] = end;
  return end;
}

/* Notes an input of a tile; all its pieces are fetched once the last one is announced. */
static void add_to(follow *f, double time, int id, int block)
{
  tile *t = &f->tile[id];
  double ready = time;
  if (++t->got[block % 2] < t->needs) return;
  t->got[block % 2] = 0;
  for (int i = t->in; i < t[1].in; i++) ready = fmax(ready, fetch(f, time, &f->piece[f->into[i]]));
  add_event(f, ready, READY, id, block + 1);
}

static void send(follow *f, double time, int id, int block)
{
  const piece *p = &f->piece[id];
  const hg_gpu_port *out = port_of(f, p->from);
  const int part = f->tile[p->from].part;
  if (has_port(out)) time = f->sends[part] = fmax(time, f->sends[part]) + out->latency + p->cells * out->out;
  add_event(f, time, SENT, id, block);
}

static void finish_task(follow *f, double time, int id, int block)
{
  const tile *t = &f->tile[id];
  f->end[block] = fmax(f->end[block], time);
  if (block == f->blocks) return;
  for (int i = t->out; i < t[1].out; i++)
    if (f->piece[i].level != LOCAL) send(f, time, i, block);
  add_to(f, time, id, block);
  for (int i = t->out; i < t[1].out; i++)
    if (f->piece[i].level == LOCAL) add_to(f, time, f->piece[i].to, block);
}

static void start_task(follow *f, double time, int id, int block)
{
  const tile *t = &f->tile[id];
  f->computes[t->part] = fmax(time, f->computes[t->part]) + t->seconds;
  add_event(f, f->computes[t->part], TASK_DONE, id, block);
}

static void announce(follow *f, double time, int id, int block)
{
  const piece *p = &f->piece[id];
  double *busy = &f->announces[group_of(f, f->m->levels - 1, p->to)];
  *busy = fmax(time, *busy) + hg_wire_start(&f->m->wire[p->level]);
  add_event(f, *busy, ANNOUNCED, id, block);
}

static void happen(follow *f, const event *e)
{
  switch (e->kind) {
  case TASK_DONE: finish_task(f, e->time, e->what, e->block); break;
  case SENT: announce(f, e->time, e->what, e->block); break;
  case ANNOUNCED: enter_link(f, e->time, e->what, e->block); break;
  case CARRIED:
    if (e->what == f->state) leave_link(f, e->time);
    break;
  case ARRIVED: add_to(f, e->time, f->piece[e->what].to, e->block); break;
  case READY: start_task(f, e->time, e->what, e->block); break;
  }
}

/* --- the graph ---------------------------------------------------------------------------------------------------- */

/* Cores get two bands, as hg_choose_tile cuts them. */
static void add_tiles(follow *f, int dims, int part, const hg_box *box)
{
  const int slow = dims - 1;
  const int64_t height = hg_box_extent(box, slow),
                band = f->m->in_bands && f->m->in_bands[part] ? hg_choose_band(height, f->m->block) : height;
  for (int64_t at = 0; at < height; at += band) {
    tile *t = &f->tile[f->tiles++];
    *t = (tile){.part = part, .box = *box, .needs = 1};
    t->box.lo[slow] = box->lo[slow] + at;
    t->box.hi[slow] = at + band < height ? t->box.lo[slow] + band : box->hi[slow];
  }
}

/* Cells that a tile sends to the margins of another; blocks of one step need no corners. */
static double cells_between(const follow *f, int dims, const hg_box *from, const hg_box *to)
{
  const int64_t depth = f->m->block > 1 ? f->m->block : 1;
  hg_box reached = *to;
  int apart = 0;
  for (int a = 0; a < dims; a++) {
    apart += from->hi[a] <= to->lo[a] || from->lo[a] >= to->hi[a];
    reached.lo[a] -= depth;
    reached.hi[a] += depth;
  }
  const hg_box common = hg_box_meet(from, &reached);
  return depth == 1 && apart > 1 ? 0 : (double)hg_box_cells(&common);
}

/* ... including its images, one grid extent away along periodic axes. */
static double cells_from_images(const follow *f, int dims, const hg_box *from, const hg_box *to)
{
  double cells = 0;
  for (int image = 0; image < 27; image++) {
    const int shift[] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
    hg_box moved = *from;
    bool there = true;
    for (int a = 0; a < 3; a++) {
      there &= shift[a] == 0 || (a < dims && f->m->periodic[a]);
      moved.lo[a] += shift[a] * f->n[a];
      moved.hi[a] += shift[a] * f->n[a];
    }
    if (there) cells += cells_between(f, dims, &moved, to);
  }
  return cells;
}

static int level_between(const hg_machine *m, int a, int b)
{
  for (int level = 0; level < m->levels; level++)
    if (m->group[level][a] != m->group[level][b])
      return m->wire[level].measured || m->wire[level].bandwidth > 0 ? level : LOCAL;
  return LOCAL;
}

static void add_pieces(follow *f, int dims)
{
  for (int i = 0; i < f->tiles; i++) {
    f->tile[i].out = f->pieces;
    for (int j = 0; j < f->tiles; j++) {
      const double cells = i == j ? 0 : cells_from_images(f, dims, &f->tile[i].box, &f->tile[j].box);
      if (cells == 0) continue;
      f->piece[f->pieces++] = (piece){i, j, level_between(f->m, f->tile[i].part, f->tile[j].part), cells};
      f->tile[j].needs++;
    }
  }
  f->tile[f->tiles].out = f->pieces;
}

static void list_inputs(follow *f)
{
  for (int i = 0; i < f->tiles; i++) f->tile[i + 1].in = f->tile[i].in + f->tile[i].needs - 1;
  int at[f->tiles];
  for (int i = 0; i < f->tiles; i++) at[i] = f->tile[i].in;
  for (int k = 0; k < f->pieces; k++) f->into[at[f->piece[k].to]++] = k;
}

/* Divides a processor's time per block among its tiles by cells. */
static void set_seconds(follow *f, const hg_box *box)
{
  const int depth = f->m->block > 1 ? f->m->block : 1;
  double items[f->m->parts];
  for (int i = 0; i < f->m->parts; i++) items[i] = 0;
  for (int k = 0; k < f->pieces; k++) {
    const int from = f->tile[f->piece[k].from].part, to = f->tile[f->piece[k].to].part;
    if (from != to) items[to] += f->piece[k].cells / depth;
  }
  for (int i = 0; i < f->tiles; i++) {
    tile *t = &f->tile[i];
    const double cells = (double)hg_box_cells(&box[t->part]),
                 step = hg_speed_time(&f->m->model[t->part], cells, items[t->part]);
    t->seconds = f->steps * step * (double)hg_box_cells(&t->box) / cells;
  }
}

static hg_status open_follow(follow *f, const hg_machine *m, int dims, const hg_box *box)
{
  const size_t parts = (size_t)m->parts, tiles = 2 * parts + 1, pieces = tiles * tiles;
  bool all = true;
  const int64_t blocks = hg_machine_blocks(m);
  *f = (follow){.m = m, .blocks = blocks > 0 && blocks < BLOCKS ? (int)blocks : BLOCKS, .steps = hg_machine_steps(m)};
  f->tile = calloc(tiles, sizeof *f->tile);
  f->piece = malloc(pieces * sizeof *f->piece);
  f->into = malloc(pieces * sizeof *f->into);
  f->message = malloc(2 * pieces * sizeof *f->message);
  f->sends = calloc(4 * parts, sizeof *f->sends);
  for (int l = 0; l < m->levels; l++) all &= (f->leaving[l] = calloc(2 * parts, sizeof *f->leaving[l])) != NULL;
  if (!all || !f->tile || !f->piece || !f->into || !f->message || !f->sends)
    return hg_fail(HG_MEMORY, "no memory for the messages of %d processors", m->parts);
  f->fetches = f->sends + parts;
  f->computes = f->fetches + parts;
  f->announces = f->computes + parts;
  for (int l = 0; l < m->levels; l++) f->entering[l] = f->leaving[l] + parts;
  for (int i = 0; i < m->parts; i++) {
    if (hg_box_cells(&box[i]) == 0) continue;
    add_tiles(f, dims, i, &box[i]);
    for (int a = 0; a < 3; a++) f->n[a] = hg_max(f->n[a], box[i].hi[a]);
  }
  add_pieces(f, dims);
  list_inputs(f);
  set_seconds(f, box);
  return HG_OK;
}

static void close_follow(follow *f)
{
  for (int l = 0; l < f->m->levels; l++) free(f->leaving[l]);
  free(f->tile);
  free(f->piece);
  free(f->into);
  free(f->message);
  free(f->sends);
  free(f->heap);
}

hg_status hg_machine_follow(const hg_machine *m, int dims, const hg_box *box, double *seconds)
{
  follow f;
  f.status = open_follow(&f, m, dims, box);
  for (int i = 0; i < f.tiles && f.status == HG_OK; i++) add_event(&f, 0, TASK_DONE, i, 0);
  while (f.events > 0 && f.status == HG_OK) {
    const event e = next_event(&f);
    happen(&f, &e);
  }
  const int first = f.blocks < BLOCKS ? 0 : FIRST;
  *seconds = (f.end[f.blocks] - f.end[first]) / (f.blocks - first) / f.steps;
  close_follow(&f);
  return f.status;
}

hg_status hg_machine_weigh(const hg_machine *machine, int dims, const hg_box *box, double *seconds)
{
  const double WEIGHT = .6;
  double followed;
  if (!hg_machine_is_followed(machine)) return HG_OK;
  HG_TRY(hg_machine_follow(machine, dims, box, &followed));
  *seconds = pow(followed, WEIGHT) * pow(*seconds, 1 - WEIGHT);
  return HG_OK;
}
