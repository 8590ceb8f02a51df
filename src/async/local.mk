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
  src/async/simulated.c \
  src/async/simulated.h \
  src/async/simulated_lockstep.c \
  src/async/termination.c \
  src/async/termination.h
