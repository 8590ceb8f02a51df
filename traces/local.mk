# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  traces/advice.c \
  traces/ages.h \
  traces/build.h \
  traces/causes.c \
  traces/chrome.c \
  traces/chrome.h \
  traces/draw.c \
  traces/draw.h \
  traces/index.c \
  traces/notes.c \
  traces/notes.h \
  traces/paje.c \
  traces/paje.h \
  traces/paje_write.c \
  traces/paje_write.h \
  traces/print.c \
  traces/read.c \
  traces/read_states.c \
  traces/read_tasks.c \
  traces/rec.c \
  traces/rec.h \
  traces/report.c \
  traces/report.h \
  traces/summary.c \
  traces/summary.h \
  traces/trace.h
