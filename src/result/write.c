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

typedef bool write_fn(FILE *out, const hg_field *field);

static bool write_npy(FILE *out, const hg_field *f)
{
  char header[128], shape[80];
  if (f->dims == 1)
    snprintf(shape, sizeof shape, "(%" PRId64 ",)", f->n[0]);
  else if (f->dims == 2)
    snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ")", f->n[1], f->n[0]);
  else
    snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")", f->n[2], f->n[1], f->n[0]);
  const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  const size_t size = (size_t)hg_precision_bytes(f->precision);
  int length =
      snprintf(header, sizeof header, "{'descr': '%cf%zu', 'fortran_order': False, 'shape': %s, }", order, size, shape);
  while ((10 + length + 1) % 64) header[length++] = ' '; /* data start at a multiple of 64 bytes */
  header[length++] = '\n';
  const unsigned char magic[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, (unsigned char)(length >> 8)};
  bool good = fwrite(magic, 1, sizeof magic, out) == sizeof magic;
  good = good && fwrite(header, 1, (size_t)length, out) == (size_t)length;
  return good && fwrite(f->values, size, (size_t)hg_field_cells(f), out) == (size_t)hg_field_cells(f);
}

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

/* Matrix Market's array format goes by columns. */
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

typedef struct format {
  const char *ending;
  write_fn *write; /* NULL: HDF5, which opens files itself */
  int dims;        /* at most */
} format;

static const format formats[] = {{".h5", NULL, 3},          {".hdf5", NULL, 3},     {".npy", write_npy, 3},
                                 {".png", hg_write_png, 3}, {".csv", write_csv, 3}, {".mtx", write_mtx, 2},
                                 {".txt", write_text, 3},   {".ou", write_text, 3}};

static hg_status find_format(const char *path, const format **out)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    *out = &formats[i];
    if (hg_file_has_ending(path, formats[i].ending)) return HG_OK;
  }
  return hg_fail(HG_INVALID, "%s: unknown ending, must be .h5, .npy, .png, .csv, .mtx or .txt", path);
}

/* A control character has no place in XML, nor in any name of a file. */
static hg_status check_name(const char *path)
{
  for (const char *c = path; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      return hg_fail(HG_INVALID, "output: character %td of the name is a control character (%d)", c - path + 1, *c);
  return HG_OK;
}

hg_status hg_output_check(const char *path)
{
  char temporary[HG_PATH_MAX];
  const format *kind;
  FILE *out;
  struct stat info;
  HG_TRY(check_name(path));
  HG_TRY(find_format(path, &kind));
  const bool there = stat(path, &info) == 0;
  if (there && !S_ISREG(info.st_mode))
    return hg_fail(HG_IO, "%s: is a %s, must be a regular file", path,
                   S_ISDIR(info.st_mode) ? "directory" : "device or pipe");
  if (there && access(path, W_OK) != 0) return hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  HG_TRY(hg_file_begin(path, temporary, &out));
  fclose(out);
  unlink(temporary);
  return HG_OK;
}

/* Free bytes where a path lies; -1 if that cannot be told. */
static double room_for(const char *path)
{
  char folder[HG_PATH_MAX];
  struct statvfs info;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  snprintf(slash ? slash + 1 : folder, 2, ".");
  return statvfs(folder, &info) == 0 ? (double)info.f_bavail * (double)info.f_frsize : -1;
}

hg_status hg_output_fits(const char *path, int dims, double bytes)
{
  const format *kind;
  HG_TRY(find_format(path, &kind));
  if (dims > kind->dims) return hg_fail(HG_INVALID, "%s: a matrix has two dimensions, not %d", path, dims);
  const bool exact = !kind->write || kind->write == write_npy;
  const double needed = kind->write == hg_write_png ? 0 : exact ? bytes : bytes / 4;
  const double free = room_for(path);
  if (free < 0 || needed <= free) return HG_OK;
  return hg_fail(HG_IO, "%s: needs about %.3g GB of disk space, %.3g GB are free", path, needed * 1e-9, free * 1e-9);
}

/* Text as XML has it. */
static void put_xml(FILE *out, const char *text)
{
  for (const char *c = text; *c; c++) switch (*c) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    default: fputc(*c, out);
    }
}

/* Where the values of a quantity are. */
static void put_attribute(FILE *out, const hg_field *f, const char *file, const char *shape)
{
  fputs("   <Attribute Name=\"", out);
  put_xml(out, f->name);
  fprintf(out,
          "\" AttributeType=\"Scalar\" Center=\"Node\">\n"
          "    <DataItem Dimensions=\"%s\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">",
          shape, (int)hg_precision_bytes(f->precision));
  put_xml(out, file);
  fputs(":/", out);
  put_xml(out, f->name);
  fputs("</DataItem>\n   </Attribute>\n", out);
}

/* XDMF describes the HDF5 datasets to ParaView and VisIt. */
static hg_status write_xdmf(const char *path, const hg_field *field)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char xdmf[HG_PATH_MAX], temporary[HG_PATH_MAX], shape[80];
  FILE *out;
  if (snprintf(xdmf, sizeof xdmf, "%.*s.xmf", (int)(strrchr(path, '.') - path), path) >= (int)sizeof xdmf)
    return hg_fail(HG_INVALID, "%.60s...: the name is too long", path);
  HG_TRY(hg_file_begin(xdmf, temporary, &out));
  snprintf(shape, sizeof shape, "%" PRId64 " %" PRId64 " %" PRId64, field->n[2], field->n[1], field->n[0]);
  fprintf(
      out,
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n  <Grid Name=\"grid\" GridType=\"Uniform\">\n"
      "   <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%s\"/>\n"
      "   <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n    <DataItem Dimensions=\"3\" Format=\"XML\">0 0 0</DataItem>\n"
      "    <DataItem Dimensions=\"3\" Format=\"XML\">1 1 1</DataItem>\n   </Geometry>\n",
      shape);
  for (const hg_field *f = field; f; f = f->also) put_attribute(out, f, name, shape);
  fputs("  </Grid>\n </Domain>\n</Xdmf>\n", out);
  return hg_file_end(out, temporary, xdmf, HG_OK);
}

hg_status hg_output_write(const char *path, const hg_field *field)
{
  char temporary[HG_PATH_MAX];
  const format *kind;
  FILE *out;
  HG_TRY(find_format(path, &kind));
  if (field->dims > kind->dims)
    return hg_fail(HG_INVALID, "%s: a matrix has two dimensions, not %d", path, field->dims);
  if (!kind->write) {
    HG_TRY(hg_write_hdf5(path, field));
    return write_xdmf(path, field);
  }
  HG_TRY(hg_file_begin(path, temporary, &out));
  errno = 0;
  const bool good = kind->write(out, field);
  return hg_file_end(out, temporary, path,
                     good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : "writing failed"));
}
