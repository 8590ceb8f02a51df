/* SPDX-License-Identifier: MIT */
/* The workers of all ranks in a session. Internal to runtime/. */
#ifndef HG_RUNTIME_WORKERS_H
#define HG_RUNTIME_WORKERS_H

#include "runtime/session.h"

/** A worker as known to all ranks; sent as bytes. */
typedef struct hg_worker_note {
  int kind; /* hg_worker_kind */
  int host; /* first rank of its machine */
  char model[HG_MODEL_NAME];
} hg_worker_note;

/** Sets the workers of all ranks: counts[ranks], and the workers in the order of ranks. HG_MEMORY. */
hg_status hg_session_set_workers(hg_session *session, const int *counts, const hg_worker_note *worker);
#endif
