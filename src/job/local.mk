# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/job/arguments.c \
  src/job/balance.c \
  src/job/check.c \
  src/job/divide.c \
  src/job/grid_arguments.c \
  src/job/jobfile.c \
  src/job/jobfile.h \
  src/job/main.c \
  src/job/rebalance.c \
  src/job/report.c \
  src/job/report.h \
  src/job/results.c \
  src/job/run.c \
  src/job/run.h \
  src/job/source.c \
  src/job/source.h \
  src/job/steps.c \
  src/job/values.c

hgjobdir = $(hgdir)/job
hgjob_HEADERS = \
  src/job/app_cuda.h \
  src/job/arguments.h \
  src/job/balance.h \
  src/job/divide.h \
  src/job/grid_arguments.h \
  src/job/job.h
