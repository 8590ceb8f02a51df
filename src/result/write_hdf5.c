/* SPDX-License-Identifier: MIT */
#include <hdf5.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "result/write.h"

/* FNV-1a over words, then over the bytes that are left. */
static void mix(uint64_t *h, const void *bytes, size_t size)
{
  const unsigned char *p = bytes;
  uint64_t word;
  for (; size >= sizeof word; p += sizeof word, size -= sizeof word) {
    memcpy(&word, p, sizeof word);
    *h = (*h ^ word) * 0x100000001b3u;
    *h ^= *h >> 32;
  }
  for (; size > 0; p++, size--) *h = (*h ^ *p) * 0x100000001b3u;
}

#define HASH_START 0xcbf29ce484222325u

/* A checkpoint ends with a seal over all bytes before it, which HDF5 does not look at: a damaged file is found before
 * the HDF5 library, which trusts what it reads, gets to see it. */
typedef struct seal {
  char mark[8];
  uint64_t bytes, hash;
} seal;

static const char seal_mark[8] = "hgseal1";

static bool hash_file(FILE *f, uint64_t bytes, uint64_t *hash)
{
  static _Thread_local unsigned char block[1 << 16]; /* a multiple of the word, so that blocks do not matter */
  *hash = HASH_START;
  while (bytes > 0) {
    size_t want = bytes < sizeof block ? (size_t)bytes : sizeof block;
    if (fread(block, 1, want, f) != want) return false;
    mix(hash, block, want);
    bytes -= want;
  }
  return true;
}

static hg_status add_seal(const char *path)
{
  seal s = {.bytes = 0};
  memcpy(s.mark, seal_mark, sizeof s.mark);
  FILE *f = fopen(path, "r+b");
  bool good = f && fseeko(f, 0, SEEK_END) == 0;
  if (good) s.bytes = (uint64_t)ftello(f);
  good = good && fseeko(f, 0, SEEK_SET) == 0 && hash_file(f, s.bytes, &s.hash);
  good = good && fseeko(f, 0, SEEK_END) == 0 && fwrite(&s, sizeof s, 1, f) == 1;
  if (f) good = fclose(f) == 0 && good;
  return good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno));
}

static hg_status check_seal(const char *path)
{
  seal s;
  uint64_t hash = 0;
  FILE *f = fopen(path, "rb");
  if (!f) return hg_fail(HG_IO, "%s: cannot be read", path);
  bool good = fseeko(f, -(off_t)sizeof s, SEEK_END) == 0 && fread(&s, sizeof s, 1, f) == 1 &&
              memcmp(s.mark, seal_mark, sizeof s.mark) == 0 && (uint64_t)ftello(f) == s.bytes + sizeof s &&
              fseeko(f, 0, SEEK_SET) == 0 && hash_file(f, s.bytes, &hash) && hash == s.hash;
  fclose(f);
  return good ? HG_OK : hg_fail(HG_FORMAT, "%s: not a checkpoint, or truncated or damaged", path);
}

static bool write_attribute(hid_t at, const char *name, hid_t type, const void *value)
{
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  if (attribute >= 0) good = H5Aclose(attribute) >= 0 && good;
  H5Sclose(space);
  return good;
}

static bool read_attribute(hid_t at, const char *name, hid_t type, void *value)
{
  hid_t attribute = H5Aopen(at, name, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Aread(attribute, type, value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  return good;
}

static bool write_dataset(hid_t file, const hg_field *f, const hg_checkpoint *c)
{
  hsize_t shape[3];
  for (int i = 0; i < f->dims; i++) shape[f->dims - 1 - i] = (hsize_t)f->n[i];
  hid_t type = f->precision == HG_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(f->dims, shape, NULL);
  hid_t set = H5Dcreate2(file, f->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->values) >= 0;
  if (good && c)
    good = write_attribute(set, "step", H5T_NATIVE_INT64, &c->step) &&
           write_attribute(set, "identity", H5T_NATIVE_UINT64, &c->identity);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

hg_status hg_write_hdf5(const char *path, const hg_field *field, const hg_checkpoint *checkpoint)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return hg_fail(HG_IO, "%s: cannot be created", path);
  bool good = write_dataset(file, field, checkpoint);
  good = H5Fclose(file) >= 0 && good;
  if (!good) return hg_fail(HG_IO, "%s: writing failed, the disk may be full", path);
  return checkpoint ? add_seal(path) : HG_OK;
}

hg_status hg_checkpoint_read(const char *path, hg_checkpoint *c)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  HG_TRY(check_seal(path));
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = file >= 0 ? H5Dopen2(file, "temperature", H5P_DEFAULT) : -1;
  bool good = set >= 0 && read_attribute(set, "step", H5T_NATIVE_INT64, &c->step) &&
              read_attribute(set, "identity", H5T_NATIVE_UINT64, &c->identity);
  if (set >= 0) H5Dclose(set);
  if (file >= 0) H5Fclose(file);
  if (!good || c->step < 0) return hg_fail(HG_FORMAT, "%s: not a checkpoint, or truncated", path);
  return HG_OK;
}

uint64_t hg_problem_identity(const hg_heat_problem *p, const char *source, uint64_t seed)
{
  uint64_t h = HASH_START;
  mix(&h, &p->dims, sizeof p->dims);
  mix(&h, p->n, sizeof p->n);
  mix(&h, &p->precision, sizeof p->precision);
  mix(&h, p->alpha, sizeof p->alpha);
  for (int i = 0; i < 6; i++) {
    const hg_side *side = &p->side[i / 2][i % 2];
    double value = side->has_value ? side->value : 0;
    mix(&h, &side->kind, sizeof side->kind);
    mix(&h, &side->has_value, sizeof side->has_value);
    mix(&h, &value, sizeof value);
  }
  if (source) {
    mix(&h, source, strlen(source));
    mix(&h, &seed, sizeof seed);
  }
  return h;
}
