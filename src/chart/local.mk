# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/chart/axis.c \
  src/chart/axis.h \
  src/chart/canvas.c \
  src/chart/canvas.h \
  src/chart/chart.c \
  src/chart/chart.h \
  src/chart/colours.c \
  src/chart/colours.h
