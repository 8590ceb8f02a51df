# SPDX-License-Identifier: MIT
# All parts in an archive: the library consists of them, and programs that run no task link the parts that they need,
# without StarPU, MPI and CUDA, which take 0.1 s and 0.25 GB to load.
noinst_LTLIBRARIES += libhetgrid-parts.la
libhetgrid_parts_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) \
  $(MPI_CFLAGS) $(HDF5_CFLAGS) $(PNG_CFLAGS) $(CAIRO_CFLAGS) $(ZIP_CFLAGS) $(ZLIB_CFLAGS) $(TIFF_CFLAGS) $(JANSSON_CFLAGS) \
  $(HWLOC_CFLAGS)) $(CUDA_CPPFLAGS) \
  -DHG_PLUGINS='"$(plugindir)"' -DHG_PLATFORMS='"$(pkgdatadir)/platforms"' -DHG_PLATFORMS_SOURCE='"$(abs_top_srcdir)/apps/platforms"'
libhetgrid_parts_la_SOURCES = src/hetgrid.h
parts_without_tasks = libhetgrid-parts.la $(CAIRO_LIBS) $(PNG_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS) $(HWLOC_LIBS) -lm

lib_LTLIBRARIES += libhetgrid.la
libhetgrid_la_SOURCES =
libhetgrid_la_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH) -version-info 2:0:1 \
  -Wl,--version-script=$(top_srcdir)/src/hetgrid.map
libhetgrid_la_LIBADD = libhetgrid-parts.la $(STARPUMPI_LIBS) $(STARPU_LIBS) $(MPI_LIBS) $(HDF5_LIBS) $(PNG_LIBS) \
  $(CAIRO_LIBS) $(ZIP_LIBS) $(ZLIB_LIBS) $(TIFF_LIBS) $(JANSSON_LIBS) $(HWLOC_LIBS) -lm
EXTRA_libhetgrid_la_DEPENDENCIES = src/hetgrid.map
EXTRA_DIST += src/hetgrid.map

# from the bottom up
include src/base/local.mk
include src/chart/local.mk
include src/input/local.mk
include src/network/local.mk
include src/speed/local.mk
include src/partition/local.mk
include src/platform/local.mk
include src/energy/local.mk
include src/placement/local.mk
include src/runtime/local.mk
include src/exchange/local.mk
include src/graph/local.mk
include src/divisible/local.mk
include src/async/local.mk
include src/division/local.mk
include src/result/local.mk
include src/options/local.mk
include src/job/local.mk
include src/elimination/local.mk
include src/matmul/local.mk
include src/pricing/local.mk
include src/adr/local.mk
include src/program/local.mk

# Public headers are installed into one folder; docs/API.md lists them.
hgdir = $(includedir)/hetgrid
nodist_hg_HEADERS = \
  include/hetgrid/app.h \
  include/hetgrid/app_cuda.h \
  include/hetgrid/app_lanes.h \
  include/hetgrid/app_unit.h \
  include/hetgrid/app_update.h \
  include/hetgrid/box.h \
  include/hetgrid/cells.h \
  include/hetgrid/divisible.h \
  include/hetgrid/heat_kernels.h \
  include/hetgrid/items.h \
  include/hetgrid/job.h \
  include/hetgrid/mpi_backoff.h \
  include/hetgrid/status.h \
  include/hetgrid/tile.h \
  include/hetgrid/units.h \
  include/hetgrid/version.h \
  include/hetgrid/warnings.h
BUILT_SOURCES += $(nodist_hg_HEADERS)
CLEANFILES += $(nodist_hg_HEADERS)
# removes headers of an older build that no longer exist
make_public = $(AM_V_GEN)$(MKDIR_P) include/hetgrid && if test ! -f $<; then rm -f $@; else \
  sed 's|^\( *.include \)"[a-z/]*/\([a-z_]*\.h\)"|\1<hetgrid/\2>|' $< > $@; fi
include/hetgrid/%.h: src/job/%.h
	$(make_public)
include/hetgrid/%.h: src/input/%.h
	$(make_public)
include/hetgrid/%.h: codelets/%.h
	$(make_public)
include/hetgrid/%.h: codelets/divisible/%.h
	$(make_public)
include/hetgrid/%.h: codelets/heat/%.h
	$(make_public)
include/hetgrid/%.h: codelets/units/%.h
	$(make_public)
include/hetgrid/%.h: src/divisible/%.h
	$(make_public)
include/hetgrid/%.h: src/base/%.h
	$(make_public)
include/hetgrid/mpi_backoff.h: src/runtime/mpi_backoff.h
	$(make_public)

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = src/hetgrid.pc
