# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/job/consistency.c \
  src/job/app.h \
  src/job/app_cuda.h \
  src/job/app_lanes.h \
  src/job/change.c \
  src/job/check.c \
  src/job/checkpoint.c \
  src/job/make_graph.c \
  src/job/metadata.c \
  src/job/fill.c \
  src/job/identity.c \
  src/job/job.h \
  src/job/jobfile.c \
  src/job/jobfile.h \
  src/job/live.c \
  src/job/live.h \
  src/job/models.c \
  src/job/parameters.c \
  src/job/parameters.h \
  src/job/rebalance.c \
  src/job/results.c \
  src/job/run.c \
  src/job/run.h \
  src/job/snapshot_copy.c \
  src/job/snapshot_copy.h \
  src/job/snapshots.c \
  src/job/source.c \
  src/job/source.h \
  src/job/steps.c \
  src/job/summary.c \
  src/job/tiles.c \
  src/job/value_rows.c \
  src/job/value_rows.h \
  src/job/unit_access.c \
  src/job/values.c \
  src/job/verify.c
