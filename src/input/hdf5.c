/* SPDX-License-Identifier: MIT */
/* Fields from datasets of HDF5 files; only what is requested is read. */
#include <hdf5.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "input/array.h"
#include "input/grid.h"
#include "input/hdf5_open.h"

/* Refuses links to other files: only the named file is read. */
static herr_t refuse_link(const char *parent, const char *group, const char *file, const char *object, unsigned *flags,
                          hid_t access, void *met)
{
  (void)parent, (void)group, (void)file, (void)object, (void)flags, (void)access;
  *(bool *)met = true;
  return -1;
}

/* Opens an object of the file; *linked tells whether its path led to another file. */
static hid_t open_object(hid_t group, const char *name, bool *linked)
{
  hid_t access = H5Pcreate(H5P_LINK_ACCESS);
  *linked = false;
  hid_t object = H5Pset_elink_cb(access, refuse_link, linked) >= 0 ? H5Oopen(group, name, access) : -1;
  H5Pclose(access);
  return object;
}

/* Search for datasets: their number, as many whole names as fit, and the last one in the root group. */
typedef struct search {
  int count, listed, in_root;
  char names[600], name[HG_PATH_MAX];
} search;

/* Whether a dataset holds coordinates or times of fields: dimension scales and single numbers. */
static bool is_coordinate(hid_t set)
{
  const hid_t space = H5Dget_space(set),
              attribute = H5Aexists(set, "CLASS") > 0 ? H5Aopen(set, "CLASS", H5P_DEFAULT) : -1;
  const bool single = H5Sget_simple_extent_ndims(space) == 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return single || attribute >= 0;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *arg)
{
  search *s = arg;
  bool linked;
  (void)info;
  hid_t object = open_object(group, name, &linked);
  bool is_dataset = object >= 0 && H5Iget_type(object) == H5I_DATASET && !is_coordinate(object);
  if (object >= 0) H5Oclose(object);
  if (!is_dataset) return 0;
  const size_t used = strlen(s->names);
  if (used + strlen(name) + 2 < sizeof s->names && s->listed == s->count) {
    sprintf(s->names + used, " %s", name);
    s->listed++;
  }
  s->count++;
  if (!strchr(name, '/') && strlen(name) < sizeof s->name) {
    strcpy(s->name, name);
    s->in_root++;
  }
  return 0;
}

static search list_datasets(hid_t file)
{
  search s = {0};
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &s);
  const size_t used = strlen(s.names);
  if (s.listed < s.count) snprintf(s.names + used, sizeof s.names - used, " and %d more", s.count - s.listed);
  return s;
}

static hg_status find_dataset(hid_t file, const char *path, search *s)
{
  *s = list_datasets(file);
  if (s->in_root == 1) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %d datasets, name one as FILE:DATASET; it holds:%s", path, s->count,
                 s->count ? s->names : " none");
}

/* Refuses external storage, which could read any file of the machine, and virtual datasets, which read other HDF5
 * files. */
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

/* Number of chunks that the dataset's extent needs and the file lacks, out of *all. */
static hsize_t missing_chunks(hid_t set, hid_t creation, hsize_t *all)
{
  hsize_t extent[H5S_MAX_RANK], chunk[H5S_MAX_RANK], written = 0;
  const hid_t space = H5Dget_space(set);
  const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
  const bool chunked = H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, rank, chunk) == rank &&
                       H5Dget_num_chunks(set, space, &written) >= 0;
  *all = 1;
  for (int i = 0; chunked && i < rank; i++) *all *= (extent[i] + chunk[i] - 1) / chunk[i];
  H5Sclose(space);
  return chunked && written < *all ? *all - written : 0;
}

/* The library would return zeros for values that are not in the file. A dataset with only a shape is refused; if it is
 * partly written, zeros may be intended. */
