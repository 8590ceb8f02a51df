# SPDX-License-Identifier: MIT
# Benchmarks are built and run on request: make bench-heat, make bench-elimination, make bench-partition
EXTRA_PROGRAMS += \
  bench/adr_cvode bench/adr_petsc \
  bench/average_stored \
  bench/elimination_mpi bench/elimination_peers bench/elimination_scalapack bench/elimination_solve \
  bench/heat_mpi bench/heat_peers \
  bench/items_together \
  bench/matmul_peers bench/matmul_scalapack \
  bench/partition \
  bench/point_loops bench/points_reaction bench/points_space \
  bench/pricing_libmvec bench/pricing_quantlib \
  bench/task_cost
if HAVE_FFTW
EXTRA_PROGRAMS += bench/fft_peers bench/fft_starpufft
bench_fft_peers_SOURCES = bench/fft_peers.c bench/fft_passes.h
bench_fft_peers_CFLAGS = $(bench_cflags) $(FFTW_CFLAGS)
bench_fft_peers_LDADD = -lfftw3_threads $(FFTW_LIBS) -lm
starpufft = bench/starpufft
bench_fft_starpufft_SOURCES = bench/fft_starpufft.c bench/fft_passes.h
bench_fft_starpufft_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS) $(FFTW_CFLAGS) -isystem $(starpufft)
bench_fft_starpufft_CFLAGS = $(bench_cflags)
bench_fft_starpufft_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
bench_fft_starpufft_LDADD = $(starpufft)/libstarpufft.a $(STARPU_LIBS) $(FFTW_LIBS) -lm
$(starpufft)/libstarpufft.a: bench/build-starpufft
	bash $< $(starpufft) $(CC) $(STARPU_CFLAGS) $(FFTW_CFLAGS)
bench/fft_starpufft-fft_starpufft.$(OBJEXT): $(starpufft)/libstarpufft.a
CLEANFILES += $(starpufft)/libstarpufft.a $(starpufft)/starpufft.h
endif
if HAVE_CUDA
# preloaded by bench/node/run; built by make check, or by name
bench_node_timed_node_la_SOURCES = \
  bench/node/clock.c \
  bench/node/cuda.c \
  bench/node/cuda_devices.c \
  bench/node/cuda_memory.c \
  bench/node/describe.c \
  bench/node/node.h \
  bench/node/stand_ins.c \
  bench/node/tasks.c
bench_node_timed_node_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS)) $(CUDA_CPPFLAGS)
bench_node_timed_node_la_LDFLAGS = -module -avoid-version -rpath /nowhere
bench_node_timed_node_la_LIBADD = -lm
endif
bench_cflags = \
  $(AM_CFLAGS) \
  -O3 \
  -march=native \
  -mprefer-vector-width=512 \
  -fno-math-errno \
  -fno-trapping-math \
  -ffp-contract=off
