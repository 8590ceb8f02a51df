/* SPDX-License-Identifier: MIT */
/* Results as NumPy's .npy. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "result/write.h"

enum { MAGIC = 10, ROOM = 256 };

/* Returns the bytes that come before the values. */
static size_t describe(const hg_field *f, unsigned char out[ROOM])
{
  char shape[80], *header = (char *)out + MAGIC;
  if (f->dims == 1)
    snprintf(shape, sizeof shape, "(%" PRId64 ",)", f->n[0]);
  else if (f->dims == 2)
    snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ")", f->n[1], f->n[0]);
  else
    snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")", f->n[2], f->n[1], f->n[0]);
  const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  const int size = (int)hg_precision_bytes(f->precision);
  int length =
      snprintf(header, ROOM - MAGIC, "{'descr': '%cf%d', 'fortran_order': False, 'shape': %s, }", order, size, shape);
  while ((MAGIC + length + 1) % 64) header[length++] = ' '; /* data start at a multiple of 64 bytes */
  header[length++] = '\n';
  memcpy(out, "\x93NUMPY\1\0", MAGIC - 2);
  out[MAGIC - 2] = (unsigned char)length;
  out[MAGIC - 1] = (unsigned char)(length >> 8);
  return (size_t)(MAGIC + length);
}

hg_status hg_npy_head(const void *field, hg_shared_file *file)
{
  unsigned char header[ROOM];
  const size_t size = describe(field, header);
  HG_TRY(hg_file_create(file->path, file->temporary, &file->fd));
  hg_shared_put(file, 0, header, size);
  file->first = (int64_t)size;
  return HG_OK;
}
