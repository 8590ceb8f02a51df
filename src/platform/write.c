/* SPDX-License-Identifier: MIT */
/* Writes the description of a platform to a file. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "platform/platform.h"

static void write_device(FILE *out, const hg_device *d)
{
  fprintf(out, "device %s %s latency=%.9g panel=%.9g start=%.9g", d->name, d->cuda ? "cuda" : "cpu", d->latency,
          fmax(d->panel, 1), d->start);
  if (d->panel_column > 0) fprintf(out, " panel_column=%.9g", d->panel_column);
  if (d->solve_row > 0) fprintf(out, " solve_row=%.9g", d->solve_row);
  if (d->moves > 0) fprintf(out, " moves=%.9g", d->moves);
  if (d->batch > 0) fprintf(out, " batch=%.9g", d->batch);
  if (d->adr > 0) fprintf(out, " adr=%.9g", d->adr);
  if (d->memory > 0) fprintf(out, " memory=%.9g", d->memory);
  if (d->to > 0) fprintf(out, " to=%.9g from=%.9g", d->to, d->from);
  if (d->heat.kind == HG_SPEED_TABLE)
    fprintf(out, " heat_table=%s", d->heat_table);
  else if (d->heat.smax > 0)
    fprintf(out, " heat=%.9g heat_start=%.9g heat_item=%.9g", d->heat.smax, d->heat.t0, d->heat.tc);
  if (d->heat.kind == HG_SPEED_CLIFF)
    fprintf(out, " heat_memory=%.9g heat_rest=%.9g heat_sharp=%.9g", d->heat.mem, d->heat.r, d->heat.k);
  if (d->update.kind == HG_SPEED_TABLE)
    fprintf(out, " update_table=%s", d->update_table);
  else if (d->update.smax > 0)
    fprintf(out, " update=%.9g", d->update.smax * 2 * HG_PLATFORM_DEPTH);
  if (d->full > 0) fprintf(out, " full=%.9g wait=%.9g idle=%.9g", d->full, d->wait, d->idle);
  for (int i = 0; i < HG_POWER_KERNELS; i++)
    if (d->full_of[i] > 0) fprintf(out, " full_%s=%.9g", hg_power_kernels[i], d->full_of[i]);
  fputc('\n', out);
}

static void write_network(FILE *out, const hg_platform *p)
{
  if (*p->network_file || p->bandwidth > 0 || p->switch_watts > 0) fputs("network", out);
  if (*p->network_file)
    fprintf(out, " file=%s level=%s", p->network_file, p->network_level);
  else if (p->bandwidth > 0)
    fprintf(out, " bandwidth=%.9g latency=%.9g", p->bandwidth, p->latency);
  if (p->backbone > 0) fprintf(out, " backbone=%.9g", p->backbone);
  if (p->switch_watts > 0) fprintf(out, " switch=%.9g", p->switch_watts);
  fputc('\n', out);
}

hg_status hg_platform_write(const char *path, const hg_platform *p)
{
  char part[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_file_begin(path, part, &out));
  for (int i = 0; i < p->devices; i++) write_device(out, &p->device[i]);
  for (int n = 0; n < p->nodes; n++) {
    fputs("node ", out);
    for (int w = 0; w < p->node[n].workers; w++)
      fprintf(out, "%s%s", w ? "," : "", p->device[p->node[n].device[w]].name);
    if (p->node[n].base > 0) fprintf(out, " base=%.9g", p->node[n].base);
    fputc('\n', out);
  }
  write_network(out, p);
  return hg_file_end(out, part, path, HG_OK);
}
