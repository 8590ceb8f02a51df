/* SPDX-License-Identifier: MIT */
#include "runtime/shared_counter.h"

#include <stdlib.h>

#include "runtime/comm.h"

struct hg_counter {
  const hg_session *session;
  int64_t *value; /* on rank 0 */
  MPI_Win window; /* with several ranks */
};

static bool is_shared(const hg_counter *c)
{
  return c->session->ranks > 1;
}

static void make_window(hg_counter *c)
{
  const bool here = c->session->rank == 0;
  MPI_Win_allocate(here ? (MPI_Aint)sizeof *c->value : 0, sizeof *c->value, MPI_INFO_NULL, c->session->comms->own,
                   &c->value, &c->window);
  MPI_Win_lock_all(0, c->window);
  if (here) *c->value = 0;
  MPI_Win_sync(c->window);
  hg_session_barrier(c->session);
}

hg_status hg_counter_make(const hg_session *session, hg_counter **out)
{
  hg_counter *c = calloc(1, sizeof *c);
  int64_t *value = session->ranks > 1 ? NULL : calloc(1, sizeof *value);
  const bool have = c && (value || session->ranks > 1);
  const hg_status status = hg_session_agree(session, have ? HG_OK : hg_fail(HG_MEMORY, "no memory for a counter"));
  if (status != HG_OK) {
    free(c);
    free(value);
    return status;
  }
  *c = (hg_counter){.session = session, .value = value};
  if (is_shared(c)) make_window(c);
  *out = c;
  return HG_OK;
}

int64_t hg_counter_next(hg_counter *c)
{
  const int64_t one = 1;
  int64_t got;
  if (!is_shared(c)) return (*c->value)++;
  MPI_Fetch_and_op(&one, &got, MPI_INT64_T, 0, 0, MPI_SUM, c->window);
  MPI_Win_flush(0, c->window);
  return got;
}

void hg_counter_serve(hg_counter *c)
{
  int waits;
  if (is_shared(c)) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->session->comms->own, &waits, MPI_STATUS_IGNORE);
}

void hg_counter_free(hg_counter *c)
{
  if (!c) return;
  if (is_shared(c)) {
    MPI_Win_unlock_all(c->window);
    MPI_Win_free(&c->window);
  } else
    free(c->value);
  free(c);
}
