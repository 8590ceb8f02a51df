# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/energy/choice.c \
  src/energy/choice.h \
  src/energy/cluster_energy.c \
  src/energy/cluster_energy.h \
  src/energy/energy_division.c \
  src/energy/energy_division.h \
  src/energy/energy_division_fit.c \
  src/energy/meter.c \
  src/energy/meterlog.c \
  src/energy/meterlog.h \
  src/energy/nnls.c \
  src/energy/nnls.h \
  src/energy/nvml.c \
  src/energy/power.c \
  src/energy/power.h \
  src/energy/rapl.c \
  src/energy/rapl.h \
  src/energy/rapl_perf.c \
  src/energy/rapl_powercap.c \
  src/energy/scaling_curve.c \
  src/energy/scaling_curve.h \
  src/energy/source.c \
  src/energy/source.h \
  src/energy/sysfs.c \
  src/energy/sysfs.h \
  src/energy/ticker.c \
  src/energy/ticker.h \
  src/energy/use_context.c \
  src/energy/use_context.h
