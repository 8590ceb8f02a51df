# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-jacobi
hetgrid_jacobi_SOURCES = \
  $(golden_sources) \
  tests/golden/jacobi.c \
  apps/jacobi/bounds.c \
  apps/jacobi/jacobi.c \
  apps/jacobi/jacobi.h \
  apps/jacobi/mode.c \
  apps/jacobi/problem.c
hetgrid_jacobi_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_jacobi_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
about_jacobi = Jacobi relaxation of the Poisson equation on heterogeneous machines
simulated += jacobi
manuals += apps/hetgrid-jacobi.1
