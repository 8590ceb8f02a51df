/* SPDX-License-Identifier: MIT */
/* A counter that all ranks take numbers from; each number is given once. It lies on rank 0; the others access it by
 * one-sided MPI messages, so no rank has to answer. */
#ifndef HG_RUNTIME_SHARED_COUNTER_H
#define HG_RUNTIME_SHARED_COUNTER_H

#include "runtime/session.h"

typedef struct hg_counter hg_counter;

/** Makes a counter that starts at 0. HG_MEMORY; HG_UNSUPPORTED in virtual time. Collective. */
hg_status hg_counter_make(const hg_session *session, hg_counter **out);

/** Takes the next number. To be called by one thread of a rank at a time. */
int64_t hg_counter_next(hg_counter *counter);

/** Lets MPI serve the other ranks: to be called now and then by a rank that waits for something else. */
void hg_counter_serve(hg_counter *counter);

/** May be NULL. Collective. */
void hg_counter_free(hg_counter *counter);
#endif
