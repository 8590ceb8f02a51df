# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-elimination
hetgrid_elimination_SOURCES = \
  apps/elimination/elimination.c \
  apps/elimination/elimination.h \
  apps/elimination/options.c \
  apps/elimination/report.c
hetgrid_elimination_LDADD = libhetgrid.la -lm
about_elimination = linear systems by Gaussian elimination on heterogeneous machines
simulated += elimination
manuals += apps/hetgrid-elimination.1
