# SPDX-License-Identifier: MIT
nodist_libhetgrid_parts_la_SOURCES = include/commit.h
BUILT_SOURCES = include/commit.h
CLEANFILES += include/commit.h
libhetgrid_parts_la_SOURCES += \
  src/base/average.h \
  src/base/blas.c \
  src/base/blas.h \
  src/base/blas_library.c \
  src/base/blas_library.h \
  src/base/blas_template.h \
  src/base/box.h \
  src/base/clock.h \
  src/base/data_folder.c \
  src/base/data_folder.h \
  src/base/environment.c \
  src/base/environment.h \
  src/base/exact.c \
  src/base/exact.h \
  src/base/file.c \
  src/base/file.h \
  src/base/hash.h \
  src/base/locale.c \
  src/base/locale.h \
  src/base/log.c \
  src/base/log.h \
  src/base/map.c \
  src/base/map.h \
  src/base/memory.c \
  src/base/memory.h \
  src/base/npy.c \
  src/base/npy.h \
  src/base/parallel.c \
  src/base/parallel.h \
  src/base/checksum.c \
  src/base/checksum.h \
  src/base/progress.c \
  src/base/progress.h \
  src/base/random.h \
  src/base/shown.c \
  src/base/shown.h \
  src/base/sort.h \
  src/base/status.c \
  src/base/status.h \
  src/base/text.c \
  src/base/text.h \
  src/base/topology.c \
  src/base/topology.h \
  src/base/version.h \
  src/base/warnings.h \
  src/base/integers.h

# BLAS and LAPACK, which src/base/blas.c loads when a program computes with them
plugindir = $(libdir)/hetgrid
plugin_LTLIBRARIES = libhetgrid-blas.la
libhetgrid_blas_la_SOURCES = src/base/blas_linked.c
libhetgrid_blas_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -Wl,-z,nodelete -Wl,--no-undefined -export-symbols-regex '^hg_blas_table'
libhetgrid_blas_la_LIBADD = $(BLAS_LIBS)

# The commit that is built: from an archive's own record, else from git, but not from a repository that merely contains
# this folder. The file is written only if it changes.
commit = { cat "$(abs_top_srcdir)/.commit" || GIT_CEILING_DIRECTORIES="$(abs_top_srcdir)/.." \
  git -C "$(abs_top_srcdir)" describe --always --dirty --abbrev=12 --exclude='*'; } 2>/dev/null
include/commit.h: always
	@$(MKDIR_P) include; \
	commit=$$($(commit) || echo unknown); \
	echo "#define HG_COMMIT \"$$commit\"" | cmp -s - $@ || echo "#define HG_COMMIT \"$$commit\"" > $@
always:
$(libhetgrid_parts_la_OBJECTS): | include/commit.h
dist-hook:
	$(commit) > $(distdir)/.commit || rm -f $(distdir)/.commit