bench_items_together_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_items_together_CFLAGS = $(bench_cflags) -fopenmp
bench_items_together_LDADD = libhetgrid.la -lm
bench_adr_petsc_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) $$(pkg-config --cflags PETSc)
bench_adr_petsc_CFLAGS = $(bench_cflags)
bench_adr_petsc_LDADD = libhetgrid.la -lpetsc_real $(MPI_LIBS) -lm
bench_adr_cvode_CFLAGS = $(bench_cflags)
bench_adr_cvode_LDADD = libhetgrid.la -lsundials_cvode -lsundials_nvecserial -lsundials_sunlinsolspbcgs -lm
bench_broadcast_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_broadcast_LDADD = libhetgrid.la $(MPI_LIBS)
bench_mhloggp_matmul_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS) $(BLAS_CFLAGS)
bench_mhloggp_matmul_LDADD = libhetgrid.la $(BLAS_LIBS) $(MPI_LIBS)
bench_point_loops_CFLAGS = $(bench_cflags) -fopenmp
bench_point_loops_LDADD =
bench_points_reaction_SOURCES = bench/points.c
bench_points_space_SOURCES = bench/points.c
bench_points_space_CPPFLAGS = $(AM_CPPFLAGS) -DSPACE
bench_heat_peers_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_heat_peers_CFLAGS = $(bench_cflags) -fopenmp
bench_heat_mpi_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS) -DHG_NO_MPI_TEST
bench_heat_mpi_CFLAGS = $(bench_cflags)
bench_heat_mpi_LDADD = $(MPI_LIBS) -lm
bench_partition_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_elimination_peers_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS) $(BLAS_CFLAGS)
bench_elimination_peers_SOURCES = bench/elimination_peers.c bench/mkl.h
bench_elimination_peers_LDADD = libhetgrid.la -llapacke $(BLAS_LIBS) -ldl
bench_matmul_peers_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS) $(BLAS_CFLAGS)
bench_matmul_peers_SOURCES = bench/matmul_peers.c bench/mkl.h
bench_matmul_peers_LDADD = libhetgrid.la $(BLAS_LIBS) -ldl
bench_matmul_scalapack_SOURCES = bench/matmul_scalapack.c bench/scalapack.h
bench_matmul_scalapack_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_matmul_scalapack_LDADD = libhetgrid.la -lscalapack-openmpi $(BLAS_LIBS) $(MPI_LIBS)
bench_elimination_mpi_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS) -DHG_NO_MPI_TEST
bench_elimination_mpi_CFLAGS = $(bench_cflags)
bench_elimination_mpi_LDADD = $(MPI_LIBS) -lm
bench_task_cost_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_task_cost_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
bench_task_cost_LDADD = libhetgrid.la $(STARPU_LIBS)
bench_elimination_solve_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_elimination_scalapack_SOURCES = bench/elimination_scalapack.c bench/scalapack.h
bench_elimination_scalapack_CPPFLAGS = $(libhetgrid_parts_la_CPPFLAGS)
bench_elimination_scalapack_LDADD = libhetgrid.la -lscalapack-openmpi $(BLAS_LIBS) $(MPI_LIBS)
# the compiler may use libmvec and round freely
bench_pricing_libmvec_CFLAGS = $(bench_cflags) -ffast-math
bench_pricing_libmvec_LDADD = -lm
bench_pricing_quantlib_SOURCES = bench/pricing_quantlib.cc
bench_pricing_quantlib_CXXFLAGS = $(AM_CXXFLAGS) -O3 -march=native -Wno-deprecated-declarations
bench_pricing_quantlib_LDADD = -lQuantLib
EXTRA_DIST += \
  bench/adr \
  bench/applications \
  bench/points \
  bench/async \
  bench/build-starpufft \
  bench/divisions \
  bench/elimination \
  bench/energy-cost \
  bench/energy-control \
  bench/energy-control-here \
  bench/energy-regret \
  bench/fft \
  bench/fft_passes.h \
  bench/fft_peers.c \
  bench/fft_starpufft.c \
  bench/gpu \
  bench/gpu-examples \
  bench/gpu_elimination.cu \
  bench/gpu_heat.cu \
  bench/graphs \
  bench/graphs.cases \
  bench/heat \
  bench/heterogeneity \
  bench/starpu-examples.sh \
  bench/interleaved.sh \
  bench/matmul \
  bench/mhloggp \
  bench/network \
  bench/node/h100 \
  bench/node/h100.measured \
  bench/node/h100.node \
  bench/node/h200 \
  bench/node/h200.measured \
  bench/node/h200.node \
  bench/node/run \
  bench/node/sides \
  bench/node/table \
  bench/policies \
  bench/pricing \
  bench/results \
  bench/simulated-policies \
  bench/simulated_graphs.c \
  bench/simulated_stencil.c \
  bench/simulated_tasks.c \
  bench/simulated_tasks.h \
  bench/starpu-examples \
  bench/starpu-examples-real \
  bench/starpu_examples.c \
  bench/tracing \
  bench/validation \
  bench/yask \
  bench/yask_heat.cpp

bench-heat: bench/heat_peers bench/heat_mpi hetgrid-heat
	bash $(top_srcdir)/bench/heat
# YASK names the folder of YASK's source
bench-yask: hetgrid-heat
	bash $(top_srcdir)/bench/yask
# needs PETSc and SUNDIALS (Debian: petsc-dev libsundials-dev)
bench-adr: bench/adr_petsc bench/adr_cvode hetgrid-adr
	bash $(top_srcdir)/bench/adr
# needs ScaLAPACK (Debian: libscalapack-openmpi-dev); also runs MKL if MKL_RT names libmkl_rt.so (pip install mkl)
bench-elimination: bench/elimination_peers bench/elimination_mpi bench/elimination_scalapack \
  bench/elimination_solve hetgrid-elimination
	bash $(top_srcdir)/bench/elimination
