# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-pricer
hetgrid_pricer_SOURCES = \
  $(golden_sources) \
  tests/golden/pricer.c \
  apps/pricer/options.c \
  apps/pricer/pricer.c \
  apps/pricer/pricer.h \
  apps/pricer/report.c
hetgrid_pricer_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_pricer_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
about_pricer = European and Asian options by Monte-Carlo on heterogeneous machines
simulated += pricer
manuals += apps/hetgrid-pricer.1
