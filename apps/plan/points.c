/* SPDX-License-Identifier: MIT */
/* The partition by points: runs of cells in row order, the only partition without rectangles. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "partition/draw.h"
#include "partition/points.h"
#include "plan.h"

static int64_t cells_of(const int64_t *start, int i)
{
  return start[i + 1] - start[i];
}

static void print_text(const plan_options *o, const int64_t *start, const hg_points_metrics *m)
{
  for (int i = 0; i < o->request.parts; i++)
    printf("part %d: %" PRId64 " cells from number %" PRId64 " on\n", i, cells_of(start, i), start[i]);
  printf("%" PRId64 " distinct values received per step (2 x %" PRId64
         " cell borders), %d pair%s, at most %d neighbour%s\n",
         m->items_cells, m->items_edges / 2, m->pairs, m->pairs == 1 ? "" : "s", m->max_neighbours,
         m->max_neighbours == 1 ? "" : "s");
}

static void print_json(const plan_options *o, const int64_t *start, const hg_points_metrics *m)
{
  json_t *parts = json_array();
  for (int i = 0; i < o->request.parts; i++) {
    const double cells = (double)cells_of(start, i), speed = o->request.speed[i];
    json_array_append_new(parts, json_pack("{s:i, s:o, s:I, s:I, s:o}", "id", i, "speed", plan_json(speed), "first",
                                           (json_int_t)start[i], "cells", (json_int_t)cells_of(start, i), "seconds",
                                           plan_json(cells > 0 ? cells / speed : 0)));
  }
  json_t *total = json_pack("{s:I, s:I, s:i, s:i}", "items_cells", (json_int_t)m->items_cells, "items_edges",
                            (json_int_t)m->items_edges, "pairs", m->pairs, "max_messages", 2 * m->max_neighbours);
  plan_json_print(o, "points", parts, total, NULL);
}

static void print_csv(const plan_options *o, const int64_t *start)
{
  puts("partition,part,speed,first,cells");
  for (int i = 0; i < o->request.parts; i++)
    printf("points,%d,%.17g,%" PRId64 ",%" PRId64 "\n", i, o->request.speed[i], start[i], cells_of(start, i));
}

static hg_status divide_and_show(const plan_options *o, int64_t *start)
{
  const hg_partition_request *r = &o->request;
  hg_points_metrics m;
  int64_t n[3];
  HG_TRY(plan_whole_grid(r, n));
  HG_TRY(hg_partition_check(r));
  HG_TRY(hg_points_divide(n, r->parts, r->speed, start));
  HG_TRY(hg_points_measure(n, r->periodic, r->parts, start, &m));
  if (o->picture) HG_TRY(hg_points_draw(o->picture, n, r->parts, start));
  if (o->quiet) return HG_OK;
  if (o->json)
    print_json(o, start, &m);
  else if (o->csv)
    print_csv(o, start);
  else
    print_text(o, start, &m);
  return HG_OK;
}

hg_status plan_points(const plan_options *o)
{
  int64_t *start = malloc(((size_t)o->request.parts + 1) * sizeof *start);
  if (!start) return hg_fail(HG_MEMORY, "no memory for %d parts", o->request.parts);
  const hg_status status = divide_and_show(o, start);
  free(start);
  return status;
}
