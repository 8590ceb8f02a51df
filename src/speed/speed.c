/* SPDX-License-Identifier: MIT */
#include "speed/speed.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "input/array.h"
#include "input/lines.h"
#include "input/gunzip.h"
#include "network/network.h"

/* Segment of x[n] that contains v: the first one for values below, the last one for values above. */
static int segment(const double *x, int n, double v)
{
  int lo = 0, hi = n - 2;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (x[mid] <= v)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

static double line(double x0, double y0, double x1, double y1, double x)
{
  return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

/* Time of c items at the i-th w. */
static double at_row(const hg_speed_table *t, int i, double c)
{
  const double *row = t->time + (size_t)i * (size_t)t->nc;
  if (t->nc == 1 || c <= t->c[0]) return row[0];
  int j = segment(t->c, t->nc, c);
  return line(t->c[j], row[j], t->c[j + 1], row[j + 1], c);
}

/* Beyond the last point, extrapolates the line to it from half its work (or the last point below): if the last two
 * points are close together, a small error in them is a large error in the slope. But a cell never costs less than the
 * average before, so that more work is never free, even if the last times happen to be equal. */
static double beyond(const hg_speed_table *t, double w, double c)
{
  const int last = t->nw - 1;
  int half = last - 1;
  while (half > 0 && t->w[half] > t->w[last] / 2) half--;
  const double time = at_row(t, last, c), average = t->time[(size_t)last * (size_t)t->nc] / t->w[last],
               slope = (time - at_row(t, half, c)) / (t->w[last] - t->w[half]);
  return time + (w - t->w[last]) * fmax(slope, average);
}

static double table_time(const hg_speed_table *t, double w, double c)
{
  if (w <= t->w[0] || t->nw == 1) return at_row(t, 0, c) * (w / t->w[0]);
  if (w > t->w[t->nw - 1]) return beyond(t, w, c);
  int i = segment(t->w, t->nw, w);
  return line(t->w[i], at_row(t, i, c), t->w[i + 1], at_row(t, i + 1, c), w);
}

/* Time without a measured network. */
static double own_time(const hg_speed_model *m, double w, double c)
{
  switch (m->kind) {
  case HG_SPEED_SATURATING: return m->t0 + w / m->smax + m->tc * c;
  case HG_SPEED_CLIFF: return m->t0 + w / (m->smax * (m->r + (1 - m->r) / (1 + pow(w / m->mem, m->k)))) + m->tc * c;
  case HG_SPEED_PARTIAL: return hg_partial_time(m->partial, w) + m->tc * c;
  case HG_SPEED_TABLE: break;
  }
  return table_time(&m->table, w, c);
}

double hg_speed_compute_time(const hg_speed_model *m, double w, double c)
{
  return w > 0 ? m->wait + own_time(m, w + m->again * c, 0) : 0;
}

double hg_speed_time(const hg_speed_model *m, double w, double c)
{
  if (!(w > 0)) return 0;
  if (m->link || m->apart) {
    const double seconds = hg_speed_compute_time(m, w, c);
    return seconds + (c > 0 && !m->apart ? 2 * hg_network_time(m->link, c * m->item_bytes) : 0);
  }
  return m->wait + own_time(m, w + m->again * c, c);
}

hg_status hg_speed_table_make(int nw, int nc, hg_speed_table *out)
{
  hg_speed_table t = {.nw = nw,
                      .nc = nc,
                      .w = calloc((size_t)nw, sizeof *t.w),
                      .c = calloc((size_t)nc, sizeof *t.c),
                      .time = calloc((size_t)nw * (size_t)nc, sizeof *t.time)};
  if (t.w && t.c && t.time) {
    *out = t;
    return HG_OK;
  }
  hg_speed_table_free(&t);
  return hg_fail(HG_MEMORY, "speed table: no memory for %d x %d points", nw, nc);
}

void hg_speed_table_free(hg_speed_table *t)
{
  free(t->w);
  free(t->c);
  free(t->time);
  *t = (hg_speed_table){0};
}

hg_status hg_speed_scale(const hg_speed_model *m, double factor, hg_speed_model *out)
{
  const hg_speed_table *from = &m->table;
  *out = *m;
  out->smax /= factor;
  out->t0 *= factor;
  out->tc *= factor;
  out->wait *= factor;
  out->table = (hg_speed_table){0};
  if (m->kind != HG_SPEED_TABLE) return HG_OK;
  HG_TRY(hg_speed_table_make(from->nw, from->nc, &out->table));
  memcpy(out->table.w, from->w, (size_t)from->nw * sizeof *from->w);
  memcpy(out->table.c, from->c, (size_t)from->nc * sizeof *from->c);
  for (int i = 0; i < from->nw * from->nc; i++) out->table.time[i] = factor * from->time[i];
  return HG_OK;
}

static hg_status check_axis(const double *x, int n, const char *what, const char *place)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]) || x[i] < 0 || (i > 0 && x[i] <= x[i - 1]))
      return hg_fail(HG_INVALID, "%s: %s %g, must be >= 0 and increase from point to point", place, what, x[i]);
  return HG_OK;
}

