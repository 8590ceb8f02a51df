/* SPDX-License-Identifier: MIT */
/* Results as NumPy's .npy. */
#include <stdio.h>

#include "base/npy.h"
#include "result/write.h"

hg_status hg_npy_head(const void *field, hg_shared_file *file)
{
  const hg_field *f = field;
  int64_t shape[3];
  char type[8];
  uint8_t header[HG_NPY_HEAD_MAX];
  for (int i = 0; i < f->dims; i++) shape[i] = f->n[f->dims - 1 - i];
  snprintf(type, sizeof type, "f%d", (int)hg_precision_bytes(f->precision));
  const size_t size = hg_npy_header_write(type, f->vector ? 1 : f->dims, shape, header);
  HG_TRY(hg_file_create(file->path, file->temporary, &file->fd));
  hg_shared_put(file, 0, header, size);
  file->first = (int64_t)size;
  return HG_OK;
}
