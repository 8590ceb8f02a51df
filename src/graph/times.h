/* SPDX-License-Identifier: MIT */
/* From what tasks noted to times per worker. Internal to graph/. */
#ifndef HG_GRAPH_TIMES_H
#define HG_GRAPH_TIMES_H

#include "codelets/phases.h"
#include "graph/common.h"
#include "graph/session.h"

/** Forgets what was noted. @param noted  [session->workers] */
void hg_times_reset(const hg_session *session, hg_phase_times *noted);

/** times[session->workers] since then. */
void hg_times_read(const hg_session *session, hg_phase_times *noted, hg_worker_times *times);
#endif
