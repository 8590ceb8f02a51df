/* SPDX-License-Identifier: MIT */
/* The header is a Python dictionary literal of three known keys:
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (344, 403), }
 * It is read by looking for the keys; whatever is not of this form is refused. */
#include "base/npy.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 8, READ_MAX = 65536 };

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

/* Without what follows; a list describes a structure. */
static void copy_type(const char *descr, hg_npy_header *h)
{
  const char *text = *descr == '[' ? "a structure" : descr;
  const size_t length = *text == '\'' ? 1 + strcspn(text + 1, "'") + 1 : strcspn(text, ",}\n");
  snprintf(h->type, sizeof h->type, "%.*s", (int)(length < 40 ? length : 40), text);
}

static hg_status parse_shape(const char *p, const char *place, hg_npy_header *h)
{
  if (!p || *p++ != '(') return hg_fail(HG_FORMAT, "%s: the header has no 'shape'", place);
  while (*p && *p != ')') {
    char *end = NULL;
    errno = 0;
    long long n = isdigit((unsigned char)*p) ? strtoll(p, &end, 10) : -1;
    if (n < 1 || errno || n > INT64_MAX / 16)
      return hg_fail(HG_FORMAT, "%s: extent '%.*s' of the shape, must be >= 1", place, (int)strcspn(p, ",) "), p);
    if (h->dims == 3) return hg_fail(HG_FORMAT, "%s: more than 3 dimensions", place);
    h->shape[h->dims++] = n;
    p = end;
    while (*p == ' ' || *p == ',' || *p == 'L') p++;
  }
  if (*p != ')' || h->dims == 0) return hg_fail(HG_FORMAT, "%s: a shape of 1 to 3 extents is needed", place);
  return HG_OK;
}

static hg_status parse(const char *text, const char *place, hg_npy_header *h)
{
  const char *descr = value_of(text, "descr"), *order = value_of(text, "fortran_order");
  if (!descr) return hg_fail(HG_FORMAT, "%s: the header has no 'descr'", place);
  copy_type(descr, h);
  HG_TRY(parse_shape(value_of(text, "shape"), place, h));
  h->fortran = order && strncmp(order, "True", 4) == 0;
  if (!h->fortran && !(order && strncmp(order, "False", 5) == 0))
    return hg_fail(HG_FORMAT, "%s: the header has no 'fortran_order'", place);
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
