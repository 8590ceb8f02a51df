/* SPDX-License-Identifier: MIT */
/* The product to compute: C = A B by outer products of depth nb (Lastovetsky and Reddy, "Distributed Data Partitioning
 * for Heterogeneous Processors Based on Partial Estimation of Their Functional Performance Models", Euro-Par 2009
 * Workshops, section 3). */
#ifndef HG_MATMUL_PROBLEM_H
#define HG_MATMUL_PROBLEM_H

#include "input/matrix.h"
#include "input/problem.h"

/** Rows and columns of the blocks by which C is divided, b in DFPA's paper. Borders between workers are at multiples
 * of it, and the last block is padded with zeros, so that BLAS uses the same full registers however C is divided. */
enum { HG_MATMUL_UNIT = 16 };

/** The layout of workers' parts of C. */
typedef enum hg_matmul_layout {
  HG_LAYOUT_ROWS,      /**< slices of rows of C and A; B everywhere, broadcast by rank 0 panel by panel */
  HG_LAYOUT_RECTANGLES /**< rectangles of C by a partitioner; A and B divided like C, their panels exchanged */
} hg_matmul_layout;

typedef struct hg_matmul_problem {
  const hg_matrix *a, *b; /**< m x k and k x n; on every rank */
  int64_t m, n, k;        /**< >= 1 */
  hg_precision precision;
  int nb; /**< depth of an outer product, >= 1; the last may be less deep */
  hg_matmul_layout layout;
  const char *partition; /**< for rectangles: a partitioner's name */
} hg_matmul_problem;

/** Depth of an outer product: deep enough for BLAS, and so small that the few from which speeds are learnt are a small
 * part of all. */
static inline int hg_matmul_choose_nb(int64_t k)
{
  return k >= 4096 ? 256 : k >= 1024 ? 128 : 64;
}

/** Number of outer products. */
static inline int hg_matmul_panels(const hg_matmul_problem *p)
{
  return (int)((p->k + p->nb - 1) / p->nb);
}

/** Depth of an outer product. */
static inline int hg_matmul_depth(const hg_matmul_problem *p, int panel)
{
  const int64_t left = p->k - (int64_t)panel * p->nb;
  return (int)(left < p->nb ? left : p->nb);
}

/** Number of blocks of HG_MATMUL_UNIT that cover a side, and their total length. */
static inline int64_t hg_matmul_blocks(int64_t side)
{
  return (side + HG_MATMUL_UNIT - 1) / HG_MATMUL_UNIT;
}

static inline int64_t hg_matmul_int(int64_t side)
{
  return hg_matmul_blocks(side) * HG_MATMUL_UNIT;
}
#endif
