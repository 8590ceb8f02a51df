/* SPDX-License-Identifier: MIT */
#include "result/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/shown.h"
#include "input/tiff.h"
#include "result/picture.h"

typedef bool write_fn(FILE *out, const hg_field *field);

static const char *number_format(const hg_field *f)
{
  return f->precision == HG_FLOAT ? "%.9g" : "%.17g";
}

static bool write_csv(FILE *out, const hg_field *f)
{
  bool good = true;
  for (int64_t i = 0; i < hg_field_cells(f) && good; i++) {
    good = fprintf(out, number_format(f), hg_field_get(f, i)) > 0;
    if ((i + 1) % f->n[0])
      fputc(',', out);
    else
      fputc('\n', out);
    if (f->dims == 3 && (i + 1) % (f->n[0] * f->n[1]) == 0) fputc('\n', out);
  }
  return good;
}

static bool write_line(FILE *out, const hg_field *f, int64_t at)
{
  return fprintf(out, number_format(f), hg_field_get(f, at)) > 0 && fputc('\n', out) != EOF;
}

/* Matrix Market's array format is ordered by columns. */
static bool write_mtx(FILE *out, const hg_field *f)
{
  bool good =
      fprintf(out, "%%%%MatrixMarket matrix array real general\n%" PRId64 " %" PRId64 "\n", f->n[1], f->n[0]) > 0;
  for (int64_t j = 0; j < f->n[0]; j++)
    for (int64_t i = 0; i < f->n[1] && good; i++) good = write_line(out, f, i * f->n[0] + j);
  return good;
}

static bool write_text(FILE *out, const hg_field *f)
{
  bool good = true;
  for (int64_t i = 0; i < hg_field_cells(f) && good; i++) good = write_line(out, f, i);
  return good;
}

static bool write_tiff(FILE *out, const hg_field *f)
{
  return hg_tiff_write(out, f->name, f->n, f->precision == HG_FLOAT, f->values, f->where,
                       f->has_missing ? &f->missing : NULL) == HG_OK;
}

/* Writes metadata only, no values. */
static bool write_json(FILE *out, const hg_field *f)
{
  return f->metadata && hg_metadata_to_json(f->metadata, out);
}

typedef struct format {
  const char *ending;
  write_fn *write;    /* writes the whole file, or NULL: */
  hg_file_head *head; /* writes all except the values, which are contiguous; NULL: a picture */
  int dims;           /* most dimensions */
  bool bare;          /* the format cannot name the number for no data */
} format;

static const format formats[] = {{".h5", NULL, hg_hdf5_head, 3, false}, {".hdf5", NULL, hg_hdf5_head, 3, false},
                                 {".nc", NULL, hg_hdf5_head, 3, false}, {".npy", NULL, hg_npy_head, 3, true},
                                 {".png", NULL, NULL, 3, false},        {".svg", NULL, NULL, 3, false},
                                 {".pdf", NULL, NULL, 3, false},        {".csv", write_csv, NULL, 3, true},
                                 {".mtx", write_mtx, NULL, 2, true},    {".txt", write_text, NULL, 3, true},
                                 {".ou", write_text, NULL, 3, true},    {".json", write_json, NULL, 3, false},
                                 {".tif", write_tiff, NULL, 2, false},  {".tiff", write_tiff, NULL, 2, false}};

static bool is_picture(const format *f)
{
  return !f->write && !f->head;
}

static hg_status find_format(const char *path, const format **out)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    *out = &formats[i];
    if (hg_file_has_ending(path, formats[i].ending)) return HG_OK;
  }
  return hg_fail(HG_INVALID,
                 "%s: unknown ending, must be .h5, .nc, .npy, .tif, .png, .svg, .pdf, .csv, .mtx, .txt or .json", path);
}

