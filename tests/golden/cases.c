/* SPDX-License-Identifier: MIT */
#include "tests/golden/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/shown.h"
#include "base/text.h"

/* --- inputs ---------------------------------------------------------------------------------- */

static hg_status find(const json_t *object, const char *key, const json_t **out)
{
  *out = json_object_get(object, key);
  return *out ? HG_OK : hg_fail(HG_FORMAT, "'%s' is missing", key);
}

static hg_status number_of(const json_t *value, const char *key, double *out)
{
  *out = json_number_value(value);
  return json_is_number(value) ? HG_OK : hg_fail(HG_FORMAT, "'%s' is not a number", key);
}

hg_status hg_golden_double(const json_t *object, const char *key, double *out)
{
  const json_t *value;
  HG_TRY(find(object, key, &value));
  return number_of(value, key, out);
}

hg_status hg_golden_double_or(const json_t *object, const char *key, double absent, double *out)
{
  const json_t *value = json_object_get(object, key);
  *out = absent;
  return !value || json_is_null(value) ? HG_OK : number_of(value, key, out);
}

hg_status hg_golden_int(const json_t *object, const char *key, int64_t *out)
{
  double value;
  const json_t *whole = json_object_get(object, key);
  *out = json_integer_value(whole);
  if (json_is_integer(whole)) return HG_OK;
  HG_TRY(hg_golden_double(object, key, &value));
  if (value != floor(value) || fabs(value) > 0x1p62)
    return hg_fail(HG_FORMAT, "'%s' is %g, not a whole number", key, value);
  *out = (int64_t)value;
  return HG_OK;
}

hg_status hg_golden_text(const json_t *object, const char *key, const char **out)
{
  const json_t *value;
  HG_TRY(find(object, key, &value));
  *out = json_string_value(value);
  return *out ? HG_OK : hg_fail(HG_FORMAT, "'%s' is not a string", key);
}

hg_status hg_golden_part(const json_t *object, const char *key, json_type type, const json_t **out)
{
  HG_TRY(find(object, key, out));
  if (json_typeof(*out) == type) return HG_OK;
  return hg_fail(HG_FORMAT, "'%s' is not %s", key, type == JSON_ARRAY ? "a list" : "an object");
}

hg_status hg_golden_doubles(const json_t *object, const char *key, int max, double *out, int *count)
{
  const json_t *list;
  HG_TRY(hg_golden_part(object, key, JSON_ARRAY, &list));
  const size_t length = json_array_size(list);
  if (length < 1 || length > (size_t)max)
    return hg_fail(HG_FORMAT, "'%s' has %zu numbers, must be 1..%d", key, length, max);
  for (size_t i = 0; i < length; i++) HG_TRY(number_of(json_array_get(list, i), key, &out[i]));
  *count = (int)length;
  return HG_OK;
}

hg_status hg_golden_words(const json_t *object, const char *key, int count, uint32_t *out)
{
  const json_t *list;
  HG_TRY(hg_golden_part(object, key, JSON_ARRAY, &list));
  if (json_array_size(list) != (size_t)count)
    return hg_fail(HG_FORMAT, "'%s' has %zu words, must have %d", key, json_array_size(list), count);
  for (int i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(list, (size_t)i));
    if (!text || strlen(text) != 8 || strspn(text, "0123456789abcdefABCDEF") != 8)
      return hg_fail(HG_FORMAT, "'%s': word %d is not a string of eight hexadecimal digits", key, i);
    out[i] = (uint32_t)strtoul(text, NULL, 16);
  }
  return HG_OK;
}

/* --- results --------------------------------------------------------------------------------- */

static json_t *as_json(double value)
{
  if (isnan(value)) return json_null();
  if (isinf(value)) return json_string(value > 0 ? "inf" : "-inf");
  return json_real(value);
}

void hg_golden_put(hg_golden_case *c, const char *key, double value)
{
  json_object_set_new(c->got, key, as_json(value));
}

void hg_golden_put_text(hg_golden_case *c, const char *key, const char *value)
{
  json_object_set_new(c->got, key, json_string(value));
}

void hg_golden_put_doubles(hg_golden_case *c, const char *key, int count, const double *value)
{
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, as_json(value[i]));
  json_object_set_new(c->got, key, list);
}

