# SPDX-License-Identifier: MIT
lib_LTLIBRARIES += libhetgrid.la
libhetgrid_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) \
  $(MPI_CFLAGS) $(HDF5_CFLAGS) $(PNG_CFLAGS) $(ZIP_CFLAGS) $(OPENBLAS_CFLAGS)) $(CUDA_CPPFLAGS)
libhetgrid_la_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH) -version-info 0:0:0
libhetgrid_la_LIBADD = $(STARPUMPI_LIBS) $(STARPU_LIBS) $(MPI_LIBS) $(HDF5_LIBS) $(PNG_LIBS) $(ZIP_LIBS) \
  $(OPENBLAS_LIBS) -lm
libhetgrid_la_SOURCES =

hgdir = $(includedir)/hetgrid
hg_HEADERS = \
  src/hetgrid.h \
  src/hetgrid_app.h
hgcodeletsdir = $(hgdir)/codelets
hgcodelets_HEADERS = \
  codelets/costs.h \
  codelets/kernels.h \
  codelets/lu_kernels.h \
  codelets/units.h \
  codelets/units_cpu.h

# from the bottom up
include src/base/local.mk
include src/input/local.mk
include src/model/local.mk
include src/partition/local.mk
include src/placement/local.mk
include src/graph/local.mk
include src/elimination/local.mk
include src/result/local.mk
include src/job/local.mk

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = src/hetgrid.pc
