/* SPDX-License-Identifier: MIT */
/* Ranks that share the cores of a machine. */
#ifndef HG_RUNTIME_OVERSUBSCRIPTION_H
#define HG_RUNTIME_OVERSUBSCRIPTION_H

#include <sched.h>

#include "runtime/session.h"

/** Rank 0 warns, once, if the ranks of a machine have more workers together than it has cores: workers that take turns
 * let all others wait for their messages. Collective. @param allowed  hardware threads that the launcher lets this rank
 * use */
void hg_oversubscription_warn(const hg_session *session, const cpu_set_t *allowed);
#endif
