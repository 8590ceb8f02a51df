# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/model/cpm.c \
  src/model/cpm.h \
  src/model/fpm.c \
  src/model/fpm.h \
  src/model/platform.c \
  src/model/platform.h \
  src/model/simgrid.c \
  src/model/simgrid.h \
  src/model/speed.c \
  src/model/speed.h \
  src/model/tables.c \
  src/model/tables.h