/* Refuses control characters: XML cannot contain them, and file names should not. */
static hg_status check_name(const char *path)
{
  for (const char *c = path; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      return hg_fail(HG_INVALID, "output: character %td of the name is a control character (%d)", c - path + 1, *c);
  return HG_OK;
}

/* Warns of names that break the .xmf of an HDF5 file: it has FILE:/DATASET, in UTF-8, and Xdmf3 ends FILE at the first
 * colon. */
static void warn_of_name(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *c = name;
  if (!hg_file_is_hdf5(path)) return;
  while (*c && *c != ':' && hg_text_character(c) > 0) c += hg_text_character(c);
  if (*c)
    hg_log(HG_WARN, "%s: %s can open the .xmf file beside it", path,
           *c == ':' ? "the name contains ':', so of ParaView's readers only Xdmf2"
                     : "the name is not valid UTF-8, so no reader");
}

hg_status hg_output_check(const char *path)
{
  char xdmf[HG_PATH_MAX];
  const format *kind;
  struct stat info;
  HG_TRY(check_name(path));
  HG_TRY(find_format(path, &kind));
  if (kind->write == write_tiff) HG_TRY(hg_tiff_check(path));
  const bool there = stat(path, &info) == 0;
  if (there && !S_ISREG(info.st_mode))
    return hg_fail(HG_IO, "%s: is a %s, must be a regular file", path,
                   S_ISDIR(info.st_mode) ? "directory" : "device or pipe");
  if (there && access(path, W_OK) != 0) return hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  HG_TRY(hg_file_try(path));
  if (hg_file_is_hdf5(path)) {
    HG_TRY(hg_xdmf_path(path, xdmf));
    HG_TRY(hg_file_try(xdmf));
  }
  warn_of_name(path);
  return HG_OK;
}

/* Free bytes on the path's file system; -1 if unknown. */
static double room_for(const char *path)
{
  char folder[HG_PATH_MAX];
  struct statvfs info;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  snprintf(slash ? slash + 1 : folder, 2, ".");
  return statvfs(folder, &info) == 0 ? (double)info.f_bavail * (double)info.f_frsize : -1;
}

static hg_status check_dims(const char *path, const format *kind, int dims)
{
  if (dims <= kind->dims) return HG_OK;
  return hg_fail(HG_INVALID, "%s: a %s file has two dimensions, not %d", path, kind->ending, dims);
}

hg_status hg_output_fits(const char *path, int dims, double bytes)
{
  const format *kind;
  HG_TRY(find_format(path, &kind));
  HG_TRY(check_dims(path, kind, dims));
  const bool small = is_picture(kind) || kind->write == write_json;
  const double needed = small ? 0 : kind->head ? bytes : bytes / 4;
  const double free = room_for(path);
  if (free < 0 || needed <= free) return HG_OK;
  return hg_fail(HG_IO, "%s: needs about %.3g GB of disk space, %.3g GB are free", path, needed * 1e-9, free * 1e-9);
}

bool hg_output_is_shared(const char *path)
{
  const format *kind;
  return find_format(path, &kind) == HG_OK && kind->head;
}

/* Warns once per run. */
static void warn_of_holes(const char *path, const format *kind, const hg_field *f)
{
  static bool said;
  if (!kind->bare || !f->has_missing || said) return;
  hg_log(HG_WARN, "%s: cells without data are %g there, which such a file does not say; .h5, .nc and .tif do", path,
         f->missing);
  said = true;
}

hg_status hg_output_begin(const hg_session *session, const char *path, const hg_field *field, hg_shared_file *file)
{
  const format *kind;
  HG_TRY(find_format(path, &kind));
  HG_TRY(check_dims(path, kind, field->dims));
  warn_of_holes(path, kind, field);
  return hg_shared_begin(session, path, kind->head, field, file);
}

hg_status hg_output_end(hg_shared_file *file, const hg_field *field, hg_status mine)
{
  hg_status status = hg_shared_end(file, mine);
  if (status != HG_OK || hg_file_has_ending(file->path, ".npy")) return status;
  return hg_session_agree(file->session, file->session->rank == 0 ? hg_write_xdmf(file->path, field) : HG_OK);
}

static hg_status write_values(const char *path, const hg_field *f)
{
  static const hg_session alone = {.ranks = 1};
  hg_shared_file file;
  HG_TRY(hg_output_begin(&alone, path, f, &file));
  hg_shared_put(&file, 0, f->values, (size_t)(hg_field_cells(f) * hg_precision_bytes(f->precision)));
  return hg_output_end(&file, f, HG_OK);
}

hg_status hg_output_write(const char *path, const hg_field *field)
{
  char temporary[HG_PATH_MAX];
  const format *kind;
  FILE *out;
  HG_TRY(find_format(path, &kind));
  HG_TRY(check_dims(path, kind, field->dims));
  if (kind->head) return write_values(path, field);
  warn_of_holes(path, kind, field);
  HG_TRY(hg_file_begin(path, temporary, &out));
  if (is_picture(kind)) return hg_file_end(out, temporary, path, hg_picture_write(out, path, field));
  errno = 0;
  const bool good = kind->write(out, field);
  return hg_file_end(out, temporary, path,
                     good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : "writing failed"));
}
