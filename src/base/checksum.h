/* SPDX-License-Identifier: MIT */
/* A checksum of a file that may be added up in any order, by anybody who knows where his bytes lie: the sum over its
 * words of 8 bytes of word times key, modulo 2^128, with an odd key of 128 bits for each place. One changed word is
 * always found; that other changes cancel each other has a chance of about 2^-64, since the product's upper half sees
 * every bit (multilinear hashing: Lemire and Kaser, "Strongly universal string hashing is fast", Computer Journal 57,
 * 2014). It tells damage, nothing that withstands an opponent. */
#ifndef HG_BASE_CHECKSUM_H
#define HG_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct hg_checksum {
  uint64_t low, high;
} hg_checksum;

/** Adds `size` bytes that lie at byte `at` of the file. */
void hg_checksum_add(hg_checksum *sum, int64_t at, const void *bytes, size_t size);

/** Adds what was summed elsewhere. */
void hg_checksum_join(hg_checksum *sum, const hg_checksum *other);
#endif
