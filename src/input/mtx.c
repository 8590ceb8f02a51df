/* SPDX-License-Identifier: MIT */
/* Matrix Market files, strictly: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935
 * (1996). A line is a comment (%), empty, or holds exactly what belongs there; anything else is an error. Deviations:
 * comments are allowed anywhere, and a symmetric matrix may also be given by its upper triangle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "input/gunzip.h"
#include "base/memory.h"
#include "input/lines.h"
#include "input/matrix.h"

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

/* A file being read. */
typedef struct reader {
  hg_lines lines;
  hg_lines data; /* before the first entry */
  bool coordinate, pattern, whole;
  symmetry symmetry;
  int64_t rows, cols, entries;
  int triangle; /* side of the diagonal with the entries of a symmetric matrix: -1 below, 1 above, 0 unknown */
} reader;

typedef struct entry {
  int64_t row, col; /* from 0 */
  double value;
} entry;

void hg_mtx_free(hg_mtx *m)
{
  free(m->start);
  free(m->row);
  free(m->value);
  *m = (hg_mtx){0};
}

/* --- head --- */

/* Finds the next word of the banner in a list ended by NULL, ignoring case. */
static hg_status choose(hg_lines *l, const char *what, const char *const *list, int *out)
{
  char names[80] = "";
  hg_lines_more(l);
  const size_t length = strcspn(l->at, " \t\r\n");
  for (*out = 0; list[*out]; ++*out) {
    if (length == strlen(list[*out]) && strncasecmp(l->at, list[*out], length) == 0) {
      l->at += length;
      return HG_OK;
    }
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *out ? ", " : "", list[*out]);
  }
  return hg_lines_fail(l, "%s '%.*s', must be %s", what, (int)(length < 24 ? length : 24), l->at, names);
}

static hg_status read_banner(reader *r)
{
  static const char *const banners[] = {"%%MatrixMarket", NULL}, *const objects[] = {"matrix", NULL},
                           *const formats[] = {"coordinate", "array", NULL},
                           *const fields[] = {"real", "double", "integer", "pattern", NULL},
                           *const symmetries[] = {"general", "symmetric", "skew-symmetric", NULL};
  char banner[128]; /* NUL-terminated, unlike the text */
  int found, format, field, kind;
  if (!hg_lines_next(&r->lines)) return hg_fail(HG_FORMAT, "%s: empty", r->lines.place);
  const size_t length = (size_t)(r->lines.end - r->lines.start);
  if (length >= sizeof banner) return hg_lines_fail(&r->lines, "a first line of %zu characters is too long", length);
  memcpy(banner, r->lines.start, length);
  banner[length] = 0;
  hg_lines l = {.start = banner, .at = banner, .end = banner + length, .place = r->lines.place, .number = 1};
  HG_TRY(choose(&l, "the file begins with", banners, &found));
  HG_TRY(choose(&l, "object", objects, &found));
  HG_TRY(choose(&l, "format", formats, &format));
  HG_TRY(choose(&l, "field", fields, &field));
  HG_TRY(choose(&l, "symmetry", symmetries, &kind));
  if (hg_lines_more(&l)) return hg_lines_fail(&l, "unexpected text after the symmetry");
  r->coordinate = format == 0;
  r->whole = field == 2;
  r->pattern = field == 3;
  r->symmetry = (symmetry)kind;
  if (r->pattern && (!r->coordinate || r->symmetry == SKEW))
    return hg_lines_fail(&l, "a pattern must be in coordinate format, general or symmetric");
  return HG_OK;
}

/* Goes to the next line that is neither empty nor a comment. */
static bool next_data(hg_lines *l)
{
  while (hg_lines_next(l))
    if (hg_lines_more(l) && *l->at != '%') return true;
  return false;
}

static hg_status end_line(hg_lines *l, const char *what)
{
  return hg_lines_more(l) ? hg_lines_fail(l, "more than %s on this line", what) : HG_OK;
}

/* Most entries of a file of these sizes; in array format, their exact number. */
static int64_t places(const reader *r)
{
  if (r->symmetry == GENERAL) return r->rows * r->cols;
  const bool diagonal = r->symmetry == SYMMETRIC || r->coordinate; /* which may have zeros of a skew-symmetric one */
  return diagonal ? r->rows * (r->rows + 1) / 2 : r->rows * (r->rows - 1) / 2;
}

static hg_status read_size(reader *r)
{
  hg_lines *l = &r->lines;
  if (!next_data(l)) return hg_fail(HG_FORMAT, "%s: ends before the line of sizes", l->place);
  HG_TRY(hg_lines_int(l, "the number of rows", 0, INT32_MAX, &r->rows));
  HG_TRY(hg_lines_int(l, "the number of columns", 0, INT32_MAX, &r->cols));
  if (r->symmetry != GENERAL && r->rows != r->cols)
    return hg_lines_fail(l, "%" PRId64 " x %" PRId64 " and symmetric, must be square", r->rows, r->cols);
  r->entries = places(r);
  if (r->coordinate) HG_TRY(hg_lines_int(l, "the number of entries", 0, places(r), &r->entries));
  HG_TRY(end_line(l, "the sizes"));
  r->data = *l;
  return HG_OK;
}

