# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/pricing/pricing.h \
  codelets/pricing/pricing_cpu.c \
  codelets/pricing/pricing_flops.c \
  codelets/pricing/pricing_internal.h \
  codelets/pricing/pricing_update.c \
  codelets/pricing/pricing_update.h
