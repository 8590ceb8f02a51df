/* SPDX-License-Identifier: MIT */
#include "platform/simgrid.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

/* Number of the first node with the same processors. */
static int kind_of(const hg_platform *p, int node)
{
  const hg_platform_node *mine = &p->node[node];
  for (int i = 0; i < node; i++)
    if (p->node[i].workers == mine->workers &&
        memcmp(p->node[i].device, mine->device, (size_t)mine->workers * sizeof *mine->device) == 0)
      return i;
  return node;
}

static hg_status open_file(const char *folder, const char *name, FILE **out)
{
  char path[HG_PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return hg_fail(HG_INVALID, "%.60s...: the name is too long", folder);
  *out = fopen(path, "we");
  return *out ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno));
}

static hg_status close_file(FILE *out, const char *folder)
{
  bool bad = ferror(out) != 0;
  return fclose(out) == 0 && !bad ? HG_OK : hg_fail(HG_IO, "%s: cannot be written", folder);
}

/* Memory node i is main memory (0) or that of GPU i - 1. Bandwidths in bytes/us, latencies in us. */
static double bus(const hg_platform *p, const hg_platform_node *node, int from, int to, bool latency)
{
  const int gpus = node->gpus;
  if (from > gpus || to > gpus) return NAN;
  if (from == to) return 0;
  const hg_device *a = from ? &p->device[node->device[from - 1]] : NULL;
  const hg_device *b = to ? &p->device[node->device[to - 1]] : NULL;
  if (latency) return 1e6 * ((a ? a->latency : 0) + (b ? b->latency : 0));
  return 1e-6 * fmin(a ? a->from : INFINITY, b ? b->to : INFINITY);
}

static hg_status write_bus(const hg_platform *p, int kind, const char *folder, bool latency)
{
  char name[64];
  FILE *out;
  snprintf(name, sizeof name, "bus/kind%d.%s", kind, latency ? "latency" : "bandwidth");
  HG_TRY(open_file(folder, name, &out));
  fprintf(out, "# %s between memory nodes, %s\n", latency ? "latency" : "bandwidth", latency ? "us" : "MB/s");
  for (int from = 0; from < HG_SIMGRID_MEMORY_NODES; from++) {
    for (int to = 0; to < HG_SIMGRID_MEMORY_NODES; to++)
      fprintf(out, "%f\t", bus(p, &p->node[kind], from, to, latency));
    fputc('\n', out);
  }
  return close_file(out, folder);
}

/* StarPU finds the other two files through this one. */
static hg_status write_config(const hg_platform *p, int kind, const char *folder)
{
  char name[64];
  FILE *out;
  const hg_platform_node *node = &p->node[kind];
  snprintf(name, sizeof name, "bus/kind%d.config", kind);
  HG_TRY(open_file(folder, name, &out));
  fprintf(out, "# Current configuration\n%d # Number of CPUs\n%d # Number of CUDA devices\n0\n0\n",
          node->workers - node->gpus, node->gpus);
  return close_file(out, folder);
}

static void write_route(FILE *out, int n, const char *from, const char *to, const char *first, const char *second)
{
  fprintf(out, "<route src=\"StarPU-MPI%d-%s\" dst=\"StarPU-MPI%d-%s\" symmetrical=\"NO\"><link_ctn id=\"n%d-%s\"/>", n,
          from, n, to, n, first);
  if (second) fprintf(out, "<link_ctn id=\"n%d-%s\"/>", n, second);
  fputs("</route>\n", out);
}

/* Each GPU has its own link to main memory; copies between GPUs use two links. */
static void write_gpus(FILE *out, const hg_platform *p, int n)
{
  const hg_platform_node *node = &p->node[n];
  const int gpus = node->gpus;
  for (int i = 0; i < gpus; i++) {
    const hg_device *d = &p->device[node->device[i]];
    fprintf(out,
            "<link id=\"n%d-down%d\" bandwidth=\"%.0fBps\" latency=\"%.9fs\"/>\n"
            "<link id=\"n%d-up%d\" bandwidth=\"%.0fBps\" latency=\"%.9fs\"/>\n",
            n, i, d->to, d->latency, n, i, d->from, d->latency);
  }
  for (int i = 0; i < gpus; i++) {
    char gpu[16], down[16], up[16];
    snprintf(gpu, sizeof gpu, "CUDA%d", i);
    snprintf(down, sizeof down, "down%d", i);
    snprintf(up, sizeof up, "up%d", i);
    write_route(out, n, "RAM", gpu, down, NULL);
    write_route(out, n, gpu, "RAM", up, NULL);
    for (int j = 0; j < gpus; j++) {
      char other[16], to[16];
      if (j == i) continue;
      snprintf(other, sizeof other, "CUDA%d", j);
      snprintf(to, sizeof to, "down%d", j);
      write_route(out, n, gpu, other, up, to);
    }
  }
}

