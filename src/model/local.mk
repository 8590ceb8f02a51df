# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/model/cpm.c \
  src/model/fpm.c \
  src/model/platform.c \
  src/model/simgrid.c \
  src/model/speed.c \
  src/model/tables.c

hgmodeldir = $(hgdir)/model
hgmodel_HEADERS = \
  src/model/cpm.h \
  src/model/fpm.h \
  src/model/platform.h \
  src/model/simgrid.h \
  src/model/speed.h \
  src/model/tables.h
