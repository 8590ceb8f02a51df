/* SPDX-License-Identifier: MIT */
#include "energy/rapl.h"

#include <stdio.h>

hg_status hg_rapl_open(hg_energy_source **out)
{
  char why[512];
  if (hg_rapl_perf_open(out) == HG_OK) return HG_OK;
  snprintf(why, sizeof why, "%.500s", hg_message());
  const hg_status status = hg_rapl_powercap_open(out);
  if (status == HG_OK) return HG_OK;
  char also[512];
  snprintf(also, sizeof also, "%.500s", hg_message());
  return hg_fail(status, "%s; %s", why, also);
}
