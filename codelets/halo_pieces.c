/* SPDX-License-Identifier: MIT */
#include "codelets/halo_pieces.h"

#include <string.h>

/* Copies one row of a piece to (pack) or from (unpack) the tile; mirrored rows run backwards in the tile. */
#define COPY_ROW(TYPE)                                                                                                 \
  static void copy_row_##TYPE(TYPE *tile, int64_t stride, TYPE *piece, int64_t n, bool pack)                           \
  {                                                                                                                    \
    if (stride == 1)                                                                                                   \
      memcpy(pack ? piece : tile, pack ? tile : piece, (size_t)n * sizeof(TYPE));                                      \
    else if (pack)                                                                                                     \
      for (int64_t x = 0; x < n; x++) piece[x] = tile[x * stride];                                                     \
    else                                                                                                               \
      for (int64_t x = 0; x < n; x++) tile[x * stride] = piece[x];                                                     \
  }

COPY_ROW(uint64_t)
COPY_ROW(uint32_t)

/* Values of any other size, at byte addresses. */
static void copy_row_bytes(char *tile, int64_t stride, char *piece, int64_t n, size_t size, bool pack)
{
  if (stride == 1)
    memcpy(pack ? piece : tile, pack ? tile : piece, (size_t)n * size);
  else
    for (int64_t x = 0; x < n; x++) {
      char *value = tile + x * stride * (int64_t)size, *packed = piece + x * (int64_t)size;
      memcpy(pack ? packed : value, pack ? value : packed, size);
    }
}

static void copy(const hg_halo_piece_cells *c, int size, void *tile, void *piece, bool pack)
{
  int64_t i = 0;
  for (int64_t z = 0; z < c->n[2]; z++)
    for (int64_t y = 0; y < c->n[1]; y++, i += c->n[0]) {
      int64_t row = c->first + y * c->stride[1] + z * c->stride[2];
      if (size == 8)
        copy_row_uint64_t((uint64_t *)tile + row, c->stride[0], (uint64_t *)piece + i, c->n[0], pack);
      else if (size == 4)
        copy_row_uint32_t((uint32_t *)tile + row, c->stride[0], (uint32_t *)piece + i, c->n[0], pack);
      else
        copy_row_bytes((char *)tile + row * size, c->stride[0], (char *)piece + i * size, c->n[0], (size_t)size, pack);
    }
}

void hg_halo_piece_pack(const hg_halo_piece_cells *cells, int size, const void *tile, void *piece)
{
  copy(cells, size, (void *)(uintptr_t)tile, piece, true);
}

void hg_halo_piece_unpack(const hg_halo_piece_cells *cells, int size, void *tile, const void *piece)
{
  copy(cells, size, tile, (void *)(uintptr_t)piece, false);
}
