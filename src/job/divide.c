/* SPDX-License-Identifier: MIT */
#include "job/divide.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "model/speed.h"
#include "model/tables.h"
#include "partition/boxfile.h"
#include "partition/metrics.h"
#include "partition/partition.h"
#include "placement/fpmc.h"

hg_status hg_division_speeds(const char *text, double *room, hg_division *d)
{
  static const char prefix[] = "tables:";
  d->speed = room;
  if (strncmp(text, prefix, sizeof prefix - 1) != 0)
    return hg_parse_reals(text, "--speeds", 0, 1e300, HG_SPEEDS_MAX, room, &d->speeds);
  d->tables = text + sizeof prefix - 1;
  return HG_OK;
}

/* One speed per worker: as given, or each rank's shared among its workers, or all equal. */
static hg_status worker_speeds(const hg_session *s, const hg_division *d, double *speed)
{
  if (d->speeds != 0 && d->speeds != s->all_workers && d->speeds != s->ranks)
    return hg_fail(HG_INVALID, "--speeds: %d numbers for %d workers of %d ranks", d->speeds, s->all_workers, s->ranks);
  for (int i = 0; i < s->all_workers; i++) {
    int rank = s->worker_rank[i], mates = 0;
    for (int j = 0; j < s->all_workers; j++) mates += s->worker_rank[j] == rank;
    speed[i] = d->speeds == 0 ? 1 : d->speeds == s->all_workers ? d->speed[i] : d->speed[rank] / mates;
  }
  return HG_OK;
}

/* The tables that were named; without a name those that hetgrid-calibrate made here, which are of CPU workers. */
static hg_status read_tables(const hg_session *s, const hg_division *d, hg_speed_model **model, int *count)
{
  char path[HG_PATH_MAX], list[HG_PATH_MAX + 16];
  if (*d->tables) return hg_speed_models_read(d->tables, "--speeds", model, count);
  if (!d->app) return hg_fail(HG_INVALID, "--speeds tables: name the files, as tables:FILE[*N][,FILE..]");
  if (s->cuda_workers > 0)
    return hg_fail(HG_INVALID, "--speeds tables: %d CUDA workers have no table of their own; name the files",
                   s->cuda_workers);
  HG_TRY(hg_table_path(d->app, d->kernel, d->precision, path));
  snprintf(list, sizeof list, "%s*%d", path, s->all_workers);
  return hg_speed_models_read(list, "--speeds", model, count);
}

static hg_status by_tables(const hg_session *s, int dims, const int64_t n[3], const hg_division *d, hg_box *box)
{
  hg_speed_model *model;
  hg_fpmc_result result;
  int count;
  HG_TRY(read_tables(s, d, &model, &count));
  hg_status status = count == s->all_workers
                         ? hg_divide_by_model(HG_BALANCE_FPMC, dims, n, count, model, d->partition, box, &result)
                         : hg_fail(HG_INVALID, "--speeds: %d tables for %d workers", count, s->all_workers);
  hg_speed_models_free(model, count);
  return status;
}

static hg_status divide(const hg_session *s, int dims, const int64_t n[3], const hg_division *d, const double *measured,
                        hg_box *box)
{
  const int parts = s->all_workers;
  double speed[parts];
  if (d->tables && !measured) return by_tables(s, dims, n, d, box);
  if (measured)
    memcpy(speed, measured, sizeof speed);
  else
    HG_TRY(worker_speeds(s, d, speed));
  if (d->divide) {
    HG_TRY(d->divide(d->arg, parts, speed, box));
    return hg_partition_check_cover(parts, box, n);
  }
  if (hg_file_has_ending(d->partition, ".csv")) return hg_boxes_read(d->partition, dims, n, parts, box);
  const hg_partition_request request = {.dims = dims, .parts = parts, .speed = speed};
  return hg_partition(d->partition, &request, n, box);
}

hg_status hg_divide(const hg_session *s, int dims, const int64_t n[3], const hg_division *d, const double *measured,
                    hg_box *box)
{
  return hg_session_agree(s, divide(s, dims, n, d, measured, box));
}
