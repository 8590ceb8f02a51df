# SPDX-License-Identifier: MIT
partition_sources = \
  src/partition/auto.c \
  src/partition/auto.h \
  src/partition/columns.c \
  src/partition/columns.h \
  src/partition/groups.c \
  src/partition/levels.c \
  src/partition/metrics.c \
  src/partition/near.c \
  src/partition/partition.c \
  src/partition/points.c \
  src/partition/recursive.c \
  src/partition/strips.c \
  src/partition/tree.c
libhetgrid_parts_la_SOURCES += \
  $(partition_sources) \
  src/partition/boxfile.c \
  src/partition/boxfile.h \
  src/partition/draw.c \
  src/partition/draw.h \
  src/partition/groups.h \
  src/partition/metrics.h \
  src/partition/near.h \
  src/partition/partition.h \
  src/partition/points.h \
  src/partition/tree.h
