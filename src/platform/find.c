/* SPDX-License-Identifier: MIT */
/* Descriptions by name, of machines that come with hetgrid or are the user's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "platform/platform.h"

/* Folders of descriptions: the installed one, and the one beside the sources for programs that are not installed. */
#ifndef HG_PLATFORMS
#define HG_PLATFORMS "."
#define HG_PLATFORMS_SOURCE "."
#endif

/* Looks for NAME with and without its ending. */
static bool is_in(const char *folder, const char *name, char path[HG_PATH_MAX])
{
  for (int ending = 0; ending < 2; ending++) {
    const int n = snprintf(path, HG_PATH_MAX, "%s/%s%s", folder, name, ending ? "" : ".platform");
    if (n < HG_PATH_MAX && access(path, F_OK) == 0) return true;
  }
  return false;
}

hg_status hg_platform_find(const char *name, hg_platform *out)
{
  const char *const folders[] = {getenv("HETGRID_PLATFORMS"), HG_PLATFORMS, HG_PLATFORMS_SOURCE};
  char path[HG_PATH_MAX];
  if (access(name, F_OK) == 0) return hg_platform_read(name, out);
  for (size_t i = 0; i < sizeof folders / sizeof *folders && !strchr(name, '/'); i++)
    if (folders[i] && is_in(folders[i], name, path)) return hg_platform_read(path, out);
  const char *some = HG_PLATFORMS;
  for (int i = 2; i >= 0; i--)
    if (folders[i] && access(folders[i], F_OK) == 0) some = folders[i];
  return hg_fail(HG_INVALID, "'%s' is neither a platform file nor one of those in %s", name, some);
}
