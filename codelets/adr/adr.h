/* SPDX-License-Identifier: MIT */
/* Kernels of an implicit step of dc/dt + a.grad c = div(D grad c) + R(c, x, t) for two species on one block; without
 * StarPU.
 *
 * A block is a box of unknowns with a layer of ghosts around it. A sweep is one step of an inexact Newton method:
 *
 *   F = old - u + dt (W u - w u + R(u) + S)       W: weights of the six neighbours, w their sum
 *   (1 + dt w - dt R') du - dt W du = F           M = 1 + dt w - dt R' couples the two species of a point
 * Both sides are multiplied by the inverse of M, 4 numbers per point, so that the inner solver's operator is B y = y -
 * M^-1 (dt W y), matrix-free: weights are tables per axis. Unknowns are y = du / scale, of equal magnitude for both
 * species, so that the inner solver may work in single precision: its remaining error goes into the next sweep's
 * right-hand side, in double. Mirrored sides are folded into the tables, periodic axes within a block wrap around, all
 * other ghosts are given. Dot products are summed by rows and planes in a fixed number of lanes: the same bits for
 * every instruction set and every order of tasks. BiCGSTAB: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631;
 * BiCG: Fletcher (1976). */
#ifndef HG_CODELETS_ADR_ADR_H
#define HG_CODELETS_ADR_ADR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hg_adr_reaction { HG_ADR_MMS, HG_ADR_CONSERVE, HG_ADR_DIURNAL, HG_ADR_NONE } hg_adr_reaction;

/** Tables of an axis, each with an entry per unknown along it. */
typedef enum hg_adr_table { HG_ADR_LO, HG_ADR_HI, HG_ADR_SUM, HG_ADR_SIN, HG_ADR_COS, HG_ADR_TABLES } hg_adr_table;

/** The memory layout of a block's unknowns. A field has `field` values; a state is two fields, one per species. */
typedef struct hg_adr_block {
  int64_t n[3];         /**< unknowns along x, y, z */
  int64_t stride[3];    /**< of an unknown (1), a row, a plane: multiples of a cache line */
  int64_t origin;       /**< element of the first unknown, at the beginning of a cache line */
  int64_t field;        /**< elements, with ghosts */
  int64_t lo[3], hi[3]; /**< the block's own unknowns, which a sweep changes; the others overlap with its neighbours' */
  bool wrap[3];         /**< periodic within the block */
  int reaction;         /**< hg_adr_reaction */
} hg_adr_block;

enum { HG_ADR_TERMS = 12 };

/** A time step. */
typedef struct hg_adr_step {
  double dt;                 /**< factor of the right-hand side, s */
  double term[HG_ADR_TERMS]; /**< values of the reaction and source at this time (adr_problem.h) */
  double tolerance;          /**< on |F| / (|old| + 1) */
  double inner;              /**< factor by which the inner solver reduces its residual */
  int bicg;                  /**< BiCG instead of BiCGSTAB */
  int limit;                 /**< most inner iterations */
} hg_adr_step;

/** The result of a block's sweeps. */
typedef struct hg_adr_outcome {
  double scale[2];   /**< of the species */
  double residual;   /**< largest |F| / (|old| + 1) of the block's own unknowns, before the sweep */
  double iterations; /**< of the inner solver, so far */
  double failed;     /**< the residual left after two breakdowns in a row; 0: none */
} hg_adr_outcome;

/** Fields of REAL that a sweep uses: the right-hand side, M^-1, the vectors of the inner solver, and a device's room
 * for sums. */
enum {
  HG_ADR_RIGHT = 0,
  HG_ADR_INVERSE = 2,
  HG_ADR_VECTORS = 6,
  HG_ADR_SPARE = HG_ADR_VECTORS + 12,
  HG_ADR_FIELDS = HG_ADR_SPARE + 2
};

/** Flops of the tasks, per node: residual 47, plus the reaction (mms 44, conserve 6, diurnal 19) and, where M^-1 is
 * recomputed, 18; an iteration of BiCGSTAB 104, of BiCG 100, the first one 8 or 16 less; before the iterations 4,
 * after them 4 per own node; the beginning of a step 4, with BDF2 10. The same in both precisions and on GPUs. */
