/* SPDX-License-Identifier: MIT */
/* NumPy's .npy and .npz. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zip.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/npy.h"
#include "input/array.h"

static hg_status wrong_type(const char *type, const char *place)
{
  return hg_fail(HG_FORMAT,
                 "%s: its values are of type %s, must be bool, an integer of 1-8 bytes, float16, float32 or float64",
                 place, type);
}

/* '<f8' and the like: byte order, kind, one digit. */
static hg_status parse_type(const char *descr, const char *place, hg_array *a)
{
  if (strlen(descr) != 5 || descr[0] != '\'' || !strchr("<>|=", descr[1]) || descr[4] != '\'')
    return wrong_type(descr, place);
  char kind = descr[2] == 'b' ? 'u' : descr[2];
  int size = descr[3] - '0';
  bool whole = (kind == 'i' || kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8);
  bool real = kind == 'f' && (size == 2 || size == 4 || size == 8);
  bool odd = (descr[2] == 'b' && size != 1) || (descr[1] == '|' && size != 1);
  if ((!whole && !real) || odd) return wrong_type(descr, place);
  a->kind = kind;
  a->size = size;
  a->swap = descr[1] == '>';
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
  hg_npy_header h;
  HG_TRY(hg_npy_header_parse(bytes, size, place, &h));
  hg_array a = {.dims = h.dims, .data = bytes + h.begin};
  HG_TRY(parse_type(h.type, place, &a));
  HG_TRY(lay_out(&a, h.shape, h.fortran, size - h.begin, place));
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

/* Lists as many whole member names, without .npy, as fit. */
static void list_members(zip_t *archive, char *names, size_t room)
{
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  size_t used = 0;
  *names = '\0';
  for (zip_int64_t i = 0; i < count; i++) {
    const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
    const size_t length = name ? strlen(name) - (hg_file_has_ending(name, ".npy") ? 4 : 0) : 0;
    if (used + length + 24 > room) {
      snprintf(names + used, room - used, " and %" PRId64 " more", (int64_t)(count - i));
      return;
    }
    used += (size_t)snprintf(names + used, room - used, " %.*s", (int)length, name ? name : "");
  }
}

/* Index of member NAME.npy, or of the only member if no name is given; -1 with a message if there is none. */
static zip_int64_t find_member(zip_t *archive, const char *path, const char *member)
{
  zip_int64_t count = zip_get_num_entries(archive, 0);
  if (!member && count == 1) return 0;
  char names[600], wanted[HG_PATH_MAX + 8];
  snprintf(wanted, sizeof wanted, "%s.npy", member ? member : "");
  zip_int64_t index = member ? zip_name_locate(archive, wanted, 0) : -1;
  if (index < 0 && member) index = zip_name_locate(archive, member, 0);
  if (index >= 0) return index;
  if (!member && zip_name_locate(archive, "format.npy", 0) >= 0 && zip_name_locate(archive, "data.npy", 0) >= 0) {
    hg_fail(HG_INVALID, "%s: a sparse SciPy matrix, not a field; save it as a dense array", path);
    return -1;
  }
  list_members(archive, names, sizeof names);
  hg_fail(HG_INVALID, "%s: %s%s; it holds:%s", path, member ? "no member " : "several members, name one as FILE:MEMBER",
          member ? member : "", names);
  return -1;
}

static hg_status read_member(zip_t *archive, zip_int64_t index, const char *path, void **bytes, size_t *size)
{
  zip_stat_t info;
  if (zip_stat_index(archive, (zip_uint64_t)index, 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE))
    return hg_fail(HG_FORMAT, "%s: the size of a member is unknown", path);
  const bool by_zlib = info.comp_method == ZIP_CM_STORE || info.comp_method == ZIP_CM_DEFLATE;
  if (by_zlib) HG_TRY(hg_file_check_unpacked(path, (double)info.size));
  const int64_t n[3] = {info.size > INT64_MAX ? INT64_MAX : (int64_t)info.size, 1, 1};
  HG_TRY(hg_memory_check(path, n, 1));
  *size = info.size;
  *bytes = malloc(*size ? *size : 1);
  if (!*bytes) return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", path, *size);
  zip_file_t *file = zip_fopen_index(archive, (zip_uint64_t)index, 0);
  char behind; /* reading past the member's end compares the checksum */
  const bool whole = file && zip_fread(file, *bytes, *size) == (zip_int64_t)*size && zip_fread(file, &behind, 1) == 0;
  if (file) zip_fclose(file);
  if (whole) return HG_OK;
  free(*bytes);
  return hg_fail(HG_FORMAT, "%s: a member is damaged or truncated", path);
}

/* Opens an archive, which then owns the file. */
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

static hg_status load_member(const char *path, const char *member, void **bytes, size_t *size)
{
  zip_t *archive;
  HG_TRY(open_archive(path, &archive));
  const zip_int64_t index = find_member(archive, path, member);
  const hg_status status = index < 0 ? HG_INVALID : read_member(archive, index, path, bytes, size);
  zip_discard(archive);
  return status;
}

hg_status hg_npz_open(const char *path, const char *member, hg_array *out)
{
  void *bytes = NULL;
  size_t size = 0;
  HG_TRY(load_member(path, member, &bytes, &size));
  const hg_status status = hg_npy_parse(bytes, size, path, out);
  if (status == HG_OK)
    out->owned = bytes;
  else
    free(bytes);
  return status;
}

hg_status hg_npz_word(const char *path, const char *member, char *word, size_t room)
{
  enum { HEAD = 10 };
  void *bytes = NULL;
  size_t size = 0;
  HG_TRY(load_member(path, member, &bytes, &size));
  const uint8_t *b = bytes;
  const size_t begin = size > HEAD ? HEAD + (b[8] | (size_t)b[9] << 8) : size;
  const bool good = begin < size && size - begin < room && memcmp(b, "\x93NUMPY\1", 7) == 0;
  snprintf(word, room, "%.*s", good ? (int)(size - begin) : 0, good ? (const char *)b + begin : "");
  free(bytes);
  return good ? HG_OK : hg_fail(HG_FORMAT, "%s: its member %s is not a string", path, member);
}

bool hg_npz_is_sparse(const char *path)
{
  zip_t *archive;
  if (open_archive(path, &archive) != HG_OK) return false;
  const bool sparse = zip_name_locate(archive, "format.npy", 0) >= 0 && zip_name_locate(archive, "shape.npy", 0) >= 0 &&
                      zip_name_locate(archive, "data.npy", 0) >= 0;
  zip_discard(archive);
  return sparse;
}
