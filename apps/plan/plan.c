/* SPDX-License-Identifier: MIT */
/* hetgrid-plan: divides, measures, prints and draws. */
#include "plan.h"
#include "base/clock.h"
#include "base/file.h"
#include "codelets/heat/heat_update.h"
#include "partition/boxfile.h"
#include "partition/draw.h"
#include "placement/choose.h"
#include "placement/halo.h"
#include "placement/tiling.h"
#include "program/exit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hg_status plan_whole_grid(const hg_partition_request *r, int64_t n[3])
{
  for (int a = 0; a < 3; a++) {
    n[a] = (int64_t)r->size[a];
    if (n[a] < 1 || (double)n[a] != r->size[a])
      return hg_fail(HG_INVALID, "--size: %g is not a whole number of cells (--continuous divides real rectangles)",
                     r->size[a]);
  }
  return HG_OK;
}

/* Groups the processors into the nodes of `--nodes`. HG_INVALID unless the numbers match. */
static hg_status group_by_nodes(plan_options *o)
{
  hg_partition_request *r = &o->request;
  double sum = 0;
  if (!o->nodes_count) return HG_OK;
  for (int n = 0; n < o->nodes_count; n++) {
    if (o->nodes[n] != (double)(int)o->nodes[n])
      return hg_fail(HG_INVALID, "--nodes: %g processors of node %d, must be a whole number", o->nodes[n], n);
    sum += o->nodes[n];
  }
  if (sum != r->parts) return hg_fail(HG_INVALID, "--nodes: %g processors in total, must be %d", sum, r->parts);
  o->node = malloc((size_t)r->parts * sizeof *o->node);
  if (!o->node) return hg_fail(HG_MEMORY, "no memory for the nodes of %d processors", r->parts);
  for (int n = 0, i = 0; n < o->nodes_count; n++)
    for (int k = 0; k < (int)o->nodes[n]; k++) o->node[i++] = n;
  r->group[0] = o->node;
  r->levels = 1;
  return HG_OK;
}

static hg_status divide(const plan_options *o, plan *p)
{
  hg_partition_request *r = &p->request;
  const hg_partitioner *partitioner;
  hg_tree tree;
  int64_t n[3];
  r->whole = !o->continuous;
  if (!o->continuous) HG_TRY(plan_whole_grid(r, n));
  if (hg_file_has_ending(p->name, ".csv")) {
    if (o->continuous)
      return hg_fail(HG_INVALID, "--partition: a file of boxes excludes --continuous, as it holds whole cells");
    return hg_boxes_read(p->name, r->dims, n, r->parts, p->box);
  }
  HG_TRY(hg_partition_find(p->name, &partitioner));
  HG_TRY(hg_partition_tree(partitioner->divide, r, &tree));
  hg_status status = o->continuous ? hg_tree_rects(&tree, r->size, r->parts, r->speed, p->rect)
                                   : hg_tree_boxes(&tree, n, r->parts, r->speed, p->box);
  hg_tree_free(&tree);
  return status;
}

/* Tiles as given by options, else the whole region. */
static void choose_tile(const plan_options *o, const hg_domain *domain, const hg_box *box, int64_t tile[3])
{
  hg_choice choice = {domain, sizeof(double), o->halo, false, {0}, 0};
  hg_heat_depth(domain->dims, choice.depth);
  for (int a = 0; a < 3; a++) tile[a] = hg_box_extent(box, a) > 0 ? hg_box_extent(box, a) : 1;
  if (o->tile_chosen) hg_choose_tile(&choice, box, false, o->halo, tile);
  for (int a = 0; a < 3; a++)
    if (o->tile[a] > 0) tile[a] = o->tile[a];
}

/* What the regions receive, counted as in hetgrid-heat for such sides and tiles. */
static hg_status measure_halo(const plan_options *o, plan *p)
{
  const int parts = p->request.parts;
  hg_domain domain = {.dims = p->request.dims, .radius = 1};
  for (int i = 0; i < 6; i++) domain.side[i / 2][i % 2] = o->side[i / 2][i % 2].kind;
  HG_TRY(plan_whole_grid(&p->request, domain.n));
  if (o->halo > hg_tiling_max_depth(&domain))
    return hg_fail(HG_INVALID, "--halo: %d cells, must be in 1..%" PRId64 " on this grid", o->halo,
                   hg_tiling_max_depth(&domain));
  int64_t(*tile)[3] = calloc((size_t)parts, sizeof *tile);
  int *rank = calloc((size_t)parts, sizeof *rank);
  hg_halo *halo = calloc((size_t)parts, sizeof *halo);
  hg_tiling tiling = {0};
  hg_status status = tile && rank && halo ? HG_OK : hg_fail(HG_MEMORY, "no memory for the exchange of %d parts", parts);
  for (int i = 0; i < parts && status == HG_OK; i++) choose_tile(o, &domain, &p->box[i], tile[i]);
  if (status == HG_OK)
    status = hg_tiling_make(&domain, parts, p->box, rank, o->halo, (const int64_t(*)[3])tile, &tiling);
  if (status == HG_OK) status = hg_tiling_halos(&tiling, halo);
  for (int i = 0; i < parts && status == HG_OK; i++) {
    p->halo_cells += (double)halo[i].cells;
    if (halo[i].messages > p->halo_messages) p->halo_messages = halo[i].messages;
  }
  hg_tiling_free(&tiling);
  free(tile);
  free(rank);
  free(halo);
  return status;
}

