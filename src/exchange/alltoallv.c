/* SPDX-License-Identifier: MIT */
#include "exchange/alltoallv.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/comm.h"

hg_status hg_alltoallv_make(int ranks, int64_t total, hg_alltoallv *out)
{
  *out = (hg_alltoallv){.ranks = ranks, .total = total};
  out->bytes = calloc((size_t)ranks, sizeof *out->bytes);
  out->data = malloc((size_t)total + 1);
  if (out->bytes && out->data) return HG_OK;
  hg_alltoallv_free(out);
  return hg_fail(HG_MEMORY, "no memory for %" PRId64 " bytes to exchange", total);
}

void hg_alltoallv_free(hg_alltoallv *p)
{
  free(p->bytes);
  free(p->data);
  *p = (hg_alltoallv){0};
}

/* Counts and displacements as MPI's ints. */
static hg_status as_int(const hg_alltoallv *p, int *count, int *place)
{
  int64_t at = 0;
  for (int r = 0; r < p->ranks; r++) {
    count[r] = (int)p->bytes[r];
    place[r] = (int)at;
    at += p->bytes[r];
  }
  return at <= INT_MAX ? HG_OK : hg_fail(HG_INVALID, "%" PRId64 " bytes to exchange, must be < 2^31", at);
}

hg_status hg_alltoallv_run(const hg_session *s, const hg_alltoallv *out, hg_alltoallv *in)
{
  const int n = s->ranks;
  int64_t coming[n], total = 0;
  if (!s->mpi) {
    HG_TRY(hg_alltoallv_make(1, out->total, in));
    in->bytes[0] = out->bytes[0];
    memcpy(in->data, out->data, (size_t)out->total);
    return HG_OK;
  }
  int sent[n], sent_at[n], got[n], got_at[n];
  MPI_Alltoall(out->bytes, 1, MPI_INT64_T, coming, 1, MPI_INT64_T, s->comms->own);
  for (int r = 0; r < n; r++) total += coming[r];
  hg_status status = as_int(out, sent, sent_at);
  if (status == HG_OK) status = hg_alltoallv_make(n, total, in);
  if (status == HG_OK) memcpy(in->bytes, coming, sizeof coming);
  if (status == HG_OK) status = as_int(in, got, got_at);
  status = hg_session_agree(s, status);
  if (status != HG_OK)
    hg_alltoallv_free(in);
  else
    MPI_Alltoallv(out->data, sent, sent_at, MPI_BYTE, in->data, got, got_at, MPI_BYTE, s->comms->own);
  return status;
}
