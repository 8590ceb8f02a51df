/* SPDX-License-Identifier: MIT */
/* Example: 3 messages of T = 5 us and gap 2 us back to back take 5 + 2 + 2 = 9 us. */
#include "network/predict.h"

#include <math.h>

double hg_network_stream(const hg_network_level *l, int m, double bytes)
{
  return hg_network_time(l, bytes) + (m - 1) * hg_network_gap(l, bytes);
}

/* The levels that a message passes. */
typedef struct route {
  const hg_network_level *stage[3];
  int stages;
} route;

static hg_status add_stage(const hg_network *n, const char *name, const hg_network_level *level, route *r)
{
  if (!level) return hg_fail(HG_UNSUPPORTED, "%s: the level %s was not measured", n->path, name);
  r->stage[r->stages++] = level;
  return HG_OK;
}

/* Blocks pass all stages one after another; the slowest stage limits the rate. */
static double pipelined(const route *r, double bytes, double block)
{
  double through = 0, pace = 0;
  for (int i = 0; i < r->stages; i++) {
    through += hg_network_time(r->stage[i], block);
    pace = fmax(pace, hg_network_gap(r->stage[i], block));
  }
  return through + (ceil(bytes / block) - 1) * pace;
}

static void choose_block(const route *r, double bytes, hg_network_ends *e)
{
  e->pipelined = e->sum;
  e->block = bytes;
  for (double block = 1024; block < bytes && r->stages > 1; block *= 2) {
    const double time = pipelined(r, bytes, block) + e->start;
    if (time < e->pipelined) e->pipelined = time, e->block = block;
  }
}

hg_status hg_network_message(const hg_network *n, bool from_gpu, bool to_gpu, bool nodes, bool first, double bytes,
                             hg_network_ends *out)
{
  hg_network_ends e = {0};
  route r = {.stages = 0};
  if (from_gpu) {
    HG_TRY(add_stage(n, "d2h", hg_network_level_find(n, "d2h"), &r));
    e.out = hg_network_time(r.stage[0], bytes);
  }
  HG_TRY(add_stage(n, nodes ? "network" : "node", hg_network_between(n, nodes), &r));
  e.wire = hg_network_time(r.stage[r.stages - 1], bytes);
  if (to_gpu) {
    HG_TRY(add_stage(n, "h2d", hg_network_level_find(n, "h2d"), &r));
    e.in = hg_network_time(r.stage[r.stages - 1], bytes);
    if (first && isnan(n->gpu_start)) return hg_fail(HG_UNSUPPORTED, "%s: gpu_start was not measured", n->path);
    if (first) e.start = n->gpu_start;
  }
  for (int i = 0; i < r.stages; i++) e.beyond |= hg_network_beyond(r.stage[i], bytes);
  e.sum = e.out + e.wire + e.in + e.start;
  choose_block(&r, bytes, &e);
  *out = e;
  return HG_OK;
}
