# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-adr
hetgrid_adr_SOURCES = \
  $(golden_sources) \
  tests/golden/adr.c \
  apps/adr/adr.c \
  apps/adr/adr.h \
  apps/adr/history.c \
  apps/adr/options.c \
  apps/adr/rebalance.c \
  apps/adr/report.c \
  apps/adr/steps.c
hetgrid_adr_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_adr_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
about_adr = advection, diffusion and reaction of two species on heterogeneous machines
simulated += adr
manuals += apps/hetgrid-adr.1
