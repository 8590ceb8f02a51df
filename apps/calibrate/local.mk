# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-calibrate
hetgrid_calibrate_SOURCES = \
  apps/calibrate/adr.c \
  apps/calibrate/bus.c \
  apps/calibrate/calibrate.c \
  apps/calibrate/calibrate.h \
  apps/calibrate/energy.c \
  apps/calibrate/gpu.c \
  apps/calibrate/kernels.c \
  apps/calibrate/measure.c \
  apps/calibrate/panel.c \
  apps/calibrate/platform.c \
  apps/calibrate/together.c \
  apps/programs/programs.c \
  apps/programs/programs.h
hetgrid_calibrate_LDADD = libhetgrid.la -lm
about_calibrate = speed of the workers of a machine
manuals += apps/hetgrid-calibrate.1
