# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/job/alike.c \
  src/job/app.h \
  src/job/app_cuda.h \
  src/job/arguments.c \
  src/job/arguments.h \
  src/job/balance.c \
  src/job/balance.h \
  src/job/change.c \
  src/job/check.c \
  src/job/checkpoint.c \
  src/job/copy.c \
  src/job/copy.h \
  src/job/divide.c \
  src/job/divide.h \
  src/job/divisible.h \
  src/job/facts.c \
  src/job/fill.c \
  src/job/grid_arguments.c \
  src/job/grid_arguments.h \
  src/job/identity.c \
  src/job/job.h \
  src/job/jobfile.c \
  src/job/jobfile.h \
  src/job/live.c \
  src/job/live.h \
  src/job/mode.c \
  src/job/mode.h \
  src/job/models.c \
  src/job/objective.c \
  src/job/objective.h \
  src/job/parameters.c \
  src/job/parameters.h \
  src/job/rebalance.c \
  src/job/results.c \
  src/job/rows.c \
  src/job/rows.h \
  src/job/run.c \
  src/job/run.h \
  src/job/run_arguments.c \
  src/job/snapshots.c \
  src/job/source.c \
  src/job/source.h \
  src/job/steps.c \
  src/job/summary.c \
  src/job/tiles.c \
  src/job/values.c
if !SIMULATION
libhetgrid_parts_la_SOURCES += src/job/divisible.c
endif
EXTRA_DIST += src/job/divisible.c
