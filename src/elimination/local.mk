# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/elimination/check.c \
  src/elimination/check.h \
  src/elimination/choose_workers.c \
  src/elimination/choose_workers.h \
  src/elimination/column.c \
  src/elimination/distribute.c \
  src/elimination/distribute.h \
  src/elimination/exchange.c \
  src/elimination/factors.c \
  src/elimination/factors.h \
  src/elimination/graph.c \
  src/elimination/graph.h \
  src/elimination/phases.c \
  src/elimination/predict.c \
  src/elimination/predict.h \
  src/elimination/problem.h \
  src/elimination/rcond.c \
  src/elimination/report.c \
  src/elimination/report.h \
  src/elimination/restore.c \
  src/elimination/solve.c \
  src/elimination/tile_map.c \
  src/elimination/tile_map.h \
  src/elimination/tiles.c \
  src/elimination/tiles.h \
  src/elimination/tournament.c \
  src/elimination/trace_notes.c \
  src/elimination/trace_notes.h
