/* SPDX-License-Identifier: MIT */
/* Walking through a text line by line, with errors that name line and column. Lines end with \n or \r\n; a byte order
 * mark at the beginning is skipped. Internal to the readers of text files. */
#ifndef HG_INPUT_LINES_H
#define HG_INPUT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hg_lines {
  const char *at;       /**< next character of this line */
  const char *end;      /**< after its last character */
  const char *start;    /**< its first */
  const char *next;     /**< first of the next line */
  const char *text_end; /**< end of the text */
  const char *place;    /**< name for messages */
  int64_t number;       /**< of this line, from 1 */
} hg_lines;

/** Starts before the first line. The text need not end with a NUL, and must outlive the walk. */
hg_lines hg_lines_begin(const char *text, size_t size, const char *place);

/** Goes to the next line; false after the last. */
bool hg_lines_next(hg_lines *lines);

/** Skips blanks and tabs; returns whether more follows on this line. */
bool hg_lines_more(hg_lines *lines);

/** Reads a finite decimal number (hg_scan_double), followed by a blank, one of `ends`, or nothing.
 * HG_FORMAT. */
hg_status hg_lines_double(hg_lines *lines, const char *ends, double *out);

/** Reads a whole number in lo..hi (0 <= lo), consisting of digits only, followed by a blank or nothing; `what` names
 * it. HG_FORMAT. */
hg_status hg_lines_int(hg_lines *lines, const char *what, int64_t lo, int64_t hi, int64_t *out);

/** HG_FORMAT with "PLACE:LINE:COLUMN: " before the message. */
__attribute__((format(printf, 2, 3))) hg_status hg_lines_fail(const hg_lines *lines, const char *format, ...);
#endif
