/* SPDX-License-Identifier: MIT */
/* Fields from datasets of HDF5 files, of which only what is asked for is read. */
#include <hdf5.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "input/grid.h"

/* A link to another file is not followed: what is read is in the file that was named. */
static herr_t refuse_link(const char *parent, const char *group, const char *file, const char *object, unsigned *flags,
                          hid_t access, void *met)
{
  (void)parent, (void)group, (void)file, (void)object, (void)flags, (void)access;
  *(bool *)met = true;
  return -1;
}

/* Opens an object of the file; *linked tells whether the way there led out of it. */
static hid_t open_object(hid_t group, const char *name, bool *linked)
{
  hid_t access = H5Pcreate(H5P_LINK_ACCESS);
  *linked = false;
  hid_t object = H5Pset_elink_cb(access, refuse_link, linked) >= 0 ? H5Oopen(group, name, access) : -1;
  H5Pclose(access);
  return object;
}

/* Finds the datasets of the root group: counts them, remembers the first. */
typedef struct search {
  int count;
  char name[256];
} search;

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *arg)
{
  search *s = arg;
  bool linked;
  (void)info;
  hid_t object = open_object(group, name, &linked);
  bool is_dataset = object >= 0 && H5Iget_type(object) == H5I_DATASET;
  if (object >= 0) H5Oclose(object);
  if (!is_dataset) return 0;
  if (s->count++ == 0) snprintf(s->name, sizeof s->name, "%s", name);
  return 0;
}

static hg_status find_dataset(hid_t file, const char *path, search *s)
{
  *s = (search){0};
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, s);
  if (s->count == 1) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %d datasets, name one as FILE:DATASET", path, s->count);
}

/* External storage reads any file of the machine, and a virtual dataset others of its kind. */
static hg_status check_storage(hid_t set, const char *path, const char *dataset)
{
  hid_t creation = H5Dget_create_plist(set);
  const bool known = creation >= 0;
  const bool elsewhere = known && (H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL);
  if (known) H5Pclose(creation);
  if (!known) return hg_fail(HG_FORMAT, "%s: dataset '%s' cannot be read", path, dataset);
  return elsewhere ? hg_fail(HG_FORMAT, "%s: the values of dataset '%s' are in other files, must be in this one", path,
                             dataset)
                   : HG_OK;
}

/* The state of a job is kept as bytes, which are no numbers. */
static hg_status refuse_state(hid_t set, const char *path)
{
  if (H5Aexists(set, "step") <= 0 || H5Aexists(set, "identity") <= 0) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: a checkpoint, which is no field; --restart goes on from it", path);
}

static hg_status open_dataset(hid_t file, const char *path, const char *dataset, int64_t *out)
{
  bool linked;
  hid_t set = open_object(file, dataset, &linked);
  if (linked) return hg_fail(HG_FORMAT, "%s: '%s' is a link to another file, must be in this one", path, dataset);
  if (set >= 0 && H5Iget_type(set) != H5I_DATASET) {
    H5Oclose(set);
    set = -1;
  }
  *out = set;
  if (set < 0) return hg_fail(HG_INVALID, "%s: no dataset '%s'", path, dataset);
  HG_TRY(refuse_state(set, path));
  return check_storage(set, path, dataset);
}

static hg_status read_shape(hg_hdf5_input *in, const char *path)
{
  hsize_t shape[3] = {0};
  hid_t space = H5Dget_space((hid_t)in->dataset), type = H5Dget_type((hid_t)in->dataset);
  H5T_class_t class = H5Tget_class(type);
  in->dims = H5Sget_simple_extent_ndims(space);
  if (in->dims >= 1 && in->dims <= 3) H5Sget_simple_extent_dims(space, shape, NULL);
  H5Sclose(space);
  H5Tclose(type);
  if (in->dims < 1 || in->dims > 3)
    return hg_fail(HG_FORMAT, "%s: a dataset of %d dimensions, must be 1..3", path, in->dims);
  if (class != H5T_INTEGER && class != H5T_FLOAT)
    return hg_fail(HG_FORMAT, "%s: the dataset does not hold numbers", path);
  for (int i = 0; i < 3; i++) {
    in->n[i] = i < in->dims ? (int64_t)shape[in->dims - 1 - i] : 1;
    if (in->n[i] < 1) return hg_fail(HG_FORMAT, "%s: the dataset is empty", path);
  }
  return HG_OK;
}

hg_status hg_hdf5_open(const char *path, const char *dataset, hg_hdf5_input *out)
{
  hg_hdf5_input in = {.file = -1, .dataset = -1};
  search found;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  FILE *f;
  HG_TRY(hg_file_open(path, &f)); /* HDF5 would wait at a pipe */
  fclose(f);
  in.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (in.file < 0) return hg_fail(HG_FORMAT, "%s: not an HDF5 file, or truncated", path);
  hg_status status = HG_OK;
  if (!dataset) {
    status = find_dataset((hid_t)in.file, path, &found);
    dataset = found.name;
  }
  if (status == HG_OK) status = open_dataset((hid_t)in.file, path, dataset, &in.dataset);
  if (status == HG_OK) status = read_shape(&in, path);
  if (status != HG_OK)
    hg_hdf5_close(&in);
  else
    *out = in;
  return status;
}

hg_status hg_hdf5_read(const hg_hdf5_input *in, const char *place, const hg_box *box, double *out)
{
  hsize_t start[3], count[3];
  for (int i = 0; i < in->dims; i++) {
    start[in->dims - 1 - i] = (hsize_t)box->lo[i];
    count[in->dims - 1 - i] = (hsize_t)hg_box_extent(box, i);
  }
  hid_t space = H5Dget_space((hid_t)in->dataset), memory = H5Screate_simple(in->dims, count, NULL);
  herr_t e = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  if (e >= 0) e = H5Dread((hid_t)in->dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out);
  H5Sclose(space);
  H5Sclose(memory);
  return e < 0 ? hg_fail(HG_FORMAT, "%s: the dataset cannot be read, it may be truncated", place) : HG_OK;
}

void hg_hdf5_close(hg_hdf5_input *in)
{
  if (in->dataset >= 0) H5Dclose((hid_t)in->dataset);
  if (in->file >= 0) H5Fclose((hid_t)in->file);
  in->file = in->dataset = -1;
}
