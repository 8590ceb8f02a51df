# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/heat/grid_sides.h \
  codelets/heat/heat_cpu.c \
  codelets/heat/heat_depth.c \
  codelets/heat/heat_internal.h \
  codelets/heat/heat_reference.c \
  codelets/heat/heat_update.c \
  codelets/heat/heat_update.h \
  codelets/heat/heat_kernels.h
