/* SPDX-License-Identifier: MIT */
#include "result/hdf5_trailer.h"

#include <hdf5.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* The last bytes of a file. */
typedef struct trailer {
  char mark[8];
  uint64_t bytes;    /* before it */
  hg_checksum sum;   /* of them */
  uint64_t identity; /* of the problem, known without reading the rest */
} trailer;

static const char seal_mark[8] = "hgseal3";

/* Adds the bytes from `at` to `end`. */
static bool sum_file(int fd, int64_t at, int64_t end, hg_checksum *sum)
{
  static _Thread_local unsigned char block[1 << 16];
  while (at < end) {
    const size_t want = end - at < (int64_t)sizeof block ? (size_t)(end - at) : sizeof block;
    const ssize_t n = pread(fd, block, want, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    hg_checksum_add(sum, at, block, (size_t)n);
    at += n;
  }
  return true;
}

static bool append(int fd, const trailer *s)
{
  const char *from = (const char *)s;
  for (size_t done = 0; done < sizeof *s;) {
    const ssize_t n = pwrite(fd, from + done, sizeof *s - done, (off_t)(s->bytes + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

hg_status hg_hdf5_write_trailer(int fd, const char *path, const hg_checksum *sum, int64_t first, int64_t known,
                                uint64_t identity)
{
  const off_t end = lseek(fd, 0, SEEK_END);
  trailer s = {.bytes = (uint64_t)end, .sum = *sum, .identity = identity};
  memcpy(s.mark, seal_mark, sizeof s.mark);
  errno = 0;
  const bool good = end >= 0 && sum_file(fd, 0, known ? first : 0, &s.sum) &&
                    sum_file(fd, known ? first + known : 0, end, &s.sum) && append(fd, &s);
  return good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : "writing failed");
}

/* Reads the trailer, and checks that the file has as many bytes as it says. */
static bool read_trailer(int fd, trailer *s)
{
  const off_t end = lseek(fd, 0, SEEK_END), at = end - (off_t)sizeof *s;
  return at >= 0 && pread(fd, s, sizeof *s, at) == (ssize_t)sizeof *s &&
         memcmp(s->mark, seal_mark, sizeof s->mark) == 0 && (off_t)s->bytes == at;
}

/* Adds the sums of all ranks in limbs of 32 bits, whose sums doubles hold exactly. */
void hg_checksums_of_all(const hg_session *session, hg_checksum *sum)
{
  double limb[4] = {(double)(sum->low & UINT32_MAX), (double)(sum->low >> 32), (double)(sum->high & UINT32_MAX),
                    (double)(sum->high >> 32)};
  hg_session_sum_all(session, limb, 4);
  *sum = (hg_checksum){0, 0};
  for (int i = 0; i < 4; i++) {
    const uint64_t value = (uint64_t)limb[i];
    const hg_checksum part = {i == 0   ? value
                              : i == 1 ? value << 32
                                       : 0,
                              i == 1   ? value >> 32
                              : i == 2 ? value
                              : i == 3 ? value << 32
                                       : 0};
    hg_checksum_join(sum, &part);
  }
}

static hg_status damaged(const char *path, const char *what)
{
  char previous[HG_PATH_MAX];
  const bool older = hg_file_previous(path, previous) == HG_OK && access(previous, R_OK) == 0;
  return hg_fail(HG_FORMAT, "%s: not a %s, or truncated or damaged%s%s", path, what,
                 older ? "; the previous one is " : "", older ? previous : "");
}

hg_status hg_hdf5_check_trailer(const hg_session *session, const char *path, const char *what)
{
  trailer s = {.bytes = 0};
  hg_checksum sum = {0, 0};
  FILE *f = NULL;
  hg_status status = hg_file_open(path, &f);
  if (status == HG_OK && !read_trailer(fileno(f), &s)) status = damaged(path, what);
  const int64_t part = (int64_t)s.bytes / session->ranks, at = part * session->rank;
  const int64_t end = session->rank == session->ranks - 1 ? (int64_t)s.bytes : at + part;
  if (status == HG_OK && !sum_file(fileno(f), at, end, &sum)) status = damaged(path, what);
  if (f) fclose(f);
  HG_TRY(hg_session_agree(session, status));
  hg_checksums_of_all(session, &sum);
  const bool good = sum.low == s.sum.low && sum.high == s.sum.high;
  return hg_session_agree(session, good ? HG_OK : damaged(path, what));
}

hg_status hg_hdf5_check_place(const char *path, uint64_t identity)
{
  trailer s;
  FILE *f;
  if (access(path, F_OK) != 0) return HG_OK;
  HG_TRY(hg_file_open(path, &f));
  const bool same = read_trailer(fileno(f), &s) && s.identity == identity;
  fclose(f);
  return same ? HG_OK : hg_fail(HG_INVALID, "%s: exists and is not replaced (no checkpoint of this problem)", path);
}

bool hg_hdf5_put(int64_t at, const char *name, int64_t type, const void *value)
{
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2((hid_t)at, name, (hid_t)type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, (hid_t)type, value) >= 0;
  if (attribute >= 0) good = H5Aclose(attribute) >= 0 && good;
  H5Sclose(space);
  return good;
}

bool hg_hdf5_get(int64_t at, const char *name, int64_t type, void *value)
{
  hid_t attribute = H5Aopen((hid_t)at, name, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Aread(attribute, (hid_t)type, value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  return good;
}

bool hg_hdf5_put_text(int64_t at, const char *name, const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  const bool good = H5Tset_size(type, strlen(text) + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                    hg_hdf5_put(at, name, type, text);
  H5Tclose(type);
  return good;
}

char *hg_hdf5_get_text(int64_t at, const char *name)
{
  const hid_t attribute = H5Aexists((hid_t)at, name) > 0 ? H5Aopen((hid_t)at, name, H5P_DEFAULT) : -1;
  if (attribute < 0) return NULL;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const bool is_text =
      H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && H5Sget_simple_extent_npoints(space) == 1;
  char *text = is_text ? calloc(H5Tget_size(type) + 1, 1) : NULL;
  if (text && H5Aread(attribute, type, text) < 0) *text = 0;
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return text;
}
