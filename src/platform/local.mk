# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/platform/costs.c \
  src/platform/find.c \
  src/platform/platform.c \
  src/platform/platform.h \
  src/platform/simgrid.c \
  src/platform/simgrid.h \
  src/platform/write.c