/* Checks the sizes against the length of the file before allocating memory: an entry takes at least two characters. */
static hg_status check_size(const reader *r)
{
  const hg_lines *l = &r->lines;
  const double stored = (double)r->entries * (r->symmetry == GENERAL ? 1 : 2);
  const double bytes = r->coordinate ? stored * 12 + (double)r->entries * 16 + (double)(r->rows + 2 * r->cols) * 8
                                     : (double)r->rows * (double)r->cols * 8;
  if (bytes > (double)hg_memory_available())
    return hg_fail(HG_MEMORY, "%s: reading it needs %.2f GB, %.2f GB are available", l->place, bytes / 1e9,
                   (double)hg_memory_available() / 1e9);
  if (r->entries / 2 > l->text_end - l->at)
    return hg_lines_fail(l, "%" PRId64 " entries are announced, but the file ends after %td more bytes", r->entries,
                         l->text_end - l->at);
  return HG_OK;
}

/* --- entries --- */

/* Whether the value equals the digits exactly. */
static bool is_exact(const char *digits, const char *end, double value)
{
  char text[320];
  while (digits < end - 1 && *digits == '0') digits++;
  return snprintf(text, sizeof text, "%.0f", fabs(value)) == end - digits &&
         memcmp(text, digits, (size_t)(end - digits)) == 0;
}

static hg_status read_value(const reader *r, hg_lines *l, double *value)
{
  *value = 1;
  if (r->pattern) return HG_OK;
  if (!hg_lines_more(l)) return hg_lines_fail(l, "the value is missing");
  const char *digits = l->at + (*l->at == '-' || *l->at == '+');
  HG_TRY(hg_lines_double(l, "", value));
  for (const char *c = digits; r->whole && c < l->at; c++)
    if (*c < '0' || *c > '9') return hg_lines_fail(l, "%g is not an integer, in a file of integers", *value);
  if (r->whole && !is_exact(digits, l->at, *value))
    return hg_lines_fail(l, "%.*s is an integer that a double cannot represent", (int)(l->at - digits), digits);
  return HG_OK;
}

/* Entries of a symmetric matrix must be on one side of the diagonal; those of a skew-symmetric one on the diagonal
 * must be 0. */
static hg_status check_triangle(reader *r, const hg_lines *l, const entry *e)
{
  const int side = e->row > e->col ? -1 : e->row < e->col;
  if (r->symmetry == GENERAL) return HG_OK;
  if (side == 0 && r->symmetry == SKEW && e->value != 0)
    return hg_lines_fail(l,
                         "entry (%" PRId64 ", %" PRId64 ") on the diagonal of a skew-symmetric matrix is %g, must be 0",
                         e->row + 1, e->col + 1, e->value);
  if (side * r->triangle < 0)
    return hg_lines_fail(l, "entry (%" PRId64 ", %" PRId64 ") %s the diagonal of a symmetric matrix, others are %s it",
                         e->row + 1, e->col + 1, side < 0 ? "below" : "above", side < 0 ? "above" : "below");
  if (side) r->triangle = side;
  return HG_OK;
}

/* Reads entry number `at` of the file, from 0. */
static hg_status next_entry(reader *r, hg_lines *l, int64_t at, entry *e)
{
  if (!next_data(l))
    return hg_lines_fail(l, "the file ends after %" PRId64 " entries, %" PRId64 " are announced", at, r->entries);
  if (r->coordinate) {
    HG_TRY(hg_lines_int(l, "row", 1, r->rows, &e->row));
    HG_TRY(hg_lines_int(l, "column", 1, r->cols, &e->col));
    e->row--;
    e->col--;
  }
  HG_TRY(read_value(r, l, &e->value));
  if (r->coordinate) HG_TRY(check_triangle(r, l, e));
  return end_line(l, "one entry");
}

static hg_status check_end(hg_lines *l, int64_t entries)
{
  return next_data(l) ? hg_lines_fail(l, "more than the %" PRId64 " entries that are announced", entries) : HG_OK;
}

/* Array format: by columns; of a symmetric matrix the lower triangle, of a skew-symmetric one
 * without the diagonal. */
static hg_status read_dense(reader *r, hg_mtx *out)
{
  int64_t at = 0;
  HG_TRY(hg_allocate("a matrix", (size_t)(r->rows * r->cols) * sizeof *out->value, (void **)&out->value));
  for (int64_t j = 0; j < r->cols; j++) {
    const int64_t first = r->symmetry == GENERAL ? 0 : r->symmetry == SYMMETRIC ? j : j + 1;
    for (int64_t i = first; i < r->rows; i++) {
      entry e;
      HG_TRY(next_entry(r, &r->lines, at++, &e));
      out->value[i + j * r->rows] = e.value;
      if (r->symmetry != GENERAL && i != j) out->value[j + i * r->rows] = r->symmetry == SKEW ? -e.value : e.value;
    }
  }
  return check_end(&r->lines, r->entries);
}

