/* SPDX-License-Identifier: MIT */
/* Messages between ranks as StarPU-MPI carries them: a handle's value leaves when the tasks that write it have ended,
 * and arrives before those that read it. Internal to graph/, adr/ and elimination/. */
#ifndef HG_RUNTIME_MESSAGES_H
#define HG_RUNTIME_MESSAGES_H

#include <starpu.h>
#include <stdint.h>

#include "runtime/session.h"

/** What the tasks submitted so far leave in a handle, to rank `to`. Returns at once. */
void hg_message_send(const hg_session *session, starpu_data_handle_t handle, int to, int64_t tag);
/** Into a handle, for the tasks that are submitted from now on. Returns at once. @param arrived  called then, or NULL
 */
void hg_message_receive(const hg_session *session, starpu_data_handle_t handle, int from, int64_t tag,
                        void (*arrived)(void *arg), void *arg);
/** Until all tasks and messages of this rank have ended. */
void hg_message_wait_all(const hg_session *session);
#endif
