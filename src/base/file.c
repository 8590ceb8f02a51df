/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool hg_file_has_ending(const char *path, const char *ending)
{
  size_t n = strlen(path), m = strlen(ending);
  return n > m && strcasecmp(path + n - m, ending) == 0;
}

hg_status hg_file_temporary(const char *path, char temporary[HG_PATH_MAX])
{
  int n = snprintf(temporary, HG_PATH_MAX, "%s.part%ld", path, (long)getpid());
  return n > 0 && n < HG_PATH_MAX ? HG_OK : hg_fail(HG_INVALID, "%.60s...: the name is too long", path);
}

hg_status hg_file_commit(const char *temporary, const char *path)
{
  int fd = open(temporary, O_RDONLY | O_CLOEXEC);
  bool good = fd >= 0 && fsync(fd) == 0;
  int error = errno;
  if (fd >= 0) close(fd);
  if (good && rename(temporary, path) == 0) return HG_OK;
  if (good) error = errno;
  unlink(temporary);
  return hg_fail(HG_IO, "%s: %s", path, strerror(error));
}

hg_status hg_file_begin(const char *path, char temporary[HG_PATH_MAX], FILE **out)
{
  HG_TRY(hg_file_temporary(path, temporary));
  *out = fopen(temporary, "we");
  return *out ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno));
}

hg_status hg_file_end(FILE *out, const char *temporary, const char *path, hg_status status)
{
  const bool bad = ferror(out) != 0;
  const bool closed = fclose(out) == 0;
  if (status == HG_OK && !closed) status = hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  if (status == HG_OK && bad) status = hg_fail(HG_IO, "%s: cannot be written", path);
  if (status == HG_OK) return hg_file_commit(temporary, path);
  unlink(temporary);
  return status;
}

hg_status hg_file_in(const char *folder, const char *name, char path[HG_PATH_MAX])
{
  int n = snprintf(path, HG_PATH_MAX, "%s/%s", folder, name);
  return n > 0 && n < HG_PATH_MAX ? HG_OK : hg_fail(HG_INVALID, "%.60s...: the name is too long", folder);
}
