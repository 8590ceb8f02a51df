/* SPDX-License-Identifier: MIT */
/* Writes a measured network: as JSON that file.c reads back identically, and as CSV. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "network/network.h"
#include "base/data_folder.h"

static json_t *number(double x)
{
  return isfinite(x) ? json_real(x) : json_null();
}

/* A list of a member of `count` structures, `stride` bytes apart. */
static json_t *column(int count, const double *first, size_t stride)
{
  json_t *list = json_array();
  for (int i = 0; list && i < count; i++)
    json_array_append_new(list, number(*(const double *)(const void *)((const char *)first + (size_t)i * stride)));
  return list;
}

static json_t *counts(int count, const int *first, size_t stride)
{
  json_t *list = json_array();
  for (int i = 0; list && i < count; i++)
    json_array_append_new(list, json_integer(*(const int *)(const void *)((const char *)first + (size_t)i * stride)));
  return list;
}

static json_t *segments_of(const hg_network_level *l)
{
  json_t *list = json_array();
  for (int i = 0; i < l->segments; i++)
    json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "from", l->segment[i].from, "latency",
                                          l->segment[i].latency, "per_byte", l->segment[i].per_byte));
  return list;
}

static json_t *loads_of(const hg_network_level *l)
{
  json_t *list = json_array();
  for (int i = 0; i < l->loads; i++)
    json_array_append_new(list, json_pack("{s:i, s:f, s:f}", "pairs", l->load[i].pairs, "bytes", l->load[i].bytes,
                                          "seconds", l->load[i].seconds));
  return list;
}

static json_t *trains_of(const hg_network_level *l)
{
  const hg_network_train *t = l->train;
  if (l->trains == 0) return json_null();
  return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "messages", l->train_length, "bytes",
                   column(l->trains, &t->bytes, sizeof *t), "one", column(l->trains, &t->one, sizeof *t), "many",
                   column(l->trains, &t->many, sizeof *t), "delayed", column(l->trains, &t->delayed, sizeof *t),
                   "delay", column(l->trains, &t->delay, sizeof *t));
}

static json_t *level_of(const hg_network_level *l)
{
  const hg_network_point *p = l->point;
  return json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", l->name, "from",
                   l->from, "to", l->to, "pairs", l->pairs, "bytes", column(l->points, &p->bytes, sizeof *p), "seconds",
                   column(l->points, &p->seconds, sizeof *p), "low", column(l->points, &p->low, sizeof *p), "high",
                   column(l->points, &p->high, sizeof *p), "samples", counts(l->points, &p->samples, sizeof *p),
                   "outliers", counts(l->points, &p->outliers, sizeof *p), "pass_gap",
                   column(l->points, &p->pass_gap, sizeof *p), "segments", segments_of(l), "concurrent", loads_of(l),
                   "trains", trains_of(l));
}

/* NULL if it is not UTF-8. */
static json_t *text_of(const char *text)
{
  json_t *value = json_string(text);
  return value ? value : json_string("?");
}

static json_t *network_of(const hg_network *n)
{
  json_t *levels = json_array();
  for (int i = 0; i < n->levels; i++) json_array_append_new(levels, level_of(&n->level[i]));
  return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:f, s:b, s:o, s:o}", "schema", HG_NETWORK_SCHEMA, "host",
                   text_of(n->host), "date", text_of(n->date), "mpi", text_of(n->mpi), "transport",
                   text_of(n->transport), "binding", text_of(n->binding), "other_load", n->other_load, "oversubscribed",
                   n->oversubscribed, "gpu_start", number(n->gpu_start), "levels", levels);
}

hg_status hg_network_print(FILE *out, const hg_network *n)
{
  json_t *all = network_of(n);
  const bool good = all && json_dumpf(all, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
  json_decref(all);
  if (!all) return hg_fail(HG_MEMORY, "no memory for the network");
  return good && fflush(out) == 0 && !ferror(out) ? HG_OK : hg_fail(HG_IO, "standard output: %s", strerror(errno));
}

hg_status hg_network_write(const char *path, const hg_network *n)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_make_folders(path));
  HG_TRY(hg_file_begin(path, temporary, &out));
  return hg_file_end(out, temporary, path, hg_network_print(out, n));
}

void hg_network_print_csv(FILE *out, const hg_network *n)
{
  fputs("level,from,to,bytes,seconds,low,high,samples,pass_gap,status\n", out);
  for (int i = 0; i < n->levels; i++)
    for (int k = 0; k < n->level[i].points; k++) {
      const hg_network_level *l = &n->level[i];
      const hg_network_point *p = &l->point[k];
      fprintf(out, "%s,%s,%s,%.17g,%.9g,%.9g,%.9g,%d,%.4g,%s\n", l->name, l->from, l->to, p->bytes, p->seconds, p->low,
              p->high, p->samples, p->pass_gap, p->pass_gap > HG_NETWORK_UNSTABLE ? "unstable" : "ok");
    }
}
