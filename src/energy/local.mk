# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/energy/choice.c \
  src/energy/choice.h \
  src/energy/meter.c \
  src/energy/meterlog.c \
  src/energy/meterlog.h \
  src/energy/nvml.c \
  src/energy/rapl.c \
  src/energy/rapl.h \
  src/energy/rapl_perf.c \
  src/energy/rapl_powercap.c \
  src/energy/source.c \
  src/energy/source.h \
  src/energy/sysfs.c \
  src/energy/sysfs.h \
  src/energy/ticker.c \
  src/energy/ticker.h
