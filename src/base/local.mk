# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/base/blas.c \
  src/base/exact.c \
  src/base/file.c \
  src/base/log.c \
  src/base/memory.c \
  src/base/progress.c \
  src/base/status.c \
  src/base/text.c

hgbasedir = $(hgdir)/base
hgbase_HEADERS = \
  src/base/blas.h \
  src/base/box.h \
  src/base/clock.h \
  src/base/exact.h \
  src/base/file.h \
  src/base/log.h \
  src/base/memory.h \
  src/base/progress.h \
  src/base/random.h \
  src/base/status.h \
  src/base/text.h
