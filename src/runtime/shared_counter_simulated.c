/* SPDX-License-Identifier: MIT */
/* One-sided messages are not simulated. */
#include "runtime/shared_counter.h"

hg_status hg_counter_make(const hg_session *session, hg_counter **out)
{
  (void)session, (void)out;
  return hg_fail(HG_UNSUPPORTED,
                 "--dynamic: not supported in virtual time, as the queue of all ranks is not simulated");
}

int64_t hg_counter_next(hg_counter *counter)
{
  (void)counter;
  return INT64_MAX;
}

void hg_counter_serve(hg_counter *counter)
{
  (void)counter;
}

void hg_counter_free(hg_counter *counter)
{
  (void)counter;
}
