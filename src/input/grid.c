/* SPDX-License-Identifier: MIT */
#include "input/grid.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "input/gunzip.h"
#include "base/random.h"
#include "base/text.h"
#include "input/array.h"
#include "input/foreign.h"
#include "input/tiff.h"

/* Computes `count` numbers along x from a cell on. */
typedef void formula_fn(const hg_grid_input *in, const int64_t n[3], const int64_t at[3], int64_t count, double *out);

struct hg_grid_input {
  formula_fn *formula; /* or NULL: a file */
  double value;
  uint64_t seed;
  bool masks, given; /* masks: cells may have no data; given: the user gave the number that marks them: */
  double missing;
  bool is_hdf5;
  hg_hdf5_input hdf5;
  hg_array array;
  hg_georeference *where; /* location, or NULL */
  char name[1024];
  char path[HG_PATH_MAX];
  struct stat opened; /* state of the file when it was opened */
};

/* Temperatures of the formulas. The surroundings are not 0: heat spreading into zeros makes denormal numbers at its
 * front, on which x86 processors are several times slower. */
#define HOT 100.
#define ROOM 20.

static void hotspot(const hg_grid_input *in, const int64_t n[3], const int64_t at[3], int64_t count, double *out)
{
  (void)in;
  int64_t shortest = 0;
  double from[3]; /* the centre */
  for (int i = 0; i < 3; i++) {
    from[i] = (double)at[i] - (double)(n[i] / 2);
    if (n[i] > 1 && (shortest == 0 || n[i] < shortest)) shortest = n[i];
  }
  const double radius = (double)shortest / 8, most = radius * radius, dy2 = from[1] * from[1], dz2 = from[2] * from[2];
  for (int64_t i = 0; i < count; i++) {
    const double dx = from[0] + (double)i;
    out[i] = dx * dx + dy2 + dz2 <= most ? HOT : ROOM;
  }
}

static void plates(const hg_grid_input *in, const int64_t n[3], const int64_t at[3], int64_t count, double *out)
{
  (void)in;
  (void)n;
  for (int64_t i = 0; i < count; i++) out[i] = at[0] + i == 0 ? HOT : ROOM;
}

static void uniform(const hg_grid_input *in, const int64_t n[3], const int64_t at[3], int64_t count, double *out)
{
  const int64_t first = at[0] + n[0] * (at[1] + n[1] * at[2]);
  for (int64_t i = 0; i < count; i++) out[i] = hg_random_unit(in->seed, (uint64_t)(first + i));
}

static void constant(const hg_grid_input *in, const int64_t n[3], const int64_t at[3], int64_t count, double *out)
{
  (void)n;
  (void)at;
  for (int64_t i = 0; i < count; i++) out[i] = in->value;
}

static formula_fn *find_formula(const char *spec, double *value)
{
  if (strcmp(spec, "hotspot") == 0) return hotspot;
  if (strcmp(spec, "plates") == 0) return plates;
  if (strcmp(spec, "random") == 0) return uniform;
  const char *end = hg_scan_double(spec, spec + strlen(spec), value);
  return end && !*end && isfinite(*value) ? constant : NULL;
}

static hg_status open_file(hg_grid_input *in, const char *path, const char *dataset)
{
  in->hdf5 = (hg_hdf5_input){.file = -1, .dataset = -1};
  if (access(path, F_OK) == 0) HG_TRY(hg_foreign_check(path));
  if (hg_file_is_hdf5(path)) {
    in->is_hdf5 = true;
    return hg_hdf5_open(path, dataset, &in->hdf5);
  }
  if (hg_file_has_ending(path, ".npz")) return hg_npz_open(path, dataset, &in->array);
  if (dataset) return hg_fail(HG_INVALID, "%s: only .npz and .h5 files have datasets", path);
  if (hg_file_has_ending(path, ".npy")) return hg_npy_open(path, &in->array);
  if (hg_file_has_ending(path, ".png")) return hg_png_open(path, &in->array);
  if (hg_text_has_ending(path, ".csv")) return hg_csv_open_layers(path, &in->array);
  if (hg_text_has_ending(path, ".asc")) return hg_asc_open(path, &in->array, &in->where);
  if (hg_file_is_tiff(path)) return hg_tiff_open(path, &in->array, &in->where);
  return hg_fail(
      HG_INVALID,
      "'%s' is neither hotspot, plates, random, a number, nor a .npy, .npz, .h5, .nc, .png, .csv, .asc or .tif file",
      path);
}

