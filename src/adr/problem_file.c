/* SPDX-License-Identifier: MIT */
#include "adr/problem_file.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/text.h"
#include "input/grid.h"

static const double LARGEST = 1e100, SMALLEST = 1e-100; /* their products do not overflow or underflow */

static const char *const keys[] = {"size",     "length",  "origin",   "a",       "D", "growth",
                                   "boundary", "outside", "reaction", "initial", NULL};

/* A file being read. */
typedef struct reader {
  const char *place;
  json_t *root;
} reader;

static hg_status wrong(const reader *r, const char *key, const char *what)
{
  return hg_fail(HG_FORMAT, "%s: '%.40s' %s", r->place, key, what);
}

static int index_of(const char *const *names, const char *text)
{
  int i = 0;
  while (names[i] && strcmp(names[i], text) != 0) i++;
  return i;
}

static hg_status check_keys(const reader *r)
{
  const char *key;
  json_t *value;
  if (!json_is_object(r->root)) return hg_fail(HG_FORMAT, "%s: a problem must be an object", r->place);
  json_object_foreach(r->root, key, value) if (!keys[index_of(keys, key)]) return wrong(r, key, "is an unknown key");
  return HG_OK;
}

/* Element i of a value that is a list of `count`, or a single value for all of them. */
static hg_status element(const reader *r, const char *key, int count, int i, const json_t **out)
{
  const json_t *value = json_object_get(r->root, key);
  *out = json_is_array(value) ? json_array_get(value, (size_t)i) : value;
  if (!json_is_array(value) || json_array_size(value) == (size_t)count) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: '%s' has %zu elements, must be one or %d", r->place, key, json_array_size(value),
                 count);
}

/* Numbers in lo..hi. If the key is missing, they are unchanged. */
static hg_status read_reals(const reader *r, const char *key, int count, double lo, double hi, double *out)
{
  const json_t *value;
  for (int i = 0; i < count && json_object_get(r->root, key); i++) {
    HG_TRY(element(r, key, count, i, &value));
    if (!json_is_number(value)) return wrong(r, key, "must be numbers");
    out[i] = json_number_value(value);
    if (!(out[i] >= lo && out[i] <= hi))
      return hg_fail(HG_INVALID, "%s: '%s' is %g, must be in %g..%g", r->place, key, out[i], lo, hi);
  }
  return HG_OK;
}

static hg_status read_size(const reader *r, const int64_t size[3], int64_t n[3])
{
  enum { MOST = 1 << 20 };
  double nodes[3] = {0};
  if (size[0] == 0 && !json_object_get(r->root, "size")) return wrong(r, "size", "is missing, and so is --size");
  HG_TRY(read_reals(r, "size", 3, 1, MOST, nodes));
  for (int i = 0; i < 3; i++) {
    n[i] = size[0] == 0 ? (int64_t)nodes[i] : size[i];
    if (nodes[i] != trunc(nodes[i])) return wrong(r, "size", "must be whole numbers");
  }
  return HG_OK;
}

/* One of the given names, for each of `count` elements. */
static hg_status read_names(const reader *r, const char *key, const char *const *names, int count, int *out)
{
  const json_t *value;
  if (!json_object_get(r->root, key)) return wrong(r, key, "is missing");
  for (int i = 0; i < count; i++) {
    HG_TRY(element(r, key, count, i, &value));
    if (!json_is_string(value)) return wrong(r, key, "must be a name");
    out[i] = index_of(names, json_string_value(value));
    if (!names[out[i]])
      return hg_fail(HG_FORMAT, "%s: '%s' is '%.40s', unknown", r->place, key, json_string_value(value));
  }
  return HG_OK;
}

/* A field as hg_grid_open accepts it: a number, a formula, or a file in the same folder as this one. */
static hg_status name_field(const reader *r, const json_t *value, char name[HG_PATH_MAX])
{
  const char *text = json_string_value(value), *slash = strrchr(r->place, '/');
  const bool is_beside = text && hg_grid_is_file(text) && *text != '/' && slash;
  int length;
  if (json_is_number(value))
    length = snprintf(name, HG_PATH_MAX, "%.17g", json_number_value(value));
  else if (text && *text)
    length = snprintf(name, HG_PATH_MAX, "%.*s%s", is_beside ? (int)(slash + 1 - r->place) : 0, r->place, text);
  else
    return wrong(r, "initial", "must be numbers or names of fields");
  return length < HG_PATH_MAX ? HG_OK : wrong(r, "initial", "is too long");
}

static hg_status read_initial(const reader *r, char initial[2][HG_PATH_MAX])
{
  const json_t *value;
  if (!json_object_get(r->root, "initial")) return wrong(r, "initial", "is missing");
  for (int i = 0; i < 2; i++) {
    HG_TRY(element(r, "initial", 2, i, &value));
    HG_TRY(name_field(r, value, initial[i]));
  }
  return HG_OK;
}

