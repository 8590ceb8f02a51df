# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/model/context.c \
  src/model/context.h \
  src/model/cpm.c \
  src/model/cpm.h \
  src/model/dfpa.c \
  src/model/energy.c \
  src/model/energy.h \
  src/model/fpm.c \
  src/model/fpm.h \
  src/model/green.c \
  src/model/green.h \
  src/model/levels.c \
  src/model/levels.h \
  src/model/measure.c \
  src/model/measure.h \
  src/model/partial.c \
  src/model/partial.h \
  src/model/platform.c \
  src/model/platform.h \
  src/model/power.c \
  src/model/power.h \
  src/model/robust.c \
  src/model/simgrid.c \
  src/model/simgrid.h \
  src/model/speed.c \
  src/model/speed.h \
  src/model/tables.c \
  src/model/tables.h
