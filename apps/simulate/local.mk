# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-simulate
hetgrid_simulate_SOURCES = \
  apps/programs/programs.c \
  apps/programs/programs.h \
  apps/reproduce/cooperative.c \
  apps/reproduce/dfpa.c \
  apps/reproduce/equations.c \
  apps/reproduce/thesis.c \
  apps/simulate/adr.c \
  apps/simulate/async.c \
  apps/simulate/async.h \
  apps/simulate/draw.c \
  apps/simulate/draw.h \
  apps/simulate/jacobi.c \
  apps/simulate/plan.c \
  apps/simulate/product.c \
  apps/simulate/run.c \
  apps/simulate/share.c \
  apps/simulate/show.c \
  apps/simulate/simulate.c \
  apps/simulate/simulate.h
hetgrid_simulate_LDADD = $(parts_without_tasks) $(adr_isa)
about_simulate = the programs on machines that are only described
manuals += apps/hetgrid-simulate.1
