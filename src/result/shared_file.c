/* SPDX-License-Identifier: MIT */
#include "result/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the other ranks have to know of the file. */
typedef struct place {
  char temporary[HG_PATH_MAX];
  int64_t first;
} place;

/* A name with a random part that only rank 0 has created: who sees it sees that file. */
static void find_file(hg_shared_file *f)
{
  place where = {.first = f->first};
  memcpy(where.temporary, f->temporary, sizeof where.temporary);
  hg_session_share(f->session, &where, sizeof where);
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

void hg_shared_put(hg_shared_file *f, int64_t at, const void *bytes, size_t size)
{
  const char *from = bytes;
  if (f->summed) hg_place_sum_add(&f->sum, f->first + at, bytes, size);
  while (size > 0 && !f->error) {
    const ssize_t n = pwrite(f->fd, from, size, (off_t)(f->first + at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) f->error = n < 0 ? errno : EIO;
    if (n > 0) from += n, at += n, size -= (size_t)n;
  }
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