static hg_status check_outside(const reader *r, const hg_adr_problem *p)
{
  bool fixed = false;
  for (int i = 0; i < 3; i++) fixed = fixed || p->boundary[i] == HG_ADR_FIXED;
  return fixed || !json_object_get(r->root, "outside")
             ? HG_OK
             : wrong(r, "outside", "is only for fixed sides, but there are none");
}

/* The source of mms only fits its own domain, and it has its own initial values. */
static hg_status check_mms(const reader *r, const hg_adr_problem *p, const double origin[3], const double length[3])
{
  bool unit = p->outside[0] == 1 && p->outside[1] == 1 && p->growth == 0;
  for (int i = 0; i < 3; i++) unit = unit && origin[i] == 0 && length[i] == 1 && p->boundary[i] == HG_ADR_FIXED;
  if (!unit)
    return wrong(r, "reaction", "is mms, which needs the unit cube, no growth, and fixed sides with 1 outside");
  return json_object_get(r->root, "initial") ? wrong(r, "initial", "excludes the reaction mms, which has its own")
                                             : HG_OK;
}

static hg_status read_all(const reader *r, const int64_t size[3], hg_adr_problem *p, char initial[2][HG_PATH_MAX])
{
  double origin[3] = {0}, length[3] = {1, 1, 1};
  int boundary[3], reaction;
  HG_TRY(check_keys(r));
  HG_TRY(read_size(r, size, p->n));
  HG_TRY(read_reals(r, "origin", 3, -LARGEST, LARGEST, origin));
  HG_TRY(read_reals(r, "length", 3, SMALLEST, LARGEST, length));
  HG_TRY(read_reals(r, "a", 3, -LARGEST, LARGEST, p->a));
  HG_TRY(read_reals(r, "D", 3, 0, LARGEST, p->d));
  HG_TRY(read_reals(r, "growth", 1, -LARGEST, LARGEST, &p->growth));
  HG_TRY(read_reals(r, "outside", 2, -LARGEST, LARGEST, p->outside));
  HG_TRY(read_names(r, "boundary", hg_adr_boundary_names, 3, boundary));
  HG_TRY(read_names(r, "reaction", hg_adr_reaction_names, 1, &reaction));
  for (int i = 0; i < 3; i++) p->boundary[i] = (hg_adr_boundary)boundary[i];
  p->reaction = (hg_adr_reaction)reaction;
  hg_adr_place_nodes(origin, length, p);
  if (p->growth != 0 && p->boundary[2] == HG_ADR_PERIODIC) return wrong(r, "growth", "excludes a periodic z axis");
  HG_TRY(check_outside(r, p));
  if (p->reaction == HG_ADR_MMS) return check_mms(r, p, origin, length);
  return read_initial(r, initial);
}

hg_status hg_adr_problem_parse(const char *text, size_t bytes, const char *place, const int64_t size[3],
                               hg_adr_problem *p, char initial[2][HG_PATH_MAX])
{
  json_error_t error;
  text = hg_text_begin(text, &bytes);
  const reader r = {place, json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error)};
  const char *slash = strrchr(place, '/');
  *p = (hg_adr_problem){.name = slash ? slash + 1 : place, .outside = {1, 1}};
  *initial[0] = *initial[1] = 0;
  if (!r.root) return hg_fail(HG_FORMAT, "%s:%d:%d: %s", place, error.line, error.column, error.text);
  hg_status status = read_all(&r, size, p, initial);
  json_decref(r.root);
  return status == HG_OK ? hg_adr_problem_check(p) : status;
}

static hg_status check_values(const char *name, int64_t count, const double *value)
{
  for (int64_t i = 0; i < count; i++)
    if (!(fabs(value[i]) <= LARGEST))
      return hg_fail(HG_INVALID, "'initial' %s: value %" PRId64 " is %g, must be in %g..%g", name, i + 1, value[i],
                     -LARGEST, LARGEST);
  return HG_OK;
}

static hg_status read_field(const hg_adr_problem *p, const char *name, double **values)
{
  const hg_box all = {{0, 0, 0}, {p->n[0], p->n[1], p->n[2]}};
  hg_grid_input *input;
  HG_TRY(hg_memory_check("an initial field", p->n, sizeof **values));
  HG_TRY(hg_allocate("an initial field", (size_t)hg_box_cells(&all) * sizeof **values, (void **)values));
  HG_TRY(hg_grid_open(name, 0, &input));
  const hg_status status = hg_grid_read(input, p->n, &all, *values);
  hg_grid_close(input);
  return status == HG_OK ? check_values(name, hg_box_cells(&all), *values) : status;
}

hg_status hg_adr_problem_read(const char *path, const int64_t size[3], hg_adr_problem *p)
{
  char initial[2][HG_PATH_MAX];
  void *text;
  size_t bytes;
  HG_TRY(hg_file_map(path, &text, &bytes));
  hg_status status = hg_adr_problem_parse(text, bytes, path, size, p, initial);
  munmap(text, bytes);
  for (int i = 0; i < 2 && status == HG_OK && *initial[i]; i++) status = read_field(p, initial[i], &p->initial[i]);
  if (status != HG_OK) hg_adr_problem_free(p);
  return status;
}
