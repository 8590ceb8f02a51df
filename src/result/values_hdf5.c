/* SPDX-License-Identifier: MIT */
#include "result/values_hdf5.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/hdf5_writer.h"
#include "result/sealed_hdf5.h"

hg_status hg_checkpoint_check(const char *path, uint64_t identity)
{
  HG_TRY(hg_output_check(path));
  return hg_hdf5_check_place(path, identity);
}

static bool write_set(const hg_hdf5_writer *writer, const void *values, int64_t bytes, const hg_checkpoint *c)
{
  const hsize_t shape = (hsize_t)bytes;
  hid_t space = H5Screate_simple(1, &shape, NULL);
  hid_t set = (hid_t)hg_hdf5_dataset(writer, "values", H5T_NATIVE_UINT8, space);
  bool good = set >= 0 && H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  good = good && hg_hdf5_put(set, "step", H5T_NATIVE_INT64, &c->step) &&
         hg_hdf5_put(set, "identity", H5T_NATIVE_UINT64, &c->identity);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

hg_status hg_values_write(const char *path, const void *values, int64_t bytes, const hg_checkpoint *checkpoint)
{
  hg_hdf5_writer writer;
  HG_TRY(hg_hdf5_begin(path, &writer));
  const bool good = write_set(&writer, values, bytes, checkpoint);
  return hg_hdf5_end(&writer, good, path, HG_HDF5_CHECKPOINT, checkpoint->identity);
}

static hg_status read_set(hid_t set, const char *path, int64_t bytes, uint64_t identity, hg_checkpoint *c,
                          unsigned char *values)
{
  if (set < 0 || !hg_hdf5_get(set, "step", H5T_NATIVE_INT64, &c->step) ||
      !hg_hdf5_get(set, "identity", H5T_NATIVE_UINT64, &c->identity) || c->step < 0)
    return hg_fail(HG_FORMAT, "%s: not a checkpoint of a job, or truncated", path);
  hid_t space = H5Dget_space(set);
  const hssize_t have = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  if (c->identity != identity || have != bytes)
    return hg_fail(HG_INVALID,
                   "%s: is a checkpoint of another problem (name, size, values, boundary, parameters or source differ)",
                   path);
  if (H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    return hg_fail(HG_FORMAT, "%s: cannot be read", path);
  return HG_OK;
}

hg_status hg_values_read(const char *path, int64_t bytes, uint64_t identity, hg_checkpoint *c, unsigned char **values)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  HG_TRY(hg_hdf5_check_seal(path, "checkpoint"));
  HG_TRY(hg_allocate("the values of a checkpoint", (size_t)bytes, (void **)values));
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = file >= 0 ? H5Dopen2(file, "values", H5P_DEFAULT) : -1;
  hg_status status = read_set(set, path, bytes, identity, c, *values);
  if (set >= 0) H5Dclose(set);
  if (file >= 0) H5Fclose(file);
  if (status == HG_OK) return HG_OK;
  free(*values);
  *values = NULL;
  return status;
}