hg_status hg_speed_table_check(const hg_speed_table *t, const char *place)
{
  HG_TRY(check_axis(t->w, t->nw, "w", place));
  HG_TRY(check_axis(t->c, t->nc, "c", place));
  if (!(t->w[0] > 0)) return hg_fail(HG_INVALID, "%s: w %g, must be > 0", place, t->w[0]);
  for (int i = 0; i < t->nw; i++)
    for (int j = 0; j < t->nc; j++) {
      size_t at = (size_t)i * (size_t)t->nc + (size_t)j;
      double s = t->time[at];
      if (!(s > 0) || !isfinite(s))
        return hg_fail(HG_INVALID, "%s: time %g s at w %g, c %g, must be > 0 and finite", place, s, t->w[i], t->c[j]);
      if ((i > 0 && s < t->time[at - (size_t)t->nc]) || (j > 0 && s < t->time[at - 1]))
        return hg_fail(HG_INVALID, "%s: time %g s at w %g, c %g, must not be less than for less work", place, s,
                       t->w[i], t->c[j]);
    }
  return HG_OK;
}

void hg_speed_table_partial(const hg_speed_table *t, hg_partial_speed *out, double *item)
{
  const double *last = t->time + (size_t)(t->nw - 1) * (size_t)t->nc;
  const int most = t->nc - 1;
  *out = (hg_partial_speed){0};
  for (int i = 0; i < t->nw; i++) hg_partial_learn(out, t->w[i], at_row(t, i, t->c[0]));
  *item = most > 0 ? (last[most] - last[0]) / (t->c[most] - t->c[0]) : 0;
}

static double cell(const hg_array *a, int64_t x, int64_t y)
{
  const int64_t at[3] = {x, y, 0};
  return hg_array_get(a, at);
}

/* Points are in the order w, c; the c of the first w define the mesh. */
static hg_status fill(const hg_array *a, const char *place, hg_speed_table *out)
{
  const int64_t points = a->dims > 1 ? a->n[1] : 1;
  int64_t nc = 1;
  if (a->n[0] != 3) return hg_fail(HG_FORMAT, "%s: %lld columns, must be w,c,time", place, (long long)a->n[0]);
  while (nc < points && cell(a, 0, nc) == cell(a, 0, 0)) nc++;
  if (points % nc || points > INT32_MAX)
    return hg_fail(HG_FORMAT, "%s: %lld points do not fill a mesh with %lld values of c", place, (long long)points,
                   (long long)nc);
  HG_TRY(hg_speed_table_make((int)(points / nc), (int)nc, out));
  for (int64_t p = 0; p < points; p++) {
    out->w[p / nc] = cell(a, 0, p);
    out->c[p % nc] = cell(a, 1, p);
    out->time[p] = cell(a, 2, p);
    if (cell(a, 0, p) != cell(a, 0, p / nc * nc) || cell(a, 1, p) != cell(a, 1, p % nc))
      return hg_fail(HG_FORMAT, "%s: point %lld (w %g, c %g) is not on the mesh of the previous points", place,
                     (long long)p + 1, cell(a, 0, p), cell(a, 1, p));
  }
  return hg_speed_table_check(out, place);
}

/* The value in a line "# key value" of the head, or "". */
static void find_in_head(const char *text, size_t size, const char *key, char *value, size_t room)
{
  const size_t length = strlen(key);
  *value = '\0';
  for (hg_lines l = hg_lines_begin(text, size, ""); !*value && hg_lines_next(&l);) {
    if (!hg_lines_more(&l)) continue;
    if (*l.at++ != '#') return;
    if (hg_lines_more(&l) && (size_t)(l.end - l.at) > length && memcmp(l.at, key, length) == 0 && l.at[length] == ' ')
      snprintf(value, room, "%.*s", (int)(l.end - l.at - (ptrdiff_t)length - 1), l.at + length + 1);
  }
}