/* Characters that mean something in an attribute of XML become references. */
static void write_name(FILE *out, const char *name)
{
  for (; *name; name++)
    if (strchr("&<\"", *name))
      fprintf(out, "&#%d;", *name);
    else
      fputc(*name, out);
}

/* StarPU reserves a core for each GPU and one for StarPU-MPI; the described cores are all meant to compute. */
static void write_node(FILE *out, const hg_platform *p, int n)
{
  const hg_platform_node *node = &p->node[n];
  fprintf(out, "<AS id=\"StarPU-MPI%d\" routing=\"Full\">\n<host id=\"StarPU-MPI%d-MAIN\" speed=\"1f\"/>\n", n, n);
  for (int i = 0; i <= node->workers; i++)
    fprintf(out, "<host id=\"StarPU-MPI%d-CPU%d\" speed=\"2000000000f\"/>\n", n, i);
  for (int i = 0; i < node->gpus; i++) {
    const hg_device *d = &p->device[node->device[i]];
    fprintf(out, "<host id=\"StarPU-MPI%d-CUDA%d\" speed=\"2000000000f\"><prop id=\"model\" value=\"", n, i);
    write_name(out, d->name);
    fputs("\"/>", out);
    if (d->memory > 0) fprintf(out, "<prop id=\"memsize\" value=\"%.0f\"/>", d->memory);
    fputs("<prop id=\"memcpy_peer\" value=\"1\"/></host>\n", out);
  }
  fprintf(out, "<host id=\"StarPU-MPI%d-RAM\" speed=\"1f\"/>\n", n);
  write_gpus(out, p, n);
  fputs("</AS>\n", out);
}

/* There are two links between two nodes, each with half of the latency. */
static hg_status write_platform(const hg_platform *p, int nodes, const char *folder)
{
  FILE *out;
  HG_TRY(open_file(folder, "platform.xml", &out));
  fprintf(out,
          "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd\">\n"
          "<platform version=\"4\">\n<AS id=\"ASroot\" routing=\"None\">\n"
          "<cluster id=\"network\" prefix=\"node-\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" bw=\"%.0fBps\" "
          "lat=\"%.12fs\"",
          nodes - 1, p->bandwidth > 0 ? p->bandwidth : 1e9, p->latency / 2);
  if (p->backbone > 0) fprintf(out, " bb_bw=\"%.0fBps\" bb_lat=\"0s\"", p->backbone);
  fputs("/>\n", out);
  for (int n = 0; n < nodes; n++) write_node(out, p, n);
  fputs("</AS>\n</platform>\n", out);
  return close_file(out, folder);
}

static hg_status write_names(const hg_platform *p, int nodes, const char *folder)
{
  FILE *hosts, *names;
  HG_TRY(open_file(folder, "hosts", &hosts));
  hg_status status = open_file(folder, "names", &names);
  if (status != HG_OK) {
    fclose(hosts);
    return status;
  }
  for (int n = 0; n < nodes; n++) {
    fprintf(hosts, "node-%d\n", n);
    fprintf(names, "%skind%d", n ? " " : "", kind_of(p, n));
  }
  fputc('\n', names);
  HG_TRY(close_file(hosts, folder));
  return close_file(names, folder);
}

void hg_platform_factors(const hg_platform *p, size_t size, char *latency, char *bandwidth)
{
  enum { ROOM = 48 };
  const double most = 1e6;
  size_t a = 0, b = 0;
  snprintf(latency, size, "0:1");
  snprintf(bandwidth, size, "0:1");
  for (int i = 0; i < p->segments && a + ROOM < size && b + ROOM < size; i++) {
    const hg_network_segment *s = &p->segment[i];
    const double start = fmax(p->latency, 1e-12);
    a += (size_t)snprintf(latency + a, size - a, "%s%.0f:%.9g", i ? ";" : "", s->from, fmin(s->latency / start, most));
    b += (size_t)snprintf(bandwidth + b, size - b, "%s%.0f:%.9g", i ? ";" : "", s->from,
                          fmin(s->per_byte > 0 ? 1 / (s->per_byte * p->bandwidth) : most, most));
  }
}

hg_status hg_platform_write_simgrid(const hg_platform *p, int nodes, const char *folder)
{
  char path[HG_PATH_MAX];
  if (snprintf(path, sizeof path, "%s/bus", folder) >= (int)sizeof path || (mkdir(path, 0777) != 0 && errno != EEXIST))
    return hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  for (int n = 0; n < nodes; n++) {
    if (p->node[n].gpus >= HG_SIMGRID_MEMORY_NODES)
      return hg_fail(HG_INVALID, "node %d: %d GPUs, StarPU's simulation supports at most %d", n, p->node[n].gpus,
                     HG_SIMGRID_MEMORY_NODES - 1);
    if (kind_of(p, n) != n) continue;
    HG_TRY(write_config(p, n, folder));
    HG_TRY(write_bus(p, n, folder, false));
    HG_TRY(write_bus(p, n, folder, true));
  }
  HG_TRY(write_platform(p, nodes, folder));
  return write_names(p, nodes, folder);
}
