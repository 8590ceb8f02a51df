/* SPDX-License-Identifier: MIT */
#include "speed/cpm.h"

#include <math.h>

hg_status hg_cpm_shares(int workers, const double (*quantity)[3], const double factor[3], double *share)
{
  double sum[3] = {0, 0, 0}, total = 0;
  for (int i = 0; i < workers; i++)
    for (int q = 0; q < 3; q++) {
      if (!(quantity[i][q] >= 0) || !isfinite(quantity[i][q]) || !(factor[q] >= 0) || !isfinite(factor[q]))
        return hg_fail(HG_INVALID, "cpm: quantity %g (factor %g) of worker %d, must be finite and >= 0", quantity[i][q],
                       factor[q], i);
      sum[q] += quantity[i][q];
    }
  for (int i = 0; i < workers; i++) {
    share[i] = 0;
    for (int q = 0; q < 3; q++) share[i] += sum[q] > 0 ? factor[q] * quantity[i][q] / sum[q] : 0;
    total += share[i];
  }
  if (!(total > 0)) return hg_fail(HG_INVALID, "cpm: all %d workers have capability 0", workers);
  for (int i = 0; i < workers; i++) share[i] /= total;
  return HG_OK;
}