double hg_adr_begin_flops(const hg_adr_block *block, bool first, bool bdf2);
double hg_adr_residual_flops(const hg_adr_block *block, bool fresh);
double hg_adr_solve_flops(const hg_adr_block *block, const hg_adr_step *step, double iterations);

/** Computes strides and sizes; n, wrap and own unknowns must be set. */
void hg_adr_lay_out(hg_adr_block *block);

/** Offset of an axis' table; the tables of x, y and z follow each other. With axis 3: total size. */
static inline int64_t hg_adr_table_at(const hg_adr_block *b, int axis, int table)
{
  int64_t at = 0;
  for (int a = 0; a < axis; a++) at += HG_ADR_TABLES * b->n[a];
  return axis < 3 ? at + table * b->n[axis] : at;
}

/** Passes of BiCGSTAB over all blocks of all ranks (src/adr/global.h), each applied to one block at a time. */
typedef enum hg_adr_pass {
  HG_ADR_BEGIN,   /**< x = 0; (r, r) */
  HG_ADR_SEARCH,  /**< p = r + beta (p - omega v) */
  HG_ADR_ALONG_P, /**< v = B p; (r0, v) */
  HG_ADR_DESCEND, /**< r -= alpha v */
  HG_ADR_ALONG_R, /**< t = B r; (t, r), (t, t) */
  HG_ADR_CORRECT, /**< x += alpha p + omega r, r -= omega t; (r0, r), (r, r) */
  HG_ADR_END      /**< updates the own unknowns */
} hg_adr_pass;
struct hg_adr_krylov; /* adr_krylov.h */

/** @param fresh  the iteration restarts */
double hg_adr_pass_flops(const hg_adr_block *block, hg_adr_pass pass, bool fresh);

/** The kernels of an instruction set, in pairs: with the inner solver in double, in float. */
typedef struct hg_adr_kernel {
  const char *name;
  /** F of u, with M^-1 F written to `work`; `fresh`: M^-1 is recomputed. Sets outcome->residual.
   * @param tables  [hg_adr_table_at(block, 3, 0)] @param u,old  states, ghosts of u given
   * @param work  [HG_ADR_FIELDS][field], zero before its first use */
  void (*residual[2])(const hg_adr_block *block, const hg_adr_step *step, const double *tables, double *u,
                      const double *old, bool fresh, void *work, hg_adr_outcome *outcome);
  /** Solves for the update and adds it to the block's own unknowns. Traffic: 168 bytes per point and iteration of
   * BiCGSTAB in float. Sets outcome->failed and adds to outcome->iterations. */
  void (*solve[2])(const hg_adr_block *block, const hg_adr_step *step, const double *tables, double *u, void *work,
                   hg_adr_outcome *outcome);
  /** A pass of a method over all blocks. Ghosts of p and r are given, except along wrapped axes.
   * @param[out] sum  the products of the pass over the block's unknowns, 0 where it has none */
  void (*pass[2])(const hg_adr_block *block, const hg_adr_step *step, hg_adr_pass pass, const struct hg_adr_krylov *it,
                  const double *tables, double *u, void *work, hg_adr_outcome *outcome, double sum[2]);
} hg_adr_kernel;

/** The best of this processor's kernels (`auto`), or the one with this name; NULL if there is none. */
const hg_adr_kernel *hg_adr_kernel_find(const char *name);

/** The number-th kernel that this processor can run, NULL after the last. */
const hg_adr_kernel *hg_adr_kernel_at(int number);

/** Begins a step: old (Euler: u, BDF2: (4 u - before) / 3), before = u, and u is extrapolated from both. Works on all
 * values, including ghosts. Sets outcome->scale from the own unknowns.
 * @param before  the state of the previous step @param first  there is none @param bdf2  after the first step */
void hg_adr_begin(const hg_adr_block *block, bool first, bool bdf2, double *u, double *old, double *before,
                  hg_adr_outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