/* Whether the name of a file with several arrays ends here. */
static bool ends_container(const char *spec, const char *end)
{
  static const char *const endings[] = {".npz", ".h5", ".hdf5", ".nc"};
  bool found = false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t length = strlen(endings[i]);
    found |= end - spec > (ptrdiff_t)length && strncasecmp(end - length, endings[i], length) == 0;
  }
  return found;
}

const char *hg_grid_file(const char *spec, char path[HG_PATH_MAX])
{
  const char *colon = strchr(spec, ':');
  while (colon && !ends_container(spec, colon)) colon = strchr(colon + 1, ':');
  if (!colon) colon = strrchr(spec, ':');
  if (colon && access(spec, F_OK) == 0) colon = NULL;
  const size_t length = colon ? (size_t)(colon - spec) : strlen(spec);
  snprintf(path, HG_PATH_MAX, "%.*s", (int)(length < HG_PATH_MAX ? length : HG_PATH_MAX - 1), spec);
  return colon ? colon + 1 : NULL;
}

bool hg_grid_is_file(const char *spec)
{
  static const char *const endings[] = {".npy", ".npz", ".png", ".csv", ".asc"};
  char path[HG_PATH_MAX];
  hg_grid_file(spec, path);
  bool found = hg_file_is_hdf5(path) || hg_file_is_tiff(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) found |= hg_text_has_ending(path, endings[i]);
  return found;
}

/* Finds the first cell with that value; returns whether there is one. */
static bool find_value(const hg_array *a, double number, int64_t at[3])
{
  for (at[2] = 0; at[2] < a->n[2]; at[2]++)
    for (at[1] = 0; at[1] < a->n[1]; at[1]++)
      for (at[0] = 0; at[0] < a->n[0]; at[0]++)
        if (hg_array_get(a, at) == number) return true;
  return false;
}

/* Refuses missing data in arrays that are in memory, right at opening. */
static hg_status refuse_missing(const hg_array *a, const char *name)
{
  int64_t at[3];
  if (!a->has_missing || !find_value(a, a->missing, at)) return HG_OK;
  return hg_fail(HG_FORMAT,
                 "%s: the cell at (%" PRId64 ", %" PRId64
                 ") has no data (%g); fill such cells, for example by gdal_fillnodata, or crop the grid; "
                 "hetgrid-heat --nodata mask leaves them out",
                 name, at[0], at[1], a->missing);
}

/* -9999, as usual for elevations, or the first of -99999, .. that is not a value of the array in memory. */
static double unused_number(const hg_grid_input *in)
{
  int64_t at[3];
  double number = -9999;
  while (!in->is_hdf5 && number > -1e15 && find_value(&in->array, number, at)) number = 10 * number - 9;
  return number;
}

/* Chooses the file's own number, if single precision can hold it. */
static void choose_missing(hg_grid_input *in, const double *number)
{
  const bool named = in->is_hdf5 ? in->hdf5.cf.count > 0 : in->array.has_missing;
  const double own = !named ? NAN : in->is_hdf5 ? in->hdf5.cf.missing[0] : in->array.missing;
  in->hdf5.masks = in->masks = true;
  in->given = number != NULL;
  in->missing = number ? *number : fabs(own) <= (double)FLT_MAX ? own : unused_number(in);
}

