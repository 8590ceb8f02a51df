/* SPDX-License-Identifier: MIT */
/* Tables of numbers as text. One file has one kind of separator: commas, semicolons or blanks, so that a decimal comma
 * ("1,5;2,5" or "1,5 2,5") is an error and never two numbers. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "input/gunzip.h"
#include "input/array.h"
#include "input/georeference.h"
#include "input/lines.h"

static const char separators[] = ",;#";

/* A table being read. */
typedef struct table {
  hg_lines lines;
  double *value;
  int64_t count, nx, ny;
  char separator;   /* 0 until there is one */
  int64_t layer_ny; /* rows of each layer that an empty line has ended; 0: none yet */
} table;

static hg_status append(table *t, double x)
{
  if (hg_grow("values", (void **)&t->value, t->count, sizeof *t->value) != HG_OK)
    return hg_fail(HG_MEMORY, "%s: %s", t->lines.place, hg_message());
  t->value[t->count++] = x;
  return HG_OK;
}

static const char *name_of(char separator)
{
  return separator == ' ' ? "blanks" : separator == ',' ? "commas" : "semicolons";
}

/* Whether the line continues with anything but a comment. */
static bool more(hg_lines *l)
{
  return hg_lines_more(l) && *l->at != '#';
}

/* Skips the separator before the next number. */
static hg_status pass_separator(table *t)
{
  hg_lines *l = &t->lines;
  const char found = *l->at == ',' || *l->at == ';' ? *l->at : ' ';
  if (!t->separator) t->separator = found;
  if (found != t->separator)
    return hg_lines_fail(l, "%s among %s separate the numbers, must be only one kind (is it a decimal comma?)",
                         name_of(found), name_of(t->separator));
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
      return hg_lines_fail(l, "more than the %" PRId64 " numbers of the previous rows", t->nx);
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

/* An empty line after rows ends a layer. */
static hg_status end_layer(table *t, int64_t rows)
{
  if (t->layer_ny && rows != t->layer_ny)
    return hg_lines_fail(
        &t->lines, "a layer of %" PRId64 " row%s ends here, those before have %" PRId64 "; empty lines end layers",
        rows, rows == 1 ? "" : "s", t->layer_ny);
  t->layer_ny = rows;
  return HG_OK;
}

static hg_status check_rows(const table *t)
{
  return t->ny ? HG_OK : hg_fail(HG_FORMAT, "%s: holds no numbers", t->lines.place);
}

/* Reads rows in layers; if each layer has one row, the empty lines have no meaning. */
static hg_status read_layers(table *t)
{
  int64_t first = 0; /* row of the layer */
  while (hg_lines_next(&t->lines)) {
    const bool is_empty = !hg_lines_more(&t->lines);
    HG_TRY(read_row(t));
    if (!is_empty || t->ny == first) continue;
    HG_TRY(end_layer(t, t->ny - first));
    first = t->ny;
  }
  if (t->ny > first && t->layer_ny) HG_TRY(end_layer(t, t->ny - first));
  return check_rows(t);
}

static hg_status read_rows(table *t)
{
  while (hg_lines_next(&t->lines)) HG_TRY(read_row(t));
  return check_rows(t);
}

static hg_status hand_over(table *t, hg_status status, hg_array *out)
{
  if (status != HG_OK) {
    free(t->value);
    return status;
  }
  const int64_t ny = t->layer_ny > 1 ? t->layer_ny : t->ny, nz = t->ny / ny;
  *out = (hg_array){.dims = nz > 1   ? 3
                            : ny > 1 ? 2
                                     : 1,
                    .n = {t->nx, ny, nz},
                    .stride = {8, 8 * t->nx, 8 * t->nx * ny},
                    .kind = 'f',
                    .size = 8,
                    .data = (const uint8_t *)t->value,
                    .owned = t->value};
  return HG_OK;
}

hg_status hg_csv_parse(const char *text, size_t size, const char *place, hg_array *out)
{
  table t = {.lines = hg_lines_begin(text, size, place)};
  return hand_over(&t, read_rows(&t), out);
}

hg_status hg_csv_parse_layers(const char *text, size_t size, const char *place, hg_array *out)
{
  table t = {.lines = hg_lines_begin(text, size, place)};
  return hand_over(&t, read_layers(&t), out);
}

/* --- ESRI ASCII grids --------------------------------------------------------------------------------------------- */

/* The default number for cells without data. */
#define MISSING (-9999)

enum { COLUMNS, ROWS, WEST, WEST_CENTRE, SOUTH, SOUTH_CENTRE, CELL, CELL_X, CELL_Y, NODATA };

static const char *const keys[] = {"ncols",     "nrows",    "xllcorner", "xllcenter", "yllcorner",
                                   "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

/* @param[in,out] given  how often each key was given */
static hg_status read_key(hg_lines *l, double head[], int given[])
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const size_t known = strlen(keys[i]);
    if ((size_t)(l->end - l->at) <= known || strncasecmp(l->at, keys[i], known) != 0 ||
        !isspace((unsigned char)l->at[known]))
      continue;
    if (given[i]++) return hg_lines_fail(l, "%s is given twice", keys[i]);
    l->at += known;
    hg_lines_more(l);
    HG_TRY(hg_lines_double(l, "", &head[i]));
    return hg_lines_more(l) ? hg_lines_fail(l, "more than one number for %s", keys[i]) : HG_OK;
  }
  return hg_lines_fail(l, "a line of the header must begin with ncols, nrows, xllcorner, yllcorner, cellsize or "
                          "NODATA_value");
}

