/* SPDX-License-Identifier: MIT */
/* Random numbers by position: a cell's value depends only on the seed and its index, so the field is the same for
 * every partition. */
#ifndef HG_BASE_RANDOM_H
#define HG_BASE_RANDOM_H

#include <stdint.h>

/** SplitMix64 finaliser (Steele, Lea, Flood, OOPSLA 2014) of seed and index. */
static inline uint64_t hg_random_bits(uint64_t seed, uint64_t index)
{
  uint64_t z = seed * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** Uniform in [0, 1), a multiple of 2^-24 so that it is exact in single precision too. */
static inline double hg_random_unit(uint64_t seed, uint64_t index)
{
  return (double)(hg_random_bits(seed, index) >> 40) * 0x1p-24;
}
#endif
