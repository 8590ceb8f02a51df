# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/input/array.c \
  src/input/array.h \
  src/input/cells.h \
  src/input/conventions.c \
  src/input/conventions.h \
  src/input/csv.c \
  src/input/dependence.h \
  src/input/domain.h \
  src/input/families.c \
  src/input/foreign.c \
  src/input/foreign.h \
  src/input/georeference.c \
  src/input/georeference.h \
  src/input/grid.c \
  src/input/grid.h \
  src/input/gunzip.c \
  src/input/gunzip.h \
  src/input/hdf5.c \
  src/input/hdf5_open.c \
  src/input/hdf5_open.h \
  src/input/lines.c \
  src/input/lines.h \
  src/input/matrix.c \
  src/input/matrix.h \
  src/input/mtx.c \
  src/input/npy.c \
  src/input/png.c \
  src/input/problem.c \
  src/input/problem.h \
  src/input/sparse.c \
  src/input/tiff.h
if HAVE_TIFF
libhetgrid_parts_la_SOURCES += src/input/tiff.c
else
libhetgrid_parts_la_SOURCES += src/input/tiff_none.c
endif
