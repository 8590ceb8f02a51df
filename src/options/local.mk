# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/options/arguments.c \
  src/options/arguments.h \
  src/options/async_options.c \
  src/options/async_options.h \
  src/options/factors.c \
  src/options/factors.h \
  src/options/grid_options.c \
  src/options/grid_options.h \
  src/options/policy_option.c \
  src/options/policy_option.h \
  src/options/run_options.c
