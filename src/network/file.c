/* SPDX-License-Identifier: MIT */
/* The file of a measured network: JSON, an object with the keys of `file_keys`, numbers of a level's points in arrays
 * of the same length. Strict: keys and values that are unknown, missing, repeated, out of order or out of bounds are
 * refused by name. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/shown.h"
#include "base/text.h"
#include "network/network.h"

enum { MOST_LEVELS = 64, MOST_POINTS = 4096 };
#define MOST_BYTES 1e15
#define MOST_SECONDS 1e6

static const char *const file_keys[] = {"schema",     "host",           "date",      "mpi",    "transport", "binding",
                                        "other_load", "oversubscribed", "gpu_start", "levels", NULL};
static const char *const level_keys[] = {"name",     "from",     "to",         "pairs",   "bytes",
                                         "seconds",  "low",      "high",       "samples", "outliers",
                                         "pass_gap", "segments", "concurrent", "trains",  NULL};
static const char *const segment_keys[] = {"from", "latency", "per_byte", NULL};
static const char *const load_keys[] = {"pairs", "bytes", "seconds", NULL};
static const char *const trains_keys[] = {"messages", "bytes", "one", "many", "delayed", "delay", NULL};

/* Position of the reader: the file and the object in it. */
typedef struct reader {
  const char *place;
  char object[96];
} reader;

static hg_status wrong(const reader *r, const char *field, const char *what)
{
  return hg_fail(HG_FORMAT, "%s: %s: '%s' %s", r->place, r->object, field, what);
}

static hg_status check_object(const reader *r, json_t *object, const char *const *keys)
{
  const char *key;
  json_t *value;
  if (!json_is_object(object)) return hg_fail(HG_FORMAT, "%s: %s: must be an object", r->place, r->object);
  json_object_foreach(object, key, value)
  {
    int i = 0;
    while (keys[i] && strcmp(keys[i], key) != 0) i++;
    if (!keys[i]) return hg_fail(HG_FORMAT, "%s: %s: unknown field '%.40s'", r->place, r->object, key);
  }
  for (int i = 0; keys[i]; i++)
    if (!json_object_get(object, keys[i])) return wrong(r, keys[i], "is missing");
  return HG_OK;
}

static hg_status check_number(const reader *r, const char *field, const json_t *value, double lo, double hi,
                              double *out)
{
  if (!json_is_number(value)) return wrong(r, field, "must be a number");
  *out = json_number_value(value);
  if (*out >= lo && *out <= hi) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %s: %s is %g, must be in %g..%g", r->place, r->object, field, *out, lo, hi);
}

static hg_status read_number(const reader *r, const json_t *object, const char *field, double lo, double hi,
                             double *out)
{
  return check_number(r, field, json_object_get(object, field), lo, hi, out);
}

static hg_status read_whole(const reader *r, const json_t *object, const char *field, int lo, int hi, int *out)
{
  double value;
  HG_TRY(read_number(r, object, field, lo, hi, &value));
  *out = (int)value;
  return *out == value ? HG_OK : wrong(r, field, "must be a whole number");
}

static hg_status read_text(const reader *r, const json_t *object, const char *field, char *out, size_t size)
{
  const char *text = json_string_value(json_object_get(object, field));
  if (!text) return wrong(r, field, "must be a string");
  if (snprintf(out, size, "%s", text) >= (int)size) return wrong(r, field, "is too long");
  return hg_text_is_shown(out) ? HG_OK : wrong(r, field, "has control characters");
}

/* Reads a list and its length. */
static hg_status read_list(const reader *r, const json_t *object, const char *field, int most, json_t **list,
                           int *count)
{
  *list = json_object_get(object, field);
  if (!json_is_array(*list)) return wrong(r, field, "must be a list");
  const size_t size = json_array_size(*list);
  if (size > (size_t)most)
    return hg_fail(HG_INVALID, "%s: %s: '%s' has %zu entries, at most %d are allowed", r->place, r->object, field, size,
                   most);
  *count = (int)size;
  return HG_OK;
}

