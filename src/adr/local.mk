# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/adr/blocks.c \
  src/adr/blocks.h \
  src/adr/problem.c \
  src/adr/problem.h \
  src/adr/serial.c \
  src/adr/serial.h \
  src/adr/settings.c \
  src/adr/settings.h
