/* SPDX-License-Identifier: MIT */
/* Readers that open files by their ending: PNG, NPZ, and checkpoints. The input's first byte chooses one. Other HDF5
 * files are not fuzzed, since the HDF5 library's own faults on crafted files (1.10 has some) cannot be fixed here. */
#include <unistd.h>

#include "checkpoints.h"
#include "fuzz.h"
#include "hetgrid.h"

static char folder[] = "/tmp/hetgrid-fuzz-XXXXXX";

static void write_file(const char *path, const uint8_t *data, size_t size)
{
  FILE *f = fopen(path, "wb");
  if (!f) return;
  fwrite(data, 1, size, f);
  fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const endings[] = {"png", "npz", "h5"};
  static bool made;
  if (!made) made = mkdtemp(folder) != NULL;
  if (size < 1) return 0;
  char path[64];
  snprintf(path, sizeof path, "%s/a.%s", folder, endings[data[0] % 3]);
  write_file(path, data + 1, size - 1);
  hg_grid_input *in = NULL;
  if (data[0] % 3 == 2) {
    fuzz_checkpoint_read(path, 12 * sizeof(double), 4);
  } else if (hg_grid_open(path, 0, &in) == HG_OK) {
    int dims;
    int64_t n[3];
    hg_grid_shape(in, &dims, n);
    hg_box box = {{0, 0, 0}, {n[0] < 64 ? n[0] : 64, n[1] < 64 ? n[1] : 64, n[2] < 4 ? n[2] : 4}};
    double *values = malloc((size_t)hg_box_cells(&box) * sizeof *values);
    hg_grid_read(in, n, &box, values);
    free(values);
    hg_grid_close(in);
  }
  unlink(path);
  return 0;
}

#ifndef HG_LIBFUZZER
/* A seed: the kind, then a file written by the library itself. */
static fuzz_seed seed_from(uint8_t kind, const char *path)
{
  static uint8_t store[3][FUZZ_MAX];
  FILE *f = fopen(path, "rb");
  store[kind][0] = kind;
  size_t size = f ? fread(store[kind] + 1, 1, FUZZ_MAX / 2, f) : 0;
  if (f) fclose(f);
  unlink(path);
  return (fuzz_seed){store[kind], size + 1};
}

int main(void)
{
  double values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const hg_field field = {.dims = 2, .n = {4, 3, 1}, .precision = HG_DOUBLE, .values = values};
  char png[] = "/tmp/hetgrid-seed-XXXXXX.png", h5[] = "/tmp/hetgrid-seed-XXXXXX.h5";
  close(mkstemps(png, 4)), close(mkstemps(h5, 3));
  hg_output_write(png, &field);
  fuzz_checkpoint_write(h5, values, &(hg_checkpoint){.step = 3, .identity = 4, .bytes = sizeof values});
  static const uint8_t zip[] = "\1PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
  const fuzz_seed seeds[] = {seed_from(0, png), {zip, sizeof zip - 1}, seed_from(2, h5)};
  int status = fuzz_main("the PNG, NPZ and checkpoint readers", "files", seeds, 3, 6000);
  rmdir(folder);
  return status;
}
#endif