/* Names the line where an entry appears for the second time. */
static hg_status fail_twice(reader *r, int64_t row, int64_t col)
{
  hg_lines l = r->data;
  entry e;
  int times = 0;
  for (int64_t at = 0; at < r->entries && times < 2; at++) {
    HG_TRY(next_entry(r, &l, at, &e));
    times += (e.row == row && e.col == col) || (r->symmetry != GENERAL && e.row == col && e.col == row);
  }
  return hg_lines_fail(&l, "entry (%" PRId64 ", %" PRId64 ") occurs twice", e.row + 1, e.col + 1);
}

static hg_status check_twice(reader *r, const hg_mtx *m)
{
  int32_t *seen; /* per row: the last column with an entry in it, from 1 */
  HG_TRY(hg_allocate("marks of rows", (size_t)r->rows * sizeof *seen, (void **)&seen));
  hg_status status = HG_OK;
  for (int64_t j = 0; j < r->cols && status == HG_OK; j++)
    for (int64_t at = m->start[j]; at < m->start[j + 1] && status == HG_OK; at++) {
      if (seen[m->row[at]] == j + 1) status = fail_twice(r, m->row[at], j);
      seen[m->row[at]] = (int32_t)(j + 1);
    }
  free(seen);
  return status;
}

/* Entries in the order of the file, and the matrix they are put into. */
typedef struct triplets {
  int32_t *row, *col;
  double *value;
} triplets;

static hg_status read_triplets(reader *r, triplets *t)
{
  const size_t n = (size_t)r->entries;
  HG_TRY(hg_allocate("entries", n * sizeof *t->row, (void **)&t->row));
  HG_TRY(hg_allocate("entries", n * sizeof *t->col, (void **)&t->col));
  HG_TRY(hg_allocate("entries", n * sizeof *t->value, (void **)&t->value));
  for (int64_t at = 0; at < r->entries; at++) {
    entry e;
    HG_TRY(next_entry(r, &r->lines, at, &e));
    t->row[at] = (int32_t)e.row;
    t->col[at] = (int32_t)e.col;
    t->value[at] = e.value;
  }
  return check_end(&r->lines, r->entries);
}

/* While column j is filled, start[j + 1] is its next position; in the end it is where column j + 1 begins. */
static void put(hg_mtx *m, int32_t row, int32_t col, double value)
{
  const int64_t at = m->start[col + 1]++;
  m->row[at] = row;
  m->value[at] = value;
}

static hg_status sort_by_columns(const reader *r, const triplets *t, hg_mtx *out)
{
  const bool mirrored = r->symmetry != GENERAL;
  HG_TRY(hg_allocate("a matrix", (size_t)(r->cols + 2) * sizeof *out->start, (void **)&out->start));
  for (int64_t at = 0; at < r->entries; at++) {
    out->start[t->col[at] + 2]++;
    if (mirrored && t->row[at] != t->col[at]) out->start[t->row[at] + 2]++;
  }
  for (int64_t j = 0; j <= r->cols; j++) out->start[j + 1] += out->start[j];
  const size_t stored = (size_t)out->start[r->cols + 1];
  HG_TRY(hg_allocate("a matrix", stored * sizeof *out->row, (void **)&out->row));
  HG_TRY(hg_allocate("a matrix", stored * sizeof *out->value, (void **)&out->value));
  for (int64_t at = 0; at < r->entries; at++) {
    const int32_t row = t->row[at], col = t->col[at];
    const double value = t->value[at];
    put(out, row, col, value);
    if (mirrored && row != col) put(out, col, row, r->symmetry == SKEW ? -value : value);
  }
  return HG_OK;
}

static hg_status read_sparse(reader *r, hg_mtx *out)
{
  triplets t = {0};
  hg_status status = read_triplets(r, &t);
  if (status == HG_OK) status = sort_by_columns(r, &t, out);
  free(t.row);
  free(t.col);
  free(t.value);
  return status == HG_OK ? check_twice(r, out) : status;
}

hg_status hg_mtx_parse(const char *text, size_t size, const char *place, hg_mtx *out)
{
  reader r = {.lines = hg_lines_begin(text, size, place)};
  *out = (hg_mtx){0};
  HG_TRY(read_banner(&r));
  HG_TRY(read_size(&r));
  HG_TRY(check_size(&r));
  out->rows = r.rows;
  out->cols = r.cols;
  hg_status status = r.coordinate ? read_sparse(&r, out) : read_dense(&r, out);
  if (status != HG_OK) hg_mtx_free(out);
  return status;
}

hg_status hg_mtx_open(const char *path, hg_mtx *out)
{
  void *bytes;
  size_t size;
  HG_TRY(hg_text_map(path, &bytes, &size));
  hg_status status = hg_mtx_parse(bytes, size, path, out);
  munmap(bytes, size);
  return status;
}
