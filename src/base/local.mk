# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/base/blas.c \
  src/base/blas.h \
  src/base/box.h \
  src/base/chart.c \
  src/base/chart.h \
  src/base/clock.h \
  src/base/environment.c \
  src/base/environment.h \
  src/base/exact.c \
  src/base/exact.h \
  src/base/file.c \
  src/base/file.h \
  src/base/hash.h \
  src/base/log.c \
  src/base/log.h \
  src/base/memory.c \
  src/base/memory.h \
  src/base/progress.c \
  src/base/progress.h \
  src/base/random.h \
  src/base/status.c \
  src/base/status.h \
  src/base/text.c \
  src/base/text.h \
  src/base/version.h
