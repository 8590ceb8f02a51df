# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-jacobi
hetgrid_jacobi_SOURCES = \
  apps/jacobi/jacobi.c \
  apps/jacobi/jacobi.h \
  apps/jacobi/problem.c
hetgrid_jacobi_LDADD = libhetgrid.la -lm
about_jacobi = Jacobi relaxation of the Poisson equation on heterogeneous machines
simulated += jacobi
manuals += apps/hetgrid-jacobi.1
