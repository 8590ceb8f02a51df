/* SPDX-License-Identifier: MIT */
/* Golden cases: inputs and what is known of their results, in JSON, run through a program and
 * reported as TAP
 * (`--golden FILE`). A file is an object with a list `cases`, or that list itself. A case is
 *
 *   {"id": .., "fn": NAME, "input": {..}, "expect": {..}, "tol_abs": A, "tol_rel": R}     or
 *   {"id": .., "kind": NAME, inputs .., "expect": {..}}
 *
 * NAME (where neither is given, `problem` of the input) chooses the function of a program's table
 * that runs it; names that are in no line of the table are reported as skipped. The function reads
 * `input`, and
 *   - puts its results into `got`: every number of `expect`, however deep, must have one at its
 * place in `got` with |got - expect| <= A + R |expect| (both 0 or missing: exactly equal), texts
 * and truth values must be the same, lists as long, and null stands for a value that does not
 * exist; and / or
 *   - checks metadata by rules of its own (hg_golden_check); those are not compared again.
 * A case for which nothing was compared fails. `expect` = {"error": ..} wants it to be refused: the
 * function must return HG_INVALID with a message. HG_UNSUPPORTED skips a case, any other failure
 * fails it.
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
  const json_t *root;      /**< the whole file, for what its cases share */
  const json_t *json;      /**< the case */
  const json_t *input;     /**< its `input`, or the case itself where it has none */
  const json_t *expect;    /**< an object */
  const char *name;        /**< of its kind */
  json_t *got;             /**< an object, to be filled */
  double tol_abs, tol_rel; /**< >= 0 */
  json_t *checked;         /**< metadata that were checked: those are not compared */
  char fault[256];         /**< the first fact that does not hold; "" as long as all do */
} hg_golden_case;

/** A line of a program's table; the last one has no name. */
typedef struct hg_golden_kind {
  const char *name;
  hg_status (*run)(hg_golden_case *c);
} hg_golden_kind;

/** Runs the cases of a file and prints TAP to standard output. HG_OK: all hold or are skipped.
 * HG_MISMATCH: some do not. HG_INVALID: a launcher started several ranks. HG_IO, HG_FORMAT: the file cannot be read or
 * is none of golden cases; the message names place and line. */
hg_status hg_golden_run(const char *path, const hg_golden_kind *kinds);

/** The same for a text in memory. @param place  its name for messages @param out  where TAP goes */
hg_status hg_golden_run_text(const char *text, size_t size, const char *place, const hg_golden_kind *kinds, FILE *out);

/* --- reading inputs: HG_FORMAT where the key is missing or its value is of another kind --- */

/** A finite number. */
hg_status hg_golden_double(const json_t *object, const char *key, double *out);

/** A finite number; `absent` where there is no such key, or null. */
hg_status hg_golden_double_or(const json_t *object, const char *key, double absent, double *out);

/** A whole number, also as 1e6. */
hg_status hg_golden_int(const json_t *object, const char *key, int64_t *out);

/** A text, valid as long as the case. */
hg_status hg_golden_text(const json_t *object, const char *key, const char **out);

/** A list of 1..max finite numbers. @param[out] out  [max] */
hg_status hg_golden_doubles(const json_t *object, const char *key, int max, double *out, int *count);

/** A list of `count` words, each eight hexadecimal digits in a text. @param[out] out  [count] */
hg_status hg_golden_words(const json_t *object, const char *key, int count, uint32_t *out);

/** An object or a list of any contents. */
hg_status hg_golden_part(const json_t *object, const char *key, json_type type, const json_t **out);

/* --- results --------------------------------------------------------------------------------- */

/** A number of `got`; NaN: there is no such value; infinities are the texts "inf" and "-inf". */
void hg_golden_put(hg_golden_case *c, const char *key, double value);
void hg_golden_put_text(hg_golden_case *c, const char *key, const char *value);
void hg_golden_put_doubles(hg_golden_case *c, const char *key, int count, const double *value);
void hg_golden_put_words(hg_golden_case *c, const char *key, int count, const uint32_t *value);

/** Judges a fact, with the numbers to name if it does not hold; a key of `expect`, or any other
 * name. */
void hg_golden_check(hg_golden_case *c, bool good, const char *fact, double got, double wanted);
#endif
