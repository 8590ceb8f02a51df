/* SPDX-License-Identifier: MIT */
/* NumPy's .npy and .npz. The header is a Python dictionary literal of three known keys:
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (344, 403), }
 * It is read by looking for the keys; whatever is not of this form is refused. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zip.h>

#include "base/file.h"
#include "base/memory.h"
#include "input/array.h"

enum { MAGIC = 8, HEADER_MAX = 65536 };

/* Text behind 'key': in the header, or NULL. */
static const char *value_of(const char *header, const char *key)
{
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s'", key);
  const char *p = strstr(header, quoted);
  if (!p) return NULL;
  p += strlen(quoted);
  while (*p == ' ') p++;
  if (*p++ != ':') return NULL;
  while (*p == ' ') p++;
  return p;
}

/* The type as the header names it, without what follows; "nothing" where there is none, "a structure" for a list. */
static hg_status wrong_type(const char *descr, const char *place)
{
  const char *text = !descr ? "nothing" : *descr == '[' ? "a structure" : descr;
  const size_t length = descr && *descr == '\'' ? 1 + strcspn(descr + 1, "'") + 1 : strcspn(text, ",}\n");
  return hg_fail(HG_FORMAT,
                 "%s: its values are of type %.*s, must be bool, an integer of 1-8 bytes, float32 or float64", place,
                 (int)(length < 40 ? length : 40), text);
}

/* descr is '<f8' and the like: byte order, kind, one digit. */
static hg_status parse_type(const char *descr, const char *place, hg_array *a)
{
  if (!descr || strnlen(descr, 6) < 6 || descr[0] != '\'' || !strchr("<>|=", descr[1]) || descr[4] != '\'')
    return wrong_type(descr, place);
  char kind = descr[2] == 'b' ? 'u' : descr[2];
  int size = descr[3] - '0';
  bool whole = (kind == 'i' || kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8);
  bool real = kind == 'f' && (size == 4 || size == 8);
  if (!whole && !real) return wrong_type(descr, place);
  a->kind = kind;
  a->size = size;
  a->swap = descr[1] == '>';
  return HG_OK;
}

/* shape holds the slowest axis first; 0-dimensional arrays and empty ones are refused. */
static hg_status parse_shape(const char *p, const char *place, int64_t shape[3], int *dims)
{
  *dims = 0;
  if (!p || *p++ != '(') return hg_fail(HG_FORMAT, "%s: the header has no 'shape'", place);
  while (*p && *p != ')') {
    char *end = NULL;
    errno = 0;
    long long n = isdigit((unsigned char)*p) ? strtoll(p, &end, 10) : -1;
    if (n < 1 || errno || n > INT64_MAX / 16)
      return hg_fail(HG_FORMAT, "%s: extent '%.*s' of the shape, must be >= 1", place, (int)strcspn(p, ",) "), p);
    if (*dims == 3) return hg_fail(HG_FORMAT, "%s: more than 3 dimensions", place);
    shape[(*dims)++] = n;
    p = end;
    while (*p == ' ' || *p == ',' || *p == 'L') p++;
  }
  if (*p != ')' || *dims == 0) return hg_fail(HG_FORMAT, "%s: a shape of 1 to 3 extents is needed", place);
  return HG_OK;
}

/* Strides in bytes; HG_FORMAT if the values do not fit into `available` bytes. */
static hg_status lay_out(hg_array *a, const int64_t shape[3], bool fortran, size_t available, const char *place)
{
  size_t bytes = (size_t)a->size;
  for (int i = 0; i < 3; i++) a->n[i] = i < a->dims ? shape[a->dims - 1 - i] : 1;
  for (int i = 0; i < 3; i++) {
    int axis = fortran ? 2 - i : i;
    a->stride[axis] = (int64_t)bytes;
    if (__builtin_mul_overflow(bytes, (size_t)a->n[axis], &bytes) || bytes > available)
      return hg_fail(HG_FORMAT,
                     "%s: truncated, %" PRId64 " x %" PRId64 " x %" PRId64
                     " values of %d bytes do not fit into %zu bytes",
                     place, a->n[0], a->n[1], a->n[2], a->size, available);
  }
  return HG_OK;
}

