/* SPDX-License-Identifier: MIT */
/* The checksum of files with many writers: the same in any order of writing, different after any damage. */

#include "base/checksum.h"
#include "base/random.h"

#include "tap.h"

enum { SIZE = 20011 };

static unsigned char bytes[SIZE];

static hg_checksum sum_of(int64_t at, size_t size)
{
  hg_checksum s = {0, 0};
  hg_checksum_add(&s, at, bytes + at, size);
  return s;
}

static bool same(const hg_checksum *a, const hg_checksum *b)
{
  return a->low == b->low && a->high == b->high;
}

/* Adds parts of 1 to 3000 bytes, first the even ones, then the odd ones in reverse. */
static hg_checksum in_parts(uint64_t seed)
{
  size_t begin[SIZE + 1] = {0};
  int parts = 0;
  while (begin[parts] < SIZE) {
    const size_t end = begin[parts] + 1 + hg_random_bits(seed, (uint64_t)parts) % 3000;
    begin[++parts] = end < SIZE ? end : SIZE;
  }
  hg_checksum s = {0, 0};
  for (int i = 0; i < parts; i += 2) hg_checksum_add(&s, (int64_t)begin[i], bytes + begin[i], begin[i + 1] - begin[i]);
  for (int i = parts - 1; i >= 0; i--) {
    if (i % 2 == 0) continue;
    const hg_checksum part = sum_of((int64_t)begin[i], begin[i + 1] - begin[i]);
    hg_checksum_join(&s, &part);
  }
  return s;
}

/* The upper half of a key contributes to the sum: one word at place `word` is multiplied by the whole key. */
static bool has_the_whole_key(uint64_t word)
{
  __extension__ typedef unsigned __int128 wide;
  const uint64_t one = UINT64_C(0x9e3779b97f4a7c15), place = word % 512, block = word / 512;
  const wide key = (wide)hg_random_bits(1, 2 * place + 1) << 64 | hg_random_bits(1, 2 * place) | 1,
             of_block = (wide)hg_random_bits(2, 2 * block + 1) << 64 | hg_random_bits(2, 2 * block) | 1,
             known = one * key * of_block;
  hg_checksum s = {0, 0};
  hg_checksum_add(&s, (int64_t)(8 * word), &one, sizeof one);
  return s.low == (uint64_t)known && s.high == (uint64_t)(known >> 64);
}

int main(void)
{
  for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)hg_random_bits(7, (uint64_t)i);
  const hg_checksum whole = sum_of(0, SIZE);
  int equal = 0, found = 0, cancelled = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    const hg_checksum s = in_parts(seed);
    equal += same(&whole, &s);
  }
  tap_int(equal, 100, "parts in any order, cut anywhere, have the sum of the whole");
  for (int i = 0; i < SIZE; i++) {
    const unsigned char kept = bytes[i];
    bytes[i] ^= (unsigned char)(1u << (i % 8));
    const hg_checksum s = sum_of(0, SIZE);
    found += !same(&whole, &s);
    bytes[i] = kept;
  }
  tap_int(found, SIZE, "every single changed bit is found");
  for (uint64_t i = 0; i < 10000; i++) { /* signs of two numbers, which adding words alone would not detect */
    const size_t a = 8 * (hg_random_bits(3, i) % (SIZE / 8)) + 7, b = 8 * (hg_random_bits(4, i) % (SIZE / 8)) + 7;
    bytes[a] ^= 0x80, bytes[b] ^= 0x80;
    const hg_checksum s = sum_of(0, SIZE);
    cancelled += a != b && same(&whole, &s);
    bytes[a] ^= 0x80, bytes[b] ^= 0x80;
  }
  tap_int(cancelled, 0, "two changed signs do not cancel each other");
  const hg_checksum there = sum_of(8, 800);
  hg_checksum here = {0, 0};
  hg_checksum_add(&here, 4104, bytes + 8, 800);
  tap_ok(!same(&there, &here), "the same bytes at another place, a block further, have another sum");
  tap_ok(has_the_whole_key(3) && has_the_whole_key(511) && has_the_whole_key(1500),
         "a word counts times its whole key");
  return tap_done();
}
