# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-network
hetgrid_network_SOURCES = \
  $(golden_sources) \
  tests/golden/network.c \
  apps/network/network.c \
  apps/network/network.h \
  apps/network/options.c \
  apps/network/predict.c \
  apps/reproduce/loggp.c \
  apps/network/show.c \
  apps/network/tables.c \
  apps/network/validate.c
hetgrid_network_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_network_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
about_network = what messages cost, measured and predicted
manuals += apps/hetgrid-network.1