/* Reads a list of `count` numbers into a field of as many structures. */
static hg_status read_column(const reader *r, const json_t *object, const char *field, double lo, double hi, int count,
                             double *first, size_t stride)
{
  json_t *list;
  int length;
  HG_TRY(read_list(r, object, field, MOST_POINTS, &list, &length));
  if (length != count)
    return hg_fail(HG_INVALID, "%s: %s: '%s' has %d entries, 'bytes' has %d", r->place, r->object, field, length,
                   count);
  for (int i = 0; i < count; i++)
    HG_TRY(check_number(r, field, json_array_get(list, (size_t)i), lo, hi,
                        (double *)(void *)((char *)first + (size_t)i * stride)));
  return HG_OK;
}

static hg_status read_counts(const reader *r, const json_t *object, const char *field, int count, int *first,
                             size_t stride)
{
  double value[MOST_POINTS];
  HG_TRY(read_column(r, object, field, 0, 1e9, count, value, sizeof *value));
  for (int i = 0; i < count; i++) *(int *)(void *)((char *)first + (size_t)i * stride) = (int)value[i];
  return HG_OK;
}

static hg_status check_rising(const reader *r, const char *field, double before, double now)
{
  if (now > before) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %s: %s %g follows %g, must increase", r->place, r->object, field, now, before);
}

static hg_status read_points(const reader *r, const json_t *object, hg_network_level *l)
{
  json_t *list;
  const size_t stride = sizeof *l->point;
  HG_TRY(read_list(r, object, "bytes", MOST_POINTS, &list, &l->points));
  if (l->points == 0) return wrong(r, "bytes", "is empty");
  l->point = calloc((size_t)l->points, stride);
  if (!l->point) return hg_fail(HG_MEMORY, "%s: no memory for %d points", r->place, l->points);
  hg_network_point *p = l->point;
  HG_TRY(read_column(r, object, "bytes", 0, MOST_BYTES, l->points, &p->bytes, stride));
  HG_TRY(read_column(r, object, "seconds", 1e-12, MOST_SECONDS, l->points, &p->seconds, stride));
  HG_TRY(read_column(r, object, "low", 0, MOST_SECONDS, l->points, &p->low, stride));
  HG_TRY(read_column(r, object, "high", 0, MOST_SECONDS, l->points, &p->high, stride));
  HG_TRY(read_column(r, object, "pass_gap", 0, MOST_SECONDS, l->points, &p->pass_gap, stride));
  HG_TRY(read_counts(r, object, "samples", l->points, &p->samples, stride));
  HG_TRY(read_counts(r, object, "outliers", l->points, &p->outliers, stride));
  for (int i = 0; i < l->points; i++) {
    if (i > 0) HG_TRY(check_rising(r, "bytes", p[i - 1].bytes, p[i].bytes));
    if (p[i].low > p[i].seconds || p[i].high < p[i].seconds)
      return hg_fail(HG_INVALID, "%s: %s: %g s at %g bytes is not within its low..high, %g..%g", r->place, r->object,
                     p[i].seconds, p[i].bytes, p[i].low, p[i].high);
  }
  return HG_OK;
}

static hg_status read_segments(reader *r, const json_t *object, hg_network_level *l)
{
  json_t *list;
  HG_TRY(read_list(r, object, "segments", MOST_POINTS, &list, &l->segments));
  l->segment = calloc((size_t)l->segments + 1, sizeof *l->segment);
  if (!l->segment) return hg_fail(HG_MEMORY, "%s: no memory for %d segments", r->place, l->segments);
  for (int i = 0; i < l->segments; i++) {
    hg_network_segment *s = &l->segment[i];
    json_t *item = json_array_get(list, (size_t)i);
    HG_TRY(check_object(r, item, segment_keys));
    HG_TRY(read_number(r, item, "from", 0, MOST_BYTES, &s->from));
    HG_TRY(read_number(r, item, "latency", 0, MOST_SECONDS, &s->latency));
    HG_TRY(read_number(r, item, "per_byte", 0, MOST_SECONDS, &s->per_byte));
    if (i > 0) HG_TRY(check_rising(r, "from", s[-1].from, s->from));
  }
  return HG_OK;
}

