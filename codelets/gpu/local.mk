# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/gpu/bus.c \
  codelets/gpu/bus.h \
  codelets/gpu/gpu.h
