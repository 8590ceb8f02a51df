/* SPDX-License-Identifier: MIT */
#include <hdf5.h>

#include <string.h>
#include <sys/mman.h>

#include "result/hdf5_writer.h"
#include "result/sealed_hdf5.h"
#include "result/write.h"

static bool write_dataset(const hg_hdf5_writer *writer, const hg_field *f, const hg_checkpoint *c)
{
  hsize_t shape[3];
  for (int i = 0; i < f->dims; i++) shape[f->dims - 1 - i] = (hsize_t)f->n[i];
  hid_t type = f->precision == HG_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(f->dims, shape, NULL);
  hid_t set = (hid_t)hg_hdf5_dataset(writer, f->name, type, space);
  bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->values) >= 0;
  if (good && c)
    good = hg_hdf5_put(set, "step", H5T_NATIVE_INT64, &c->step) &&
           hg_hdf5_put(set, "identity", H5T_NATIVE_UINT64, &c->identity);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

hg_status hg_write_hdf5(const char *path, const hg_field *field, const hg_checkpoint *checkpoint)
{
  hg_hdf5_writer writer;
  HG_TRY(hg_hdf5_begin(path, &writer));
  const bool good = write_dataset(&writer, field, checkpoint);
  return checkpoint ? hg_hdf5_end(&writer, good, path, HG_HDF5_CHECKPOINT, checkpoint->identity)
                    : hg_hdf5_end(&writer, good, path, HG_HDF5_PLAIN, 0);
}

hg_status hg_checkpoint_write(const char *path, const hg_field *field, const hg_checkpoint *checkpoint)
{
  return hg_write_hdf5(path, field, checkpoint);
}

hg_status hg_checkpoint_check(const char *path, uint64_t identity)
{
  HG_TRY(hg_output_check(path));
  return hg_hdf5_check_place(path, identity);
}

hg_status hg_checkpoint_read(const char *path, hg_checkpoint *c)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  HG_TRY(hg_hdf5_check_seal(path, "checkpoint"));
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = file >= 0 ? H5Dopen2(file, "temperature", H5P_DEFAULT) : -1;
  bool good = set >= 0 && hg_hdf5_get(set, "step", H5T_NATIVE_INT64, &c->step) &&
              hg_hdf5_get(set, "identity", H5T_NATIVE_UINT64, &c->identity);
  if (set >= 0) H5Dclose(set);
  if (file >= 0) H5Fclose(file);
  if (!good || c->step < 0) return hg_fail(HG_FORMAT, "%s: not a checkpoint, or truncated", path);
  return HG_OK;
}

/* What a file holds; nothing for a formula. */
static void mix_contents(uint64_t *h, const char *source)
{
  char path[HG_PATH_MAX];
  void *bytes;
  size_t size;
  hg_grid_file(source, path);
  if (hg_file_map(path, &bytes, &size) != HG_OK) return;
  hg_hash_mix(h, bytes, size);
  munmap(bytes, size);
}

uint64_t hg_problem_identity(const hg_heat_problem *p, const char *source, uint64_t seed)
{
  uint64_t h = HG_HASH_START;
  hg_hash_mix(&h, &p->dims, sizeof p->dims);
  hg_hash_mix(&h, p->n, sizeof p->n);
  hg_hash_mix(&h, &p->precision, sizeof p->precision);
  hg_hash_mix(&h, p->alpha, sizeof p->alpha);
  for (int i = 0; i < 6; i++) {
    const hg_side *side = &p->side[i / 2][i % 2];
    double value = side->has_value ? side->value : 0;
    hg_hash_mix(&h, &side->kind, sizeof side->kind);
    hg_hash_mix(&h, &side->has_value, sizeof side->has_value);
    hg_hash_mix(&h, &value, sizeof value);
  }
  if (source) {
    hg_hash_mix(&h, source, strlen(source));
    mix_contents(&h, source);
    hg_hash_mix(&h, &seed, sizeof seed);
  }
  return h;
}
