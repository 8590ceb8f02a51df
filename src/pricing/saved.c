/* SPDX-License-Identifier: MIT */
#include "pricing/saved.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "result/checkpoint.h"
#include "result/write.h"

static void mix_contract(uint64_t *h, const hg_contract *c)
{
  const double number[] = {c->spot, c->strike, c->time, c->rate, c->yield, c->sigma};
  const int64_t whole[] = {c->kind, c->fixings};
  hg_hash_mix(h, number, sizeof number);
  hg_hash_mix(h, whole, sizeof whole);
}

/* Of what decides the prices: contracts, paths, error, random numbers, precision. */
static uint64_t identity_of(const hg_book *b)
{
  const hg_book_wishes *w = &b->wanted;
  const int64_t whole[] = {HG_CHUNK_PATHS, w->paths,  (int64_t)w->seed, w->stream,
                           w->control,     w->greeks, w->is_float,      b->contracts.count};
  uint64_t h = HG_HASH_START;
  hg_hash_mix(&h, "pricer", sizeof "pricer");
  hg_hash_mix(&h, whole, sizeof whole);
  hg_hash_mix(&h, &w->std_error, sizeof w->std_error);
  for (int64_t i = 0; i < b->contracts.count; i++) mix_contract(&h, &b->contracts.contract[i]);
  return h;
}

static size_t estimate_bytes(const hg_book *b)
{
  return (size_t)b->pieces.rows * sizeof *b->estimate;
}

static int64_t bytes_of(const hg_book *b)
{
  return (int64_t)(sizeof b->now + estimate_bytes(b));
}

hg_status hg_book_check_saved(const hg_book *b, const char *path)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  HG_TRY(hg_checkpoint_check(path, identity_of(b)));
  return hg_output_fits(path, 1, (double)bytes_of(b));
}

static hg_status write_state(const hg_book *b, const char *path)
{
  char *bytes;
  HG_TRY(hg_allocate("a checkpoint", (size_t)bytes_of(b), (void **)&bytes));
  memcpy(bytes, &b->now, sizeof b->now);
  memcpy(bytes + sizeof b->now, b->estimate, estimate_bytes(b));
  const hg_status status = hg_checkpoint_write(
      path, bytes, &(hg_checkpoint){.step = b->now.next, .identity = identity_of(b), .bytes = bytes_of(b)});
  free(bytes);
  return status;
}

hg_status hg_book_save(const hg_book *b, const hg_session *session, const char *path)
{
  return hg_session_agree(session, session->rank == 0 ? write_state(b, path) : HG_OK);
}

hg_status hg_book_restore(hg_book *b, const char *path)
{
  hg_checkpoint c = {.identity = identity_of(b),
                     .bytes = bytes_of(b),
                     .made_of =
                         "contracts, --paths, --std-error, --control, --greeks, --precision, --seed or --stream"};
  unsigned char *bytes;
  HG_TRY(hg_checkpoint_read(path, &c, &bytes));
  memcpy(&b->start, bytes, sizeof b->start);
  memcpy(b->estimate, bytes + sizeof b->start, estimate_bytes(b));
  free(bytes);
  if (b->start.next != c.step || c.step > b->pieces.rows * b->pieces.chunks)
    return hg_fail(HG_FORMAT, "%s: holds the sums of %" PRId64 " pieces, there are %" PRId64, path, b->start.next,
                   b->pieces.rows * b->pieces.chunks);
  hg_book_cut(b);
  return HG_OK;
}
