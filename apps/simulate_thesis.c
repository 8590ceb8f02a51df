/* SPDX-License-Identifier: MIT */
#include "simulate.h"

hg_status simulate_thesis(FILE *out)
{
  (void)out;
  return hg_fail(HG_UNSUPPORTED, "not yet");
}
