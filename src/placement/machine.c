/* SPDX-License-Identifier: MIT */
/* Example: two nodes of two cores, each with a quarter of 4 x 4 cells as a row, at 1 cell/s; a message takes .5 s, the
 * link 8 bytes/s for items of 8 bytes. The rows between the nodes exchange 4 items in one message: 4 s of work and
 * .5 + 4 s for either node, 8.5 in all. */
#include "placement/machine.h"

#include <math.h>
#include <stdlib.h>

#include "model/network.h"

/* s of a step, in which a group receives so many items in so many messages, every `block` steps. */
static double wire_time(const hg_machine *m, int level, double items, int messages)
{
  const hg_wire *w = &m->wire[level];
  const int block = m->block > 1 ? m->block : 1;
  const double bytes = items * m->item_bytes;
  if (messages == 0) return 0;
  if (w->measured) return messages * hg_network_time(w->measured, block * bytes / messages) / block;
  return w->bandwidth > 0 ? messages * w->latency / block + bytes / w->bandwidth : 0;
}

static hg_status add_level(const hg_machine *m, int level, const hg_part_metrics *part, double *wait)
{
  const int *group = m->group[level];
  double *items = calloc((size_t)m->parts, sizeof *items);
  int *messages = calloc((size_t)m->parts, sizeof *messages);
  const hg_status status =
      items && messages ? HG_OK : hg_fail(HG_MEMORY, "no memory for the links of %d processors", m->parts);
  for (int i = 0; i < m->parts && status == HG_OK; i++) {
    items[group[i]] += part[i].outside[level];
    messages[group[i]] += part[i].across[level];
  }
  for (int i = 0; i < m->parts && status == HG_OK; i++)
    wait[i] += wire_time(m, level, items[group[i]], messages[group[i]]);
  free(items);
  free(messages);
  return status;
}

/* The slowest own link of each innermost group. */
static hg_status add_own_links(const hg_machine *m, const hg_part_metrics *part, double *wait)
{
  const int *group = m->group[m->levels - 1];
  double *slowest = calloc((size_t)m->parts, sizeof *slowest);
  if (!slowest) return hg_fail(HG_MEMORY, "no memory for the links of %d processors", m->parts);
  for (int i = 0; i < m->parts; i++) {
    const double cells = part[i].cells, items = part[i].border;
    const hg_speed_model *model = &m->model[i];
    slowest[group[i]] =
        fmax(slowest[group[i]], hg_speed_time(model, cells, items) - hg_speed_compute_time(model, cells, items));
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