static hg_status open_input(const char *spec, uint64_t seed, bool masks, hg_grid_input **out)
{
  hg_grid_input *in = calloc(1, sizeof *in);
  if (!in) return hg_fail(HG_MEMORY, "no memory");
  hg_status status = HG_OK;
  in->seed = seed;
  if (strlen(spec) >= sizeof in->name) {
    free(in);
    return hg_fail(HG_INVALID, "the file name is longer than %zu characters", sizeof in->name - 1);
  }
  strcpy(in->name, spec);
  in->formula = find_formula(spec, &in->value);
  if (in->formula == constant && !isfinite(in->value))
    status = hg_fail(HG_INVALID, "'%s': the value must be finite", spec);
  if (!in->formula) {
    char path[HG_PATH_MAX];
    const char *dataset = hg_grid_file(spec, path);
    status = open_file(in, path, dataset);
    snprintf(in->path, sizeof in->path, "%s", path);
    if (status == HG_OK && stat(path, &in->opened) != 0) status = hg_fail(HG_IO, "%s: %s", path, strerror(errno));
    if (status == HG_OK && !masks) status = refuse_missing(&in->array, path);
  }
  if (status != HG_OK) {
    hg_array_free(&in->array);
    hg_georeference_free(in->where);
    free(in);
    return status;
  }
  *out = in;
  return HG_OK;
}

hg_status hg_grid_open(const char *spec, uint64_t seed, hg_grid_input **out)
{
  return open_input(spec, seed, false, out);
}

hg_status hg_grid_open_masked(const char *spec, uint64_t seed, const double *number, hg_grid_input **out)
{
  HG_TRY(open_input(spec, seed, true, out));
  if (!(*out)->formula) choose_missing(*out, number);
  return HG_OK;
}

const double *hg_grid_missing(const hg_grid_input *in)
{
  return in && in->masks ? &in->missing : NULL;
}

void hg_grid_shape(const hg_grid_input *in, int *dims, int64_t n[3])
{
  *dims = in->formula ? 0 : in->is_hdf5 ? in->hdf5.dims : in->array.dims;
  for (int i = 0; i < 3; i++) n[i] = in->formula ? 0 : in->is_hdf5 ? in->hdf5.n[i] : in->array.n[i];
}

const hg_georeference *hg_grid_where(const hg_grid_input *in)
{
  return in ? in->where : NULL;
}

static hg_status check_fit(const hg_grid_input *in, const int64_t n[3], const hg_box *box)
{
  int dims;
  int64_t have[3];
  hg_grid_shape(in, &dims, have);
  for (int i = 0; i < 3; i++) {
    if (dims && have[i] != n[i])
      return hg_fail(HG_INVALID,
                     "%s: holds %" PRId64 " x %" PRId64 " x %" PRId64 " values, the grid has %" PRId64 " x %" PRId64
                     " x %" PRId64,
                     in->name, have[0], have[1], have[2], n[0], n[1], n[2]);
    if (box->lo[i] < 0 || box->hi[i] > n[i]) return hg_fail(HG_INVALID, "%s: box outside the grid", in->name);
  }
  return HG_OK;
}

static hg_status mask_row(const hg_grid_input *in, const int64_t at[3], int64_t count, double *row)
{
  const double missing = in->array.has_missing ? in->array.missing : NAN;
  for (int64_t i = 0; i < count; i++) {
    if (isnan(row[i]) || row[i] == missing)
      row[i] = in->missing;
    else if (row[i] == in->missing && !in->given)
      return hg_fail(HG_FORMAT,
                     "%s: the value at (%" PRId64 ", %" PRId64 ", %" PRId64 ") is %g, which marks cells without data",
                     in->name, at[0] + i, at[1], at[2], row[i]);
  }
  return HG_OK;
}

