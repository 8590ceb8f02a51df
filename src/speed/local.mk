# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/speed/cpm.c \
  src/speed/cpm.h \
  src/speed/dfpa.c \
  src/speed/fpm.c \
  src/speed/fpm.h \
  src/speed/guess.h \
  src/speed/kernel_classes.c \
  src/speed/kernel_classes.h \
  src/speed/measure.c \
  src/speed/measure.h \
  src/speed/outliers.c \
  src/speed/partial.c \
  src/speed/partial.h \
  src/speed/partial_file.c \
  src/speed/sample.c \
  src/speed/sample.h \
  src/speed/speed.c \
  src/speed/speed.h \
  src/speed/tables.c \
  src/speed/tables.h \
  src/speed/tables_draw.c
