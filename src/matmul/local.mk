# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/matmul/bench.c \
  src/matmul/divide.c \
  src/matmul/divide.h \
  src/matmul/exchange.c \
  src/matmul/exchange.h \
  src/matmul/part.c \
  src/matmul/part.h \
  src/matmul/predict.c \
  src/matmul/predict.h \
  src/matmul/problem.h \
  src/matmul/product.c \
  src/matmul/product.h \
  src/matmul/shares.c \
  src/matmul/shares.h \
  src/matmul/sides.c \
  src/matmul/transport.h \
  src/matmul/verify.c \
  src/matmul/verify.h
if SIMULATION
libhetgrid_parts_la_SOURCES += src/matmul/transport_simulated.c
else
libhetgrid_parts_la_SOURCES += src/matmul/transport_mpi.c
endif
