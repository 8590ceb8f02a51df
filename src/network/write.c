/* SPDX-License-Identifier: MIT */
/* Writes a measured network: as JSON that network_file.c reads back the same, and as CSV. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "network/network.h"
#include "base/data_folder.h"

static void print_text(FILE *out, const char *name, const char *text)
{
  json_t *value = json_string(text);
  fprintf(out, " \"%s\": ", name);
  if (value)
    json_dumpf(value, out, JSON_ENCODE_ANY);
  else
    fputs("\"?\"", out); /* not UTF-8 */
  fputs(",\n", out);
  json_decref(value);
}

static void print_column(FILE *out, const char *name, int count, const double *first, size_t stride)
{
  fprintf(out, "   \"%s\": [", name);
  for (int i = 0; i < count; i++)
    fprintf(out, "%s%.17g", i ? ", " : "", *(const double *)(const void *)((const char *)first + (size_t)i * stride));
  fputs("],\n", out);
}

static void print_counts(FILE *out, const char *name, int count, const int *first, size_t stride)
{
  fprintf(out, "   \"%s\": [", name);
  for (int i = 0; i < count; i++)
    fprintf(out, "%s%d", i ? ", " : "", *(const int *)(const void *)((const char *)first + (size_t)i * stride));
  fputs("],\n", out);
}

static void print_trains(FILE *out, const hg_network_level *l)
{
  const hg_network_train *t = l->train;
  if (l->trains == 0) {
    fputs("   \"trains\": null}", out);
    return;
  }
  fprintf(out, "   \"trains\": {\"messages\": %d,\n", l->train_length);
  print_column(out, "bytes", l->trains, &t->bytes, sizeof *t);
  print_column(out, "one", l->trains, &t->one, sizeof *t);
  print_column(out, "many", l->trains, &t->many, sizeof *t);
  print_column(out, "delayed", l->trains, &t->delayed, sizeof *t);
  fputs("   \"delay\": [", out);
  for (int i = 0; i < l->trains; i++) fprintf(out, "%s%.17g", i ? ", " : "", t[i].delay);
  fputs("]}}", out);
}

static void print_level(FILE *out, const hg_network_level *l)
{
  const hg_network_point *p = l->point;
  fprintf(out, "  {\"name\": \"%s\", \"from\": \"%s\", \"to\": \"%s\", \"pairs\": %d,\n", l->name, l->from, l->to,
          l->pairs);
  print_column(out, "bytes", l->points, &p->bytes, sizeof *p);
  print_column(out, "seconds", l->points, &p->seconds, sizeof *p);
  print_column(out, "low", l->points, &p->low, sizeof *p);
  print_column(out, "high", l->points, &p->high, sizeof *p);
  print_counts(out, "samples", l->points, &p->samples, sizeof *p);
  print_counts(out, "outliers", l->points, &p->outliers, sizeof *p);
  print_column(out, "pass_gap", l->points, &p->pass_gap, sizeof *p);
  fputs("   \"segments\": [", out);
  for (int i = 0; i < l->segments; i++)
    fprintf(out, "%s{\"from\": %.17g, \"latency\": %.17g, \"per_byte\": %.17g}", i ? ",\n    " : "", l->segment[i].from,
            l->segment[i].latency, l->segment[i].per_byte);
  fputs("],\n   \"concurrent\": [", out);
  for (int i = 0; i < l->loads; i++)
    fprintf(out, "%s{\"pairs\": %d, \"bytes\": %.17g, \"seconds\": %.17g}", i ? ",\n    " : "", l->load[i].pairs,
            l->load[i].bytes, l->load[i].seconds);
  fputs("],\n", out);
  print_trains(out, l);
}

hg_status hg_network_print(FILE *out, const hg_network *n)
{
  fprintf(out, "{\"schema\": %d,\n", HG_NETWORK_SCHEMA);
  print_text(out, "host", n->host);
  print_text(out, "date", n->date);
  print_text(out, "mpi", n->mpi);
  print_text(out, "transport", n->transport);
  print_text(out, "binding", n->binding);
  fprintf(out, " \"other_load\": %.17g,\n \"oversubscribed\": %s,\n", n->other_load,
          n->oversubscribed ? "true" : "false");
  if (isnan(n->gpu_start))
    fputs(" \"gpu_start\": null,\n", out);
  else
    fprintf(out, " \"gpu_start\": %.17g,\n", n->gpu_start);
  fputs(" \"levels\": [\n", out);
  for (int i = 0; i < n->levels; i++) {
    if (i > 0) fputs(",\n", out);
    print_level(out, &n->level[i]);
  }
  fputs("]}\n", out);
  return fflush(out) == 0 && !ferror(out) ? HG_OK : hg_fail(HG_IO, "printing: %s", strerror(errno));
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
