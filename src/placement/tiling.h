/* SPDX-License-Identifier: MIT */
/* From a partition to tiles, and from tiles to the pieces that they exchange.
 *
 * Each processor's box is cut into a mesh of tiles; meshes of neighbouring boxes need not conform. For blocks of k
 * time steps that each reach r cells, a tile needs margins of k r cells. Beyond an insulated or periodic side of the
 * grid lie images of the grid itself, mirrored or shifted, so every margin cell not cut off by a fixed side has
 * exactly one cell of the grid as its source. The part of a tile's margin that comes from one (tile, image) pair is a
 * box again: a piece.
 *
 *        image (mirror)      A piece of T = padded box of T, met with an image of another tile's core.
 *      ------------------    Periodic:  cell e of the extended grid is cell e +- n.
 *       |  T    |  S   |     Insulated: cell e is cell -1-e on the low side and 2n-1-e on the high side.
 *       |  +----+      |
 */
#ifndef HG_PLACEMENT_TILING_H
#define HG_PLACEMENT_TILING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/box.h"
#include "base/status.h"
#include "input/domain.h"

/** One processor's box and how it is cut. */
typedef struct hg_region {
  hg_box box;     /**< may be empty */
  int rank;       /**< MPI rank that owns it */
  int mesh[3];    /**< tiles along each axis, >= 1; 0 where the box is empty */
  int first_tile; /**< global number of its first tile; tiles are numbered x fastest */
} hg_region;

/** All tiles of a run; the same on every rank. */
typedef struct hg_tiling {
  hg_domain domain;
  int depth; /**< steps per block, >= 1; the margins are depth * domain.radius cells deep */
  int regions;
  hg_region *region;
  int tiles;
} hg_tiling;

/** Largest block depth that the grid allows: an image is as wide as the grid, so a margin must not be wider. */
int64_t hg_tiling_max_depth(const hg_domain *domain);

/** Cuts box[regions] into tiles of at most tile[r] cells per axis.
 * @param rank  [regions] owner of each box
 * @param depth  1..hg_tiling_max_depth
 * @param tile  [regions][3] largest extents of a tile, >= 1
 * HG_INVALID, HG_MEMORY. Free with hg_tiling_free. */
hg_status hg_tiling_make(const hg_domain *domain, int regions, const hg_box *box, const int *rank, int depth,
                         const int64_t (*tile)[3], hg_tiling *out);
void hg_tiling_free(hg_tiling *tiling);

/** The region that a tile lies in. */
const hg_region *hg_tile_region(const hg_tiling *tiling, int tile);

/** The tile that a cell of the grid lies in. O(regions). */
int hg_tile_at(const hg_tiling *tiling, const int64_t at[3]);

/** The cells that a tile owns. */
hg_box hg_tile_core(const hg_tiling *tiling, int tile);

/** The core and its margins, in coordinates of the extended grid, cut off at fixed sides. */
hg_box hg_tile_padded(const hg_tiling *tiling, const hg_box *core);

/** Part of a tile's margin that another tile (or an image of the tile itself) provides. */
typedef struct hg_halo_piece {
  int from, to; /**< tiles */
  int index;    /**< number of the piece among the pieces of `to` */
  hg_box box;   /**< cells in the extended grid, inside the padded box of `to` */
  int sign[3];  /**< cell e of `box` is cell sign*e + offset of the grid */
  int64_t offset[3];
} hg_halo_piece;

/** Lists the pieces that make up a tile's margin, in an order that depends on the tiling alone.
 * @param[out] list  malloc'ed array; the caller frees it
 * Cost: proportional to the number of regions, and to the pieces found. */
hg_status hg_tile_halo_pieces(const hg_tiling *tiling, int tile, hg_halo_piece **list, int *count);

/** Image i of a grid beyond its sides; i is 0..26, and 13 is the grid itself.
 * @param[out] map  zero before; its sign and offset map from the image to the grid
 * @return false beyond a fixed side */
bool hg_grid_image(const hg_domain *domain, int i, hg_halo_piece *map);

/** The box of that image that a box of the grid appears in. */
hg_box hg_grid_image_box(const hg_halo_piece *map, const hg_box *box);

/** The cells of the grid that a piece copies. */
hg_box hg_halo_piece_source(const hg_halo_piece *piece);
#endif
