/* SPDX-License-Identifier: MIT */
/* Where a network's file is, and how programs find it. */
#include "network/network.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/data_folder.h"

hg_status hg_network_path(const char *host, const char *mpi, const char *transport, char path[HG_PATH_MAX])
{
  char text[3 * HG_NETWORK_TEXT], name[3 * HG_NETWORK_TEXT], file[4 * HG_NETWORK_TEXT];
  snprintf(text, sizeof text, "%s %s %s", host, mpi, transport);
  hg_device_key(text, name, sizeof name);
  snprintf(file, sizeof file, "network-%s.json", name);
  return hg_table_file(file, path);
}

/* A host's files: a program without a launcher uses the only one. */
typedef struct own_files {
  const char *host;
  char begin[2 * HG_NETWORK_TEXT]; /* beginning of their names */
  int count;
  char *path;       /* [HG_PATH_MAX] of the last one */
  char names[1000]; /* names of all, as many as fit */
} own_files;

/* File names of hosts node and node-2 begin alike: the host is read from the file. */
static hg_status enter_file(own_files *f, const char *name)
{
  const size_t length = strlen(f->names);
  char path[HG_PATH_MAX];
  hg_network n;
  if (strncmp(name, f->begin, strlen(f->begin)) != 0 || !hg_file_has_ending(name, ".json")) return HG_OK;
  HG_TRY(hg_table_file(name, path));
  HG_TRY(hg_network_read(path, &n));
  if (strcmp(n.host, f->host) == 0) {
    strcpy(f->path, path);
    snprintf(f->names + length, sizeof f->names - length, "%s%s", f->count++ ? ", " : "", name);
  }
  hg_network_free(&n);
  return HG_OK;
}

hg_status hg_network_find(const char *host, char path[HG_PATH_MAX])
{
  own_files f = {.host = host, .path = path};
  char folder[HG_PATH_MAX], key[HG_NETWORK_TEXT];
  struct dirent **entry = NULL;
  HG_TRY(hg_table_file("", folder));
  hg_device_key(host, key, sizeof key);
  snprintf(f.begin, sizeof f.begin, "network-%s-", key);
  const int entries = scandir(folder, &entry, NULL, alphasort);
  hg_status status = HG_OK;
  for (int i = 0; i < entries; i++) {
    if (status == HG_OK) status = enter_file(&f, entry[i]->d_name);
    free(entry[i]);
  }
  free(entry);
  if (status != HG_OK || f.count == 1) return status;
  if (f.count == 0)
    return hg_fail(HG_IO, "there is no %s%s*.json; mpirun -n 2 hetgrid-network writes it, --network names another file",
                   folder, f.begin);
  return hg_fail(HG_INVALID,
                 "%s holds %d measurements of this machine (%s): choose one by --network or HETGRID_NETWORK", folder,
                 f.count, f.names);
}

hg_status hg_network_open(const char *option, hg_network *out, bool *given)
{
  const char *path = option ? option : getenv("HETGRID_NETWORK");
  char host[HG_NETWORK_TEXT] = "";
  *given = path && *path;
  if (!*given) return HG_OK;
  HG_TRY(hg_network_read(path, out));
  gethostname(host, sizeof host - 1);
  hg_log(HG_INFO, "messages by %s (%s, %s, %s)", path, out->mpi, out->transport, out->date);
  if (strcmp(host, out->host) != 0)
    hg_log(HG_WARN, "%s: was measured on %s, but this is %s; using it anyway", path, out->host, host);
  if (out->oversubscribed) hg_log(HG_WARN, "%s: was measured with more ranks than cores; its times are too long", path);
  return HG_OK;
}
