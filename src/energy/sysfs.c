/* SPDX-License-Identifier: MIT */
#include "energy/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *hg_sysfs_root(void)
{
  const char *root = getenv("HETGRID_SYSFS");
  return root && *root ? root : "/sys";
}

hg_status hg_sysfs_text(const char *folder, const char *name, char *out, size_t size)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(folder, name, path));
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t length = file < 0 ? -1 : read(file, out, size);
  const int error = errno;
  if (file >= 0) close(file);
  if (length < 0) return hg_fail(HG_IO, "%s: %s", path, strerror(error));
  if ((size_t)length == size) return hg_fail(HG_FORMAT, "%s: is longer than %zu bytes", path, size - 1);
  out[length] = '\0';
  out[strcspn(out, "\n")] = '\0';
  return HG_OK;
}

hg_status hg_sysfs_int(const char *folder, const char *name, uint64_t *out)
{
  char text[32], *end;
  HG_TRY(hg_sysfs_text(folder, name, text, sizeof text));
  errno = 0;
  *out = strtoull(text, &end, 10);
  if (errno || end == text || *end || *text == '-')
    return hg_fail(HG_FORMAT, "%s/%s: '%s' is not a whole number >= 0", folder, name, text);
  return HG_OK;
}
