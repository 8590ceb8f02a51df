/* SPDX-License-Identifier: MIT */
/* Copying boxes of cells between a tile and a piece (a contiguous buffer). */
#ifndef HG_CODELETS_HALO_PIECES_H
#define HG_CODELETS_HALO_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where the cells of a piece are in a tile. The piece itself is contiguous, with x varying fastest. */
typedef struct hg_halo_piece_cells {
  int64_t first;     /**< element of the tile that is the piece's first cell */
  int64_t stride[3]; /**< elements of the tile between neighbours in the piece; negative where mirrored */
  int64_t n[3];      /**< extents in cells */
} hg_halo_piece_cells;

/** piece = cells of the tile (pack) or cells of the tile = piece (unpack), with `size` bytes per value. */
void hg_halo_piece_pack(const hg_halo_piece_cells *cells, int size, const void *tile, void *piece);
void hg_halo_piece_unpack(const hg_halo_piece_cells *cells, int size, void *tile, const void *piece);

#ifdef __cplusplus
}
#endif
#endif
