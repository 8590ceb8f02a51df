/* SPDX-License-Identifier: MIT */
/* Golden cases: inputs and known results, in JSON, which a program runs and reports as TAP (`--golden FILE`). A file is
 * an object with a list `cases`, or that list itself. A case is
 *
 *   {"id": .., "fn": NAME, "input": {..}, "expect": {..}, "tol_abs": A, "tol_rel": R}     or
 *   {"id": .., "kind": NAME, inputs .., "expect": {..}}
 *
 * NAME (without both, `problem` of the input) chooses the function of a program's table that runs the case; cases with
 * other names are reported as skipped. The function reads `input`, and
 *   - puts its results into `got`: every number of `expect`, however deep, must have one at its place in `got` with
 *     |got - expect| <= A + R |expect| (both 0 or missing: exactly equal); strings and booleans must be the same, lists
 *     of the same length, and null stands for a value that does not exist; and / or
 *   - checks keys by rules of its own (hg_golden_check); those are not compared again.
 * A case for which nothing was compared fails. With `expect` = {"error": ..} the function must return HG_INVALID with a
 * message. HG_UNSUPPORTED skips a case; any other failure fails it.
 *
 *   static hg_status area(hg_golden_case *c)
 *   {
 *     double width, height;
 *     HG_TRY(hg_golden_double(c->input, "width", &width));
 *     HG_TRY(hg_golden_double(c->input, "height", &height));
 *     if (width < 0) return hg_fail(HG_INVALID, "a width of %g, must be >= 0", width);
 *     hg_golden_put(c, "area", width * height);
 *     return HG_OK;
 *   }
 *   static const hg_golden_kind kinds[] = {{"area", area}, {NULL, NULL}};
 *   ... return hg_program_end(hg_golden_run(path, kinds)); */
#ifndef HG_GOLDEN_CASES_H
#define HG_GOLDEN_CASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/** A case while it runs. */
typedef struct hg_golden_case {
  const json_t *root;      /**< the whole file, for data that its cases share */
  const json_t *json;      /**< the case */
  const json_t *input;     /**< its `input`, or without one the case itself */
  const json_t *expect;    /**< an object */
  const char *name;        /**< of its kind */
  json_t *got;             /**< an object, to be filled */
  double tol_abs, tol_rel; /**< >= 0 */
  json_t *checked;         /**< keys that were checked and are not compared */
  char fault[256];         /**< the first failed comparison; "" if there is none */
} hg_golden_case;

/** A line of a program's table; the last one has no name. */
typedef struct hg_golden_kind {
  const char *name;
  hg_status (*run)(hg_golden_case *c);
} hg_golden_kind;

/** Runs the cases of a file and prints TAP to standard output. HG_OK: all hold or are skipped.
 * HG_MISMATCH: some do not. HG_INVALID: a launcher started several ranks. HG_IO, HG_FORMAT: the file cannot be read or
 * does not hold golden cases; the message names place and line. */
hg_status hg_golden_run(const char *path, const hg_golden_kind *kinds);

/** The same for a text in memory. @param place  its name for messages @param out  file for TAP */
hg_status hg_golden_run_text(const char *text, size_t size, const char *place, const hg_golden_kind *kinds, FILE *out);

/* --- reading inputs: HG_FORMAT if the key is missing or its value has another type --- */

/** A finite number. */
hg_status hg_golden_double(const json_t *object, const char *key, double *out);

/** A finite number; `absent` if the key is missing or null. */
hg_status hg_golden_double_or(const json_t *object, const char *key, double absent, double *out);

/** A whole number, also as 1e6. */
hg_status hg_golden_int(const json_t *object, const char *key, int64_t *out);

/** A text, valid as long as the case. */
hg_status hg_golden_text(const json_t *object, const char *key, const char **out);

/** A list of 1..max finite numbers. @param[out] out  [max] */
hg_status hg_golden_doubles(const json_t *object, const char *key, int max, double *out, int *count);

/** A list of `count` words, each a string of eight hexadecimal digits. @param[out] out  [count] */
hg_status hg_golden_words(const json_t *object, const char *key, int count, uint32_t *out);

/** An object or a list of any contents. */
hg_status hg_golden_part(const json_t *object, const char *key, json_type type, const json_t **out);

/* --- results --------------------------------------------------------------------------------- */

/** Puts a number into `got`; NaN: there is no such value; infinities are the strings "inf" and "-inf". */
void hg_golden_put(hg_golden_case *c, const char *key, double value);
void hg_golden_put_text(hg_golden_case *c, const char *key, const char *value);
void hg_golden_put_doubles(hg_golden_case *c, const char *key, int count, const double *value);
void hg_golden_put_words(hg_golden_case *c, const char *key, int count, const uint32_t *value);

/** Records a check, with a message that gives the numbers if it fails; the name is a key of `expect`, or another. */
void hg_golden_check(hg_golden_case *c, bool good, const char *fact, double got, double wanted);
#endif
