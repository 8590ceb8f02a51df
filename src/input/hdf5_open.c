/* SPDX-License-Identifier: MIT */
#include "input/hdf5_open.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>

#include "base/file.h"

hg_status hg_hdf5_open_file(const char *path, int64_t *file)
{
  FILE *f;
  HG_TRY(hg_file_open(path, &f)); /* HDF5 would block on a pipe */
  fclose(f);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  errno = 0;
  *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (*file >= 0) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: %s", path,
                 errno == EAGAIN ? "another program has it open for writing" : "not an HDF5 file, or truncated");
}