/* Checks a row of numbers that were read. */
static hg_status check_row(const hg_grid_input *in, const int64_t at[3], int64_t count, const double *row)
{
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(row[i]))
      return hg_fail(HG_FORMAT, "%s: the value at (%" PRId64 ", %" PRId64 ", %" PRId64 ") is %g, must be finite",
                     in->name, at[0] + i, at[1], at[2], row[i]);
  return HG_OK;
}

/* Checks that a file that is read during the run was not replaced or changed. */
static hg_status check_unchanged(const hg_grid_input *in)
{
  struct stat now;
  const struct stat *then = &in->opened;
  if (!in->is_hdf5 && !in->array.mapped) return HG_OK;
  if (stat(in->path, &now) != 0 || now.st_dev != then->st_dev || now.st_ino != then->st_ino) return HG_OK;
  if (now.st_size == then->st_size && now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
    return HG_OK;
  return hg_fail(HG_IO, "%s: another program has written into it since it was opened", in->name);
}

hg_status hg_grid_read(hg_grid_input *in, const int64_t n[3], const hg_box *box, double *out)
{
  const int64_t count = hg_box_extent(box, 0);
  HG_TRY(check_fit(in, n, box));
  if (!in->formula) HG_TRY(check_unchanged(in));
  if (in->is_hdf5) HG_TRY(hg_hdf5_read(&in->hdf5, in->name, box, out));
  for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++, out += count) {
      const int64_t at[3] = {box->lo[0], y, z};
      if (in->formula) {
        in->formula(in, n, at, count, out);
        continue;
      }
      if (!in->is_hdf5) HG_TRY(hg_array_read(&in->array, at, count, in->name, out));
      if (in->masks) HG_TRY(mask_row(in, at, count, out));
      HG_TRY(check_row(in, at, count, out));
    }
  return HG_OK;
}

/* Sets the box's cells in layer `at` of an axis. */
static void set_layer(const hg_box *box, int axis, int64_t at, double value, double *out)
{
  const int64_t n[3] = {hg_box_extent(box, 0), hg_box_extent(box, 1), hg_box_extent(box, 2)};
  const int64_t stride[3] = {1, n[0], n[0] * n[1]};
  if (at < box->lo[axis] || at >= box->hi[axis]) return;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int64_t i = 0; i < n[u]; i++)
    for (int64_t j = 0; j < n[v]; j++) out[(at - box->lo[axis]) * stride[axis] + i * stride[u] + j * stride[v]] = value;
}

hg_status hg_grid_read_initial(hg_grid_input *in, int dims, const int64_t n[3], const hg_side side[3][2],
                               const hg_box *box, double *out)
{
  HG_TRY(hg_grid_read(in, n, box, out));
  for (int axis = 0; axis < dims; axis++)
    for (int high = 0; high < 2; high++) {
      const hg_side *s = &side[axis][high];
      if (s->kind == HG_FIXED && s->has_value) set_layer(box, axis, high ? n[axis] - 1 : 0, s->value, out);
    }
  return HG_OK;
}

hg_status hg_grid_round(const hg_grid_input *in, const hg_box *box, const double *values, float *out)
{
  const int64_t n[2] = {hg_box_extent(box, 0), hg_box_extent(box, 1)}, cells = hg_box_cells(box);
  for (int64_t i = 0; i < cells; i++) {
    out[i] = (float)values[i];
    if (!isfinite(out[i]))
      return hg_fail(HG_FORMAT,
                     "%s: the value at (%" PRId64 ", %" PRId64 ", %" PRId64 ") is %g, must be within +-%g in single "
                     "precision",
                     in->name, box->lo[0] + i % n[0], box->lo[1] + i / n[0] % n[1], box->lo[2] + i / n[0] / n[1],
                     values[i], (double)FLT_MAX);
  }
  return HG_OK;
}

void hg_grid_close(hg_grid_input *in)
{
  if (!in) return;
  if (in->is_hdf5) hg_hdf5_close(&in->hdf5);
  hg_array_free(&in->array);
  hg_georeference_free(in->where);
  free(in);
}
