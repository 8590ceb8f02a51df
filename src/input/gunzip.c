/* SPDX-License-Identifier: MIT */
#include "input/gunzip.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

enum { FIRST_ROOM = 1 << 20 };

bool hg_text_has_ending(const char *path, const char *ending)
{
  char packed[40];
  snprintf(packed, sizeof packed, "%s.gz", ending);
  return hg_file_has_ending(path, ending) || hg_file_has_ending(path, packed);
}

static hg_status no_room(const char *path, size_t room)
{
  return hg_fail(HG_MEMORY, "%s: unpacked it has more than %.2f GB, which do not fit into memory", path,
                 (double)room / 1e9);
}

/* What is read so far, in memory of its own. */
static hg_status unpack(gzFile in, const char *path, char **text, size_t *room, size_t *size)
{
  int got = 1, error;
  while (got > 0) {
    if (*size == *room) {
      void *more = (double)*room * 2 > (double)hg_memory_available() ? MAP_FAILED
                                                                     : mremap(*text, *room, *room * 2, MREMAP_MAYMOVE);
      if (more == MAP_FAILED) return no_room(path, *room);
      *text = more;
      *room *= 2;
    }
    const size_t left = *room - *size;
    got = gzread(in, *text + *size, (unsigned)(left < 1 << 30 ? left : 1 << 30));
    *size += got > 0 ? (size_t)got : 0;
  }
  gzerror(in, &error);
  if (got < 0 || error != Z_OK) return hg_fail(HG_FORMAT, "%s: what gzip has packed is damaged or truncated", path);
  return *size ? HG_OK : hg_fail(HG_FORMAT, "%s: empty once it is unpacked", path);
}

static hg_status open_packed(const char *path, void **bytes, size_t *size)
{
  size_t room = FIRST_ROOM;
  gzFile in = gzopen(path, "rb");
  char *text = in ? mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  *size = 0;
  hg_status status = text == MAP_FAILED ? hg_fail(HG_MEMORY, "%s: no memory to unpack it", path)
                                        : unpack(in, path, &text, &room, size);
  if (in && gzclose(in) != Z_OK && status == HG_OK)
    status = hg_fail(HG_FORMAT, "%s: what gzip has packed is damaged or truncated", path);
  if (status != HG_OK && text != MAP_FAILED) munmap(text, room);
  if (status == HG_OK) *bytes = mremap(text, room, *size, 0); /* as large as its release will say */
  return status;
}

hg_status hg_text_map(const char *path, void **bytes, size_t *size)
{
  HG_TRY(hg_file_map(path, bytes, size));
  if (*size < 2 || memcmp(*bytes, "\x1f\x8b", 2) != 0) return HG_OK;
  munmap(*bytes, *size);
  return open_packed(path, bytes, size);
}
