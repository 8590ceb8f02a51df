/* SPDX-License-Identifier: MIT */
#include "adr/move.h"

#include <string.h>

#include "adr/tasks.h"
#include "graph/redistribute.h"

/* One species of a state in all blocks of this rank. */
typedef struct values {
  const hg_adr_graph *g;
  int state, species;
} values;

static char *locate(void *arg, int tile, const hg_box *box, hg_halo_piece_cells *cells)
{
  const values *v = arg;
  const hg_adr_tile *t = hg_adr_local(v->g, tile);
  *cells = hg_adr_cells(&t->info.block, &t->place, box);
  return (char *)(t->memory[v->state] + v->species * t->info.block.field);
}

static void acquire(const hg_adr_graph *g, int state, enum starpu_data_access_mode mode)
{
  for (int i = 0; i < g->tiles; i++) starpu_data_acquire(g->tile[i].state[state], mode);
}

static void release(const hg_adr_graph *g, int state)
{
  for (int i = 0; i < g->tiles; i++) starpu_data_release(g->tile[i].state[state]);
}

static hg_status copy_cores(const hg_adr_graph *from, const hg_adr_graph *to, int state)
{
  hg_status status = HG_OK;
  for (int s = 0; s < 2 && status == HG_OK; s++) {
    values here = {from, state, s}, there = {to, state, s};
    const hg_divided old = {from->base.tiling, locate, &here}, new = {to->base.tiling, locate, &there};
    status = hg_move_values(to->base.session, sizeof(double), &old, &new);
  }
  return status;
}

static hg_status move_state(hg_adr_graph *from, hg_adr_graph *to, int state)
{
  acquire(from, state, STARPU_R);
  acquire(to, state, STARPU_W);
  for (int i = 0; i < to->tiles; i++) hg_adr_fill_outside(to, &to->tile[i], state);
  const hg_status status = copy_cores(from, to, state);
  release(to, state);
  release(from, state);
  return status;
}

static hg_status exchange(hg_adr_graph *g, int state)
{
  const hg_adr_task task = {.state = state};
  return hg_adr_exchange_faces(g, &task);
}

static void begin_facts(hg_adr_tile *t)
{
  starpu_data_acquire(t->outcome, STARPU_W);
  t->stats[0] = (hg_adr_outcome){.scale = {1, 1}};
  starpu_data_release(t->outcome);
}

/* Iterations of blocks that no longer exist count as those of their rank. */
static void take_counts(hg_adr_graph *from, hg_adr_graph *to)
{
  to->done = from->done;
  to->stats = from->stats;
  to->stats.iterations += hg_adr_most_iterations(from);
  to->base.exchanged = from->base.exchanged;
  memcpy(to->base.times, from->base.times, (size_t)to->base.session->workers * sizeof *to->base.times);
  for (int i = 0; i < to->tiles; i++) begin_facts(&to->tile[i]);
}

hg_status hg_adr_move(hg_adr_graph *from, hg_adr_graph *to)
{
  static const int states[] = {HG_ADR_STATE, HG_ADR_BEFORE};
  hg_status status = HG_OK;
  take_counts(from, to);
  hg_session_pause(to->base.session);
  for (int i = 0; i < 2 && status == HG_OK; i++) status = move_state(from, to, states[i]);
  hg_session_resume(to->base.session);
  for (int i = 0; i < 2 && status == HG_OK; i++) status = exchange(to, states[i]);
  return hg_session_agree(to->base.session, status);
}