/* Stops before the first line of numbers. */
static hg_status read_head(table *t, double head[])
{
  hg_lines *l = &t->lines;
  int given[sizeof keys / sizeof *keys] = {0};
  while (hg_lines_next(l))
    if (hg_lines_more(l)) {
      if (!isalpha((unsigned char)*l->at)) return HG_OK;
      HG_TRY(read_key(l, head, given));
    }
  return hg_fail(HG_FORMAT, "%s: no rows follow the header", l->place);
}

static hg_status check_cells(const table *t, const double head[])
{
  if ((double)t->nx == head[COLUMNS] && (double)t->ny == head[ROWS]) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: %" PRId64 " rows of %" PRId64 " numbers, the header has nrows %g and ncols %g",
                 t->lines.place, t->ny, t->nx, head[ROWS], head[COLUMNS]);
}

/* Refuses impossible values of the header. */
static hg_status check_head(const char *place, const double head[])
{
  for (int i = CELL; i <= CELL_Y; i++)
    if (head[i] <= 0) return hg_fail(HG_FORMAT, "%s: %s %g, must be > 0", place, keys[i], head[i]);
  for (int i = WEST; i <= SOUTH; i += SOUTH - WEST)
    if (!isnan(head[i]) && !isnan(head[i + 1]))
      return hg_fail(HG_FORMAT, "%s: both %s and %s, must be only one of them", place, keys[i], keys[i + 1]);
  return HG_OK;
}

static hg_status read_grid(table *t, double head[])
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) head[i] = i <= ROWS ? 0 : NAN;
  HG_TRY(read_head(t, head));
  do HG_TRY(read_row(t));
  while (hg_lines_next(&t->lines));
  HG_TRY(check_head(t->lines.place, head));
  HG_TRY(check_rows(t));
  return check_cells(t, head);
}

/* The outer corner along an axis: 0 if the header does not give it. */
static double corner_of(const double head[], int corner, double cell)
{
  if (!isnan(head[corner])) return head[corner];
  return isnan(head[corner + 1]) ? 0 : head[corner + 1] - cell / 2;
}

/* Locates the cells, if the header gives their size. */
static hg_status locate(const double head[], hg_georeference **out)
{
  const double cell[2] = {isnan(head[CELL_X]) ? head[CELL] : head[CELL_X],
                          isnan(head[CELL_Y]) ? head[CELL] : head[CELL_Y]};
  if (isnan(cell[0]) || isnan(cell[1])) return HG_OK;
  const double south = corner_of(head, SOUTH, cell[1]);
  return hg_georeference_of_corner(corner_of(head, WEST, cell[0]), south + head[ROWS] * cell[1], cell, out);
}

hg_status hg_asc_parse(const char *text, size_t size, const char *place, hg_array *out, hg_georeference **where)
{
  table t = {.lines = hg_lines_begin(text, size, place), .separator = ' '};
  double head[sizeof keys / sizeof *keys];
  HG_TRY(hand_over(&t, read_grid(&t, head), out));
  out->has_missing = true;
  out->missing = isnan(head[NODATA]) ? MISSING : head[NODATA];
  return where ? locate(head, where) : HG_OK;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

typedef hg_status parse_fn(const char *text, size_t size, const char *place, hg_array *out);

static hg_status open_and_parse(const char *path, parse_fn *parse, hg_array *out)
{
  void *bytes;
  size_t size;
  HG_TRY(hg_text_map(path, &bytes, &size));
  const hg_status status = parse(bytes, size, path, out);
  munmap(bytes, size);
  return status;
}

hg_status hg_csv_open(const char *path, hg_array *out)
{
  return open_and_parse(path, hg_csv_parse, out);
}

hg_status hg_csv_open_layers(const char *path, hg_array *out)
{
  return open_and_parse(path, hg_csv_parse_layers, out);
}

hg_status hg_asc_open(const char *path, hg_array *out, hg_georeference **where)
{
  void *bytes;
  size_t size;
  HG_TRY(hg_text_map(path, &bytes, &size));
  const hg_status status = hg_asc_parse(bytes, size, path, out, where);
  munmap(bytes, size);
  return status;
}
