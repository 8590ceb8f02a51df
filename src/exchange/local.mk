# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/exchange/alltoallv.c \
  src/exchange/alltoallv.h \
  src/exchange/broadcast.h \
  src/exchange/measure_levels.h \
  src/exchange/world.h
if !SIMULATION
libhetgrid_parts_la_SOURCES += \
  src/exchange/broadcast.c \
  src/exchange/broadcast_choose.c \
  src/exchange/measure_levels.c \
  src/exchange/message_times.c \
  src/exchange/world.c
endif