static hg_status read_loads(reader *r, const json_t *object, hg_network_level *l)
{
  json_t *list;
  HG_TRY(read_list(r, object, "concurrent", MOST_POINTS, &list, &l->loads));
  l->load = calloc((size_t)l->loads + 1, sizeof *l->load);
  if (!l->load) return hg_fail(HG_MEMORY, "%s: no memory for %d loads", r->place, l->loads);
  for (int i = 0; i < l->loads; i++) {
    hg_network_load *o = &l->load[i];
    json_t *item = json_array_get(list, (size_t)i);
    HG_TRY(check_object(r, item, load_keys));
    HG_TRY(read_whole(r, item, "pairs", 1, 1 << 20, &o->pairs));
    HG_TRY(read_number(r, item, "bytes", 0, MOST_BYTES, &o->bytes));
    HG_TRY(read_number(r, item, "seconds", 1e-12, MOST_SECONDS, &o->seconds));
  }
  return HG_OK;
}

static hg_status read_trains(reader *r, const json_t *object, hg_network_level *l)
{
  json_t *trains = json_object_get(object, "trains"), *list;
  const size_t stride = sizeof *l->train;
  if (json_is_null(trains)) return HG_OK;
  HG_TRY(check_object(r, trains, trains_keys));
  HG_TRY(read_whole(r, trains, "messages", 2, 1 << 20, &l->train_length));
  HG_TRY(read_list(r, trains, "bytes", MOST_POINTS, &list, &l->trains));
  hg_network_train *t = l->train = calloc((size_t)l->trains + 1, stride);
  if (!t) return hg_fail(HG_MEMORY, "%s: no memory for %d trains", r->place, l->trains);
  HG_TRY(read_column(r, trains, "bytes", 0, MOST_BYTES, l->trains, &t->bytes, stride));
  HG_TRY(read_column(r, trains, "one", 1e-12, MOST_SECONDS, l->trains, &t->one, stride));
  HG_TRY(read_column(r, trains, "many", 1e-12, MOST_SECONDS, l->trains, &t->many, stride));
  HG_TRY(read_column(r, trains, "delayed", 1e-12, MOST_SECONDS, l->trains, &t->delayed, stride));
  HG_TRY(read_column(r, trains, "delay", 0, MOST_SECONDS, l->trains, &t->delay, stride));
  for (int i = 1; i < l->trains; i++) HG_TRY(check_rising(r, "bytes", t[i - 1].bytes, t[i].bytes));
  return HG_OK;
}

static hg_status read_end(const reader *r, const json_t *object, const char *field, char *out)
{
  HG_TRY(read_text(r, object, field, out, HG_NETWORK_NAME));
  if (strcmp(out, "cpu") == 0 || strcmp(out, "gpu") == 0) return HG_OK;
  return wrong(r, field, "must be cpu or gpu");
}