static hg_status check_written(hid_t set, const char *path, const char *dataset)
{
  H5D_space_status_t status;
  H5D_fill_value_t fill = H5D_FILL_VALUE_ERROR;
  double value;
  hsize_t all;
  const hid_t creation = H5Dget_create_plist(set);
  H5Pfill_value_defined(creation, &fill);
  const hsize_t missing = missing_chunks(set, creation, &all);
  H5Pclose(creation);
  const bool chosen = fill == H5D_FILL_VALUE_USER_DEFINED, by_netcdf = hg_conventions_default_fill(set, &value);
  if ((!chosen || by_netcdf) && H5Dget_storage_size(set) == 0 && H5Dget_space_status(set, &status) >= 0 &&
      status == H5D_SPACE_STATUS_NOT_ALLOCATED)
    return hg_fail(HG_FORMAT, "%s: the values of dataset '%s' have never been written", path, dataset);
  if (!chosen && missing > 0)
    hg_log(HG_WARN, "%s: %llu of %llu chunks of dataset '%s' have never been written: their values are 0", path,
           (unsigned long long)missing, (unsigned long long)all, dataset);
  return HG_OK;
}

/* Refuses a job's checkpoint, which holds bytes and not numbers. */
static hg_status refuse_state(hid_t set, const char *path)
{
  if (H5Aexists(set, "step") <= 0 || H5Aexists(set, "identity") <= 0) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: a checkpoint, not a field; --restart continues from it", path);
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
  if (set < 0) return hg_fail(HG_INVALID, "%s: no dataset '%s'; it holds:%s", path, dataset, list_datasets(file).names);
  HG_TRY(refuse_state(set, path));
  HG_TRY(check_storage(set, path, dataset));
  return check_written(set, path, dataset);
}

/* How h5py stores bool: an enumeration of FALSE and TRUE. */
static bool is_bool(hid_t type)
{
  signed char no = -1, yes = -1;
  return H5Tget_class(type) == H5T_ENUM && H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
         H5Tenum_valueof(type, "FALSE", &no) >= 0 && H5Tenum_valueof(type, "TRUE", &yes) >= 0 && no == 0 && yes == 1;
}

/* Name of a type that is not numbers; NULL: numbers. */
static const char *other_type(hid_t type)
{
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
  case H5T_FLOAT: return NULL;
  case H5T_ENUM: return is_bool(type) ? NULL : "of an enumeration";
  case H5T_STRING: return "texts";
  case H5T_COMPOUND: return "compounds, such as complex numbers";
  case H5T_ARRAY: return "arrays";
  case H5T_VLEN: return "lists of any length";
  case H5T_BITFIELD: return "bits";
  case H5T_REFERENCE: return "references";
  default: return "of an unknown type";
  }
}

static hg_status read_shape(hg_hdf5_input *in, const char *path)
{
  hsize_t shape[3] = {0};
  hid_t space = H5Dget_space((hid_t)in->dataset), type = H5Dget_type((hid_t)in->dataset);
  const char *other = other_type(type);
  in->dims = H5Sget_simple_extent_ndims(space);
  if (in->dims >= 1 && in->dims <= 3) H5Sget_simple_extent_dims(space, shape, NULL);
  H5Sclose(space);
  H5Tclose(type);
  if (in->dims < 1 || in->dims > 3)
    return hg_fail(HG_FORMAT, "%s: a dataset of %d dimensions, must be 1..3", path, in->dims);
  if (other) return hg_fail(HG_FORMAT, "%s: the values of the dataset are %s, must be numbers or bool", path, other);
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
  HG_TRY(hg_hdf5_open_file(path, &in.file));
  hg_status status = HG_OK;
  if (!dataset) {
    status = find_dataset((hid_t)in.file, path, &found);
    dataset = found.name;
  }
  if (status == HG_OK) status = open_dataset((hid_t)in.file, path, dataset, &in.dataset);
  if (status == HG_OK) status = read_shape(&in, path);
  if (status == HG_OK) status = hg_conventions_read(in.dataset, path, dataset, &in.cf);
  if (status != HG_OK)
    hg_hdf5_close(&in);
  else
    *out = in;
  return status;
}

