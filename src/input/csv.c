/* SPDX-License-Identifier: MIT */
/* Fields from .csv files: a line a row, values apart by commas, semicolons or blanks. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/array.h"

/* Growing list of values. */
typedef struct values {
  double *v;
  int64_t count, room;
} values;

static hg_status append(values *list, double x, const char *place)
{
  if (list->count == list->room) {
    int64_t room = list->room ? 2 * list->room : 1024;
    double *v = realloc(list->v, (size_t)room * sizeof *v);
    if (!v) return hg_fail(HG_MEMORY, "%s: no memory for %lld values", place, (long long)room);
    list->v = v;
    list->room = room;
  }
  list->v[list->count++] = x;
  return HG_OK;
}

/* Appends the numbers of one line (without its end); *count tells how many. */
static hg_status parse_line(const char *p, const char *end, const char *place, long line, values *list, int64_t *count)
{
  *count = 0;
  while (p < end && *p != '#') {
    if (isspace((unsigned char)*p) || *p == ',' || *p == ';') {
      p++;
      continue;
    }
    char item[64], *stop;
    size_t length = 0;
    while (p < end && !isspace((unsigned char)*p) && !strchr(",;#", *p) && length < sizeof item - 1)
      item[length++] = *p++;
    item[length] = 0;
    double x = strtod(item, &stop);
    if (stop == item || *stop) return hg_fail(HG_FORMAT, "%s:%ld: '%s' is not a number", place, line, item);
    HG_TRY(append(list, x, place));
    (*count)++;
  }
  return HG_OK;
}

static hg_status parse_rows(const char *text, size_t size, const char *place, values *list, int64_t *nx, int64_t *ny)
{
  const char *p = text, *end = text + size;
  for (long line = 1; p < end; line++) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    int64_t count;
    HG_TRY(parse_line(p, stop, place, line, list, &count));
    if (count && *ny && count != *nx)
      return hg_fail(HG_FORMAT, "%s:%ld: %lld numbers in this row, %lld in the rows before", place, line,
                     (long long)count, (long long)*nx);
    if (count) {
      *nx = count;
      (*ny)++;
    }
    p = stop + 1;
  }
  return *ny ? HG_OK : hg_fail(HG_FORMAT, "%s: holds no numbers", place);
}

hg_status hg_csv_parse(const char *text, size_t size, const char *place, hg_array *out)
{
  values list = {0};
  int64_t nx = 0, ny = 0;
  hg_status status = parse_rows(text, size, place, &list, &nx, &ny);
  if (status != HG_OK) {
    free(list.v);
    return status;
  }
  *out = (hg_array){.dims = ny > 1 ? 2 : 1,
                    .n = {nx, ny, 1},
                    .stride = {8, 8 * nx, 8 * nx * ny},
                    .kind = 'f',
                    .size = 8,
                    .data = (const uint8_t *)list.v,
                    .owned = list.v};
  return HG_OK;
}
