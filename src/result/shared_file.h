/* SPDX-License-Identifier: MIT */
/* Files that all ranks write. Rank 0 creates one under a temporary name and writes all but the values, whose place in
 * the file is then known; every rank writes its own values where they belong; when all of it is on the disk rank 0
 * gives the file its name. Nothing but POSIX is needed of the file system, and of the format that its values lie in one
 * piece: .npy, and HDF5 without chunks. Where a rank does not see the file (nodes that share no file system), rank 0
 * writes the values that it is sent, tile by tile. */
#ifndef HG_RESULT_SHARED_FILE_H
#define HG_RESULT_SHARED_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/checksum.h"
#include "runtime/session.h"

/** Bytes of a page, of memory and of the file, for what is written past the cache, and of the least part that is. */
enum { HG_SHARED_PAGE = 4096, HG_SHARED_LARGE = 1 << 16 };

typedef struct hg_shared_file {
  const hg_session *session;
  char path[HG_PATH_MAX], temporary[HG_PATH_MAX];
  int fd;          /**< -1 where this rank does not write */
  int64_t first;   /**< byte of the file where the values begin */
  bool everywhere; /**< every rank writes; otherwise rank 0 alone */
  int error;       /**< errno of the first write of this rank that failed, or 0 */
  bool summed;     /**< `sum` is wanted */
  hg_checksum sum; /**< of the values that this rank wrote */
} hg_shared_file;

/** Creates a file and writes all but the values, on rank 0: sets `temporary`, `fd` and `first`, or leaves nothing
 * behind. */
typedef hg_status hg_file_head(const void *arg, hg_shared_file *file);

/** Collective; fails on all ranks alike, with what `head` returns. */
hg_status hg_shared_begin(const hg_session *session, const char *path, hg_file_head *head, const void *arg,
                          hg_shared_file *out);

/** Writes `size` bytes at byte `at` of the values. A failure is remembered until the end, so that all ranks come to it.
 */
void hg_shared_put(hg_shared_file *file, int64_t at, const void *bytes, size_t size);

/** As hg_shared_put, but large parts go from memory to the disk without a copy in the system's cache, which costs as
 * much processor time as the rest of writing; where the file system cannot do that they are put. Nobody is to read them
 * soon. What lies in its page of memory as it does in its page of the file can go that way. */
void hg_shared_put_past_cache(hg_shared_file *file, int64_t at, const void *bytes, size_t size);

/** Flushes what this rank wrote to the disk and closes the file on this rank. HG_IO if not all was written. */
hg_status hg_shared_close(hg_shared_file *file);

/** HG_IO if a write of this rank has failed. */
hg_status hg_shared_error(const hg_shared_file *file);

/** Closes the file on this rank; rank 0 removes it. */
void hg_shared_drop(hg_shared_file *file);

/** hg_shared_close; then, if that and `mine` are HG_OK on all ranks, the file appears under its name, otherwise it is
 * removed. Collective; fails on all ranks alike. */
hg_status hg_shared_end(hg_shared_file *file, hg_status mine);
#endif
