/* SPDX-License-Identifier: MIT */
/* Creates blocks of asynchronous iterations, their ports, and links to the parent and child ranks. */
#include <starpu.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "async/blocks_run.h"
#include "schedulers/hetgrid_sched.h"

enum { REPORTS = -1, ORDERS = -2 }; /* names of links */

static hg_status add_relative(hg_async *a, int rank, bool is_above, hg_relative *r)
{
  const hg_link_end report_end = is_above ? HG_LINK_OUT : HG_LINK_IN, order_end = is_above ? HG_LINK_IN : HG_LINK_OUT;
  r->rank = rank;
  HG_TRY(
      hg_mailbox_add(a->box, &(hg_link_kind){report_end, rank, REPORTS, sizeof(hg_detect_report), true}, &r->reports));
  return hg_mailbox_add(a->box, &(hg_link_kind){order_end, rank, ORDERS, sizeof(hg_detect_order), true}, &r->orders);
}

static hg_status add_relatives(hg_async *a)
{
  const hg_session *s = a->session;
  int child[2];
  if (s->rank > 0) HG_TRY(add_relative(a, hg_detect_parent(s->rank), true, &a->above));
  const int children = hg_detect_children(s->rank, s->ranks, child);
  for (; a->children < children; a->children++)
    HG_TRY(add_relative(a, child[a->children], false, &a->below[a->children]));
  return HG_OK;
}

static hg_status make_blocks(hg_async *a, int blocks)
{
  const size_t notes = HG_ASYNC_NOTES * (size_t)blocks + 1;
  a->block = calloc((size_t)blocks + 1, sizeof *a->block);
  a->note = calloc(notes, sizeof *a->note);
  a->read = calloc(notes, sizeof *a->read);
  if (!a->block || !a->note || !a->read) return hg_fail(HG_MEMORY, "no memory for %d blocks", blocks);
  a->blocks = blocks;
  for (int i = 0; i < blocks; i++) {
    a->block[i].async = a;
    a->block[i].number = i;
    starpu_void_data_register(&a->block[i].order);
  }
  HG_TRY(add_relatives(a));
  return hg_detect_make(blocks, a->children, a->session->rank == 0, &a->detect);
}

hg_status hg_async_make(const hg_session *session, int blocks, const hg_async_work *work, void *self, hg_async **out)
{
  hg_async *a = calloc(1, sizeof *a);
  hg_status status = a ? HG_OK : hg_fail(HG_MEMORY, "no memory");
  HG_TRY(hg_session_agree(session, status));
  *a = (hg_async){.session = session, .work = work, .self = self};
  pthread_mutex_init(&a->lock, NULL);
  status = hg_mailbox_make(session, &a->box);
  if (status == HG_OK) status = hg_session_agree(session, make_blocks(a, blocks));
  if (status != HG_OK)
    hg_async_free(a);
  else
    *out = a;
  return status;
}

hg_async_block *hg_async_block_at(hg_async *a, int number)
{
  return &a->block[number];
}

static hg_status add_port(hg_async_block *b, hg_async_port **list, int *count, const hg_async_port *port)
{
  HG_TRY(hg_grow("the ports of a block", (void **)list, *count, sizeof **list));
  hg_async_port *p = &(*list)[(*count)++];
  *p = *port;
  for (int v = 0; v < HG_VECTORS; v++) {
    starpu_vector_data_register(&p->handle[v], -1, 0, (uint32_t)p->bytes, 1);
    starpu_data_set_name(p->handle[v], "port");
    hg_sched_set_owner(p->handle[v], b->worker);
  }
  return HG_OK;
}

/* The same name on both ranks, unique among links. */
static uint64_t name_link(const hg_async *a, hg_link_end end, int peer, int64_t name, const hg_async_ends *ends)
{
  const int rank = a->session->rank;
  const int64_t all[] = {end == HG_LINK_IN ? peer : rank, end == HG_LINK_OUT ? peer : rank, name, ends->from, ends->to};
  uint64_t hash = HG_HASH_START;
  hg_hash_mix(&hash, all, sizeof all);
  return hash;
}

hg_status hg_async_connect(hg_async *a, int from, int to, hg_async_ends ends, int peer, int64_t name, size_t bytes)
{
  const hg_link_end end = from < 0 ? HG_LINK_IN : to < 0 ? HG_LINK_OUT : HG_LINK_BOTH;
  hg_link *link;
  if (bytes > UINT32_MAX) return hg_fail(HG_INVALID, "a face of %zu bytes, must be < 2^32", bytes);
  HG_TRY(hg_mailbox_add(a->box, &(hg_link_kind){end, peer, name, bytes, false}, &link));
  hg_async_port port = {.link = link, .bytes = bytes, .other = ends.to, .name = name_link(a, end, peer, name, &ends)};
  if (from >= 0) HG_TRY(add_port(&a->block[from], &a->block[from].out, &a->block[from].out_count, &port));
  port.other = ends.from;
  if (to >= 0) HG_TRY(add_port(&a->block[to], &a->block[to].in, &a->block[to].in_count, &port));
  return HG_OK;
}

static hg_status finish_blocks(hg_async *a)
{
  int most = 0;
  for (int i = 0; i < a->blocks; i++) {
    hg_async_block *b = &a->block[i];
    const size_t bytes = ((size_t)b->in_count + 1) * sizeof *b->age;
    HG_TRY(hg_allocate("versions", bytes, (void **)&b->taken));
    HG_TRY(hg_allocate("versions", bytes, (void **)&b->counted));
    HG_TRY(hg_allocate("versions", bytes, (void **)&b->age));
    if (b->in_count > most) most = b->in_count;
    if (b->out_count > most) most = b->out_count;
  }
  a->descr = malloc(((size_t)most + 2) * sizeof *a->descr);
  return a->descr ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d handles", most);
}

hg_status hg_async_open(hg_async *a)
{
  HG_TRY(hg_session_agree(a->session, finish_blocks(a)));
  return hg_mailbox_open(a->box);
}

hg_mailbox_counts hg_async_count(hg_async *a)
{
  return hg_mailbox_count(a->box);
}

static void free_ports(hg_async_port *list, int count)
{
  for (int i = 0; i < count; i++)
    for (int v = 0; v < HG_VECTORS; v++)
      if (list[i].handle[v]) starpu_data_unregister_no_coherency(list[i].handle[v]);
  free(list);
}

void hg_async_free(hg_async *a)
{
  if (!a) return;
  for (int i = 0; i < a->blocks; i++) {
    hg_async_block *b = &a->block[i];
    free_ports(b->in, b->in_count);
    free_ports(b->out, b->out_count);
    if (b->order) starpu_data_unregister(b->order);
    free(b->taken);
    free(b->counted);
    free(b->age);
  }
  hg_mailbox_free(a->box);
  hg_detect_free(a->detect);
  pthread_mutex_destroy(&a->lock);
  free(a->block);
  free(a->note);
  free(a->read);
  free(a->descr);
  free(a);
}
