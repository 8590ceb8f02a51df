# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/network/broadcast_choice.c \
  src/network/broadcast_times.c \
  src/network/draw.c \
  src/network/draw.h \
  src/network/file.c \
  src/network/fit.c \
  src/network/fit.h \
  src/network/matmul_times.c \
  src/network/mhloggp.c \
  src/network/mhloggp.h \
  src/network/network.c \
  src/network/network.h \
  src/network/predict.c \
  src/network/predict.h \
  src/network/schedule.h \
  src/network/survey.c \
  src/network/survey.h \
  src/network/table.c \
  src/network/write.c
