/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"

#include <pthread.h>
#include <string.h>

#include "base/random.h"

__extension__ typedef unsigned __int128 wide;

/* The key of a word is the key of its place in the block times the key of the block. */
enum { WORD = 8, BLOCK = 512 };

static uint64_t key[BLOCK][2]; /* lower and upper half */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_keys(void)
{
  for (uint64_t i = 0; i < BLOCK; i++) {
    key[i][0] = hg_random_bits(1, 2 * i) | 1;
    key[i][1] = hg_random_bits(1, 2 * i + 1);
  }
}

static wide block_key(uint64_t block)
{
  return (wide)hg_random_bits(2, 2 * block + 1) << 64 | hg_random_bits(2, 2 * block) | 1;
}

/* Sums whole words of a block from its word `first` on. */
static wide sum_words(uint64_t first, const unsigned char *bytes, size_t count)
{
  wide sum = 0;
  uint64_t upper = 0, word;
  for (size_t i = 0; i < count; i++) {
    memcpy(&word, bytes + WORD * i, sizeof word);
    sum += (wide)word * key[first + i][0];
    upper += word * key[first + i][1];
  }
  return sum + ((wide)upper << 64);
}

/* Sums bytes within a word, from its byte `from` on. */
static wide sum_part(uint64_t place, size_t from, const unsigned char *bytes, size_t size)
{
  unsigned char word[WORD] = {0};
  memcpy(word + from, bytes, size);
  return sum_words(place, word, 1);
}

void hg_checksum_join(hg_checksum *s, const hg_checksum *other)
{
  const wide sum = ((wide)s->high << 64 | s->low) + ((wide)other->high << 64 | other->low);
  *s = (hg_checksum){(uint64_t)sum, (uint64_t)(sum >> 64)};
}

void hg_checksum_add(hg_checksum *s, int64_t at, const void *bytes, size_t size)
{
  const unsigned char *p = bytes;
  uint64_t place = (uint64_t)at;
  wide all = 0;
  pthread_once(&once, make_keys);
  while (size > 0) {
    const uint64_t word = place / WORD, in_block = word % BLOCK, skip = place % WORD;
    const size_t room = (size_t)(BLOCK - in_block), whole = skip ? 0 : size / WORD < room ? size / WORD : room;
    const size_t part = WORD - skip < size ? WORD - skip : size, taken = whole ? whole * WORD : part;
    const wide sum = whole ? sum_words(in_block, p, whole) : sum_part(in_block, skip, p, part);
    all += sum * block_key(word / BLOCK);
    p += taken, place += taken, size -= taken;
  }
  hg_checksum_join(s, &(hg_checksum){(uint64_t)all, (uint64_t)(all >> 64)});
}
