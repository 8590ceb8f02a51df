/* SPDX-License-Identifier: MIT */
/* A checksum of a file that ranks can add up in any order, each for its own bytes: the sum over the 8-byte words of
 * word times key, modulo 2^128, with an odd 128-bit key for each place. One changed word is always found; other
 * changes cancel each other with a probability of about 2^-64, since every bit affects the product's upper half
 * (multilinear hashing: Lemire and Kaser, "Strongly universal string hashing is fast", Computer Journal 57, 2014). It
 * detects damage, not deliberate forgery. */
#ifndef HG_BASE_CHECKSUM_H
#define HG_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct hg_checksum {
  uint64_t low, high;
} hg_checksum;

/** Adds `size` bytes that lie at byte `at` of the file. */
void hg_checksum_add(hg_checksum *sum, int64_t at, const void *bytes, size_t size);

/** Adds a sum made elsewhere. */
void hg_checksum_join(hg_checksum *sum, const hg_checksum *other);
#endif
