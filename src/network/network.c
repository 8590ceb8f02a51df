/* SPDX-License-Identifier: MIT */
/* Where a network's file is, and how the programs come by it. */
#include "network/network.h"

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
    hg_log(HG_WARN, "%s: was measured on %s, this is %s; using it anyway", path, out->host, host);
  if (out->oversubscribed) hg_log(HG_WARN, "%s: was measured with more ranks than cores; its times are too long", path);
  return HG_OK;
}
