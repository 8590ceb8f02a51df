# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/input/array.c \
  src/input/array.h \
  src/input/csv.c \
  src/input/grid.c \
  src/input/hdf5.c \
  src/input/lines.c \
  src/input/lines.h \
  src/input/npy.c \
  src/input/png.c \
  src/input/problem.c

hginputdir = $(hgdir)/input
hginput_HEADERS = \
  src/input/cells.h \
  src/input/domain.h \
  src/input/grid.h \
  src/input/problem.h
