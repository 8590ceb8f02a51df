/* SPDX-License-Identifier: MIT */
/* Example: two nodes of two cores, each with a quarter of 4 x 4 cells as a row, at 1 cell/s; a message takes 0.5 s,
 * the link 8 bytes/s for items of 8 bytes. The rows between the nodes exchange 4 items: 4 s of work, twice 0.5 s for
 * the announcement and the message, 4 s on the link: 9 s in all. */
#include "placement/machine.h"

#include <math.h>
#include <stdlib.h>

#include "network/network.h"

int64_t hg_machine_blocks(const hg_machine *m)
{
  const int block = m->block > 1 ? m->block : 1;
  return (m->steps + block - 1) / block;
}

double hg_machine_steps(const hg_machine *m)
{
  return m->steps > 0 ? (double)m->steps / (double)hg_machine_blocks(m) : m->block > 1 ? m->block : 1;
}

double hg_wire_start(const hg_wire *w)
{
  return w->measured ? hg_network_time(w->measured, 0) : w->latency;
}

double hg_wire_carry(const hg_wire *w, double bytes)
{
  if (w->measured) return hg_network_time(w->measured, bytes) - hg_network_time(w->measured, 0);
  return w->bandwidth > 0 ? bytes / w->bandwidth : 0;
}

/* Messages of a group overlap, and each is announced by another one: the group's link is busy with all bytes, and
 * every processor waits for at least the time of two messages. */
static hg_status add_level(const hg_machine *m, int level, const hg_part_metrics *part, double *wait)
{
  enum { ANNOUNCED = 2 };
  const hg_wire *w = &m->wire[level];
  const int *group = m->group[level], block = m->block > 1 ? m->block : 1;
  const double steps = hg_machine_steps(m);
  if (!w->measured && w->bandwidth <= 0) return HG_OK;
  double *all = calloc((size_t)m->parts, sizeof *all), *longest = calloc((size_t)m->parts, sizeof *longest);
  const hg_status status =
      all && longest ? HG_OK : hg_fail(HG_MEMORY, "no memory for the links of %d processors", m->parts);
  for (int i = 0; i < m->parts && status == HG_OK; i++) {
    if (part[i].across[level] == 0) continue;
    const double carried = hg_wire_carry(w, block * part[i].outside[level] * m->item_bytes) / steps;
    all[group[i]] += carried;
    longest[group[i]] = fmax(longest[group[i]], ANNOUNCED * hg_wire_start(w) / steps + carried);
  }
  for (int i = 0; i < m->parts && status == HG_OK; i++) wait[i] += fmax(all[group[i]], longest[group[i]]);
  free(all);
  free(longest);
  return status;
}

/* s per step: the border's items through a processor's port, plus the cost per neighbour. */
static double port_time(const hg_machine *m, int i, const hg_part_metrics *part)
{
  double items = 0, message = m->pack ? m->pack[i] : 0;
  if (m->port) items = m->port[i].out + m->port[i].in, message += 2 * m->port[i].latency;
  return part->border * items + part->neighbours * message / hg_machine_steps(m);
}

/* Adds the slowest of the processors' own links in each innermost group. */
static hg_status add_own_links(const hg_machine *m, const hg_part_metrics *part, double *wait)
{
  const int *group = m->group[m->levels - 1];
  double *slowest = calloc((size_t)m->parts, sizeof *slowest);
  if (!slowest) return hg_fail(HG_MEMORY, "no memory for the links of %d processors", m->parts);
  for (int i = 0; i < m->parts; i++) {
    const double cells = part[i].cells, items = part[i].border;
    const hg_speed_model *model = &m->model[i];
    const double exchange = hg_speed_time(model, cells, items) - hg_speed_compute_time(model, cells, items);
    slowest[group[i]] = fmax(slowest[group[i]], exchange + port_time(m, i, &part[i]));
  }
  for (int i = 0; i < m->parts; i++) wait[i] += slowest[group[i]];
  free(slowest);
  return HG_OK;
}

double hg_machine_time_of(const hg_machine *m, int i, const hg_part_metrics *part, double wait)
{
  const hg_part_metrics *p = &part[i];
  if (p->cells <= 0) return 0;
  return m->levels > 0 ? hg_speed_compute_time(&m->model[i], p->cells, p->border) + wait
                       : hg_speed_time(&m->model[i], p->cells, p->border);
}

hg_status hg_machine_time(const hg_machine *m, const hg_part_metrics *part, double *wait, double *seconds)
{
  for (int i = 0; i < m->parts; i++) wait[i] = 0;
  for (int level = 0; level < m->levels; level++) HG_TRY(add_level(m, level, part, wait));
  if (m->levels > 0) HG_TRY(add_own_links(m, part, wait));
  *seconds = 0;
  for (int i = 0; i < m->parts; i++) *seconds = fmax(*seconds, hg_machine_time_of(m, i, part, wait[i]));
  return HG_OK;
}
