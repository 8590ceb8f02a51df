/* SPDX-License-Identifier: MIT */
/* Who gets which part of the grid, and in which tiles. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "heat.h"

/* One speed per worker: as given, or each rank's shared among its workers, or all equal. */
static hg_status worker_speeds(const heat *h, double *speed)
{
  const hg_session *s = &h->session;
  const heat_options *o = &h->options;
  if (o->speeds != 0 && o->speeds != s->all_workers && o->speeds != s->ranks)
    return hg_fail(HG_INVALID, "--speeds: %d numbers for %d workers of %d ranks", o->speeds, s->all_workers, s->ranks);
  for (int i = 0; i < s->all_workers; i++) {
    int rank = s->worker_rank[i], mates = 0;
    for (int j = 0; j < s->all_workers; j++) mates += s->worker_rank[j] == rank;
    speed[i] = o->speeds == 0 ? 1 : o->speeds == s->all_workers ? o->speed[i] : o->speed[rank] / mates;
  }
  return HG_OK;
}

/* By a partitioner's name, or as a file of boxes says. */
static hg_status divide(const char *name, const hg_partition_request *request, const int64_t n[3], hg_box *box)
{
  if (hg_file_has_ending(name, ".csv")) return hg_boxes_read(name, request->dims, n, request->parts, box);
  return hg_partition(name, request, n, box);
}

/* The tables that were named; without a name those that hetgrid-calibrate made here, which are of CPU workers. */
static hg_status read_tables(const heat *h, hg_speed_model **model, int *count)
{
  char path[HG_PATH_MAX], list[HG_PATH_MAX + 16];
  if (*h->options.tables) return hg_speed_models_read(h->options.tables, "--speeds", model, count);
  if (h->session.cuda_workers > 0)
    return hg_fail(HG_INVALID, "--speeds tables: %d CUDA workers have no table of their own; name the files",
                   h->session.cuda_workers);
  HG_TRY(hg_table_path("heat", h->kernel->name, h->problem.precision == HG_FLOAT ? "float" : "double", path));
  snprintf(list, sizeof list, "%s*%d", path, h->session.all_workers);
  return hg_speed_models_read(list, "--speeds", model, count);
}

/* Each worker's box, from speeds or from measured tables. */
static hg_status divide_among_workers(const heat *h, const double *measured, hg_box *box)
{
  const heat_options *o = &h->options;
  const hg_heat_problem *p = &h->problem;
  const int n = h->session.all_workers;
  double speed[n];
  if (o->tables && !measured) {
    hg_speed_model *model;
    hg_fpmc_result result;
    int count;
    HG_TRY(read_tables(h, &model, &count));
    hg_status status = count == n
                           ? hg_divide_by_model(HG_BALANCE_FPMC, p->dims, p->n, n, model, o->partition, box, &result)
                           : hg_fail(HG_INVALID, "--speeds: %d tables for %d workers", count, n);
    hg_speed_models_free(model, count);
    return status;
  }
  HG_TRY(worker_speeds(h, speed));
  const hg_partition_request request = {.dims = p->dims, .parts = n, .speed = measured ? measured : speed};
  return divide(o->partition, &request, p->n, box);
}

/* The choice depends on the machine; ranks on different ones must cut the same tiles. */
static int agreed_depth(const hg_session *session, int mine)
{
  double least = -mine;
  hg_session_max(session, &least);
  return (int)-least;
}

hg_status heat_make_tiling(const heat *h, const double *speed, hg_tiling *tiling)
{
  const hg_session *s = &h->session;
  const heat_options *o = &h->options;
  const int n = s->all_workers;
  hg_box box[n];
  int64_t tile[n][3];
  HG_TRY(hg_session_agree(s, divide_among_workers(h, speed, box)));
  const hg_domain domain = hg_heat_domain(&h->problem);
  int64_t most = hg_tiling_max_depth(&domain);
  int depth = o->block ? o->block : agreed_depth(s, hg_choose_depth(&h->problem, n, box));
  if (depth > most) {
    hg_log(HG_WARN, "--block: %d steps, but this grid allows %" PRId64, depth, most);
    depth = (int)most;
  }
  for (int i = 0; i < n; i++) {
    hg_choose_tile(&h->problem, &box[i], s->kind[i] == HG_CUDA_WORKER, depth, tile[i]);
    for (int axis = 0; axis < 3; axis++)
      if (o->tile[axis]) tile[i][axis] = o->tile[axis];
  }
  return hg_tiling_make(&domain, n, box, s->worker_rank, depth, (const int64_t(*)[3])tile, tiling);
}
