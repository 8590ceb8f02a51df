/* SPDX-License-Identifier: MIT */
/* A file as text, CSV, JSON and pictures. */
#include <math.h>
#include <stdio.h>

#include "network.h"

static void show_segments(const hg_network_level *l)
{
  for (int i = 0; i < l->segments; i++) {
    const hg_network_segment *s = &l->segment[i];
    printf("  from %.0f B: %.4g us + %.4g us/KiB (%.4g GB/s)\n", s->from, s->latency * 1e6, s->per_byte * 1e6 * 1024,
           s->per_byte > 0 ? 1e-9 / s->per_byte : INFINITY);
  }
}

static void show_parameters(const hg_network_level *l)
{
  for (int i = 0; i < l->segments && l->trains > 0; i++) {
    const double end = i + 1 < l->segments ? l->segment[i + 1].from : INFINITY;
    int first = 0, last;
    hg_loggp p;
    while (first < l->trains && l->train[first].bytes < l->segment[i].from) first++;
    for (last = first; last < l->trains && l->train[last].bytes < end;) last++;
    if (hg_loggp_recover(l->train_length, last - first, l->train + first, &p) != HG_OK) continue;
    printf("  LogGP from %.0f B (explains, does not predict): L %.4g us, o %.4g us, g %.4g us, G "
           "%.4g us/KiB%s\n",
           l->train[first].bytes, p.L * 1e6, p.o * 1e6, p.g * 1e6, p.G * 1e6 * 1024,
           p.L < 0 || p.o < 0 ? "; negative: overheads overlap with the transfer" : "");
  }
}

static void show_level(const hg_network_level *l)
{
  int unstable = 0;
  for (int i = 0; i < l->points; i++) unstable += l->point[i].pass_gap > HG_NETWORK_UNSTABLE;
  printf("\n%s: %s to %s, %d pair%s, %d size%s, %d of them unstable\n", l->name, l->from, l->to, l->pairs,
         l->pairs == 1 ? "" : "s", l->points, l->points == 1 ? "" : "s", unstable);
  printf("%12s %12s %12s %12s %10s %8s %9s\n", "bytes", "us", "low", "high", "GB/s", "samples", "pass gap");
  for (int i = 0; i < l->points; i++) {
    const hg_network_point *p = &l->point[i];
    printf("%12.0f %12.4f %12.4f %12.4f %10.4f %8d %8.1f%%%s\n", p->bytes, p->seconds * 1e6, p->low * 1e6,
           p->high * 1e6, p->bytes / p->seconds * 1e-9, p->samples, 100 * p->pass_gap,
           p->pass_gap > HG_NETWORK_UNSTABLE ? " unstable" : "");
  }
  show_segments(l);
  show_parameters(l);
  for (int i = 0; i < l->loads; i++)
    printf("  %d pairs at once, %.0f B: %.4g us\n", l->load[i].pairs, l->load[i].bytes, l->load[i].seconds * 1e6);
}

static void show_text(const hg_network *n)
{
  printf("%s, %s, transport %s, cores of ranks %s, %s\n", n->host, n->mpi, n->transport, n->binding, n->date);
  printf("other load %.0f %%%s\n", 100 * n->other_load,
         n->oversubscribed ? "; MORE RANKS THAN CORES: times are too long" : "");
  if (!isnan(n->gpu_start)) printf("start-up of a GPU %.4g s\n", n->gpu_start);
  for (int i = 0; i < n->levels; i++) show_level(&n->level[i]);
}

/* Draws a picture for each level, and one of the choice. */
static hg_status draw(const network_options *o, const hg_network *n)
{
  char path[HG_PATH_MAX];
  for (int i = 0; i < n->levels; i++) {
    HG_TRY(hg_chart_path(o->picture, n->level[i].name, path));
    HG_TRY(hg_network_draw(path, n, &n->level[i]));
  }
  const hg_network_level *l = hg_network_between(n, false);
  const hg_rank_layout group = {o->group.ranks > 2 ? o->group.ranks : 16, o->group.per_node};
  if (!l) return HG_OK;
  HG_TRY(hg_chart_path(o->picture, "broadcast", path));
  return hg_network_draw_choice(path, n, &group, l->point[l->points - 1].bytes);
}

hg_status network_show(const network_options *o, const hg_network *n)
{
  if (o->csv)
    hg_network_print_csv(stdout, n);
  else if (o->json)
    HG_TRY(hg_network_print(stdout, n));
  else if (!o->quiet)
    show_text(n);
  return o->picture ? draw(o, n) : HG_OK;
}
