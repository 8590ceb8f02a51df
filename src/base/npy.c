/* SPDX-License-Identifier: MIT */
/* The header is a Python dictionary literal of three known keys:
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (344, 403), }
 * Anything not of this form is refused. */
#include "base/npy.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 8, READ_MAX = 65536 };

#define HEADER "%s: the header is no dictionary of Python's"

/* Skips blanks and then the wanted character; returns whether it was there. */
static bool pass(const char **at, char wanted)
{
  *at += strspn(*at, " \n");
  if (**at != wanted) return false;
  ++*at;
  return true;
}

/* A text in quotes. */
static bool read_quoted(const char **at, const char **first, size_t *length)
{
  const char *quote = *at + strspn(*at, " \n");
  if (*quote != '\'' && *quote != '"') return false;
  *first = quote + 1;
  *length = strcspn(*first, (char[]){*quote, '\0'});
  *at = *first + *length;
  return pass(at, *quote);
}

/* A list describes a structure. */
static bool pass_list(const char **at)
{
  int depth = 0;
  do {
    depth += (**at == '[') - (**at == ']');
    ++*at;
  } while (depth > 0 && **at);
  return depth == 0;
}

static hg_status read_type(const char **at, const char *place, hg_npy_header *h)
{
  const char *text;
  size_t length;
  *at += strspn(*at, " ");
  const bool is_list = **at == '[';
  if (!(is_list ? pass_list(at) : read_quoted(at, &text, &length)))
    return hg_fail(HG_FORMAT, "%s: the header's 'descr' must be a text or a list", place);
  if (is_list)
    snprintf(h->type, sizeof h->type, "a structure");
  else
    snprintf(h->type, sizeof h->type, "'%.*s'", (int)(length < 40 ? length : 40), text);
  return HG_OK;
}

static hg_status read_order(const char **at, const char *place, hg_npy_header *h)
{
  static const char *const names[] = {"False", "True"};
  *at += strspn(*at, " ");
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(names[i]);
    if (strncmp(*at, names[i], length) != 0) continue;
    h->fortran = i;
    *at += length;
    return HG_OK;
  }
  return hg_fail(HG_FORMAT, "%s: the header's 'fortran_order' must be True or False", place);
}

/* (NX,), (NY, NX) or (NZ, NY, NX); Python 2 writes 3L. */
static hg_status read_shape(const char **at, const char *place, hg_npy_header *h)
{
  bool more = pass(at, '(');
  while (more && !pass(at, ')')) {
    char *end = NULL;
    errno = 0;
    const long long n = isdigit((unsigned char)**at) ? strtoll(*at, &end, 10) : -1;
    if (n < 1 || errno || n > INT64_MAX / 16)
      return hg_fail(HG_FORMAT, "%s: extent '%.*s' of the shape, must be >= 1", place, (int)strcspn(*at, ",) "), *at);
    if (h->dims == 3) return hg_fail(HG_FORMAT, "%s: more than 3 dimensions", place);
    h->shape[h->dims++] = n;
    *at = end + (*end == 'L');
    more = pass(at, ',') || **at == ')';
  }
  if (!more || h->dims == 0) return hg_fail(HG_FORMAT, "%s: a shape of 1 to 3 extents is needed", place);
  return HG_OK;
}

/* A Python dictionary of three keys. */
static hg_status parse(const char *text, const char *place, hg_npy_header *h)
{
  static const struct {
    const char *name;
    hg_status (*read)(const char **at, const char *place, hg_npy_header *h);
  } key[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};
  enum { KEYS = sizeof key / sizeof *key };
  bool seen[KEYS] = {false}, more = pass(&text, '{');
  while (more && !pass(&text, '}')) {
    const char *name;
    size_t length;
    int i = 0;
    if (!read_quoted(&text, &name, &length) || !pass(&text, ':')) return hg_fail(HG_FORMAT, HEADER, place);
    while (i < KEYS && (strlen(key[i].name) != length || strncmp(key[i].name, name, length) != 0)) i++;
    if (i == KEYS || seen[i])
      return hg_fail(HG_FORMAT, "%s: the header has '%.*s' %s", place, (int)(length < 40 ? length : 40), name,
                     i == KEYS ? "besides 'descr', 'fortran_order' and 'shape'" : "twice");
    HG_TRY(key[i].read(&text, place, h));
    seen[i] = true;
    more = pass(&text, ',') || *text == '}';
  }
  if (!more || pass(&text, '}') || *text) return hg_fail(HG_FORMAT, HEADER, place);
  for (int i = 0; i < KEYS; i++)
    if (!seen[i]) return hg_fail(HG_FORMAT, "%s: the header has no '%s'", place, key[i].name);
  return HG_OK;
}

hg_status hg_npy_header_parse(const uint8_t *bytes, size_t size, const char *place, hg_npy_header *out)
{
  if (size < MAGIC + 2 || memcmp(bytes, "\x93NUMPY", 6) != 0) return hg_fail(HG_FORMAT, "%s: not a .npy file", place);
  const int version = bytes[6];
  if (version < 1 || version > 3) return hg_fail(HG_FORMAT, "%s: .npy version %d, must be 1..3", place, version);
  const size_t start = version == 1 ? MAGIC + 2 : MAGIC + 4;
  if (size < start) return hg_fail(HG_FORMAT, "%s: truncated in the header", place);
  size_t length = bytes[8] | (size_t)bytes[9] << 8;
  if (version > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (length > READ_MAX || length > size - start) return hg_fail(HG_FORMAT, "%s: truncated in the header", place);
  char *text = strndup((const char *)bytes + start, length);
  if (!text) return hg_fail(HG_MEMORY, "%s: no memory for the header", place);
  hg_npy_header h = {.shape = {1, 1, 1}, .begin = start + length};
  const hg_status status = parse(text, place, &h);
  free(text);
  if (status == HG_OK) *out = h;
  return status;
}

size_t hg_npy_header_write(const char *type, int dims, const int64_t *shape, uint8_t out[HG_NPY_HEAD_MAX])
{
  enum { START = MAGIC + 2, ROOM = HG_NPY_HEAD_MAX - START };
  const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  char *text = (char *)out + START;
  int length = snprintf(text, ROOM, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", order, type);
  for (int i = 0; i < dims; i++)
    length += snprintf(text + length, (size_t)(ROOM - length), i < dims - 1 ? "%" PRId64 ", " : "%" PRId64, shape[i]);
  length += snprintf(text + length, (size_t)(ROOM - length), dims == 1 ? ",), }" : "), }");
  while ((START + length + 1) % 64) text[length++] = ' '; /* values start at a multiple of 64 bytes */
  text[length++] = '\n';
  memcpy(out, "\x93NUMPY\1\0", MAGIC);
  out[MAGIC] = (uint8_t)length;
  out[MAGIC + 1] = (uint8_t)(length >> 8);
  return (size_t)(START + length);
}
