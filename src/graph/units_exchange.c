/* SPDX-License-Identifier: MIT */
/* Who sends what: owners are sent the differences between ghost zones as records of
 *   receiving tile, providing tile, number removed, number added, identifiers removed, identifiers added. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exchange/alltoallv.h"
#include "graph/units_tiles.h"

enum { RECORD = 4 };

/* Records for one rank. */
typedef struct letter {
  int64_t *word, count;
} letter;

static hg_status put(letter *l, int64_t word)
{
  HG_TRY(hg_grow("changed neighbours", (void **)&l->word, l->count, sizeof *l->word));
  l->word[l->count++] = word;
  return HG_OK;
}

/* Units of one providing tile in a list of ghosts. */
typedef struct group {
  const hg_ghost *ghost;
  int64_t count;
} group;

static group take_group(const hg_ghost *list, int64_t count, int64_t *at, int tile)
{
  group g = {list + *at, 0};
  while (*at < count && list[*at].tile == tile) ++*at, g.count++;
  return g;
}

/* Appends what is in a but not in b; both are ascending. */
static hg_status put_difference(letter *l, group a, group b, int64_t *found)
{
  *found = 0;
  for (int64_t i = 0, j = 0; i < a.count; i++) {
    while (j < b.count && b.ghost[j].id < a.ghost[i].id) j++;
    if (j < b.count && b.ghost[j].id == a.ghost[i].id) continue;
    HG_TRY(put(l, a.ghost[i].id));
    ++*found;
  }
  return HG_OK;
}

static hg_status put_record(letter *l, int to, int from, group before, group after)
{
  const int64_t head = l->count;
  int64_t removed, added;
  for (int i = 0; i < RECORD; i++) HG_TRY(put(l, i == 0 ? to : from));
  HG_TRY(put_difference(l, before, after, &removed));
  HG_TRY(put_difference(l, after, before, &added));
  l->word[head + 2] = removed;
  l->word[head + 3] = added;
  if (removed + added == 0) l->count = head;
  return HG_OK;
}

static hg_status write_letters(const hg_unit_graph *g, const hg_unit_index *index, letter *letters)
{
  for (int i = 0; i < g->tiles; i++) {
    const hg_unit_tile *t = &g->tile[i];
    for (int64_t a = 0, b = 0; a < t->ghosts || b < index[i].ghosts;) {
      int from = a < t->ghosts ? t->ghost[a].tile : INT_MAX;
      if (b < index[i].ghosts && index[i].ghost[b].tile < from) from = index[i].ghost[b].tile;
      const group before = take_group(t->ghost, t->ghosts, &a, from),
                  after = take_group(index[i].ghost, index[i].ghosts, &b, from);
      HG_TRY(put_record(&letters[hg_tile_region(g->base.tiling, from)->rank], t->id, from, before, after));
    }
  }
  return HG_OK;
}

/* Finds the piece of a tile for another one, or adds one. Ascending by tile. */
static hg_status piece_to(const hg_unit_graph *g, hg_unit_tile *t, int to, hg_halo_piece_out **out)
{
  int i = 0;
  while (i < t->outs && t->out[i].to < to) i++;
  if (i == t->outs || t->out[i].to != to) {
    const int rank = hg_tile_region(g->base.tiling, to)->rank;
    HG_TRY(hg_grow("pieces", (void **)&t->out, t->outs, sizeof *t->out));
    memmove(&t->out[i + 1], &t->out[i], (size_t)(t->outs - i) * sizeof *t->out);
    t->out[i] = (hg_halo_piece_out){.to = to, .peer = rank == g->base.session->rank ? -1 : rank};
    t->outs++;
  }
  *out = &t->out[i];
  return HG_OK;
}

