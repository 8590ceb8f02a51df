# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-matmul
hetgrid_matmul_SOURCES = \
  apps/matmul/matmul.c \
  apps/matmul/matmul.h \
  apps/matmul/options.c \
  apps/matmul/report.c \
  apps/matmul/run.c
hetgrid_matmul_LDADD = libhetgrid.la -lm
about_matmul = matrix products on processors whose speeds are learnt meanwhile
simulated += matmul
manuals += apps/hetgrid-matmul.1