hg_status hg_npy_parse(const uint8_t *bytes, size_t size, const char *place, hg_array *out)
{
  if (size < MAGIC + 2 || memcmp(bytes, "\x93NUMPY", 6) != 0) return hg_fail(HG_FORMAT, "%s: not a .npy file", place);
  int version = bytes[6];
  if (version < 1 || version > 3) return hg_fail(HG_FORMAT, "%s: .npy version %d, must be 1..3", place, version);
  size_t start = version == 1 ? MAGIC + 2 : MAGIC + 4;
  if (size < start) return hg_fail(HG_FORMAT, "%s: truncated in the header", place);
  size_t length = bytes[8] | (size_t)bytes[9] << 8;
  if (version > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (length > HEADER_MAX || length > size - start) return hg_fail(HG_FORMAT, "%s: truncated in the header", place);

  char *header = strndup((const char *)bytes + start, length);
  if (!header) return hg_fail(HG_MEMORY, "%s: no memory for the header", place);
  hg_array a = {0};
  int64_t shape[3];
  hg_status status = parse_type(value_of(header, "descr"), place, &a);
  if (status == HG_OK) status = parse_shape(value_of(header, "shape"), place, shape, &a.dims);
  const char *order = value_of(header, "fortran_order");
  bool fortran = order && strncmp(order, "True", 4) == 0;
  if (status == HG_OK && !fortran && !(order && strncmp(order, "False", 5) == 0))
    status = hg_fail(HG_FORMAT, "%s: the header has no 'fortran_order'", place);
  free(header);
  HG_TRY(status);
  a.data = bytes + start + length;
  HG_TRY(lay_out(&a, shape, fortran, size - start - length, place));
  *out = a;
  return HG_OK;
}

hg_status hg_npy_open(const char *path, hg_array *out)
{
  void *bytes;
  size_t size;
  HG_TRY(hg_file_map(path, &bytes, &size));
  hg_status status = hg_npy_parse(bytes, size, path, out);
  if (status != HG_OK) {
    munmap(bytes, size);
    return status;
  }
  out->mapped = bytes;
  out->mapped_bytes = size;
  return HG_OK;
}

/* Index of member NAME.npy, or of the only member if no name is given; -1 with a message if there is none. */
static zip_int64_t find_member(zip_t *archive, const char *path, const char *member)
{
  zip_int64_t count = zip_get_num_entries(archive, 0);
  if (!member && count == 1) return 0;
  char names[400] = "", wanted[256];
  snprintf(wanted, sizeof wanted, "%s.npy", member ? member : "");
  zip_int64_t index = member ? zip_name_locate(archive, wanted, 0) : -1;
  if (index >= 0) return index;
  for (zip_int64_t i = 0; i < count && strlen(names) < 300; i++) {
    const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
    if (name) snprintf(names + strlen(names), sizeof names - strlen(names), " %.*s", (int)strcspn(name, "."), name);
  }
  hg_fail(HG_INVALID, "%s: %s%s; it holds:%s", path, member ? "no member " : "several members, name one as FILE:MEMBER",
          member ? member : "", names);
  return -1;
}

static hg_status read_member(zip_t *archive, zip_int64_t index, const char *path, void **bytes, size_t *size)
{
  zip_stat_t info;
  if (zip_stat_index(archive, (zip_uint64_t)index, 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE))
    return hg_fail(HG_FORMAT, "%s: the size of a member is unknown", path);
  const int64_t n[3] = {info.size > INT64_MAX ? INT64_MAX : (int64_t)info.size, 1, 1};
  HG_TRY(hg_memory_check(path, n, 1));
  *size = info.size;
  *bytes = malloc(*size ? *size : 1);
  if (!*bytes) return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", path, *size);
  zip_file_t *file = zip_fopen_index(archive, (zip_uint64_t)index, 0);
  zip_int64_t got = file ? zip_fread(file, *bytes, *size) : -1;
  if (file) zip_fclose(file);
  if (got == (zip_int64_t)*size) return HG_OK;
  free(*bytes);
  return hg_fail(HG_FORMAT, "%s: a member is damaged or truncated", path);
}

/* The archive owns the file from here on. */
static hg_status open_archive(const char *path, zip_t **out)
{
  FILE *f;
  zip_error_t e;
  HG_TRY(hg_file_open(path, &f));
  zip_error_init(&e);
  zip_source_t *source = zip_source_filep_create(f, 0, -1, &e);
  if (!source) fclose(f);
  *out = source ? zip_open_from_source(source, ZIP_RDONLY, &e) : NULL;
  if (source && !*out) zip_source_free(source);
  hg_status status = *out ? HG_OK : hg_fail(HG_FORMAT, "%s: %s", path, zip_error_strerror(&e));
  zip_error_fini(&e);
  return status;
}

hg_status hg_npz_open(const char *path, const char *member, hg_array *out)
{
  void *bytes = NULL;
  size_t size = 0;
  zip_t *archive;
  HG_TRY(open_archive(path, &archive));
  zip_int64_t index = find_member(archive, path, member);
  hg_status status = index < 0 ? HG_INVALID : read_member(archive, index, path, &bytes, &size);
  zip_discard(archive);
  HG_TRY(status);
  status = hg_npy_parse(bytes, size, path, out);
  if (status == HG_OK)
    out->owned = bytes;
  else
    free(bytes);
  return status;
}
