/* SPDX-License-Identifier: MIT */
#include "program/columns.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/shown.h"

static char *add(hg_columns *row, const char *name)
{
  static char dropped[HG_COLUMN_TEXT];
  if (row->count == HG_COLUMNS_MAX) return dropped;
  hg_column *c = &row->column[row->count++];
  c->name = name;
  return c->text;
}

void hg_column_text(hg_columns *row, const char *name, const char *text)
{
  hg_text_csv(text, add(row, name), HG_COLUMN_TEXT);
}

void hg_column_int(hg_columns *row, const char *name, int64_t value)
{
  snprintf(add(row, name), HG_COLUMN_TEXT, "%" PRId64, value);
}

static void print(char *to, const char *format, ...)
{
  va_list value;
  va_start(value, format);
  vsnprintf(to, HG_COLUMN_TEXT, format, value);
  va_end(value);
}

void hg_column_double(hg_columns *row, const char *name, const char *format, double value)
{
  print(add(row, name), format, value);
}

void hg_column_known(hg_columns *row, const char *name, const char *format, bool known, double value)
{
  if (known)
    hg_column_double(row, name, format, value);
  else
    hg_column_text(row, name, "");
}

void hg_columns_print(const hg_columns *row, bool header)
{
  for (int i = 0; i < row->count && header; i++) printf("%s%c", row->column[i].name, i + 1 < row->count ? ',' : '\n');
  for (int i = 0; i < row->count; i++) printf("%s%c", row->column[i].text, i + 1 < row->count ? ',' : '\n');
  fflush(stdout);
}
