/* SPDX-License-Identifier: MIT */
#include "energy/source.h"

hg_status hg_energy_check(const char *device, double joules, double seconds, double most)
{
  const double step = .1;
  if (!(joules > 0))
    return hg_fail(HG_RUNTIME, "%s counted no energy in %.3g s: its counter stands still, or the time was too short",
                   device, seconds);
  if (joules <= most * (seconds + step)) return HG_OK;
  return hg_fail(HG_RUNTIME, "%s counted %.4g J in %.3g s, more than the %.4g W that are possible", device, joules,
                 seconds, most);
}
