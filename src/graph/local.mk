# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/graph/batch.c \
  src/graph/batch.h \
  src/graph/graph.c \
  src/graph/graph.h \
  src/graph/redistribute.c \
  src/graph/redistribute.h \
  src/graph/overlap_tuner.c \
  src/graph/overlap_tuner.h \
  src/graph/stencil.c \
  src/graph/stencil.h \
  src/graph/stencil_fill.c \
  src/graph/stencil_move.c \
  src/graph/stencil_tiles.c \
  src/graph/stencil_tiles.h \
  src/graph/tile_view.h \
  src/graph/units.c \
  src/graph/units.h \
  src/graph/units_exchange.c \
  src/graph/units_index.c \
  src/graph/units_move.c \
  src/graph/units_tiles.c \
  src/graph/units_tiles.h
