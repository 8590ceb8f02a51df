/* SPDX-License-Identifier: MIT */
#include "schedulers/tile_times.h"

#include "partition/metrics.h"
#include "placement/fpmc.h"

/* Times per tile for the boxes of a division. */
static hg_status times_at(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const hg_box *box,
                          double *seconds)
{
  const hg_partition_request request = {
      .dims = dims, .size = {(double)n[0], (double)n[1], (double)n[2]}, .parts = parts, .speed = seconds};
  hg_rect rect[parts];
  hg_part_metrics part[parts];
  hg_partition_metrics total;
  for (int i = 0; i < parts; i++) seconds[i] = 1;
  hg_boxes_to_rects(parts, box, rect);
  HG_TRY(hg_partition_measure(&request, rect, part, &total));
  for (int i = 0; i < parts; i++) {
    const double tiles = part[i].cells > 0 ? part[i].cells : 1;
    seconds[i] = hg_speed_time(&model[i], tiles, part[i].border) / tiles;
  }
  return HG_OK;
}

hg_status hg_tile_times(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name,
                        double *seconds)
{
  if (parts < 1) return hg_fail(HG_INVALID, "tiles are divided among %d processors, must be >= 1", parts);
  hg_box box[parts];
  hg_fpmc_result result;
  const hg_machine machine = {.parts = parts, .model = model};
  HG_TRY(hg_fpmc(dims, n, &machine, name, box, &result));
  return times_at(dims, n, parts, model, box, seconds);
}
