/* SPDX-License-Identifier: MIT */
#include "options/factors.h"

#include <stdlib.h>

#include "speed/cpm.h"

bool hg_factors_given(const hg_factors *f)
{
  return f->factors > 0;
}

hg_status hg_factors_weigh(const hg_factors *f, int parts, double *speed)
{
  if (!hg_factors_given(f))
    return f->links || f->memories ? hg_fail(HG_INVALID, "--links and --memories: need --factors, which weighs them")
                                   : HG_OK;
  if (f->factors != 3)
    return hg_fail(HG_INVALID, "--factors: %d numbers, must be 3 (of speed, link and memory)", f->factors);
  if (!(f->factor[0] + f->factor[1] + f->factor[2] > 0))
    return hg_fail(HG_INVALID, "--factors: all three are 0, one must be > 0");
  if (parts == 0) return hg_fail(HG_INVALID, "--factors: needs --speeds with numbers, which it weighs");
  if ((f->links && f->links != parts) || (f->memories && f->memories != parts))
    return hg_fail(HG_INVALID, "--factors: %d speeds, %d links, %d memories, must be equally many", parts, f->links,
                   f->memories);
  double(*quantity)[3] = malloc((size_t)parts * sizeof *quantity);
  if (!quantity) return hg_fail(HG_MEMORY, "no memory for %d processors", parts);
  for (int i = 0; i < parts; i++) {
    quantity[i][0] = speed[i];
    quantity[i][1] = f->links ? f->link[i] : 0;
    quantity[i][2] = f->memories ? f->memory[i] : 0;
  }
  const hg_status status = hg_cpm_shares(parts, (const double(*)[3])quantity, f->factor, speed);
  free(quantity);
  return status;
}
