# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-energy
hetgrid_energy_SOURCES = \
  $(golden_sources) \
  tests/golden/energy.c \
  tests/golden/paper_energy.h \
  apps/energy/choose.c \
  apps/energy/choose.h \
  apps/energy/command.c \
  apps/energy/contexts.c \
  apps/energy/contexts.h \
  apps/energy/control.c \
  apps/energy/control.h \
  apps/energy/control_print.c \
  apps/energy/draw.c \
  apps/energy/energy.c \
  apps/energy/energy.h \
  apps/energy/learned.c \
  apps/energy/load.c \
  apps/energy/load.h \
  apps/energy/map.c \
  apps/energy/measure.c \
  apps/energy/measure.h \
  apps/energy/next.c \
  apps/energy/parts.c \
  apps/energy/print.c \
  apps/energy/test.c
hetgrid_energy_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_energy_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
about_energy = joules and seconds of runs, and which context of use is best
manuals += apps/hetgrid-energy.1