static hg_status read_level(reader *r, json_t *object, hg_network *n)
{
  hg_network_level *l = &n->level[n->levels++];
  HG_TRY(check_object(r, object, level_keys));
  HG_TRY(read_text(r, object, "name", l->name, sizeof l->name));
  if (!*l->name || strspn(l->name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(l->name))
    return wrong(r, "name", "must consist of lower-case letters, digits and '-'");
  snprintf(r->object, sizeof r->object, "level %s", l->name);
  for (int i = 0; i + 1 < n->levels; i++)
    if (strcmp(n->level[i].name, l->name) == 0) return wrong(r, "name", "is given twice");
  HG_TRY(read_end(r, object, "from", l->from));
  HG_TRY(read_end(r, object, "to", l->to));
  HG_TRY(read_whole(r, object, "pairs", 1, 1 << 20, &l->pairs));
  HG_TRY(read_points(r, object, l));
  HG_TRY(read_segments(r, object, l));
  HG_TRY(read_loads(r, object, l));
  return read_trains(r, object, l);
}

static hg_status read_head(const reader *r, const json_t *root, hg_network *n)
{
  HG_TRY(read_text(r, root, "host", n->host, sizeof n->host));
  HG_TRY(read_text(r, root, "date", n->date, sizeof n->date));
  HG_TRY(read_text(r, root, "mpi", n->mpi, sizeof n->mpi));
  HG_TRY(read_text(r, root, "transport", n->transport, sizeof n->transport));
  HG_TRY(read_text(r, root, "binding", n->binding, sizeof n->binding));
  HG_TRY(read_number(r, root, "other_load", 0, 1, &n->other_load));
  const json_t *over = json_object_get(root, "oversubscribed"), *start = json_object_get(root, "gpu_start");
  if (!json_is_boolean(over)) return wrong(r, "oversubscribed", "must be true or false");
  n->oversubscribed = json_is_true(over);
  n->gpu_start = NAN;
  return json_is_null(start) ? HG_OK : check_number(r, "gpu_start", start, 0, MOST_SECONDS, &n->gpu_start);
}

/* Checks the schema number first: other schemas may have other fields. */
static hg_status check_schema(const reader *r, const json_t *root)
{
  const json_t *schema = json_object_get(root, "schema");
  if (!json_is_object(root)) return hg_fail(HG_FORMAT, "%s: must be an object", r->place);
  if (!schema) return wrong(r, "schema", "is missing");
  if (json_is_integer(schema) && json_integer_value(schema) == HG_NETWORK_SCHEMA) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: schema %.17g is unknown, must be %d", r->place, json_number_value(schema),
                 HG_NETWORK_SCHEMA);
}

static hg_status read_root(reader *r, json_t *root, hg_network *n)
{
  json_t *levels;
  int count;
  HG_TRY(check_schema(r, root));
  HG_TRY(check_object(r, root, file_keys));
  HG_TRY(read_head(r, root, n));
  HG_TRY(read_list(r, root, "levels", MOST_LEVELS, &levels, &count));
  if (count == 0) return wrong(r, "levels", "is empty");
  n->level = calloc((size_t)count, sizeof *n->level);
  if (!n->level) return hg_fail(HG_MEMORY, "%s: no memory for %d levels", r->place, count);
  for (int i = 0; i < count; i++) {
    snprintf(r->object, sizeof r->object, "level %d", i + 1);
    HG_TRY(read_level(r, json_array_get(levels, (size_t)i), n));
  }
  return HG_OK;
}

hg_status hg_network_parse(const char *text, size_t size, const char *place, hg_network *out)
{
  json_error_t error;
  reader r = {.place = place, .object = "file"};
  *out = (hg_network){.levels = 0};
  snprintf(out->path, sizeof out->path, "%s", place);
  text = hg_text_begin(text, &size);
  json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!root) return hg_fail(HG_FORMAT, "%s:%d: %s", place, error.line, error.text);
  const hg_status status = read_root(&r, root, out);
  json_decref(root);
  if (status != HG_OK) hg_network_free(out);
  return status;
}

hg_status hg_network_read(const char *path, hg_network *out)
{
  void *text;
  size_t size;
  HG_TRY(hg_file_map(path, &text, &size));
  const hg_status status = hg_network_parse(text, size, path, out);
  munmap(text, size);
  return status;
}

void hg_network_free(hg_network *n)
{
  for (int i = 0; i < n->levels; i++) {
    free(n->level[i].point);
    free(n->level[i].segment);
    free(n->level[i].load);
    free(n->level[i].train);
  }
  free(n->level);
  n->level = NULL;
  n->levels = 0;
}
