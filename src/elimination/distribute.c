/* SPDX-License-Identifier: MIT */
#include "elimination/distribute.h"

#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"

/* Shares of the elements by the tables (FPM): a third of the matrix is worked on at a time, on average. */
static hg_status share_by_tables(const hg_session *s, const hg_division *d, int64_t n, double *speed)
{
  hg_speed_model *model;
  int64_t elements[s->all_workers];
  HG_TRY(hg_division_models(s, d, &model));
  const hg_status status = hg_fpm(s->all_workers, model, NULL, n * n / 3 + 1, elements);
  for (int i = 0; i < s->all_workers && status == HG_OK; i++) speed[i] = (double)elements[i];
  hg_speed_models_free(model, s->all_workers);
  return status;
}

/* What rank 0 has read. */
static hg_status speeds_by_tables(const hg_session *s, const hg_division *d, int64_t n, double *speed)
{
  memset(speed, 0, (size_t)s->all_workers * sizeof *speed);
  const hg_status status = s->rank == 0 ? share_by_tables(s, d, n, speed) : HG_OK;
  HG_TRY(hg_session_agree(s, status));
  hg_session_sum_all(s, speed, s->all_workers);
  return HG_OK;
}

/* Among so many owners. */
static hg_status deal_among(int owners, const double *speed, const hg_lu_division *d, int tiles, hg_tile_map *map)
{
  const char *partition = d->speeds.partition;
  if (partition) return hg_tile_map_pattern(partition, owners, speed, d->pattern ? d->pattern : tiles, map);
  return hg_tile_map_columns(owners, speed, tiles, map);
}

static hg_status deal_to_workers(const hg_session *s, const hg_lu_division *d, int64_t n, int tiles,
                                 hg_lu_distribution *out)
{
  double speed[s->all_workers];
  HG_TRY(d->speeds.tables ? speeds_by_tables(s, &d->speeds, n, speed) : hg_division_of_workers(s, &d->speeds, speed));
  HG_TRY(deal_among(s->all_workers, speed, d, tiles, &out->homes));
  return hg_tile_map_of_ranks(&out->homes, s->worker_rank, &out->map);
}

static hg_status deal_to_ranks(const hg_session *s, const hg_lu_division *d, int tiles, hg_tile_map *map)
{
  double speed[s->ranks];
  for (int r = 0; r < s->ranks; r++) speed[r] = d->speeds.speeds ? d->speeds.speed[r] : 1;
  return deal_among(s->ranks, speed, d, tiles, map);
}

static hg_status distribution(const hg_session *s, const hg_lu_division *d, int64_t n, int tiles,
                              hg_lu_distribution *out)
{
  const int speeds = d->speeds.speeds;
  if (d->p && d->p * d->q != s->ranks) return hg_fail(HG_INVALID, "--ranks: %dx%d for %d ranks", d->p, d->q, s->ranks);
  if (d->speeds.tables || (speeds && speeds != s->ranks)) return deal_to_workers(s, d, n, tiles, out);
  if (speeds || d->speeds.partition) return deal_to_ranks(s, d, tiles, &out->map);
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
