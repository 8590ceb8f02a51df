/* SPDX-License-Identifier: MIT */
/* The grid of a problem: extents, boundary conditions, and how far an update reaches. */
#ifndef HG_INPUT_DOMAIN_H
#define HG_INPUT_DOMAIN_H

#include <stdint.h>

typedef enum hg_boundary {
  HG_FIXED,     /**< the outermost cells keep their value (Dirichlet) */
  HG_INSULATED, /**< a missing neighbour is the cell's own mirror image (no flux) */
  HG_PERIODIC   /**< the opposite side is the neighbour */
} hg_boundary;

typedef struct hg_domain {
  int dims;               /**< 1..3 */
  int64_t n[3];           /**< columns, rows, layers; >= 1; 1 beyond dims */
  hg_boundary side[3][2]; /**< [axis][0: west/north/up, 1: east/south/down] */
  int radius;             /**< cells that one step reaches along each axis, >= 1; fixed sides hold as many layers */
} hg_domain;
#endif
