# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/program/checkpointer.c \
  src/program/checkpointer.h \
  src/program/child.c \
  src/program/child.h \
  src/program/columns.c \
  src/program/columns.h \
  src/program/counters.c \
  src/program/counters.h \
  src/program/divisible_program.h \
  src/program/energy.c \
  src/program/energy.h \
  src/program/exit.c \
  src/program/exit.h \
  src/program/job_main.c \
  src/program/job_program.c \
  src/program/job_program.h \
  src/program/job_report.c \
  src/program/run_context.h \
  src/program/observer.h \
  src/program/observers.c \
  src/program/observers.h \
  src/program/outputs.c \
  src/program/outputs.h \
  src/program/program.c \
  src/program/program.h
if !SIMULATION
libhetgrid_parts_la_SOURCES += \
  src/program/divisible_main.c \
  src/program/divisible_program.c
endif
