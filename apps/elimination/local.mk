# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-elimination
hetgrid_elimination_SOURCES = \
  apps/elimination/elimination.c \
  apps/elimination/elimination.h \
  apps/elimination/options.c \
  apps/elimination/report.c \
  $(nap_sources)
hetgrid_elimination_CPPFLAGS = $(AM_CPPFLAGS) $(nap_cppflags)
hetgrid_elimination_LDFLAGS = $(AM_LDFLAGS) $(nap_ldflags)
hetgrid_elimination_LDADD = libhetgrid.la $(nap_libs) -lm
about_elimination = linear systems by Gaussian elimination on heterogeneous machines
