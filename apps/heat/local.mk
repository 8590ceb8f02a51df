# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-heat
hetgrid_heat_SOURCES = \
  apps/heat/heat.c \
  apps/heat/heat.h \
  apps/heat/verify.c \
  $(nap_sources)
hetgrid_heat_CPPFLAGS = $(AM_CPPFLAGS) $(nap_cppflags)
hetgrid_heat_LDFLAGS = $(AM_LDFLAGS) $(nap_ldflags)
hetgrid_heat_LDADD = libhetgrid.la $(nap_libs) -lm
about_heat = heat transfer on heterogeneous machines
