/* SPDX-License-Identifier: MIT */
/* Messages between ranks by StarPU-MPI: a handle is sent when the tasks that write it have ended, and arrives before
 * tasks that read it start. Internal to graph/, adr/ and elimination/. */
#ifndef HG_RUNTIME_MESSAGES_H
#define HG_RUNTIME_MESSAGES_H

#include <starpu.h>
#include <stdint.h>

#include "runtime/session.h"

/** Sends to rank `to` what the tasks submitted so far leave in a handle. Does not block. */
void hg_message_send(const hg_session *session, starpu_data_handle_t handle, int to, int64_t tag);
/** Receives into a handle, for tasks submitted from now on. Does not block. @param arrived  called on arrival, or
 * NULL */
void hg_message_receive(const hg_session *session, starpu_data_handle_t handle, int from, int64_t tag,
                        void (*arrived)(void *arg), void *arg);
/** Waits for all tasks and messages of this rank. */
void hg_message_wait_all(const hg_session *session);
#endif
