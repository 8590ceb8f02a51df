/* SPDX-License-Identifier: MIT */
/* The layout of a padded tile's cells, whatever they hold. */
#ifndef HG_CODELETS_TILE_H
#define HG_CODELETS_TILE_H

#include <stdbool.h>
#include <stdint.h>

enum { HG_LO = 0, HG_HI = 1 };

/** Shape of a padded tile. Index 0 is x (west..east), 1 is y (north..south), 2 is z (up..down). */
typedef struct hg_tile_shape {
  int dims;          /**< 1, 2 or 3; extents beyond are 1 */
  int64_t n[3];      /**< padded extents in cells, >= 1 */
  int64_t stride[3]; /**< distance in elements between neighbours along each axis; stride[0] == 1 */
  int margin[3][2];  /**< margin depth in cells on the low and the high side, >= 0 */
  bool hold[3][2];   /**< the outermost layer of cells on this side keeps its value */
  int images[3][2];  /**< margin layers on this side that lie beyond an insulated side of the grid */
  bool stream;       /**< the grid exceeds the caches: write `dst` with non-temporal stores */
} hg_tile_shape;
#endif
