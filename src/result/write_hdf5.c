/* SPDX-License-Identifier: MIT */
/* Results as HDF5. */
#include <hdf5.h>
#include <string.h>

#include "result/hdf5_axes.h"
#include "result/hdf5_writer.h"
#include "result/write.h"

/* Writes the number for no data, by the CF conventions. */
static bool put_missing(hid_t set, const hg_field *f, hid_t type)
{
  const hsize_t one = 1;
  const float single = (float)f->missing;
  if (!f->has_missing) return true;
  hid_t space = H5Screate_simple(1, &one, NULL);
  hid_t attribute = H5Acreate2(set, "_FillValue", type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good =
      attribute >= 0 && H5Awrite(attribute, type, f->precision == HG_FLOAT ? (const void *)&single : &f->missing) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return good;
}

static bool make_room(const hg_hdf5_writer *writer, const hg_field *f, int64_t *first)
{
  hsize_t shape[3];
  for (int i = 0; i < f->dims; i++) shape[f->dims - 1 - i] = (hsize_t)f->n[i];
  hid_t type = f->precision == HG_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(f->dims, shape, NULL);
  hid_t set = (hid_t)hg_hdf5_room(writer, f->name, type, space, first);
  bool good = set >= 0 && put_missing(set, f, type);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  if (f->metadata) good = good && hg_metadata_to_hdf5(f->metadata, writer->file);
  H5Sclose(space);
  return good;
}

/* Writes one of the further fields, with its values. */
static bool write_whole(const hg_hdf5_writer *writer, const hg_field *f)
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

hg_status hg_hdf5_head(const void *field, hg_shared_file *file)
{
  hg_hdf5_writer writer;
  HG_TRY(hg_hdf5_begin(file->path, &writer));
  bool good = make_room(&writer, field, &file->first);
  for (const hg_field *f = ((const hg_field *)field)->also; f && good; f = f->also) good = write_whole(&writer, f);
  if (((const hg_field *)field)->placed) good = good && hg_hdf5_put_axes(&writer, field);
  HG_TRY(hg_hdf5_leave(&writer, good, file->path));
  memcpy(file->temporary, writer.temporary, sizeof file->temporary);
  file->fd = writer.fd;
  return HG_OK;
}
