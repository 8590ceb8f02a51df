/* SPDX-License-Identifier: MIT */
#include "result/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the other ranks must know about the file. */
typedef struct place {
  char temporary[HG_PATH_MAX];
  int64_t first;
} place;

/* Opens the file on other ranks. Its name has a random part, so a rank that finds it finds the file that rank 0
 * created. */
static void find_file(hg_shared_file *f)
{
  place where = {.first = f->first};
  memcpy(where.temporary, f->temporary, sizeof where.temporary);
  hg_session_bcast(f->session, &where, sizeof where);
  if (f->session->rank > 0) {
    memcpy(f->temporary, where.temporary, sizeof where.temporary);
    f->first = where.first;
    f->fd = open(f->temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  }
  double unseen = f->fd < 0;
  hg_session_max(f->session, &unseen);
  f->everywhere = unseen <= 0;
  if (f->everywhere || f->session->rank == 0 || f->fd < 0) return;
  close(f->fd);
  f->fd = -1;
}

hg_status hg_shared_begin(const hg_session *session, const char *path, hg_file_head *head, const void *arg,
                          hg_shared_file *f)
{
  *f = (hg_shared_file){.session = session, .fd = -1};
  snprintf(f->path, sizeof f->path, "%s", path);
  HG_TRY(hg_session_agree(session, session->rank == 0 ? head(arg, f) : HG_OK));
  find_file(f);
  return HG_OK;
}

/* Returns whether all was written; false without an error if the file system refuses and `may_be_refused`. */
static bool write_all(hg_shared_file *f, int64_t at, const char *from, size_t size, bool may_be_refused)
{
  while (size > 0 && !f->error) {
    const ssize_t n = pwrite(f->fd, from, size, (off_t)(f->first + at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && may_be_refused) return false;
    if (n <= 0) f->error = n < 0 ? errno : EIO;
    if (n > 0) from += n, at += n, size -= (size_t)n;
  }
  return !f->error;
}

void hg_shared_put(hg_shared_file *f, int64_t at, const void *bytes, size_t size)
{
  if (f->summed) hg_checksum_add(&f->sum, f->first + at, bytes, size);
  write_all(f, at, bytes, size, false);
}

/* Bytes up to the next page of the file. */
static size_t before_page(const hg_shared_file *f, int64_t at)
{
  return (size_t) - (f->first + at) % HG_SHARED_PAGE;
}

static bool bypass_cache(const hg_shared_file *f, bool bypass)
{
  const int flags = fcntl(f->fd, F_GETFL);
  return flags >= 0 && fcntl(f->fd, F_SETFL, bypass ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

/* Writes whole pages directly; after an incomplete page the rest is written normally. */
static void put_pages(hg_shared_file *f, int64_t at, const char *bytes, size_t size)
{
  enum { AT_ONCE = 16 << 20 }; /* bytes summed and written at a time */
  while (size > 0) {
    const size_t part = size < AT_ONCE ? size : AT_ONCE;
    if (f->summed) hg_checksum_add(&f->sum, f->first + at, bytes, part);
    const bool direct = bypass_cache(f, true), done = direct && write_all(f, at, bytes, part, true);
    if (direct) bypass_cache(f, false);
    if (!done) write_all(f, at, bytes, part, false);
    bytes += part, at += (int64_t)part, size -= part;
  }
}

void hg_shared_put_past_cache(hg_shared_file *f, int64_t at, const void *bytes, size_t size)
{
  const char *from = bytes;
  const size_t head = before_page(f, at), pages = size > head ? (size - head) / HG_SHARED_PAGE * HG_SHARED_PAGE : 0;
  if (pages < HG_SHARED_LARGE || (uintptr_t)(from + head) % HG_SHARED_PAGE != 0) {
    hg_shared_put(f, at, bytes, size);
    return;
  }
  hg_shared_put(f, at, from, head);
  put_pages(f, at + (int64_t)head, from + head, pages);
  hg_shared_put(f, at + (int64_t)(head + pages), from + head + pages, size - head - pages);
}

hg_status hg_shared_error(const hg_shared_file *f)
{
  return f->error ? hg_fail(HG_IO, "%s: writing failed: %s", f->path, strerror(f->error)) : HG_OK;
}

hg_status hg_shared_close(hg_shared_file *f)
{
  if (f->fd < 0) return HG_OK;
  if (!f->error && fsync(f->fd) != 0) f->error = errno;
  if (close(f->fd) != 0 && !f->error) f->error = errno;
  f->fd = -1;
  return hg_shared_error(f);
}

void hg_shared_drop(hg_shared_file *f)
{
  if (f->fd >= 0) close(f->fd);
  f->fd = -1;
  if (f->session->rank == 0) unlink(f->temporary);
}

hg_status hg_shared_end(hg_shared_file *f, hg_status mine)
{
  hg_status status = hg_session_agree(f->session, mine == HG_OK ? hg_shared_close(f) : mine);
  if (f->session->rank == 0 && status == HG_OK) status = hg_file_commit(f->temporary, f->path);
  if (status != HG_OK) hg_shared_drop(f);
  return hg_session_agree(f->session, status);
}