# needs ScaLAPACK; also runs MKL if MKL_RT names libmkl_rt.so (pip install mkl)
bench-matmul: bench/matmul_peers bench/matmul_scalapack hetgrid-matmul tests/drag/drag.la
	bash $(top_srcdir)/bench/matmul
# needs QuantLib (Debian: libquantlib0-dev)
bench-pricing: bench/pricing_libmvec bench/pricing_quantlib hetgrid-pricer
	bash $(top_srcdir)/bench/pricing
bench-heterogeneity: hetgrid-heat hetgrid-elimination apps/examples/life apps/examples/heat_points \
  apps/examples/random_graph tests/drag/drag.la
	bash $(top_srcdir)/bench/heterogeneity
bench-simulated-policies: hetgrid-simulate simulation
	bash $(top_srcdir)/bench/simulated-policies
bench-divisions: hetgrid-simulate simulation
	python3 $(top_srcdir)/bench/divisions .
# HETGRID_EXAMPLES: options, see bench/starpu-examples --help
bench-starpu-examples:
	python3 $(top_srcdir)/bench/starpu-examples $(HETGRID_EXAMPLES)
bench-energy: hetgrid-energy hetgrid-simulate hetgrid-heat simulation
	bash $(top_srcdir)/bench/energy-cost .
	python3 $(top_srcdir)/bench/energy-regret .
bench-validation: hetgrid-simulate hetgrid-calibrate hetgrid-heat hetgrid-elimination simulation
	bash $(top_srcdir)/bench/validation
bench-async: hetgrid-jacobi hetgrid-adr tests/delay/delay.la tests/drag/drag.la
	bash $(top_srcdir)/bench/async
bench-points: hetgrid-heat apps/examples/average apps/examples/life bench/point_loops bench/points_reaction \
    bench/points_space
	bash $(top_srcdir)/bench/points
bench-applications: hetgrid-heat $(examples) bench/average_stored
	bash $(top_srcdir)/bench/applications
bench-tracing: hetgrid-heat hetgrid-elimination
	bash $(top_srcdir)/bench/tracing
bench-task-cost: bench/task_cost
	for round in 1 2 3 4 5; do for policy in lws prio dmdas hetgrid; do bench/task_cost $$policy; done; done
# HETGRID_GRAPHS: options, see bench/graphs --help
bench-graphs:
	python3 $(top_srcdir)/bench/graphs $(HETGRID_GRAPHS)
bench-policies:
	bash $(top_srcdir)/bench/policies
# on a machine with a GPU
bench-gpu: bench/gpu_heat bench/gpu_elimination hetgrid-heat hetgrid-elimination hetgrid-calibrate
	for part in kernels heat elimination mixed thesis; do bash $(top_srcdir)/bench/gpu $$part; done
bench-partition: bench/partition
	bench/partition 2000 1
	bench/partition 2000 4
	bench/partition 300 1 3
# MKL_RT names MKL's library, for a comparison with it
bench-fft: bench/fft_peers bench/fft_starpufft hetgrid-fft tests/drag/drag.la
	bash $(top_srcdir)/bench/fft
bench-network: hetgrid-network
	bash $(top_srcdir)/bench/network
bench-mhloggp: bench/mhloggp_matmul hetgrid-network
	bash $(top_srcdir)/bench/mhloggp
# HETGRID_NODE: options, see bench/node/table --help
bench-node: bench/node/timed_node.la libhetgrid-sched.la hetgrid-elimination hetgrid-heat hetgrid-fft
	bash $(top_srcdir)/bench/node/table $(HETGRID_NODE)
# HETGRID_SIDES: options, see bench/node/sides --help
bench-node-sides: bench/node/timed_node.la libhetgrid-sched.la hetgrid-elimination hetgrid-heat hetgrid-matmul \
  hetgrid-fft
	bash $(top_srcdir)/bench/node/sides $(HETGRID_SIDES)
.PHONY: \
  bench-adr \
  bench-applications \
  bench-points \
  bench-async \
  bench-divisions \
  bench-elimination \
  bench-energy \
  bench-fft \
  bench-gpu \
  bench-graphs \
  bench-heat \
  bench-heterogeneity \
  bench-matmul \
  bench-mhloggp \
  bench-network \
  bench-node \
  bench-node-sides \
  bench-partition \
  bench-policies \
  bench-pricing \
  bench-simulated-policies \
  bench-starpu-examples \
  bench-task-cost \
  bench-tracing \
  bench-validation \
  bench-yask
