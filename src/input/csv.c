/* SPDX-License-Identifier: MIT */
/* Tables of numbers as text. One file has one kind of separator: commas, semicolons or blanks, so
 * that a decimal comma
 * ("1,5;2,5" or "1,5 2,5") is an error and never two numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "input/array.h"
#include "input/lines.h"

static const char separators[] = ",;#";

/* A table while it is read. */
typedef struct table {
  hg_lines lines;
  double *value;
  int64_t count, room, nx, ny;
  char separator; /* 0 until there is one */
} table;

static hg_status append(table *t, double x)
{
  if (t->count == t->room) {
    int64_t room = t->room ? 2 * t->room : 1024;
    double *value = realloc(t->value, (size_t)room * sizeof *value);
    if (!value) return hg_fail(HG_MEMORY, "%s: no memory for %" PRId64 " values", t->lines.place, room);
    t->value = value;
    t->room = room;
  }
  t->value[t->count++] = x;
  return HG_OK;
}

static const char *name_of(char separator)
{
  return separator == ' ' ? "blanks" : separator == ',' ? "commas" : "semicolons";
}

/* Whether the line goes on with something else than a comment. */
static bool more(hg_lines *l)
{
  return hg_lines_more(l) && *l->at != '#';
}

/* Passes over what separates the number before from the next one. */
static hg_status pass_separator(table *t)
{
  hg_lines *l = &t->lines;
  const char found = *l->at == ',' || *l->at == ';' ? *l->at : ' ';
  if (!t->separator) t->separator = found;
  if (found != t->separator)
    return hg_lines_fail(l, "%s among %s separate the numbers, must be one kind (a decimal comma?)", name_of(found),
                         name_of(t->separator));
  if (found == ' ') return HG_OK;
  l->at++;
  return more(l) ? HG_OK : hg_lines_fail(l, "no number follows the '%c'", found);
}

static hg_status read_row(table *t)
{
  hg_lines *l = &t->lines;
  const int64_t before = t->count;
  while (more(l)) {
    double value;
    if (t->count > before) HG_TRY(pass_separator(t));
    if (*l->at == ',' || *l->at == ';') return hg_lines_fail(l, "no number stands before the '%c'", *l->at);
    if (t->ny > 0 && t->count - before == t->nx)
      return hg_lines_fail(l, "more than the %" PRId64 " numbers of the rows before", t->nx);
    HG_TRY(hg_lines_double(l, separators, &value));
    HG_TRY(append(t, value));
  }
  const int64_t count = t->count - before;
  if (count == 0) return HG_OK;
  if (t->ny > 0 && count != t->nx)
    return hg_lines_fail(l, "%" PRId64 " numbers in this row, %" PRId64 " in the rows before", count, t->nx);
  t->nx = count;
  t->ny++;
  return HG_OK;
}

static hg_status read_rows(table *t)
{
  while (hg_lines_next(&t->lines)) HG_TRY(read_row(t));
  return t->ny ? HG_OK : hg_fail(HG_FORMAT, "%s: holds no numbers", t->lines.place);
}

hg_status hg_csv_parse(const char *text, size_t size, const char *place, hg_array *out)
{
  table t = {.lines = hg_lines_begin(text, size, place)};
  hg_status status = read_rows(&t);
  if (status != HG_OK) {
    free(t.value);
    return status;
  }
  *out = (hg_array){.dims = t.ny > 1 ? 2 : 1,
                    .n = {t.nx, t.ny, 1},
                    .stride = {8, 8 * t.nx, 8 * t.nx * t.ny},
                    .kind = 'f',
                    .size = 8,
                    .data = (const uint8_t *)t.value,
                    .owned = t.value};
  return HG_OK;
}

hg_status hg_csv_open(const char *path, hg_array *out)
{
  void *bytes;
  size_t size;
  HG_TRY(hg_file_map(path, &bytes, &size));
  hg_status status = hg_csv_parse(bytes, size, path, out);
  munmap(bytes, size);
  return status;
}
