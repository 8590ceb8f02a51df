/* SPDX-License-Identifier: MIT */
#include "pricing/saved.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/checkpoint.h"
#include "result/write.h"

static size_t estimate_bytes(const hg_portfolio_run *b)
{
  return (size_t)b->pieces.rows * sizeof *b->estimate;
}

static int64_t bytes_of(const hg_portfolio_run *b)
{
  return (int64_t)(sizeof b->now + estimate_bytes(b));
}

hg_status hg_portfolio_check_saved(const hg_portfolio_run *b, const char *path, const char *problem)
{
  const hg_checkpoint c = hg_checkpoint_of(problem);
  if (hg_session_launch_rank() != 0) return HG_OK;
  HG_TRY(hg_checkpoint_check(path, &c));
  return hg_output_fits(path, 1, (double)bytes_of(b));
}

/* Sums that are not finite now will not become so. */
static hg_status check_state(const hg_portfolio_run *b)
{
  bool good = isfinite(b->now.row.sum.special) && isfinite(b->now.row.squares.special);
  for (int64_t i = 0; i < b->pieces.rows; i++) good = good && isfinite(b->estimate[i].value);
  return good ? HG_OK
              : hg_fail(HG_MISMATCH, "the sums of %" PRId64 " chunks are infinite or not a number; no checkpoint",
                        b->now.next);
}

static hg_status write_state(const hg_portfolio_run *b, const char *path, const char *problem)
{
  char *bytes;
  hg_checkpoint c = hg_checkpoint_of(problem);
  HG_TRY(check_state(b));
  HG_TRY(hg_allocate("a checkpoint", (size_t)bytes_of(b), (void **)&bytes));
  memcpy(bytes, &b->now, sizeof b->now);
  memcpy(bytes + sizeof b->now, b->estimate, estimate_bytes(b));
  c.step = b->now.next;
  c.bytes = bytes_of(b);
  const hg_status status = hg_checkpoint_write(path, bytes, &c);
  free(bytes);
  return status;
}

hg_status hg_portfolio_save(const hg_portfolio_run *b, const hg_session *session, const char *path, const char *problem)
{
  return hg_session_agree(session, session->rank == 0 ? write_state(b, path, problem) : HG_OK);
}

hg_status hg_portfolio_restore(hg_portfolio_run *b, const char *path, const char *problem)
{
  hg_checkpoint c = hg_checkpoint_of(problem);
  c.bytes = bytes_of(b);
  unsigned char *bytes;
  HG_TRY(hg_checkpoint_read(path, &c, &bytes));
  memcpy(&b->start, bytes, sizeof b->start);
  memcpy(b->estimate, bytes + sizeof b->start, estimate_bytes(b));
  free(bytes);
  if (b->start.next != c.step || c.step > b->pieces.rows * b->pieces.chunks)
    return hg_fail(HG_FORMAT, "%s: holds the sums of %" PRId64 " chunks, must be %" PRId64, path, b->start.next,
                   b->pieces.rows * b->pieces.chunks);
  hg_portfolio_cut(b);
  return HG_OK;
}
