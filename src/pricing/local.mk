# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/pricing/book.c \
  src/pricing/book.h \
  src/pricing/contract.c \
  src/pricing/contract.h \
  src/pricing/estimate.c \
  src/pricing/estimate.h \
  src/pricing/portfolio.c \
  src/pricing/portfolio.h \
  src/pricing/saved.c \
  src/pricing/saved.h
