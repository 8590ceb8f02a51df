# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/async/blocks.h \
  src/async/blocks_make.c \
  src/async/blocks_run.c \
  src/async/blocks_run.h \
  src/async/mailbox.c \
  src/async/mailbox.h \
  src/async/relax.c \
  src/async/relax.h \
  src/async/async_sim.c \
  src/async/async_sim.h \
  src/async/lockstep_sim.c \
  src/async/termination.c \
  src/async/termination.h
