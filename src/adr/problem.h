/* SPDX-License-Identifier: MIT */
/* Advection-diffusion-reaction problems: dc/dt + a.grad c = div(D grad c) + R(c, x, t) for two
 * species in a box.
 *
 * Central differences of second order: along an axis the weight of the lower neighbour is D / h^2 + a / (2 h), that of
 * the upper one D / h^2 - a / (2 h), with D half-way between the nodes. Beyond a fixed side both species are given. A
 * mirrored side goes through nodes, so beyond it is the mirror image of the inner node; a periodic axis wraps
 * around. */
#ifndef HG_ADR_PROBLEM_H
#define HG_ADR_PROBLEM_H

#include "base/status.h"
#include "codelets/adr/adr.h"

typedef enum hg_adr_boundary { HG_ADR_FIXED, HG_ADR_PERIODIC, HG_ADR_MIRROR } hg_adr_boundary;

typedef struct hg_adr_problem {
  const char *name;
  hg_adr_reaction reaction;
  int64_t n[3];                /**< nodes along x, y, z */
  double first[3];             /**< coordinate of the first node: unit cube; km (diurnal) */
  double h[3];                 /**< distance between nodes, in the same unit; 0: one node, no derivatives */
  hg_adr_boundary boundary[3]; /**< of both sides of an axis */
  double a[3];                 /**< velocity, unit/s */
  double d[3];                 /**< diffusion, unit^2/s */
  double growth;               /**< D along z is d[2] exp(growth z) */
  double outside[2];           /**< both species beyond fixed sides */
  double *initial[2];          /**< [nz][ny][nx] owned; NULL: those of the reaction */
} hg_adr_problem;

/** Values of --problem and --scheme, and names of boundaries and reactions in files; ended by NULL. */
extern const char *const hg_adr_problem_names[], *const hg_adr_scheme_names[], *const hg_adr_boundary_names[],
                                                                                   *const hg_adr_reaction_names[];

/** The problem with this number. HG_INVALID for sizes it cannot have, naming value and bound. */
hg_status hg_adr_problem_make(int number, const int64_t n[3], hg_adr_problem *out);

/** Sets first and h from boundaries, n and the domain: nodes are inside fixed sides and on mirrored ones, and a
 * periodic axis includes one of its two ends. */
void hg_adr_place_nodes(const double origin[3], const double length[3], hg_adr_problem *problem);

/** Frees what a problem owns. */
void hg_adr_problem_free(hg_adr_problem *problem);

/** HG_INVALID for negative diffusion, numbers that are not finite, or bad sizes, naming value and bound. */
hg_status hg_adr_problem_check(const hg_adr_problem *problem);

/** Largest 2 D / h^2 + |a| / h along an axis, in 1/s. */
double hg_adr_largest_weight(const hg_adr_problem *problem, int axis);

/** Largest |a| h / (2 D) over all axes: beyond 1 the weights have both signs, and the scheme may oscillate. */
double hg_adr_peclet(const hg_adr_problem *problem);

/** The time-dependent terms of a step that ends at time t (s). @param[out] term  [HG_ADR_TERMS] */
void hg_adr_terms(const hg_adr_problem *problem, double t, double *term);

/** Initial value of a species (0, 1) at a node. */
double hg_adr_initial(const hg_adr_problem *problem, int species, const int64_t at[3]);

/** Exact value at time t; NaN where unknown. */
double hg_adr_exact(const hg_adr_problem *problem, int species, const int64_t at[3], double t);

/** Tables of a block whose first unknown is node `first`, which may lie outside along periodic
 * axes.
 * @param[out] tables  [hg_adr_table_at(block, 3, 0)] */
void hg_adr_fill_tables(const hg_adr_problem *problem, const hg_adr_block *block, const int64_t first[3],
                        double *tables);
#endif
