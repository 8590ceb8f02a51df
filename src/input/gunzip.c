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
  return hg_fail(HG_MEMORY, "%s: more than %.2f GB when decompressed, which does not fit into memory", path,
                 (double)room / 1e9);
}

static hg_status is_damaged(const char *path)
{
  return hg_fail(HG_FORMAT, "%s: the gzip data are damaged or truncated", path);
}

/* The compressed bytes not yet read. */
typedef struct packed {
  const char *path;
  const uint8_t *end;
  z_stream z;
} packed;

/* Bytes for one call of zlib, whose counts are limited. */
static unsigned part_of(size_t bytes)
{
  return (unsigned)(bytes < 1 << 30 ? bytes : 1 << 30);
}

/* A member may be followed by others, or by zero bytes, which gzip ignores. */
static bool is_last_member(const packed *p)
{
  const uint8_t *at = p->z.next_in;
  while (at < p->end && *at == 0) at++;
  return at == p->end;
}

/* Decompresses into newly allocated memory. */
static hg_status unpack(packed *p, char **text, size_t *room, size_t *size)
{
  while (true) {
    if (*size == *room) {
      void *more = (double)*room * 2 > (double)hg_memory_available() ? MAP_FAILED
                                                                     : mremap(*text, *room, *room * 2, MREMAP_MAYMOVE);
      if (more == MAP_FAILED) return no_room(p->path, *room);
      *text = more;
      *room *= 2;
    }
    const unsigned left = part_of(*room - *size);
    p->z.next_out = (uint8_t *)*text + *size;
    p->z.avail_out = left;
    p->z.avail_in = part_of((size_t)(p->end - p->z.next_in));
    const int code = inflate(&p->z, Z_NO_FLUSH);
    *size += left - p->z.avail_out;
    if (code != Z_OK && code != Z_STREAM_END) return is_damaged(p->path);
    if (code == Z_STREAM_END && is_last_member(p)) break;
    if (code == Z_STREAM_END && inflateReset(&p->z) != Z_OK) return is_damaged(p->path);
  }
  return *size ? HG_OK : hg_fail(HG_FORMAT, "%s: empty when decompressed", p->path);
}

static hg_status unpack_all(const char *path, const uint8_t *in, size_t packed_size, void **bytes, size_t *size)
{
  enum { GZIP = 16 };
  packed p = {.path = path, .end = in + packed_size, .z = {.next_in = (uint8_t *)(uintptr_t)in}};
  size_t room = FIRST_ROOM, used = 0;
  char *text = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool ready = text != MAP_FAILED && inflateInit2(&p.z, GZIP + MAX_WBITS) == Z_OK;
  const hg_status status =
      ready ? unpack(&p, &text, &room, &used) : hg_fail(HG_MEMORY, "%s: no memory to decompress it", path);
  if (ready) inflateEnd(&p.z);
  if (status != HG_OK && text != MAP_FAILED) munmap(text, room);
  if (status == HG_OK) *bytes = mremap(text, room, used, 0); /* the size that munmap will get */
  *size = used;
  return status;
}

hg_status hg_text_map(const char *path, void **bytes, size_t *size)
{
  HG_TRY(hg_file_map(path, bytes, size));
  if (*size < 2 || memcmp(*bytes, "\x1f\x8b", 2) != 0) return HG_OK;
  void *const in = *bytes;
  const size_t packed_size = *size;
  const hg_status status = unpack_all(path, in, packed_size, bytes, size);
  munmap(in, packed_size);
  return status;
}
