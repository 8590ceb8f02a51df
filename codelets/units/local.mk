# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/units/batch_codelet.c \
  codelets/units/batch_codelet.h \
  codelets/units/lane_sweep.c \
  codelets/units/lane_sweep.h \
  codelets/units/lane_words.c \
  codelets/units/lane_words.h \
  codelets/units/stencil_codelet.c \
  codelets/units/stencil_codelet.h \
  codelets/units/stored.c \
  codelets/units/stored.h \
  codelets/units/units.h \
  codelets/units/units_codelet.c \
  codelets/units/units_codelet.h \
  codelets/units/units_cpu.c \
  codelets/units/units_cpu.h \
  codelets/units/units_lanes.c \
  codelets/units/units_lanes.h \
  codelets/units/units_tile.c \
  codelets/units/units_tile.h
