/* SPDX-License-Identifier: MIT */
/* Rows of a table by named columns (`--csv`): the names of the first row are the header. */
#ifndef HG_PROGRAM_COLUMNS_H
#define HG_PROGRAM_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { HG_COLUMNS_MAX = 64, HG_COLUMN_TEXT = 64 };

typedef struct hg_column {
  const char *name;
  char text[HG_COLUMN_TEXT];
} hg_column;

/** A row under construction; all 0: empty. */
typedef struct hg_columns {
  int count;
  hg_column column[HG_COLUMNS_MAX];
} hg_columns;

/** Appends a column. `name` is kept by reference; text with commas or quotes is quoted, and cut if it is too long. */
void hg_column_text(hg_columns *row, const char *name, const char *text);
void hg_column_int(hg_columns *row, const char *name, int64_t value);

/** @param format  of printf, for one double */
__attribute__((format(printf, 3, 0))) void hg_column_double(hg_columns *row, const char *name, const char *format,
                                                            double value);

/** The same, or an empty field if the number is not `known`. */
__attribute__((format(printf, 3, 0))) void hg_column_known(hg_columns *row, const char *name, const char *format,
                                                           bool known, double value);

/** Prints the row to standard output, after the names if `header`. */
void hg_columns_print(const hg_columns *row, bool header);
#endif
