/* SPDX-License-Identifier: MIT */
#include "result/write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"

typedef hg_status write_fn(const char *path, const hg_field *field);

static hg_status failed(const char *path)
{
  return hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : "writing failed");
}

static hg_status close_file(FILE *f, const char *path, bool good)
{
  good = fflush(f) == 0 && good;
  if (fclose(f) != 0 || !good) return failed(path);
  return HG_OK;
}

static hg_status write_npy(const char *path, const hg_field *f)
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
  FILE *out = fopen(path, "wb");
  if (!out) return failed(path);
  const unsigned char magic[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, (unsigned char)(length >> 8)};
  bool good = fwrite(magic, 1, sizeof magic, out) == sizeof magic;
  good = good && fwrite(header, 1, (size_t)length, out) == (size_t)length;
  good = good && fwrite(f->values, size, (size_t)hg_field_cells(f), out) == (size_t)hg_field_cells(f);
  return close_file(out, path, good);
}

static hg_status write_csv(const char *path, const hg_field *f)
{
  FILE *out = fopen(path, "w");
  if (!out) return failed(path);
  const char *format = f->precision == HG_FLOAT ? "%.9g" : "%.17g";
  bool good = true;
  for (int64_t i = 0; i < hg_field_cells(f) && good; i++) {
    good = fprintf(out, format, hg_field_get(f, i)) > 0;
    if ((i + 1) % f->n[0])
      fputc(',', out);
    else
      fputc('\n', out);
    if (f->dims == 3 && (i + 1) % (f->n[0] * f->n[1]) == 0) fputc('\n', out);
  }
  return close_file(out, path, good);
}

/* Matrix Market's array format goes by columns. */
static hg_status write_mtx(const char *path, const hg_field *f)
{
  if (f->dims > 2) return hg_fail(HG_INVALID, "%s: a matrix has two dimensions, not %d", path, f->dims);
  FILE *out = fopen(path, "w");
  if (!out) return failed(path);
  const char *format = f->precision == HG_FLOAT ? "%.9g\n" : "%.17g\n";
  bool good =
      fprintf(out, "%%%%MatrixMarket matrix array real general\n%" PRId64 " %" PRId64 "\n", f->n[1], f->n[0]) > 0;
  for (int64_t j = 0; j < f->n[0]; j++)
    for (int64_t i = 0; i < f->n[1] && good; i++) good = fprintf(out, format, hg_field_get(f, i * f->n[0] + j)) > 0;
  return close_file(out, path, good);
}

static hg_status write_text(const char *path, const hg_field *f)
{
  FILE *out = fopen(path, "w");
  if (!out) return failed(path);
  const char *format = f->precision == HG_FLOAT ? "%.9g\n" : "%.17g\n";
  bool good = true;
  for (int64_t i = 0; i < hg_field_cells(f) && good; i++) good = fprintf(out, format, hg_field_get(f, i)) > 0;
  return close_file(out, path, good);
}

static const struct {
  const char *ending;
  write_fn *write;
} formats[] = {{".h5", hg_write_hdf5}, {".hdf5", hg_write_hdf5}, {".npy", write_npy},  {".png", hg_write_png},
               {".csv", write_csv}, {".mtx", write_mtx},   {".txt", write_text}, {".ou", write_text}};

static write_fn *find_format(const char *path)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (hg_file_has_ending(path, formats[i].ending)) return formats[i].write;
  }
  return NULL;
}

hg_status hg_output_check(const char *path)
{
  char temporary[HG_PATH_MAX];
  if (!find_format(path))
    return hg_fail(HG_INVALID, "%s: unknown ending, must be .h5, .npy, .png, .csv, .mtx or .txt", path);
  HG_TRY(hg_file_temporary(path, temporary));
  struct stat info;
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return hg_fail(HG_IO, "%s: is a directory", path);
  if (access(path, F_OK) == 0 && access(path, W_OK) != 0) return failed(path);
  int fd = open(temporary, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return failed(path);
  close(fd);
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
  write_fn *write = find_format(path);
  if (write == write_mtx && dims > 2)
    return hg_fail(HG_INVALID, "%s: a matrix has two dimensions, not %d", path, dims);
  const double needed = write == hg_write_png ? 0 : write == hg_write_hdf5 || write == write_npy ? bytes : bytes / 4;
  const double free = room_for(path);
  if (free < 0 || needed <= free) return HG_OK;
  return hg_fail(HG_IO, "%s: needs about %.3g GB, %.3g GB are free there", path, needed * 1e-9, free * 1e-9);
}

static hg_status write_safely(const char *path, const hg_field *field, write_fn *write)
{
  char temporary[HG_PATH_MAX];
  HG_TRY(hg_file_temporary(path, temporary));
  hg_status status = write(temporary, field);
  if (status == HG_OK) return hg_file_commit(temporary, path);
  unlink(temporary);
  return status;
}

/* XDMF describes the HDF5 dataset to ParaView and VisIt. */
static hg_status write_xdmf(const char *path, const hg_field *f)
{
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  char xdmf[4096], temporary[HG_PATH_MAX], shape[80];
  snprintf(xdmf, sizeof xdmf, "%.*s.xmf", (int)(strrchr(path, '.') - path), path);
  HG_TRY(hg_file_temporary(xdmf, temporary));
  snprintf(shape, sizeof shape, "%" PRId64 " %" PRId64 " %" PRId64, f->n[2], f->n[1], f->n[0]);
  FILE *out = fopen(temporary, "w");
  if (!out) return failed(xdmf);
  fprintf(
      out,
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n  <Grid Name=\"grid\" GridType=\"Uniform\">\n"
      "   <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%s\"/>\n"
      "   <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n    <DataItem Dimensions=\"3\" Format=\"XML\">0 0 0</DataItem>\n"
      "    <DataItem Dimensions=\"3\" Format=\"XML\">1 1 1</DataItem>\n   </Geometry>\n"
      "   <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n"
      "    <DataItem Dimensions=\"%s\" NumberType=\"Float\" Precision=\"%d\" "
      "Format=\"HDF\">%s:/%s</DataItem>\n"
      "   </Attribute>\n  </Grid>\n </Domain>\n</Xdmf>\n",
      shape, f->name, shape, (int)hg_precision_bytes(f->precision), name, f->name);
  hg_status status = close_file(out, xdmf, true);
  if (status == HG_OK) return hg_file_commit(temporary, xdmf);
  unlink(temporary);
  return status;
}

hg_status hg_output_write(const char *path, const hg_field *field)
{
  write_fn *write = find_format(path);
  if (!write) return hg_fail(HG_INVALID, "%s: unknown ending", path);
  HG_TRY(write_safely(path, field, write));
  return write == hg_write_hdf5 ? write_xdmf(path, field) : HG_OK;
}