/* Updates a sorted list: takes out `removed` and merges `added`. */
static hg_status change_list(hg_halo_piece_out *p, const int64_t *removed, int64_t removals, const int64_t *added,
                             int64_t additions)
{
  int64_t *list = malloc((size_t)(p->count + additions + 1) * sizeof *list), n = 0, a = 0, r = 0;
  if (!list) return hg_fail(HG_MEMORY, "no memory for %" PRId64 " units to send", p->count + additions);
  for (int64_t i = 0; i < p->count; i++) {
    while (a < additions && added[a] < p->id[i]) list[n++] = added[a++];
    if (r < removals && removed[r] == p->id[i])
      r++;
    else
      list[n++] = p->id[i];
  }
  while (a < additions) list[n++] = added[a++];
  free(p->id);
  p->id = list;
  p->count = n;
  return HG_OK;
}

static hg_status read_letter(hg_unit_graph *g, const int64_t *word, int64_t count)
{
  for (int64_t at = 0; at < count;) {
    const int64_t *record = word + at, removals = record[2], additions = record[3];
    hg_unit_tile *t = hg_unit_local(g, (int)record[1]);
    hg_halo_piece_out *piece;
    HG_TRY(piece_to(g, t, (int)record[0], &piece));
    HG_TRY(change_list(piece, record + RECORD, removals, record + RECORD + removals, additions));
    t->out_changed = true;
    at += RECORD + removals + additions;
  }
  return HG_OK;
}

/* Packs all letters for the exchange. */
static hg_status seal(const hg_unit_graph *g, const letter *letters, hg_alltoallv *out)
{
  int64_t words = 0;
  for (int r = 0; r < g->base.session->ranks; r++) words += letters[r].count;
  HG_TRY(hg_alltoallv_make(g->base.session->ranks, words * (int64_t)sizeof(int64_t), out));
  int64_t *to = out->data;
  for (int r = 0; r < g->base.session->ranks; r++) {
    out->bytes[r] = letters[r].count * (int64_t)sizeof(int64_t);
    if (letters[r].count) memcpy(to, letters[r].word, (size_t)out->bytes[r]);
    to += letters[r].count;
  }
  return HG_OK;
}

hg_status hg_unit_tell_owners(hg_unit_graph *g, const hg_unit_index *index)
{
  const hg_session *session = g->base.session;
  hg_alltoallv out = {0}, in = {0};
  letter *letters = calloc((size_t)session->ranks, sizeof *letters);
  hg_status status =
      letters ? write_letters(g, index, letters) : hg_fail(HG_MEMORY, "no memory for %d ranks", session->ranks);
  if (status == HG_OK) status = seal(g, letters, &out);
  for (int r = 0; r < session->ranks && status == HG_OK; r++)
    if (r != session->rank) g->base.connections.sent += letters[r].count;
  status = hg_session_agree(session, status);
  if (status == HG_OK) status = hg_alltoallv_run(session, &out, &in);
  if (status == HG_OK) status = read_letter(g, in.data, in.total / (int64_t)sizeof(int64_t));
  hg_alltoallv_free(&out);
  hg_alltoallv_free(&in);
  for (int r = 0; r < session->ranks && letters; r++) free(letters[r].word);
  free(letters);
  return hg_session_agree(session, status);
}

/* --- handles ----------------------------------------------------------------------------------------------------- */

static int64_t piece_bytes(const hg_unit_graph *g, const hg_halo_piece_out *p)
{
  int64_t elements = 0;
  for (int64_t i = 0; i < p->count; i++) elements += hg_unit_length(g, p->id[i]);
  return elements * g->kernel->update->value_bytes;
}

static void unregister(starpu_data_handle_t handle[2])
{
  for (int i = 0; i < 2; i++) {
    if (handle[i]) starpu_data_unregister_no_coherency(handle[i]);
    handle[i] = NULL;
  }
}

