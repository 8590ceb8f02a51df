/* SPDX-License-Identifier: MIT */
#include "contexts.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/shown.h"
#include "base/text.h"

/* Where a number of an object is stored. */
typedef struct number {
  const char *key;
  double *to;
} number;

static hg_status read_number(const char *place, const char *key, const json_t *value, double *out)
{
  *out = json_number_value(value);
  return json_is_number(value) ? HG_OK : hg_fail(HG_FORMAT, "%s: '%s' is not a number", place, key);
}

/* Stores a value if its key is one of the numbers. */
static hg_status take_number(const char *place, const char *key, const json_t *value, const number *known, bool *taken)
{
  *taken = false;
  for (const number *n = known; n->key; n++)
    if (strcmp(n->key, key) == 0) {
      *taken = true;
      return read_number(place, key, value, n->to);
    }
  return HG_OK;
}

static hg_status unknown(const char *place, const char *key)
{
  return hg_fail(HG_FORMAT, "%s: unknown key '%.60s'", place, key);
}

static hg_status read_unit(const char *place, json_t *json, hg_use_context_unit *u)
{
  const number known[] = {
      {"count", &u->count}, {"full", &u->full}, {"wait", &u->wait}, {"idle", &u->idle}, {NULL, NULL}};
  const char *key;
  json_t *value;
  bool taken;
  *u = (hg_use_context_unit){.count = 1};
  if (!json_is_object(json)) return hg_fail(HG_FORMAT, "%s: a unit must be an object", place);
  json_object_foreach(json, key, value)
  {
    HG_TRY(take_number(place, key, value, known, &taken));
    if (!taken) return unknown(place, key);
  }
  if (!json_object_get(json, "wait")) u->wait = u->idle;
  return HG_OK;
}

static hg_status read_units(const char *place, const json_t *list, hg_use_context *c)
{
  json_t *value;
  size_t i;
  if (!json_is_array(list) || json_array_size(list) > HG_CONTEXT_UNITS)
    return hg_fail(HG_FORMAT, "%s: units must be a list of at most %d", place, HG_CONTEXT_UNITS);
  c->units = (int)json_array_size(list);
  json_array_foreach(list, i, value) HG_TRY(read_unit(place, value, &c->unit[i]));
  return HG_OK;
}

static hg_status read_points(const char *place, const json_t *list, hg_use_context *c)
{
  const json_t *value;
  size_t i;
  if (!json_is_array(list) || json_array_size(list) > HG_CONTEXT_POINTS)
    return hg_fail(HG_FORMAT, "%s: points must be a list of at most %d", place, HG_CONTEXT_POINTS);
  c->points = (int)json_array_size(list);
  json_array_foreach(list, i, value)
  {
    const size_t numbers = json_array_size(value);
    if (numbers < 2 || numbers > 3) return hg_fail(HG_FORMAT, "%s: a point must be [N, T] or [N, T, E]", place);
    HG_TRY(read_number(place, "N", json_array_get(value, 0), &c->nodes[i]));
    if (c->nodes[i] != floor(c->nodes[i]))
      return hg_fail(HG_INVALID, "%s: N is %g in a point, must be a whole number of nodes", place, c->nodes[i]);
    HG_TRY(read_number(place, "T", json_array_get(value, 1), &c->seconds[i]));
    c->joules[i] = NAN;
    if (numbers == 3) HG_TRY(read_number(place, "E", json_array_get(value, 2), &c->joules[i]));
  }
  return HG_OK;
}

static hg_status read_mode(const char *place, const json_t *value, hg_use_context *c)
{
  const char *mode = json_string_value(value);
  c->synchronous = mode && strcmp(mode, "sync") == 0;
  if (c->synchronous || (mode && strcmp(mode, "async") == 0)) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: mode '%.60s', must be sync or async", place, mode ? mode : "");
}

