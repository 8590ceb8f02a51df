# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/placement/candidates.c \
  src/placement/choose.c \
  src/placement/choose.h \
  src/placement/follow.c \
  src/placement/follow.h \
  src/placement/fpmc.c \
  src/placement/fpmc.h \
  src/placement/fpmc_thesis.c \
  src/placement/guided.c \
  src/placement/guided.h \
  src/placement/halo.c \
  src/placement/halo.h \
  src/placement/machine.c \
  src/placement/machine.h \
  src/placement/search.c \
  src/placement/search.h \
  src/placement/tiling.c \
  src/placement/tiling.h