hg_status plan_make(const plan_options *o, const char *name, plan *p)
{
  size_t parts = (size_t)o->request.parts;
  *p = (plan){.name = name,
              .request = o->request,
              .rect = calloc(parts, sizeof *p->rect),
              .part = calloc(parts, sizeof *p->part),
              .box = o->continuous ? NULL : calloc(parts, sizeof *p->box)};
  if (!p->rect || !p->part || (!p->box && !o->continuous)) return hg_fail(HG_MEMORY, "no memory for %zu parts", parts);
  double start = hg_now();
  if (!o->table) HG_TRY(hg_partition_check(&p->request));
  HG_TRY(o->table ? plan_by_tables(o, p) : divide(o, p));
  p->seconds = hg_now() - start;
  if (p->box) hg_boxes_to_rects((int)parts, p->box, p->rect);
  HG_TRY(hg_partition_measure(&p->request, p->rect, p->part, &p->total));
  if (o->table) HG_TRY(plan_time_by_tables(o, p));
  return p->box ? measure_halo(o, p) : HG_OK;
}

void plan_free(plan *p)
{
  free(p->rect);
  free(p->box);
  free(p->part);
  free(p->speed);
}

static hg_status draw(const plan_options *o, const plan *p)
{
  return hg_partition_draw(o->picture, p->name, &p->request, p->rect, o->halo > 1 ? o->halo : 0);
}

static void print_compared_names(const plan_options *o)
{
  if (o->csv)
    printf("partition,cut,items,half_perimeter,ratio,pairs,max_neighbours,halo_bytes_per_step,comm_seconds,imbalance,"
           "plan_seconds%s\n",
           o->nodes_count ? ",between_nodes" : "");
  else
    printf("%-14s %12s %12s %8s %6s %5s %14s %12s %9s %10s%s\n", "partition", "cut", "items", "hp/bound", "pairs",
           "near", "halo B/step", "comm s/step", "imbalance", "plan ms", o->nodes_count ? " between nodes" : "");
}

static void print_compared(const plan_options *o, const plan *p)
{
  const hg_partition_metrics *t = &p->total;
  const double bytes = p->halo_cells * o->request.bytes_per_cell / o->halo;
  const double ratio = t->half_perimeter / t->lower_bound;
  if (o->csv)
    printf("%s,%.9g,%.9g,%.9g,%.6f,%d,%d,%.9g,%.9g,%.6f,%.6g", p->name, t->cut, t->items, t->half_perimeter, ratio,
           t->pairs, t->max_neighbours, bytes, t->comm_seconds, t->imbalance, p->seconds);
  else
    printf("%-14s %12.6g %12.6g %8.4f %6d %5d %14.6g %12.4g %9.4f %10.3f", p->name, t->cut, t->items, ratio, t->pairs,
           t->max_neighbours, bytes, t->comm_seconds, t->imbalance, 1e3 * p->seconds);
  if (o->nodes_count) printf(o->csv ? ",%.9g" : " %13.6g", t->between[0]);
  putchar('\n');
}

static hg_status compare_all(const plan_options *o)
{
  int count = 0;
  for (int i = 0; i < o->request.parts; i++) count += o->request.speed[i] > 0;
  print_compared_names(o);
  for (const hg_partitioner *q = hg_partitioners; q->name; q++) {
    plan p;
    if (strcmp(q->name, "exact") == 0 && count > 6) continue;
    const hg_status status = plan_make(o, q->name, &p);
    if (status == HG_OK) print_compared(o, &p);
    plan_free(&p);
    HG_TRY(status);
  }
  return HG_OK;
}

static hg_status plan_one(const plan_options *o)
{
  plan p;
  hg_status status = plan_make(o, o->partition, &p);
  if (status == HG_OK && !o->quiet) plan_print(o, &p);
  if (status == HG_OK && o->picture) status = draw(o, &p);
  plan_free(&p);
  return status;
}

static hg_status run(plan_options *o)
{
  HG_TRY(plan_open_network(o));
  if (o->boundary) HG_TRY(hg_boundary_parse(o->boundary, o->request.dims, o->side));
  for (int a = 0; a < 3; a++) o->request.periodic[a] = o->side[a][0].kind == HG_PERIODIC;
  if (o->tables) {
    if (o->energy || o->objective != HG_BY_TIME)
      return hg_fail(HG_INVALID, "--platform and --objective: need --speeds, not --tables");
    if (hg_factors_given(&o->factors)) return hg_fail(HG_INVALID, "--factors: needs --speeds, not --tables");
    HG_TRY(plan_load_tables(o));
    HG_TRY(group_by_nodes(o));
    return strcmp(o->model, "all") == 0 ? plan_compare_models(o) : plan_one(o);
  }
  HG_TRY(plan_load_energy(o));
  if (o->request.parts == 0)
    return hg_fail(HG_INVALID, "the speeds of the processors are missing: --speeds LIST or --tables "
                               "FILE..");
  HG_TRY(group_by_nodes(o));
  HG_TRY(hg_factors_weigh(&o->factors, o->request.parts, o->speed));
  HG_TRY(plan_by_objective(o));
  if (strcmp(o->partition, "all") == 0) return compare_all(o);
  return strcmp(o->partition, "points") == 0 ? plan_points(o) : plan_one(o);
}

int main(int argc, char **argv)
{
  static plan_options o;
  hg_program_begin("hetgrid-plan", NULL);
  plan_parse(argc, argv, &o);
  const hg_status status = o.golden ? plan_golden(o.golden) : run(&o);
  free(o.unit);
  free(o.node);
  hg_speed_models_free(o.table, o.request.parts);
  hg_network_free(&o.network);
  return hg_program_end(status);
}
