/* SPDX-License-Identifier: MIT */
/* A hash of bytes, to tell contents apart; not cryptographic. */
#ifndef HG_BASE_HASH_H
#define HG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HG_HASH_START 0xcbf29ce484222325u

/** FNV-1a over words, then over the remaining bytes. */
static inline void hg_hash_mix(uint64_t *hash, const void *bytes, size_t size)
{
  const unsigned char *p = bytes;
  uint64_t word;
  for (; size >= sizeof word; p += sizeof word, size -= sizeof word) {
    memcpy(&word, p, sizeof word);
    *hash = (*hash ^ word) * 0x100000001b3u;
    *hash ^= *hash >> 32;
  }
  for (; size > 0; p++, size--) *hash = (*hash ^ *p) * 0x100000001b3u;
}
#endif