/* Lists the positions of what is sent, piece by piece; removes empty pieces. */
static hg_status list_sends(hg_unit_graph *g, hg_unit_tile *t)
{
  int64_t total = 0;
  int kept = 0;
  for (int i = 0; i < t->outs; i++) {
    unregister(t->out[i].handle);
    if (t->out[i].count > 0)
      t->out[kept++] = t->out[i];
    else
      free(t->out[i].id);
  }
  t->outs = t->info.out_count = kept;
  for (int i = 0; i < t->outs; i++) total += t->out[i].count;
  if (t->sends) starpu_data_unregister_no_coherency(t->sends);
  t->sends = NULL;
  free(t->sends_memory);
  free(t->info.out_first);
  t->sends_memory = malloc(((size_t)total + 1) * sizeof(int32_t));
  t->info.out_first = malloc(((size_t)t->outs + 1) * sizeof *t->info.out_first);
  if (!t->sends_memory || !t->info.out_first)
    return hg_fail(HG_MEMORY, "no memory for %" PRId64 " units to send", total);
  int32_t *position = t->sends_memory;
  t->info.out_first[0] = 0;
  for (int i = 0; i < t->outs; i++) {
    const hg_halo_piece_out *p = &t->out[i];
    for (int64_t j = 0; j < p->count; j++) *position++ = (int32_t)hg_unit_position(g, t, p->id[j]);
    t->info.out_first[i + 1] = t->info.out_first[i] + p->count;
  }
  starpu_vector_data_register(&t->sends, STARPU_MAIN_RAM, (uintptr_t)t->sends_memory, (uint32_t)(total ? total : 1),
                              sizeof(int32_t));
  for (int i = 0; i < t->outs; i++) {
    const int64_t bytes = piece_bytes(g, &t->out[i]);
    for (int h = 0; h < 2; h++) {
      starpu_vector_data_register(&t->out[i].handle[h], -1, 0, (uint32_t)(bytes ? bytes : 1), 1);
      starpu_data_set_name(t->out[i].handle[h], "piece");
    }
  }
  return HG_OK;
}

/* For a piece between tiles of this rank, the receiver uses the provider's handle. */
static void borrow(const hg_unit_graph *g, hg_unit_tile *t)
{
  for (int i = 0; i < t->ins; i++) {
    const hg_unit_tile *from = t->in[i].peer < 0 ? hg_unit_local(g, t->in[i].from) : NULL;
    for (int j = 0; from && j < from->outs; j++)
      if (from->out[j].to == t->id) memcpy(t->in[i].handle, from->out[j].handle, sizeof t->in[i].handle);
  }
}

hg_status hg_unit_link(hg_unit_graph *g)
{
  hg_status status = HG_OK;
  size_t handles = 4;
  g->bytes_per_step = 0;
  for (int i = 0; i < g->tiles && status == HG_OK; i++) {
    if (g->tile[i].out_changed) status = list_sends(g, &g->tile[i]);
    g->tile[i].out_changed = false;
  }
  for (int i = 0; i < g->tiles && status == HG_OK; i++) {
    hg_unit_tile *t = &g->tile[i];
    borrow(g, t);
    t->on_rank_border = false;
    for (int j = 0; j < t->ins; j++) t->on_rank_border = t->on_rank_border || t->in[j].peer >= 0;
    for (int j = 0; j < t->outs; j++) {
      t->on_rank_border = t->on_rank_border || t->out[j].peer >= 0;
      if (hg_tile_region(g->base.tiling, t->out[j].to) != hg_tile_region(g->base.tiling, t->id))
        g->bytes_per_step += (double)piece_bytes(g, &t->out[j]);
    }
    if ((size_t)t->ins + 4 > handles) handles = (size_t)t->ins + 4;
    if ((size_t)t->outs + 4 > handles) handles = (size_t)t->outs + 4;
  }
  free(g->descr);
  g->descr = malloc(handles * sizeof *g->descr);
  if (status == HG_OK && !g->descr) status = hg_fail(HG_MEMORY, "no memory for %zu handles", handles);
  return status;
}
