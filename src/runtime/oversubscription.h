/* SPDX-License-Identifier: MIT */
/* Ranks that share the cores of a machine. */
#ifndef HG_RUNTIME_OVERSUBSCRIPTION_H
#define HG_RUNTIME_OVERSUBSCRIPTION_H

#include <sched.h>

#include "runtime/session.h"

/** Rank 0 warns, once, if the ranks of a machine together have more workers than it has cores: workers that take turns
 * on a core delay the messages for all others. Collective. @param allowed  hardware threads that the launcher allows
 * this rank */
void hg_oversubscription_warn(const hg_session *session, const cpu_set_t *allowed);
#endif