void hg_golden_put_words(hg_golden_case *c, const char *key, int count, const uint32_t *value)
{
  json_t *list = json_array();
  char text[9];
  for (int i = 0; i < count; i++) {
    snprintf(text, sizeof text, "%08x", value[i]);
    json_array_append_new(list, json_string(text));
  }
  json_object_set_new(c->got, key, list);
}

void hg_golden_check(hg_golden_case *c, bool good, const char *fact, double got, double wanted)
{
  json_object_set_new(c->checked, fact, json_true());
  if (!good && !c->fault[0]) snprintf(c->fault, sizeof c->fault, "%s is %.17g, expected %.17g", fact, got, wanted);
}

/* --- comparing ------------------------------------------------------------------------------- */

static void fault(hg_golden_case *c, const char *place, const char *what)
{
  if (!c->fault[0]) snprintf(c->fault, sizeof c->fault, "%.180s %s", place, what);
}

static void compare_numbers(hg_golden_case *c, const char *place, const json_t *wanted, const json_t *got)
{
  const double w = json_number_value(wanted), g = json_number_value(got);
  if (!json_is_number(got))
    fault(c, place, "should be a number");
  else if (!(fabs(g - w) <= c->tol_abs + c->tol_rel * fabs(w)) && !c->fault[0])
    snprintf(c->fault, sizeof c->fault, "%.150s is %.17g, expected %.17g", place, g, w);
}

/* Compares strings and booleans. */
static void compare_texts(hg_golden_case *c, const char *place, const json_t *wanted, const json_t *got)
{
  const char *w = json_string_value(wanted), *g = json_string_value(got);
  if (json_equal(wanted, got)) return;
  if (w && g)
    snprintf(c->fault, sizeof c->fault, "%.100s is '%.60s', expected '%.60s'", place, g, w);
  else
    fault(c, place, "is of another kind");
}

static void compare(hg_golden_case *c, const char *place, const json_t *wanted, const json_t *got);

static void compare_parts(hg_golden_case *c, const char *place, json_t *wanted, const json_t *got)
{
  char inside[200];
  const char *key;
  json_t *value;
  size_t i;
  json_object_foreach(wanted, key, value)
  {
    snprintf(inside, sizeof inside, "%s%s%s", place, *place ? "." : "", key);
    if (*place || !json_object_get(c->checked, key)) compare(c, inside, value, json_object_get(got, key));
  }
  if (json_is_array(wanted) && json_array_size(wanted) != json_array_size(got)) fault(c, place, "has another length");
  json_array_foreach(wanted, i, value)
  {
    snprintf(inside, sizeof inside, "%s[%zu]", place, i);
    compare(c, inside, value, json_array_get(got, i));
  }
}

static void compare(hg_golden_case *c, const char *place, const json_t *wanted, const json_t *got)
{
  if (c->fault[0]) return;
  if (json_is_null(wanted)) {
    if (got && !json_is_null(got)) fault(c, place, "should not exist");
  } else if (!got) {
    fault(c, place, "was not computed");
  } else if (json_is_number(wanted)) {
    compare_numbers(c, place, wanted, got);
  } else if (json_is_object(wanted) || json_is_array(wanted)) {
    compare_parts(c, place, (json_t *)(uintptr_t)wanted, got);
  } else if (!json_equal(wanted, got)) {
    compare_texts(c, place, wanted, got);
  }
}

/* --- running --------------------------------------------------------------------------------- */

static const hg_golden_kind *find_kind(const hg_golden_kind *kinds, const char *name)
{
  for (; kinds->name; kinds++)
    if (strcmp(kinds->name, name) == 0) return kinds;
  return NULL;
}

static const char *text_or(const json_t *object, const char *key, const char *absent)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : absent;
}

static hg_status read_case(hg_golden_case *c)
{
  if (!json_is_object(c->json)) return hg_fail(HG_FORMAT, "a case that is not an object");
  const json_t *input = json_object_get(c->json, "input");
  if (input && !json_is_object(input)) return hg_fail(HG_FORMAT, "'input' is not an object");
  c->input = input ? input : c->json;
  c->name = text_or(c->json, "fn", text_or(c->json, "kind", text_or(c->input, "problem", NULL)));
  if (!c->name) return hg_fail(HG_FORMAT, "a case without fn, kind or problem");
  HG_TRY(hg_golden_part(c->json, "expect", JSON_OBJECT, &c->expect));
  HG_TRY(hg_golden_double_or(c->json, "tol_abs", 0, &c->tol_abs));
  HG_TRY(hg_golden_double_or(c->json, "tol_rel", 0, &c->tol_rel));
  if (c->tol_abs >= 0 && c->tol_rel >= 0) return HG_OK;
  return hg_fail(HG_FORMAT, "a tolerance of %g, must be >= 0", fmin(c->tol_abs, c->tol_rel));
}