/* Names of common third-party filters; files may name others. */
static const char *name_of_filter(H5Z_filter_t id, const char *name)
{
  static const struct {
    H5Z_filter_t id;
    const char *name;
  } known[] = {{H5Z_FILTER_SZIP, "szip"}, {305, "lzo"},     {307, "bzip2"},        {32000, "lzf"},
               {32001, "blosc"},          {32004, "lz4"},   {32008, "bitshuffle"}, {32013, "zfp"},
               {32015, "zstd"},           {32026, "blosc2"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].id == id) return known[i].name;
  return *name ? name : "unknown";
}

/* Reports a missing filter, or damage. */
static hg_status cannot_read(const hg_hdf5_input *in, const char *place)
{
  const hid_t creation = H5Dget_create_plist((hid_t)in->dataset);
  H5Z_filter_t missing = 0;
  char name[80] = "";
  for (int i = 0; i < H5Pget_nfilters(creation) && !missing; i++) {
    unsigned flags;
    size_t numbers = 0;
    const H5Z_filter_t id = H5Pget_filter2(creation, (unsigned)i, &flags, &numbers, NULL, sizeof name, name, NULL);
    if (id > 0 && H5Zfilter_avail(id) <= 0) missing = id;
  }
  H5Pclose(creation);
  if (!missing) return hg_fail(HG_FORMAT, "%s: the dataset cannot be read, it may be truncated", place);
  return hg_fail(HG_FORMAT,
                 "%s: compressed by the filter %s (%d), which is not installed: set HDF5_PLUGIN_PATH to its folder, "
                 "or rewrite the dataset with gzip",
                 place, name_of_filter(missing, name), (int)missing);
}

/* Converts 64-bit integers, stored in place of the doubles: the library would round them. */
static hg_status convert_integers(bool is_signed, const char *place, const hg_box *box, double *values)
{
  for (int64_t i = 0; i < hg_box_cells(box); i++) {
    int64_t at[3];
    uint64_t bits;
    hg_box_place(box, i, at);
    memcpy(&bits, &values[i], sizeof bits);
    HG_TRY(hg_integer_read(bits, is_signed, place, at, &values[i]));
  }
  return HG_OK;
}

static hg_status unpack(const hg_hdf5_input *in, const char *place, const hg_box *box, double *values)
{
  for (int64_t i = 0; i < hg_box_cells(box); i++) {
    int64_t at[3];
    hg_box_place(box, i, at);
    const double number = hg_conventions_apply(&in->cf, values[i]);
    if (isnan(number) && !in->masks)
      return hg_fail(
          HG_FORMAT,
          "%s: the cell at (%" PRId64 ", %" PRId64 ", %" PRId64 ") has no data (%g, by _FillValue, missing_value or "
          "the valid range); fill such cells, or cut the grid to those that have; hetgrid-heat --nodata mask leaves "
          "them out",
          place, at[0], at[1], at[2], values[i]);
    values[i] = number;
  }
  return HG_OK;
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
  const hid_t type = H5Dget_type((hid_t)in->dataset);
  const bool may_round = H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == sizeof *out;
  const bool stored_signed = H5Tget_sign(type) == H5T_SGN_2;
  const hid_t wanted = !may_round ? H5T_NATIVE_DOUBLE : stored_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
  if (e >= 0) e = H5Dread((hid_t)in->dataset, wanted, memory, space, H5P_DEFAULT, out);
  H5Tclose(type);
  H5Sclose(space);
  H5Sclose(memory);
  if (e < 0) return cannot_read(in, place);
  if (may_round) HG_TRY(convert_integers(!in->cf.is_unsigned, place, box, out));
  return hg_conventions_are_plain(&in->cf) ? HG_OK : unpack(in, place, box, out);
}

void hg_hdf5_close(hg_hdf5_input *in)
{
  if (in->dataset >= 0) H5Dclose((hid_t)in->dataset);
  if (in->file >= 0) H5Fclose((hid_t)in->file);
  in->file = in->dataset = -1;
}