static hg_status read_key(const char *place, const char *key, json_t *value, hg_use_context *c)
{
  const number known[] = {{"beta", &c->beta},       {"base", &c->base}, {"switch", &c->switch_watts},
                          {"N_max", &c->nodes_max}, {"s", &c->sigma},   {NULL, NULL}};
  bool taken;
  HG_TRY(take_number(place, key, value, known, &taken));
  if (taken || strcmp(key, "name") == 0) return HG_OK;
  if (strcmp(key, "points") == 0) return read_points(place, value, c);
  if (strcmp(key, "units") == 0) return read_units(place, value, c);
  if (strcmp(key, "mode") == 0) return read_mode(place, value, c);
  return unknown(place, key);
}

static hg_status read_name(const char *place, const json_t *json, hg_use_context *c)
{
  const char *name = json_string_value(json_object_get(json, "name"));
  if (!name || !*name) return hg_fail(HG_FORMAT, "%s: a context has no name", place);
  if (strlen(name) >= sizeof c->name || strpbrk(name, ",:\"") || !hg_text_is_shown(name))
    return hg_fail(HG_FORMAT, "%s: the name '%.60s', must be at most %d printable characters, none of , : \"", place,
                   name, HG_CONTEXT_NAME - 1);
  strcpy(c->name, name);
  return HG_OK;
}

static hg_status settle(hg_use_context *c, const char *place, const json_t *json, bool decay, double error)
{
  const bool given = json_object_get(json, "beta") != NULL;
  c->error = error;
  if (c->synchronous && !given) return hg_fail(HG_FORMAT, "%s: a synchronous run needs beta", place);
  if (decay && c->synchronous) HG_TRY(hg_decay_correction(c->beta, &c->beta));
  return hg_use_context_fit(c);
}

static hg_status read_context(const char *place, json_t *json, bool decay, double error, hg_use_context *c)
{
  char where[300];
  const char *key;
  json_t *value;
  *c = (hg_use_context){.beta = 1, .nodes_max = INFINITY, .sigma = NAN};
  HG_TRY(read_name(place, json, c));
  snprintf(where, sizeof where, "%.200s: %s", place, c->name);
  json_object_foreach(json, key, value) HG_TRY(read_key(where, key, value, c));
  return settle(c, where, json, decay, error);
}

static hg_status read_all(const char *place, json_t *root, bool decay, contexts *out)
{
  const json_t *list = json_object_get(root, "contexts"), *wrong = json_object_get(root, "error");
  const char *key;
  json_t *value;
  size_t i;
  double error = 0;
  json_object_foreach(root, key,
                      value) if (strcmp(key, "contexts") != 0 && strcmp(key, "error") != 0) return unknown(place, key);
  if (wrong) HG_TRY(read_number(place, "error", wrong, &error));
  if (!json_is_array(list) || json_array_size(list) < 1 || json_array_size(list) > CONTEXTS_MAX)
    return hg_fail(HG_FORMAT, "%s: contexts must be a list of 1..%d", place, CONTEXTS_MAX);
  out->count = 0;
  json_array_foreach(list, i, value)
  {
    HG_TRY(read_context(place, value, decay, error, &out->context[i]));
    if (contexts_find(out, out->context[i].name))
      return hg_fail(HG_INVALID, "%s: two contexts are named %s", place, out->context[i].name);
    out->count++;
  }
  return HG_OK;
}

hg_status contexts_parse(const char *text, size_t size, const char *place, bool decay, contexts *out)
{
  json_error_t error;
  text = hg_text_begin(text, &size);
  json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!root) return hg_fail(HG_FORMAT, "%s:%d:%d: %s", place, error.line, error.column, error.text);
  const hg_status status = read_all(place, root, decay, out);
  json_decref(root);
  return status;
}

hg_status contexts_read(const char *path, bool decay, contexts *out)
{
  void *text;
  size_t size;
  HG_TRY(hg_file_map(path, &text, &size));
  const hg_status status = contexts_parse(text, size, path, decay, out);
  munmap(text, size);
  return status;
}

const hg_use_context *contexts_find(const contexts *all, const char *name)
{
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->context[i].name, name) == 0) return &all->context[i];
  return NULL;
}
