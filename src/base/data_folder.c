/* SPDX-License-Identifier: MIT */
#include "base/data_folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void hg_device_key(const char *model, char *key, size_t size)
{
  size_t n = 0;
  for (const char *p = model; *p && n + 1 < size; p++) {
    if (isalnum((unsigned char)*p))
      key[n++] = *p;
    else if (n > 0 && key[n - 1] != '-' && p[1])
      key[n++] = '-';
  }
  while (n > 0 && key[n - 1] == '-') n--;
  key[n] = 0;
}

/* The folder that a variable names; NULL if it is not set or not an absolute path. */
static const char *absolute(const char *variable)
{
  const char *folder = getenv(variable);
  return folder && *folder == '/' ? folder : NULL;
}

hg_status hg_table_file(const char *name, char path[HG_PATH_MAX])
{
  char folder[2048];
  const char *tables = getenv("HETGRID_TABLES"), *data = absolute("XDG_DATA_HOME"), *home = absolute("HOME");
  if (tables && !*tables) tables = NULL;
  if (!tables && !data && !home)
    return hg_fail(HG_UNSUPPORTED, "no folder for what is measured of this machine: neither HETGRID_TABLES is set, nor "
                                   "XDG_DATA_HOME or HOME to an absolute path");
  int n = tables ? snprintf(folder, sizeof folder, "%s", tables)
          : data ? snprintf(folder, sizeof folder, "%s/hetgrid/tables", data)
                 : snprintf(folder, sizeof folder, "%s/.local/share/hetgrid/tables", home);
  if (n >= (int)sizeof folder || snprintf(path, HG_PATH_MAX, "%s/%s", folder, name) >= HG_PATH_MAX)
    return hg_fail(HG_INVALID, "the folder of speed tables has too long a name");
  return HG_OK;
}

static bool is_folder(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

hg_status hg_make_folders(const char *path)
{
  char folder[HG_PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  for (char *p = folder + 1; (p = strchr(p, '/')); p++) {
    *p = 0;
    const int error = mkdir(folder, 0777) == 0 ? 0 : errno;
    if (error && !is_folder(folder))
      return hg_fail(HG_IO, "%s: %s", folder, error == EEXIST ? "is not a folder" : strerror(error));
    *p = '/';
  }
  return HG_OK;
}
