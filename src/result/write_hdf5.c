/* SPDX-License-Identifier: MIT */
/* Results as HDF5. */
#include <hdf5.h>

#include "result/hdf5_writer.h"
#include "result/write.h"

static bool write_dataset(const hg_hdf5_writer *writer, const hg_field *f)
{
  hsize_t shape[3];
  for (int i = 0; i < f->dims; i++) shape[f->dims - 1 - i] = (hsize_t)f->n[i];
  hid_t type = f->precision == HG_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(f->dims, shape, NULL);
  hid_t set = (hid_t)hg_hdf5_dataset(writer, f->name, type, space);
  bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->values) >= 0;
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

hg_status hg_write_hdf5(const char *path, const hg_field *field)
{
  hg_hdf5_writer writer;
  HG_TRY(hg_hdf5_begin(path, &writer));
  bool good = true;
  for (const hg_field *f = field; f && good; f = f->also) good = write_dataset(&writer, f);
  return hg_hdf5_end(&writer, good, path, HG_HDF5_PLAIN, 0);
}
