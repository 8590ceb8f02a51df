# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/placement/choose.c \
  src/placement/fpmc.c \
  src/placement/fpmc_thesis.c \
  src/placement/permutation.c \
  src/placement/tilemap.c \
  src/placement/tiling.c

hgplacementdir = $(hgdir)/placement
hgplacement_HEADERS = \
  src/placement/choose.h \
  src/placement/fpmc.h \
  src/placement/permutation.h \
  src/placement/tilemap.h \
  src/placement/tiling.h
