/* SPDX-License-Identifier: MIT */
/* Inputs with values that were never written, or that change after the start. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hetgrid.h"
#include "input/grid.h"
#include "tap.h"

enum { N = 4 };

static char folder[] = "/tmp/hetgrid-unwritten-XXXXXX";

static const char *path_of(const char *name)
{
  static char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static hid_t make(const char *name)
{
  return H5Fcreate(path_of(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

static void refuses(const char *spec, const char *part, const char *name)
{
  hg_grid_input *in;
  const bool refused = hg_grid_open(path_of(spec), 1, &in) != HG_OK;
  tap_ok(refused && strstr(hg_message(), part), "%s is refused (%s)", name, refused ? hg_message() : "it is read");
  if (!refused) hg_grid_close(in);
}

static void unwritten_values_are_refused(void)
{
  const hsize_t n[] = {100000, 100000, 100000}, chunk[] = {100, 100, 100};
  hid_t file = make("unwritten.h5"), space = H5Screate_simple(3, n, NULL), chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 3, chunk);
  H5Dclose(H5Dcreate2(file, "plain", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file, "chunked", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
  H5Pclose(chunked);
  H5Sclose(space);
  H5Fclose(file);
  refuses("unwritten.h5:plain", "never been written", "an unwritten dataset of 10^15 values");
  refuses("unwritten.h5:chunked", "never been written", "... in chunks");
  unlink(path_of("unwritten.h5"));
}

/* Files as the NetCDF library makes them: unwritten values are its default fill value. */
static void netcdf_fills_are_no_data(void)
{
  const float fill = 9.9692099683868690e+36F;
  const short other = -32767;
  const hsize_t n = N;
  double out[N];
  hg_grid_input *in;
  hid_t file = make("netcdf.h5"), filled = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
  H5Pset_fill_value(filled, H5T_NATIVE_FLOAT, &fill);
  H5Dclose(H5Dcreate2(file, "never", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, filled, H5P_DEFAULT));
  for (int i = 0; i < 2; i++) {
    const float real[N] = {1, fill, 3, 4};
    const short whole[N] = {1, other, 3, 4};
    if (i) H5Pset_fill_value(filled, H5T_NATIVE_SHORT, &other);
    hid_t type = i ? H5T_NATIVE_SHORT : H5T_NATIVE_FLOAT;
    hid_t set = H5Dcreate2(file, i ? "short" : "float", type, space, H5P_DEFAULT, filled, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, i ? (const void *)whole : real);
    H5Dclose(set);
  }
  H5Pclose(filled);
  H5Sclose(space);
  H5Fclose(file);
  refuses("netcdf.h5:never", "never been written", "an unwritten NetCDF variable");
  for (int i = 0; i < 2; i++) {
    const bool opened = hg_grid_open(path_of(i ? "netcdf.h5:short" : "netcdf.h5:float"), 1, &in) == HG_OK;
    if (!tap_ok(opened, "a dataset that was written in parts is opened")) continue;
    tap_ok(hg_grid_read(in, (int64_t[]){N, 1, 1}, &(hg_box){{0, 0, 0}, {N, 1, 1}}, out) == HG_FORMAT &&
               strstr(hg_message(), "(1, 0, 0) has no data"),
           "... and has no data elsewhere (%s)", hg_message());
    hg_grid_close(in);
  }
  unlink(path_of("netcdf.h5"));
}

/* Files read during a run must be unchanged since its start. */
static void changed_files_are_refused(void)
{
  static const double two[] = {5, 6, 7, 8};
  const int64_t n[3] = {N, 1, 1};
  const hg_box all = {{0, 0, 0}, {N, 1, 1}};
  double out[N];
  hg_grid_input *in;
  const hsize_t size = N;
  hid_t file = make("changed.h5"), space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(file, "set", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, two);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  if (!tap_ok(hg_grid_open(path_of("changed.h5"), 1, &in) == HG_OK && hg_grid_read(in, n, &all, out) == HG_OK, "read"))
    return;
  FILE *f = fopen(path_of("changed.h5"), "r+");
  fseek(f, 0, SEEK_END);
  fwrite(two, sizeof two, 1, f);
  fclose(f);
  tap_ok(hg_grid_read(in, n, &all, out) == HG_IO && strstr(hg_message(), "has written into it"),
         "a file that another program writes into is refused (%s)", hg_message());
  char moved[100];
  snprintf(moved, sizeof moved, "%s", path_of("moved.h5"));
  rename(path_of("changed.h5"), moved);
  tap_int(hg_grid_read(in, n, &all, out), HG_OK, "a file that is renamed meanwhile is not");
  hg_grid_close(in);
  unlink(moved);
}

static char warned[400];

static void keep_warning(const char *text, void *arg)
{
  (void)arg;
  snprintf(warned, sizeof warned, "%s", text);
}

static void unwritten_chunks_are_told(void)
{
  const hsize_t n = 6, chunk = 2, first = 0, count = 2;
  const double chosen = 7, two[] = {1, 2};
  hid_t file = make("chunks.h5"), parts = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
  hid_t memory = H5Screate_simple(1, &count, NULL);
  H5Pset_chunk(parts, 1, &chunk);
  for (int i = 0; i < 2; i++) {
    if (i) H5Pset_fill_value(parts, H5T_NATIVE_DOUBLE, &chosen);
    hid_t set = H5Dcreate2(file, i ? "chosen" : "plain", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, parts, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, two);
    H5Sselect_all(space);
    H5Dclose(set);
  }
  H5Pclose(parts);
  H5Sclose(memory);
  H5Sclose(space);
  H5Fclose(file);
  hg_on_warning(keep_warning, NULL);
  for (int i = 0; i < 2; i++) {
    hg_grid_input *in;
    *warned = '\0';
    if (!tap_ok(hg_grid_open(path_of(i ? "chunks.h5:chosen" : "chunks.h5:plain"), 1, &in) == HG_OK, "chunks")) continue;
    hg_grid_close(in);
    tap_ok(i ? !*warned : strstr(warned, "2 of 3 chunks of dataset 'plain' have never been written") != NULL, "%s (%s)",
           i ? "a value that was chosen for those not written is one" : "unwritten ones are reported", warned);
  }
  hg_on_warning(NULL, NULL);
  unlink(path_of("chunks.h5"));
}

int main(void)
{
  if (!mkdtemp(folder)) return 99;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  unwritten_values_are_refused();
  netcdf_fills_are_no_data();
  unwritten_chunks_are_told();
  changed_files_are_refused();
  rmdir(folder);
  return tap_done();
}
