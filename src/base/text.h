/* SPDX-License-Identifier: MIT */
/* Reading numbers and lists from command lines and files, with errors that name value, bound and place. */
#ifndef HG_BASE_TEXT_H
#define HG_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/** Whole number in lo..hi, also written as 1e6. `what` names it in errors ("--steps"). */
hg_status hg_parse_int(const char *text, const char *what, int64_t lo, int64_t hi, int64_t *out);

/** Two whole numbers in lo..hi with a character between them, as in 2x3. */
hg_status hg_parse_pair(const char *text, const char *what, char between, int64_t lo, int64_t hi, int64_t out[2]);

/** A or A-B in lo..hi, with A <= B; A alone is A-A. */
hg_status hg_parse_range(const char *text, const char *what, int64_t lo, int64_t hi, int64_t out[2]);

/** Finite real number in lo..hi. */
hg_status hg_parse_double(const char *text, const char *what, double lo, double hi, double *out);

/** Comma-separated whole numbers, 1..max of them. @param[out] count how many were read */
hg_status hg_parse_ints(const char *text, const char *what, int64_t lo, int64_t hi, int max, int64_t *out, int *count);

/** Comma-separated reals, 1..max of them; each may be written `value*times`. */
hg_status hg_parse_doubles(const char *text, const char *what, double lo, double hi, int max, double *out, int *count);

/** Skips a byte order mark at the beginning of the text; *size is reduced accordingly. */
const char *hg_text_begin(const char *text, size_t *size);

/** Reads a decimal number that begins at `text`, before `end`: a sign, digits with at most one point among them, and
 * an exponent after e or, as Fortran writes it, d. All digits count; the result is the nearest double, infinite beyond
 * the largest. The locale does not matter. Returns where the number ends, NULL if none begins there. */
const char *hg_scan_double(const char *text, const char *end, double *out);

/** Reads digits; larger numbers become INT64_MAX. Returns where they end, NULL if there are none. */
const char *hg_scan_int(const char *text, const char *end, int64_t *out);
#endif