/* Compares the result; HG_OK also for a case that was expected to be refused and was. */
static hg_status check_case(hg_golden_case *c, hg_status status)
{
  if (json_object_get(c->expect, "error")) {
    if (status == HG_INVALID && *hg_message()) return HG_OK;
    return status == HG_OK ? hg_fail(HG_MISMATCH, "should have been refused") : status;
  }
  HG_TRY(status);
  if (json_object_size(c->got) > 0) compare(c, "", c->expect, c->got);
  if (json_object_size(c->got) + json_object_size(c->checked) == 0) return hg_fail(HG_MISMATCH, "nothing was compared");
  return c->fault[0] ? hg_fail(HG_MISMATCH, "%s", c->fault) : HG_OK;
}

static hg_status run_case(const json_t *root, const json_t *json, const hg_golden_kind *kinds)
{
  hg_golden_case c = {.root = root, .json = json, .got = json_object(), .checked = json_object()};
  hg_clear_message();
  hg_status status = c.got && c.checked ? read_case(&c) : hg_fail(HG_MEMORY, "no memory for a case");
  const hg_golden_kind *kind = status == HG_OK ? find_kind(kinds, c.name) : NULL;
  if (status == HG_OK && !kind) status = hg_fail(HG_UNSUPPORTED, "the kind '%s'", c.name);
  if (kind) status = check_case(&c, kind->run(&c));
  json_decref(c.got);
  json_decref(c.checked);
  return status;
}

/* Prints a text as part of one line; a # would begin a TAP directive. */
static void print_text(FILE *out, const char *text)
{
  char shown[1024];
  for (const char *c = hg_text_show(text, shown, sizeof shown); *c; c++) fputc(*c == '#' ? ' ' : *c, out);
}

static void print_result(FILE *out, size_t number, const json_t *json, hg_status status)
{
  fprintf(out, "%sok %zu - ", status == HG_OK || status == HG_UNSUPPORTED ? "" : "not ", number);
  print_text(out, text_or(json, "id", "a case without id"));
  if (status != HG_OK) {
    fputs(status == HG_UNSUPPORTED ? " # SKIP " : ": ", out);
    print_text(out, hg_message());
  }
  fputc('\n', out);
}

static hg_status run_all(const json_t *root, const char *place, const hg_golden_kind *kinds, FILE *out)
{
  const json_t *cases = json_is_object(root) ? json_object_get(root, "cases") : root, *json;
  size_t i, wrong = 0;
  if (!json_is_array(cases)) return hg_fail(HG_FORMAT, "%s:1: not a list of cases", place);
  json_array_foreach(cases, i, json)
  {
    const hg_status status = run_case(root, json, kinds);
    print_result(out, i + 1, json, status);
    fflush(out);
    wrong += status != HG_OK && status != HG_UNSUPPORTED;
  }
  fprintf(out, "1..%zu\n", json_array_size(cases));
  if (wrong > 0) return hg_fail(HG_MISMATCH, "%s: %zu of %zu cases do not hold", place, wrong, json_array_size(cases));
  return HG_OK;
}

hg_status hg_golden_run_text(const char *text, size_t size, const char *place, const hg_golden_kind *kinds, FILE *out)
{
  json_error_t error;
  text = hg_text_begin(text, &size);
  json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!root) return hg_fail(HG_FORMAT, "%s:%d:%d: %s", place, error.line, error.column, error.text);
  const hg_status status = run_all(root, place, kinds, out);
  json_decref(root);
  return status;
}

hg_status hg_golden_run(const char *path, const hg_golden_kind *kinds)
{
  void *text;
  size_t size;
  const int ranks = hg_environment_ranks();
  if (ranks > 1) return hg_fail(HG_INVALID, "--golden: known results are compared on one rank, not on %d", ranks);
  HG_TRY(hg_file_map(path, &text, &size));
  const hg_status status = hg_golden_run_text(text, size, path, kinds, stdout);
  munmap(text, size);
  return status;
}
