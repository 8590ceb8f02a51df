/* SPDX-License-Identifier: MIT */
#include "result/sealed_hdf5.h"

#include <hdf5.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

/* The last bytes of a file. */
typedef struct seal {
  char mark[8];
  uint64_t bytes, hash; /* of what is before */
  uint64_t identity;    /* of the problem, so that it is known without a look at the rest */
} seal;

static const char seal_mark[8] = "hgseal2";

static bool hash_file(FILE *f, uint64_t bytes, uint64_t *hash)
{
  static _Thread_local unsigned char block[1 << 16]; /* a multiple of the word, so that blocks do not matter */
  *hash = HG_HASH_START;
  while (bytes > 0) {
    size_t want = bytes < sizeof block ? (size_t)bytes : sizeof block;
    if (fread(block, 1, want, f) != want) return false;
    hg_hash_mix(hash, block, want);
    bytes -= want;
  }
  return true;
}

hg_status hg_hdf5_seal(const char *temporary, const char *path, uint64_t identity)
{
  seal s = {.identity = identity};
  memcpy(s.mark, seal_mark, sizeof s.mark);
  FILE *f = fopen(temporary, "r+be");
  bool good = f && fseeko(f, 0, SEEK_END) == 0;
  if (good) s.bytes = (uint64_t)ftello(f);
  good = good && fseeko(f, 0, SEEK_SET) == 0 && hash_file(f, s.bytes, &s.hash);
  good = good && fseeko(f, 0, SEEK_END) == 0 && fwrite(&s, sizeof s, 1, f) == 1;
  if (f) good = fclose(f) == 0 && good;
  return good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno));
}

/* The seal of a file of as many bytes as it says. */
static bool read_seal(FILE *f, seal *s)
{
  return fseeko(f, -(off_t)sizeof *s, SEEK_END) == 0 && fread(s, sizeof *s, 1, f) == 1 &&
         memcmp(s->mark, seal_mark, sizeof s->mark) == 0 && (uint64_t)ftello(f) == s->bytes + sizeof *s;
}

hg_status hg_hdf5_check_seal(const char *path, const char *what)
{
  seal s;
  uint64_t hash = 0;
  FILE *f;
  char previous[HG_PATH_MAX];
  HG_TRY(hg_file_open(path, &f));
  const bool good = read_seal(f, &s) && fseeko(f, 0, SEEK_SET) == 0 && hash_file(f, s.bytes, &hash) && hash == s.hash;
  fclose(f);
  if (good) return HG_OK;
  const bool older = hg_file_previous(path, previous) == HG_OK && access(previous, R_OK) == 0;
  return hg_fail(HG_FORMAT, "%s: not a %s, or truncated or damaged%s%s", path, what,
                 older ? "; the one before is " : "", older ? previous : "");
}

hg_status hg_hdf5_check_place(const char *path, uint64_t identity)
{
  seal s;
  FILE *f;
  if (access(path, F_OK) != 0) return HG_OK;
  HG_TRY(hg_file_open(path, &f));
  const bool same = read_seal(f, &s) && s.identity == identity;
  fclose(f);
  return same ? HG_OK
              : hg_fail(HG_INVALID, "%s: is there and no checkpoint of this problem, which is not to replace it", path);
}

bool hg_hdf5_put(int64_t at, const char *name, int64_t type, const void *value)
{
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2((hid_t)at, name, (hid_t)type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, (hid_t)type, value) >= 0;
  if (attribute >= 0) good = H5Aclose(attribute) >= 0 && good;
  H5Sclose(space);
  return good;
}

bool hg_hdf5_get(int64_t at, const char *name, int64_t type, void *value)
{
  hid_t attribute = H5Aopen((hid_t)at, name, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Aread(attribute, (hid_t)type, value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  return good;
}
