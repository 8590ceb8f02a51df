/* SPDX-License-Identifier: MIT */
#include "elimination/distribute.h"

#include <string.h>

#include "elimination/predict.h"
#include "speed/fpm.h"

/* A worker as its speed table describes it. For panels and links to GPUs, of which nothing is known, typical values
 * are used. */
static hg_device device_of(const hg_speed_model *model, bool cuda, int64_t elements)
{
  const double flops = 2. * HG_PLATFORM_DEPTH * (double)elements / hg_speed_time(model, (double)elements, 0);
  return (hg_device){
      .cuda = cuda, .update = *model, .panel = flops / (cuda ? 16 : 2), .to = 12e9, .from = 12e9, .latency = 10e-6};
}

/* The first device that is as fast. */
static const hg_device *same_device(const hg_device *device, int worker)
{
  int first = 0;
  while (device[first].cuda != device[worker].cuda || device[first].panel != device[worker].panel) first++;
  return &device[first];
}

/* Shares from tables and the time to send panels (FPMC), starting from FPM's shares or equal ones. On average a third
 * of the matrix is worked on at a time. */
static hg_status share_by_models(const hg_session *s, const hg_division *d, int64_t n, int nb,
                                 const hg_speed_model *model, double *speed)
{
  const int workers = s->all_workers;
  const int64_t elements = n * n / 3 + 1;
  hg_device device[workers];
  const hg_device *of[workers];
  int64_t part[workers];
  double candidate[2][workers], seconds;
  hg_lu_machine m = {.workers = workers, .ranks = s->ranks, .device = of, .rank = s->worker_rank};
  HG_TRY(hg_fpm(workers, model, NULL, elements, part));
  hg_division_link(s, d, &m.latency, &m.bandwidth);
  for (int i = 0; i < workers; i++) {
    candidate[0][i] = (double)part[i];
    candidate[1][i] = 1;
    device[i] = device_of(&model[i], s->kind[i] == HG_CUDA_WORKER, elements / workers + 1);
    of[i] = same_device(device, i);
  }
  return hg_lu_choose_shares(&m, n, nb, 2, &candidate[0][0], speed, &nb, &seconds);
}

static hg_status share_by_tables(const hg_session *s, const hg_division *d, int64_t n, int nb, double *speed)
{
  hg_speed_model *model;
  HG_TRY(hg_division_models(s, d, &model));
  const hg_status status = share_by_models(s, d, n, nb, model, speed);
  hg_speed_models_free(model, s->all_workers);
  return status;
}

/* Gives all ranks what rank 0 has read. */
static hg_status speeds_by_tables(const hg_session *s, const hg_division *d, int64_t n, int nb, double *speed)
{
  memset(speed, 0, (size_t)s->all_workers * sizeof *speed);
  const hg_status status = s->rank == 0 ? share_by_tables(s, d, n, nb, speed) : HG_OK;
  HG_TRY(hg_session_agree(s, status));
  hg_session_sum_all(s, speed, s->all_workers);
  return HG_OK;
}

/* Distributes among this many owners on the given ranks. */
static hg_status distribute_among(int owners, const double *speed, const int *rank, const hg_lu_division *d, int tiles,
                                  hg_tile_map *map)
{
  const char *partition = d->speeds.partition;
  if (partition) return hg_tile_map_pattern(partition, owners, speed, d->pattern ? d->pattern : tiles, map);
  return hg_tile_map_columns(owners, speed, rank, tiles, map);
}

static hg_status distribute_to_workers(const hg_session *s, const hg_lu_division *d, int64_t n, int tiles,
                                       hg_lu_distribution *out)
{
  double speed[s->all_workers];
  const int nb = (int)((n + tiles - 1) / tiles);
  HG_TRY(d->speeds.tables ? speeds_by_tables(s, &d->speeds, n, nb, speed)
                          : hg_division_of_workers(s, &d->speeds, speed));
  HG_TRY(distribute_among(s->all_workers, speed, s->worker_rank, d, tiles, &out->homes));
  return hg_tile_map_of_ranks(&out->homes, s->worker_rank, &out->map);
}

static hg_status distribute_to_ranks(const hg_session *s, const hg_lu_division *d, int tiles, hg_tile_map *map)
{
  double speed[s->ranks];
  int rank[s->ranks];
  for (int r = 0; r < s->ranks; r++) {
    speed[r] = d->speeds.speeds ? d->speeds.speed[r] : 1;
    rank[r] = r;
  }
  return distribute_among(s->ranks, speed, rank, d, tiles, map);
}

static hg_status distribution(const hg_session *s, const hg_lu_division *d, int64_t n, int tiles,
                              hg_lu_distribution *out)
{
  const int speeds = d->speeds.speeds;
  if (d->p && d->p * d->q != s->ranks)
    return hg_fail(HG_INVALID, "--ranks: %dx%d, the product must be the number of ranks, %d", d->p, d->q, s->ranks);
  if (d->speeds.tables || (speeds && speeds != s->ranks)) return distribute_to_workers(s, d, n, tiles, out);
  if (speeds || d->speeds.partition) return distribute_to_ranks(s, d, tiles, &out->map);
  return hg_tile_map_grid(out->p, out->q, &out->map);
}

hg_status hg_lu_distribute(const hg_session *s, const hg_lu_division *d, int64_t n, int tiles, hg_lu_distribution *out)
{
  const bool by_speed = d->speeds.speeds || d->speeds.tables;
  *out = (hg_lu_distribution){.name = d->speeds.partition ? d->speeds.partition : by_speed ? "columns" : "grid"};
  if (!d->speeds.partition) {
    out->p = d->p ? d->p : 1;
    out->q = d->p ? d->q : s->ranks;
  }
  const hg_status status = hg_session_agree(s, distribution(s, d, n, tiles, out));
  if (status != HG_OK) hg_lu_distribution_free(out);
  return status;
}

void hg_lu_distribution_free(hg_lu_distribution *d)
{
  hg_tile_map_free(&d->map);
  hg_tile_map_free(&d->homes);
}
