/* SPDX-License-Identifier: MIT */
/* Blocks of matrices between ranks in simulation, by StarPU-MPI. */
#include <starpu_mpi.h>

#include "matmul/transport.h"

/* StarPU counts in values; the number of bytes could exceed an int. */
static starpu_data_handle_t name_block(const hg_matmul_message *m)
{
  starpu_data_handle_t handle;
  starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)m->at, (uint32_t)m->stride, (uint32_t)m->bytes,
                              (uint32_t)m->lines, 1);
  return handle;
}

void hg_matmul_pass(const hg_session *s, int count, const hg_matmul_message *message)
{
  starpu_data_handle_t handle[count + 1];
  starpu_mpi_req request[count + 1];
  (void)s;
  for (int i = 0; i < count; i++) {
    const hg_matmul_message *m = &message[i];
    handle[i] = name_block(m);
    if (m->send)
      starpu_mpi_isend(handle[i], &request[i], m->other, m->tag, MPI_COMM_WORLD);
    else
      starpu_mpi_irecv(handle[i], &request[i], m->other, m->tag, MPI_COMM_WORLD);
  }
  for (int i = 0; i < count; i++) {
    starpu_mpi_wait(&request[i], MPI_STATUS_IGNORE);
    starpu_data_unregister(handle[i]);
  }
}

hg_status hg_matmul_broadcast_choose(const hg_session *s, int64_t bytes, hg_network_choice *out)
{
  (void)s, (void)bytes;
  *out = (hg_network_choice){.algorithm = HG_BROADCAST_BINOMIAL};
  return HG_OK;
}

hg_status hg_matmul_broadcast(const hg_session *s, void *at, int64_t bytes, const hg_network_choice *how)
{
  enum { TAG = 14 };
  int top = 1;
  (void)how;
  while (top < s->ranks) top *= 2;
  const int mine = s->rank ? s->rank & -s->rank : top;
  hg_matmul_message m = {at, 1, bytes, bytes, s->rank - mine, TAG, false};
  if (s->rank > 0) hg_matmul_pass(s, 1, &m);
  m.send = true;
  for (int step = mine / 2; step > 0; step /= 2) {
    m.other = s->rank + step;
    if (m.other < s->ranks) hg_matmul_pass(s, 1, &m);
  }
  return HG_OK;
}
