/* SPDX-License-Identifier: MIT */
#include "runtime/messages.h"

#include <starpu_mpi.h>

#include "runtime/comm.h"

void hg_message_send(const hg_session *s, starpu_data_handle_t handle, int to, int64_t tag)
{
  starpu_mpi_isend_detached(handle, to, tag, s->comms->tasks, NULL, NULL);
}

void hg_message_receive(const hg_session *s, starpu_data_handle_t handle, int from, int64_t tag,
                        void (*arrived)(void *arg), void *arg)
{
  starpu_mpi_irecv_detached(handle, from, tag, s->comms->tasks, arrived, arg);
}

void hg_message_wait_all(const hg_session *s)
{
  if (s->mpi)
    starpu_mpi_wait_for_all(s->comms->tasks);
  else
    starpu_task_wait_for_all();
}
