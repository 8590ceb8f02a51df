# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-heat
hetgrid_heat_SOURCES = \
  apps/heat/field.c \
  apps/heat/flux.c \
  apps/heat/heat.c \
  apps/heat/heat.h \
  apps/heat/mask.c \
  apps/heat/verify.c
hetgrid_heat_LDADD = libhetgrid.la -lm
about_heat = heat transfer on heterogeneous machines
simulated += heat
manuals += apps/hetgrid-heat.1
