/* SPDX-License-Identifier: MIT */
/* Checks that C is the product of A and B, which are read again. */
#ifndef HG_MATMUL_VERIFY_H
#define HG_MATMUL_VERIFY_H

#include "matmul/part.h"
#include "result/field.h"

/** Freivalds' test (R. Freivalds, "Probabilistic machines can use less running time", IFIP Congress 1977) with 8
 * random vectors x of +-1: an error larger than rounding is missed with a probability of at most 2^-8.
 * @param[out] ratio  largest |C x - A (B x)|_i / (8 eps sqrt(K) |A_i| |B|), |.| the 2-norm of a row and of all of B;
 *   must be < 1. Rounding errors of a sum of K products grow with sqrt(K), those of the vectors average out. A biased
 *   sum (all terms of similar size) grows with its depth instead, which outer products limit to nb + K / nb. The test
 *   compensates the rounding of its own sums, so it rounds only a few times, whatever N and K are. For products that
 *   underflow, the bound also has N K times the smallest positive number.
 * Collective. O(M K + K N + M N). HG_MEMORY, HG_IO, HG_FORMAT */
hg_status hg_matmul_freivalds(const hg_matmul_part *part, uint64_t seed, double *ratio);

enum { HG_MATMUL_EVERY = 2000 }; /**< below it every entry is compared */

/** Compares every entry of C, on rank 0, with a product by one call of dgemm.
 * @param[out] ratio  largest |C - A B|_ij / (K eps (|A| |B|)_ij + K times the smallest positive number), eps of the
 *   precision; must be <= 1 */
hg_status hg_matmul_compare(const hg_matmul_problem *problem, const hg_field *c, double *ratio);
#endif
