/* SPDX-License-Identifier: MIT */
/* A counter that all ranks take numbers from: each number is given once, to whoever asks first. It lies on rank 0, and
 * no rank has to answer: the others reach it by one-sided messages of MPI. */
#ifndef HG_RUNTIME_SHARED_COUNTER_H
#define HG_RUNTIME_SHARED_COUNTER_H

#include "runtime/session.h"

typedef struct hg_counter hg_counter;

/** Makes one that stands at 0. HG_MEMORY; HG_UNSUPPORTED in virtual time. Collective. */
hg_status hg_counter_make(const hg_session *session, hg_counter **out);

/** Takes the next number. From one thread of a rank at a time. */
int64_t hg_counter_next(hg_counter *counter);

/** Lets others through: to be called now and then by a rank that waits for something else. */
void hg_counter_serve(hg_counter *counter);

/** May be NULL. Collective. */
void hg_counter_free(hg_counter *counter);
#endif
