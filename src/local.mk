# SPDX-License-Identifier: MIT
lib_LTLIBRARIES += libhetgrid.la
libhetgrid_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) $(MPI_CFLAGS) $(HDF5_CFLAGS) $(PNG_CFLAGS) $(ZIP_CFLAGS) $(OPENBLAS_CFLAGS)) $(CUDA_CPPFLAGS)
libhetgrid_la_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH) -version-info 0:0:0
libhetgrid_la_LIBADD = $(STARPUMPI_LIBS) $(STARPU_LIBS) $(MPI_LIBS) $(HDF5_LIBS) $(PNG_LIBS) $(ZIP_LIBS) $(OPENBLAS_LIBS) -lm
partition_sources = \
  src/partition/auto.c src/partition/auto.h src/partition/columns.c src/partition/columns.h \
  src/partition/draw.c src/partition/groups.c src/partition/metrics.c src/partition/partition.c src/partition/points.c \
  src/partition/recursive.c src/partition/strips.c src/partition/tree.c
libhetgrid_la_SOURCES = \
  src/base/blas.c src/base/exact.c src/base/file.c src/base/log.c src/base/memory.c src/base/progress.c src/base/status.c src/base/text.c \
  src/input/array.c src/input/array.h src/input/csv.c src/input/families.c src/input/grid.c src/input/hdf5.c src/input/lines.c src/input/lines.h src/input/matrix.c \
  src/input/mtx.c src/input/npy.c \
  src/input/png.c src/input/problem.c \
  src/model/cpm.c src/model/fpm.c src/model/platform.c src/model/simgrid.c src/model/speed.c src/model/tables.c \
  $(partition_sources) src/partition/boxfile.c \
  src/placement/choose.c src/placement/fpmc.c src/placement/fpmc_thesis.c src/placement/permutation.c \
  src/placement/tilemap.c src/placement/tiling.c \
  src/graph/elimination.c src/graph/elimination_exchange.c src/graph/elimination_restore.c src/graph/elimination_solve.c src/graph/elimination_tiles.c src/graph/elimination_tournament.c \
  src/graph/elimination_tiles.h src/graph/exchange.c src/graph/exchange.h src/graph/heat.c src/graph/move.c src/graph/move.h src/graph/pinned.c src/graph/pinned.h src/graph/ranks.h src/graph/session.c src/graph/stencil.c src/graph/stencil_move.c src/graph/stencil_tiles.c src/graph/stencil_tiles.h src/graph/task_data.h src/graph/times.c src/graph/times.h \
  src/graph/units.c src/graph/units_exchange.c src/graph/units_index.c src/graph/units_move.c src/graph/units_tiles.c src/graph/units_tiles.h \
  src/result/field.c src/result/gather.c src/result/gather.h src/result/hdf5_writer.c src/result/hdf5_writer.h src/result/lu_check.c src/result/lu_factors.c src/result/lu_rcond.c src/result/lu_report.c src/result/report.c src/result/sealed_hdf5.c \
  src/result/sealed_hdf5.h src/result/trace_notes.c src/result/values_hdf5.c src/result/values_hdf5.h \
  src/result/write.c src/result/write_hdf5.c src/result/write_png.c \
  src/job/arguments.c src/job/balance.c src/job/check.c src/job/divide.c src/job/grid_arguments.c src/job/jobfile.c src/job/jobfile.h src/job/main.c src/job/report.c \
  src/job/rebalance.c src/job/report.h src/job/results.c src/job/run.c src/job/run.h src/job/source.c src/job/source.h src/job/steps.c src/job/values.c

# where time is virtual, ranks are nodes of a platform
if SIMULATION
libhetgrid_la_SOURCES += src/graph/ranks_simulated.c
else
libhetgrid_la_SOURCES += src/graph/mpi_nap.c src/graph/mpi_nap.h src/graph/ranks_mpi.c
endif
EXTRA_DIST += src/graph/mpi_nap.c src/graph/mpi_nap.h src/graph/ranks_mpi.c src/graph/ranks_simulated.c

hgdir = $(includedir)/hetgrid
hg_HEADERS = src/hetgrid.h src/hetgrid_app.h
hgbasedir = $(hgdir)/base
hgbase_HEADERS = src/base/blas.h src/base/box.h src/base/clock.h src/base/exact.h src/base/file.h src/base/log.h src/base/memory.h src/base/progress.h \
  src/base/random.h src/base/status.h src/base/text.h
hginputdir = $(hgdir)/input
hginput_HEADERS = src/input/cells.h src/input/domain.h src/input/grid.h src/input/matrix.h src/input/problem.h
hgpartitiondir = $(hgdir)/partition
hgpartition_HEADERS = src/partition/boxfile.h src/partition/draw.h src/partition/groups.h src/partition/metrics.h \
  src/partition/partition.h src/partition/points.h src/partition/tree.h
hgmodeldir = $(hgdir)/model
hgmodel_HEADERS = src/model/cpm.h src/model/fpm.h src/model/platform.h src/model/simgrid.h src/model/speed.h src/model/tables.h
hgplacementdir = $(hgdir)/placement
hgplacement_HEADERS = src/placement/choose.h src/placement/fpmc.h src/placement/permutation.h src/placement/tilemap.h src/placement/tiling.h
hggraphdir = $(hgdir)/graph
hggraph_HEADERS = src/graph/elimination.h src/graph/heat.h src/graph/session.h src/graph/stencil.h src/graph/units.h
hgresultdir = $(hgdir)/result
hgresult_HEADERS = src/result/field.h src/result/lu_check.h src/result/lu_factors.h src/result/lu_report.h src/result/report.h src/result/trace_notes.h src/result/write.h
hgcodeletsdir = $(hgdir)/codelets
hgcodelets_HEADERS = codelets/costs.h codelets/kernels.h codelets/lu_kernels.h codelets/units.h codelets/units_cpu.h
hgjobdir = $(hgdir)/job
hgjob_HEADERS = src/job/app_cuda.h src/job/arguments.h src/job/balance.h src/job/divide.h src/job/grid_arguments.h src/job/job.h

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = src/hetgrid.pc
