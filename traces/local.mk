# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  traces/build.h \
  traces/causes.c \
  traces/draw.c \
  traces/notes.c \
  traces/notes.h \
  traces/paje.c \
  traces/paje.h \
  traces/print.c \
  traces/profile.c \
  traces/profile.h \
  traces/read_states.c \
  traces/read_tasks.c \
  traces/rec.c \
  traces/rec.h \
  traces/record.c \
  traces/report.c \
  traces/summary.c \
  traces/trace.c
hgtracesdir = $(hgdir)/traces
hgtraces_HEADERS = \
  traces/draw.h \
  traces/record.h \
  traces/report.h \
  traces/summary.h \
  traces/trace.h