/* Detects a truncated file, if it says how many points it has. */
static hg_status check_whole(const char *text, size_t size, const char *place, const hg_speed_table *t)
{
  char points[32];
  find_in_head(text, size, "points", points, sizeof points);
  if (!*points) return HG_OK;
  char nw[32];
  snprintf(nw, sizeof nw, "%d", t->nw);
  if (strcmp(points, nw) != 0)
    return hg_fail(HG_FORMAT, "%s: has %d of the %s points that its header announces; the file is truncated", place,
                   t->nw, points);
  return text[size - 1] == '\n'
             ? HG_OK
             : hg_fail(HG_FORMAT, "%s: the last line has no line feed; the file is truncated", place);
}

hg_status hg_speed_table_parse(const char *text, size_t size, const char *place, hg_speed_table *out)
{
  hg_array a;
  hg_speed_table t = {0};
  char errors[64];
  HG_TRY(hg_csv_parse(text, size, place, &a));
  hg_status status = fill(&a, place, &t);
  hg_array_free(&a);
  if (status == HG_OK) status = check_whole(text, size, place, &t);
  find_in_head(text, size, "app", t.app, sizeof t.app);
  find_in_head(text, size, "precision", t.precision, sizeof t.precision);
  find_in_head(text, size, HG_TABLE_ERROR, errors, sizeof errors);
  sscanf(errors, HG_TABLE_ERRORS, &t.error, &t.wanted);
  if (status == HG_OK)
    *out = t;
  else
    hg_speed_table_free(&t);
  return status;
}

hg_status hg_speed_table_read(const char *path, hg_speed_table *out)
{
  void *bytes;
  size_t size;
  HG_TRY(hg_text_map(path, &bytes, &size));
  const hg_status status = hg_speed_table_parse(bytes, size, path, out);
  munmap(bytes, size);
  return status;
}

static bool print_table(FILE *f, const char *head, const hg_speed_table *t)
{
  for (const char *p = head; p && *p;) {
    size_t length = strcspn(p, "\n");
    fprintf(f, "# %.*s\n", (int)length, p);
    p += length + (p[length] == '\n');
  }
  fprintf(f, "# w (cells), c (items), time (s)\n");
  for (int i = 0; i < t->nw; i++)
    for (int j = 0; j < t->nc; j++)
      fprintf(f, "%.17g,%.17g,%.9g\n", t->w[i], t->c[j], t->time[(size_t)i * (size_t)t->nc + (size_t)j]);
  return fflush(f) == 0 && !ferror(f);
}

hg_status hg_speed_table_write(const char *path, const char *head, const hg_speed_table *t)
{
  char temporary[HG_PATH_MAX];
  FILE *f;
  HG_TRY(hg_file_begin(path, temporary, &f));
  return hg_file_end(f, temporary, path,
                     print_table(f, head, t) ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno)));
}

/* Reads FILE or FILE*N, unless a file has that name, and appends its models to the list. */
static hg_status read_item(char *item, const char *what, hg_speed_model **model, int *count)
{
  int64_t times = 1;
  char *star = strrchr(item, '*');
  if (star && access(item, F_OK) != 0) {
    *star = 0;
    HG_TRY(hg_parse_int(star + 1, what, 1, 4096, &times));
  }
  for (int64_t i = 0; i < times; i++) {
    HG_TRY(hg_grow("tables", (void **)model, *count, sizeof **model));
    (*model)[*count] = (hg_speed_model){.kind = HG_SPEED_TABLE};
    HG_TRY(hg_speed_table_read(item, &(*model)[*count].table));
    ++*count;
  }
  return HG_OK;
}

void hg_speed_models_free(hg_speed_model *model, int count)
{
  for (int i = 0; model && i < count; i++) hg_speed_table_free(&model[i].table);
  free(model);
}

hg_status hg_speed_models_read(const char *list, const char *what, hg_speed_model **model, int *count)
{
  char *copy = strdup(list), *rest = NULL;
  hg_status status = copy ? HG_OK : hg_fail(HG_MEMORY, "%s: no memory", what);
  *model = NULL;
  *count = 0;
  for (char *item = copy ? strtok_r(copy, ",", &rest) : NULL; item && status == HG_OK;
       item = strtok_r(NULL, ",", &rest))
    status = read_item(item, what, model, count);
  free(copy);
  if (status == HG_OK && *count == 0) status = hg_fail(HG_INVALID, "%s: needs at least one table", what);
  if (status != HG_OK) {
    hg_speed_models_free(*model, *count);
    *model = NULL;
    *count = 0;
  }
  return status;
}
