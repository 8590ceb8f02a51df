/* SPDX-License-Identifier: MIT */
/* Checkpoints of one rank, for the drivers that read them. */
#ifndef HG_FUZZ_CHECKPOINTS_H
#define HG_FUZZ_CHECKPOINTS_H

#include <stdlib.h>
#include <unistd.h>

#include "result/checkpoint.h"

static const hg_session fuzz_session = {.ranks = 1};

static inline void fuzz_checkpoint_read(const char *path, int64_t bytes, uint64_t identity)
{
  hg_checkpoint c = {.identity = identity, .bytes = bytes};
  hg_stored stored;
  if (hg_checkpoint_open(&fuzz_session, path, &c, &stored) != HG_OK) return;
  void *values = malloc((size_t)bytes);
  if (hg_stored_read(&stored, 0, (size_t)bytes, values) != HG_OK) abort();
  free(values);
  hg_stored_close(&stored);
}

static inline void fuzz_checkpoint_write(const char *path, const void *values, const hg_checkpoint *c)
{
  hg_shared_file file;
  unlink(path); /* a checkpoint replaces only one of the same problem */
  if (hg_checkpoint_begin(&fuzz_session, path, c, &file) != HG_OK) abort();
  hg_shared_put(&file, 0, values, (size_t)c->bytes);
  if (hg_checkpoint_end(&file, c, HG_OK) != HG_OK) abort();
}
#endif
