/* SPDX-License-Identifier: MIT */
/* Files written by all ranks. Rank 0 creates one under a temporary name and writes everything except the values, whose
 * offset is then known. Every rank writes its own values at their place. When all of it is on the disk, rank 0 renames
 * the file. This requires only POSIX from the file system, and contiguous values from the format: .npy, and HDF5
 * without chunks. If a rank does not see the file (nodes without a common file system), rank 0 writes the values that
 * it is sent, tile by tile. */
#ifndef HG_RESULT_SHARED_FILE_H
#define HG_RESULT_SHARED_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/checksum.h"
#include "runtime/session.h"

/** Bytes of a page, in memory and in the file, for writing without the cache, and of the smallest part written so. */
enum { HG_SHARED_PAGE = 4096, HG_SHARED_LARGE = 1 << 16 };

typedef struct hg_shared_file {
  const hg_session *session;
  char path[HG_PATH_MAX], temporary[HG_PATH_MAX];
  int fd;          /**< -1 if this rank does not write */
  int64_t first;   /**< offset of the values in the file */
  bool everywhere; /**< every rank writes; otherwise rank 0 alone */
  int error;       /**< errno of the first write of this rank that failed, or 0 */
  bool summed;     /**< whether `sum` is computed */
  hg_checksum sum; /**< of the values that this rank wrote */
} hg_shared_file;

/** On rank 0: creates a file and writes everything except the values. Sets `temporary`, `fd` and `first`; on failure
 * no file remains. */
typedef hg_status hg_file_head(const void *arg, hg_shared_file *file);

/** Begins a file. Collective; fails on all ranks alike, with what `head` returns. */
hg_status hg_shared_begin(const hg_session *session, const char *path, hg_file_head *head, const void *arg,
                          hg_shared_file *out);

/** Writes `size` bytes at byte `at` of the values. A failure is only recorded, so that all ranks reach the collective
 * end. */
void hg_shared_put(hg_shared_file *file, int64_t at, const void *bytes, size_t size);

/** As hg_shared_put, but large parts are written without a copy in the system's cache, which costs as much processor
 * time as the rest of writing; if the file system does not support this, they are written normally. For data that are
 * not read soon. It works for data with the same offset in a page in memory and in the file. */
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
