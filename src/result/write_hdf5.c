/* SPDX-License-Identifier: MIT */
#include <hdf5.h>

#include "result/write.h"

static bool write_dataset(hid_t file, const hg_field *f)
{
  hsize_t shape[3];
  for (int i = 0; i < f->dims; i++) shape[f->dims - 1 - i] = (hsize_t)f->n[i];
  hid_t type = f->precision == HG_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(f->dims, shape, NULL);
  hid_t set = H5Dcreate2(file, f->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->values) >= 0;
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

hg_status hg_write_hdf5(const char *path, const hg_field *field)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return hg_fail(HG_IO, "%s: cannot be created", path);
  bool good = write_dataset(file, field);
  good = H5Fclose(file) >= 0 && good;
  return good ? HG_OK : hg_fail(HG_IO, "%s: writing failed, the disk may be full", path);
}
