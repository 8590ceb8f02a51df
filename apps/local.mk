# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-heat
hetgrid_heat_SOURCES = apps/heat.c apps/heat_options.c apps/heat_options.h
hetgrid_heat_LDADD = libhetgrid.la
