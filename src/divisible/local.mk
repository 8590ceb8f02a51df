# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/divisible/divisible.h \
  src/divisible/internal.h \
  src/divisible/pass_log.c \
  src/divisible/pass_log.h \
  src/divisible/passes.h \
  src/divisible/shares.c \
  src/divisible/shares.h \
  src/divisible/slabs.h \
  src/divisible/streams.c \
  src/divisible/streams.h
if !SIMULATION
libhetgrid_parts_la_SOURCES += \
  src/divisible/check.c \
  src/divisible/devices.c \
  src/divisible/divided_arrays.c \
  src/divisible/divisible.c \
  src/divisible/learned_tables.c \
  src/divisible/pass_record.c \
  src/divisible/passes.c \
  src/divisible/root_arrays.c \
  src/divisible/slabs.c
endif
