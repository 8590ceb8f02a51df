# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/divisible/items.h \
  codelets/divisible/items_codelet.h
