# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/pricing/portfolio_run.c \
  src/pricing/portfolio_run.h \
  src/pricing/contract.c \
  src/pricing/contract.h \
  src/pricing/estimate.c \
  src/pricing/estimate.h \
  src/pricing/portfolio.c \
  src/pricing/portfolio.h \
  src/pricing/saved.c \
  src/pricing/saved.h
