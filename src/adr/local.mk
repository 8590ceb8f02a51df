# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/adr/async.c \
  src/adr/async.h \
  src/adr/blocks.c \
  src/adr/blocks.h \
  src/adr/certificate.c \
  src/adr/certificate.h \
  src/adr/certified.c \
  src/adr/certified.h \
  src/adr/global.c \
  src/adr/global.h \
  src/adr/graph.c \
  src/adr/graph.h \
  src/adr/move.c \
  src/adr/move.h \
  src/adr/problem.c \
  src/adr/problem.h \
  src/adr/problem_file.c \
  src/adr/problem_file.h \
  src/adr/results.c \
  src/adr/results.h \
  src/adr/serial.c \
  src/adr/serial.h \
  src/adr/settings.c \
  src/adr/settings.h \
  src/adr/tasks.c \
  src/adr/tasks.h \
  src/adr/tiles.c \
  src/adr/tiles.h
