/* SPDX-License-Identifier: MIT */
#include "result/hdf5_writer.h"

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/hdf5_trailer.h"
#include "result/shared_file.h"

/* --- the driver --- */

typedef struct stream {
  H5FD_t library; /* HDF5's part of the file; must be first */
  hg_hdf5_writer *writer;
  haddr_t allocated, written; /* ends of these */
} stream;

static hid_t driver; /* registered with the HDF5 library until that is closed */

static H5FD_t *open_stream(const char *name, unsigned flags, hid_t access, haddr_t most)
{
  (void)name, (void)flags, (void)most;
  stream *s = calloc(1, sizeof *s);
  if (s) s->writer = *(hg_hdf5_writer *const *)H5Pget_driver_info(access);
  return &s->library;
}

static herr_t close_stream(H5FD_t *file)
{
  free(file);
  return 0;
}

static herr_t tell_features(const H5FD_t *file, unsigned long *flags)
{
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t get_allocated(const H5FD_t *file, H5FD_mem_t kind)
{
  (void)kind;
  return ((const stream *)file)->allocated;
}

static herr_t set_allocated(H5FD_t *file, H5FD_mem_t kind, haddr_t end)
{
  (void)kind;
  ((stream *)file)->allocated = end;
  return 0;
}

static haddr_t get_written(const H5FD_t *file, H5FD_mem_t kind)
{
  (void)kind;
  return ((const stream *)file)->written;
}

/* Bytes beyond the end of the file read as zeros. */
static herr_t read_stream(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t at, size_t size, void *bytes)
{
  (void)kind, (void)transfer;
  char *to = bytes;
  while (size > 0) {
    const ssize_t n = pread(((stream *)file)->writer->fd, to, size, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    to += n, at += (haddr_t)n, size -= (size_t)n;
  }
  memset(to, 0, size);
  return 0;
}

/* Always succeeds; a failure is recorded. */
static herr_t write_stream(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t at, size_t size, const void *bytes)
{
  (void)kind, (void)transfer;
  stream *s = (stream *)file;
  const char *from = bytes;
  if (at + size > s->written) s->written = at + size;
  while (size > 0 && !s->writer->error) {
    const ssize_t n = pwrite(s->writer->fd, from, size, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) s->writer->error = n < 0 ? errno : EIO;
    if (n > 0) from += n, at += (haddr_t)n, size -= (size_t)n;
  }
  return 0;
}

/* Makes the file as long as what was allocated. */
static herr_t truncate_stream(H5FD_t *file, hid_t transfer, hbool_t closing)
{
  (void)transfer, (void)closing;
  stream *s = (stream *)file;
  if (s->written == s->allocated) return 0;
  if (!s->writer->error && ftruncate(s->writer->fd, (off_t)s->allocated) != 0) s->writer->error = errno;
  s->written = s->allocated;
  return 0;
}

static void register_driver(void)
{
  static const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)512,
#endif
    .name = "hetgrid",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(hg_hdf5_writer *),
    .open = open_stream,
    .close = close_stream,
    .query = tell_features,
    .get_eoa = get_allocated,
    .set_eoa = set_allocated,
    .get_eof = get_written,
    .read = read_stream,
    .write = write_stream,
    .truncate = truncate_stream,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
  driver = H5FDregister(&class);
}

/* --- files --- */

/* Creates the file. Values begin at a page, so that they can be written without the system's cache
 * (result/shared_file.h). */
static int64_t create(hg_hdf5_writer *writer)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (H5Iis_valid(driver) <= 0) register_driver();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  const bool good = driver > 0 && H5Pset_driver(access, driver, &writer) >= 0 &&
                    H5Pset_alignment(access, HG_SHARED_LARGE, HG_SHARED_PAGE) >= 0;
  const int64_t file = good ? H5Fcreate(writer->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
  H5Pclose(access);
  return file;
}

hg_status hg_hdf5_begin(const char *path, hg_hdf5_writer *writer)
{
  writer->error = 0;
  HG_TRY(hg_file_create(path, writer->temporary, &writer->fd));
  writer->file = create(writer);
  if (writer->file >= 0) return HG_OK;
  close(writer->fd);
  unlink(writer->temporary);
  return hg_fail(HG_IO, "%s: the HDF5 library cannot create it", path);
}

static hid_t make_dataset(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space, bool written)
{
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(properties, false);
  if (!written) {
    H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  }
  const hid_t set =
      H5Dcreate2((hid_t)writer->file, name, (hid_t)type, (hid_t)space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  return set;
}

int64_t hg_hdf5_dataset(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space)
{
  return make_dataset(writer, name, type, space, true);
}

int64_t hg_hdf5_room(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space, int64_t *first)
{
  const hid_t set = make_dataset(writer, name, type, space, false);
  const haddr_t at = set >= 0 ? H5Dget_offset(set) : HADDR_UNDEF;
  *first = (int64_t)at;
  if (set < 0 || at != HADDR_UNDEF) return set;
  H5Dclose(set);
  return -1;
}

static hg_status close_file(hg_hdf5_writer *writer, bool good, const char *path)
{
  good = H5Fclose((hid_t)writer->file) >= 0 && good;
  if (writer->error) return hg_fail(HG_IO, "%s: writing failed: %s", path, strerror(writer->error));
  return good ? HG_OK : hg_fail(HG_IO, "%s: writing failed in the HDF5 library", path);
}

hg_status hg_hdf5_leave(hg_hdf5_writer *writer, bool good, const char *path)
{
  const hg_status status = close_file(writer, good, path);
  if (status == HG_OK) return HG_OK;
  close(writer->fd);
  unlink(writer->temporary);
  return status;
}

hg_status hg_hdf5_end(hg_hdf5_writer *writer, bool good, const char *path)
{
  HG_TRY(hg_hdf5_leave(writer, good, path));
  hg_status status = hg_hdf5_write_trailer(writer->fd, path, &(hg_checksum){0, 0}, 0, 0, 0);
  if (close(writer->fd) != 0 && status == HG_OK)
    status = hg_fail(HG_IO, "%s: writing failed: %s", path, strerror(errno));
  if (status == HG_OK) return hg_file_commit(writer->temporary, path);
  unlink(writer->temporary);
  return status;
}
