# SPDX-License-Identifier: MIT
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TEST_EXTENSIONS = .sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = MPIEXEC='$(MPIEXEC)'; export MPIEXEC; STARPU_HOME=$(abs_builddir)/tests/starpu; export STARPU_HOME; \
  STARPU_NCPU=2; export STARPU_NCPU; STARPU_SILENT=1; export STARPU_SILENT; \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1; export ASAN_OPTIONS; HWLOC_COMPONENTS=-pci; export HWLOC_COMPONENTS;

test_cppflags = $(libhetgrid_parts_la_CPPFLAGS) -I$(top_srcdir)/tests
unit_tests = \
  tests/unit/adr \
  tests/unit/exact \
  tests/unit/text \
  tests/unit/charts \
  tests/unit/passes \
  tests/unit/problem \
  tests/unit/draw \
  tests/unit/partition \
  tests/unit/tiling \
  tests/unit/topology \
  tests/unit/rounds \
  tests/unit/monitor \
  tests/unit/arrays \
  tests/unit/guided \
  tests/unit/hdf5 \
  tests/unit/sums \
  tests/unit/jobfile \
  tests/unit/kernels \
  tests/unit/pricing \
  tests/unit/contracts \
  tests/unit/matmul \
  tests/unit/move \
  tests/unit/metrics \
  tests/unit/models \
  tests/unit/sides \
  tests/unit/network \
  tests/unit/nodes \
  tests/unit/lanes_bytes \
  tests/unit/lanes_double \
  tests/unit/lanes_float \
  tests/unit/lanes_line \
  tests/unit/lanes_pairs \
  tests/unit/lanes_shorts \
  tests/unit/lanes_space \
  tests/unit/images_1 \
  tests/unit/images_2 \
  tests/unit/images_3 \
  tests/unit/random \
  tests/unit/results \
  tests/unit/shares \
  tests/unit/speeds \
  tests/unit/row \
  tests/unit/stored \
  tests/unit/streams \
  tests/unit/tables \
  tests/unit/detect \
  tests/unit/divide \
  tests/unit/counters \
  tests/unit/elimination \
  tests/unit/energy \
  tests/unit/ends \
  tests/unit/owners \
  tests/unit/queues \
  tests/unit/ranks \
  tests/unit/placement \
  tests/unit/platform \
  tests/unit/traces \
  tests/unit/unwritten \
  tests/runtime/coreless \
  tests/runtime/decisions \
  tests/runtime/residency \
  tests/runtime/divisible \
  tests/runtime/failures \
  tests/runtime/factors \
  tests/runtime/groups \
  tests/runtime/limits \
  tests/runtime/misuse \
  tests/runtime/models \
  tests/runtime/offers \
  tests/runtime/physics \
  tests/runtime/policies \
  tests/runtime/products \
  tests/runtime/tables \
  tests/runtime/values
fuzz_tests = \
  tests/fuzz/npy \
  tests/fuzz/csv \
  tests/fuzz/options \
  tests/fuzz/boxes \
  tests/fuzz/tables \
  tests/fuzz/mtx \
  tests/fuzz/files \
  tests/fuzz/contexts \
  tests/fuzz/meters \
  tests/fuzz/networks \
  tests/fuzz/platforms \
  tests/fuzz/traces \
  tests/fuzz/golden \
  tests/fuzz/portfolio \
  tests/fuzz/problems \
  tests/fuzz/jobs
if HAVE_FFTW
unit_tests += tests/unit/fft
fuzz_tests += tests/fuzz/fft
endif
shell_tests = \
  tests/unit/format.sh \
  tests/unit/layers.sh \
  tests/unit/style.sh \
  tests/runtime/equality.sh \
  tests/cli/outputs.sh \
  tests/cli/snapshots.sh \
  tests/cli/bad_input.sh \
  tests/cli/honest.sh \
  tests/cli/verify.sh \
  tests/cli/fft.sh \
  tests/cli/adr.sh \
  tests/cli/jacobi.sh \
  tests/cli/pricer.sh \
  tests/cli/restart.sh \
  tests/cli/identity.sh \
  tests/cli/plan.sh \
  tests/cli/files.sh \
  tests/cli/diffusivity.sh \
  tests/cli/sides.sh \
  tests/cli/python.sh \
  tests/cli/update.sh \
  tests/cli/elimination.sh \
  tests/cli/blas.sh \
  tests/cli/control.sh \
  tests/cli/energy.sh \
  tests/cli/matmul.sh \
  tests/cli/network.sh \
  tests/cli/calibrate.sh \
  tests/cli/platform.sh \
  tests/cli/trace.sh \
  tests/cli/recorded.sh \
  tests/cli/installed.sh \
  tests/cli/pages.sh \
  tests/cli/quickstart.sh \
  tests/faults/faults.sh \
  tests/faults/mpi.sh \
  tests/sim/broadcast.sh \
  tests/sim/mhloggp.sh \
  tests/node/timed.sh \
  tests/sim/simulate.sh \
  tests/runtime/plugin.sh \
  tests/runtime/rebalance.sh \
  tests/runtime/starpu.sh \
  tests/runtime/examples.sh \
  tests/runtime/contraction.sh \
  tests/runtime/locale.sh \
  tests/runtime/wrong.sh \
  tests/mpi/alike.sh \
  tests/mpi/async.sh \
  tests/mpi/async_adr.sh \
  tests/mpi/broadcast.sh \
  tests/mpi/divided.sh \
  tests/mpi/embedded.sh \
  tests/mpi/kills.sh \
  tests/mpi/mailbox.sh \
  tests/mpi/ranks.sh \
  tests/mpi/elimination.sh \
  tests/mpi/matmul.sh \
  tests/mpi/trains.sh \
  tests/mpi/examples.sh \
  tests/mpi/loop.sh
emulated_tests = \
  tests/gpu/adr_emulated \
  tests/gpu/fft_emulated \
  tests/gpu/kernels_emulated \
  tests/gpu/lu_emulated \
  tests/gpu/pricing_emulated \
  tests/gpu/units_emulated_0 \
  tests/gpu/units_emulated_1 \
  tests/gpu/units_emulated_2 \
  tests/gpu/units_emulated_3
# preloaded into programs; -rpath makes it a shared library
check_LTLIBRARIES = \
  tests/blas/product.la \
  tests/blas/wide.la \
  tests/blas/wrapped.la \
  tests/blas/wrapped_blas.la \
  tests/faults/fail.la \
  tests/faults/mpi.la \
  tests/faults/wrong.la \
  tests/runtime/own.la \
  tests/runtime/checked.la \
  tests/delay/delay.la \
  tests/drag/drag.la \
  tests/energy/nvml.la
# named by HETGRID_BLAS
tests_blas_product_la_SOURCES = tests/blas/refused.c
tests_blas_product_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_blas_wide_la_SOURCES = tests/blas/refused.c
tests_blas_wide_la_CPPFLAGS = $(AM_CPPFLAGS) -DWIDE
tests_blas_wide_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_blas_wrapped_la_SOURCES = tests/blas/wrapped.c
tests_blas_wrapped_la_CPPFLAGS = $(AM_CPPFLAGS) -DWITH_LAPACK
tests_blas_wrapped_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_blas_wrapped_la_LIBADD = -ldl
tests_blas_wrapped_blas_la_SOURCES = tests/blas/wrapped.c
tests_blas_wrapped_blas_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_blas_wrapped_blas_la_LIBADD = -ldl
tests_energy_nvml_la_SOURCES = tests/energy/nvml.c tests/energy/nvml.h
tests_energy_nvml_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_faults_fail_la_SOURCES = tests/faults/fail.c tests/faults/fault.h
tests_faults_fail_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_faults_fail_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_faults_fail_la_LIBADD = -ldl
tests_faults_mpi_la_SOURCES = tests/faults/mpi.c tests/faults/fault.h
tests_faults_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests $(subst -I/,-isystem /,$(MPI_CFLAGS))
tests_faults_mpi_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_faults_mpi_la_LIBADD = $(MPI_LIBS) -ldl
tests_faults_wrong_la_SOURCES = tests/faults/wrong.c
tests_faults_wrong_la_CPPFLAGS = $(test_cppflags)
tests_faults_wrong_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_faults_wrong_la_LIBADD = -ldl
tests_delay_delay_la_SOURCES = tests/delay/delay.c
tests_delay_delay_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(MPI_CFLAGS))
tests_delay_delay_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_delay_delay_la_LIBADD = $(MPI_LIBS) -ldl
tests_runtime_own_la_SOURCES = tests/runtime/own.c
tests_runtime_own_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS)) $(CUDA_CPPFLAGS)
tests_runtime_own_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_runtime_own_la_LIBADD = $(STARPU_LIBS)
# the plugin, which here checks its queues whenever it releases its lock
tests_runtime_checked_la_SOURCES = $(libhetgrid_sched_la_SOURCES)
tests_runtime_checked_la_CPPFLAGS = -DHG_CHECKED $(libhetgrid_sched_la_CPPFLAGS)
tests_runtime_checked_la_LDFLAGS = $(libhetgrid_sched_la_LDFLAGS) -rpath /nowhere
tests_runtime_checked_la_LIBADD = $(libhetgrid_sched_la_LIBADD)
# a StarPU profiling tool
tests_drag_drag_la_SOURCES = tests/drag/drag.c
tests_drag_drag_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS))
tests_drag_drag_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_drag_drag_la_LIBADD = $(STARPU_LIBS)
if HAVE_CUDA
check_LTLIBRARIES += bench/node/timed_node.la
check_PROGRAMS += tests/node/tasks tests/node/starts tests/node/clock
tests_node_tasks_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS)) $(CUDA_CPPFLAGS)
tests_node_tasks_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_node_tasks_LDADD = $(STARPU_LIBS)
tests_node_starts_CPPFLAGS = $(tests_node_tasks_CPPFLAGS)
tests_node_starts_LDFLAGS = $(tests_node_tasks_LDFLAGS)
tests_node_starts_LDADD = $(STARPU_LIBS)
endif
check_PROGRAMS += \
  tests/gpu/calibrate_emulated \
  tests/gpu/network_emulated \
  tests/examples/loop \
  tests/examples/relaxed \
  bench/broadcast \
  bench/mhloggp_matmul \
  tests/mpi/broadcast \
  tests/mpi/divided \
  tests/mpi/embedded \
  tests/mpi/mailbox \
  tests/mpi/trains \
  tests/examples/serial \
  tests/examples/steps \
  tests/runtime/locale \
  tests/examples/wrong \
  tests/examples/wrong_stencil \
  $(unit_tests) \
  $(fuzz_tests) \
  $(emulated_tests)
dist_check_SCRIPTS += $(shell_tests)
TESTS += $(unit_tests) $(fuzz_tests) $(emulated_tests) $(shell_tests)
EXTRA_DIST += \
  tests/cli/picture.py \
  tests/cli/python.py \
  tests/cli/update.py \
  tests/faults/attack.sh \
  tests/node/gemm.h \
  tests/runtime/policy_state.h \
  tests/runtime/threads.sh \
  tests/runtime/threads.supp \
  tests/golden/adr.json \
  tests/golden/cooperative.json \
  tests/golden/energy.json \
  tests/golden/loggp.json \
  tests/golden/models.json \
  tests/golden/options.json \
  tests/golden/partition.json \
  tests/golden/relaxation.json \
  tests/golden/stream.json \
  tests/messages.sh \
  tests/recorded/energy.csv \
  tests/recorded/network.csv \
  tests/recorded/plan.csv \
  tests/recorded/simulate.csv \
  tests/recorded/solvers.csv \
  tests/session.h \
  tests/sim/broadcast.c \
  tests/sim/messages.h \
  tests/sim/ping.c \
  tests/sim/smpi.sh \
  tests/tap.h \
  tests/tap.sh \
  tests/unit/adr_cases.h \
  tests/unit/heat_cases.h \
  tests/unit/pricing_cases.h \
  tests/unit/random_grids.h \
  tests/unit/random_models.h \
  tests/fuzz/corpus \
  tests/fuzz/checkpoints.h \
  tests/fuzz/fuzz.h \
  $(emulated_headers)

AM_DEFAULT_SOURCE_EXT = .c
LDADD = libhetgrid.la -lm
tests_examples_serial_LDADD = -lm
tests_runtime_misuse_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_examples_relaxed_LDADD = -lm
tests_examples_loop_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_mpi_embedded_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS) $(MPI_CFLAGS)) $(CUDA_CPPFLAGS) -I$(top_srcdir)/tests
tests_mpi_embedded_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_mpi_embedded_LDADD = libhetgrid.la $(STARPU_LIBS) $(MPI_LIBS)
tests_unit_adr_CPPFLAGS = $(test_cppflags)
tests_unit_exact_CPPFLAGS = $(test_cppflags)
tests_unit_exact_LDADD = libhetgrid.la -lquadmath -lm
tests_unit_text_CPPFLAGS = $(test_cppflags)
tests_unit_charts_CPPFLAGS = $(test_cppflags)
tests_unit_passes_CPPFLAGS = $(test_cppflags)
tests_unit_problem_CPPFLAGS = $(test_cppflags)
tests_unit_draw_CPPFLAGS = $(test_cppflags)
tests_unit_partition_CPPFLAGS = $(test_cppflags)
tests_unit_tiling_CPPFLAGS = $(test_cppflags)
tests_unit_topology_CPPFLAGS = $(test_cppflags)
tests_unit_rounds_CPPFLAGS = $(test_cppflags)
tests_unit_monitor_CPPFLAGS = $(test_cppflags)
tests_unit_arrays_CPPFLAGS = $(test_cppflags)
tests_unit_guided_CPPFLAGS = $(test_cppflags)
tests_unit_hdf5_CPPFLAGS = $(test_cppflags)
tests_unit_hdf5_LDADD = libhetgrid.la $(HDF5_LIBS)
tests_unit_unwritten_CPPFLAGS = $(test_cppflags)
tests_unit_unwritten_LDADD = libhetgrid.la $(HDF5_LIBS)
tests_unit_sums_CPPFLAGS = $(test_cppflags)
tests_unit_jobfile_CPPFLAGS = $(test_cppflags)
tests_unit_kernels_CPPFLAGS = $(test_cppflags)
tests_unit_contracts_CPPFLAGS = $(test_cppflags)
tests_fuzz_portfolio_CPPFLAGS = $(test_cppflags)
tests_unit_pricing_CPPFLAGS = $(test_cppflags)
tests_unit_pricing_LDADD = libhetgrid.la -lquadmath -lm
tests_unit_matmul_CPPFLAGS = $(test_cppflags)
tests_unit_move_CPPFLAGS = $(test_cppflags)
tests_unit_metrics_CPPFLAGS = $(test_cppflags)
tests_unit_models_CPPFLAGS = $(test_cppflags)
tests_unit_sides_CPPFLAGS = $(test_cppflags)
tests_unit_network_CPPFLAGS = $(test_cppflags)
tests_unit_nodes_CPPFLAGS = $(test_cppflags)
tests_mpi_broadcast_CPPFLAGS = $(test_cppflags)
tests_mpi_divided_CPPFLAGS = $(test_cppflags)
tests_mpi_mailbox_CPPFLAGS = $(test_cppflags)
tests_mpi_trains_CPPFLAGS = $(test_cppflags)
tests_mpi_divided_LDADD = libhetgrid.la $(MPI_LIBS) -lm
tests_mpi_mailbox_LDADD = libhetgrid.la $(MPI_LIBS) -lm
tests_unit_lanes_bytes_SOURCES = tests/unit/lanes.c
tests_unit_lanes_bytes_CPPFLAGS = $(test_cppflags) -DNUMBER=uint8_t -DHG_DIMS=2 -DHG_RADIUS=1
tests_unit_lanes_double_SOURCES = tests/unit/lanes.c
tests_unit_lanes_double_CPPFLAGS = $(test_cppflags) -DNUMBER=double -DHG_DIMS=2 -DHG_RADIUS=1 -DFAULTS
tests_unit_lanes_float_SOURCES = tests/unit/lanes.c
tests_unit_lanes_float_CPPFLAGS = $(test_cppflags) -DNUMBER=float -DHG_DIMS=2 -DHG_RADIUS=3 -DFAULTS
tests_unit_lanes_line_SOURCES = tests/unit/lanes.c
tests_unit_lanes_line_CPPFLAGS = $(test_cppflags) -DNUMBER=double -DHG_DIMS=1 -DHG_RADIUS=2
tests_unit_lanes_pairs_SOURCES = tests/unit/lanes.c
tests_unit_lanes_pairs_CPPFLAGS = $(test_cppflags) -DNUMBER=double -DPAIR -DHG_DIMS=2 -DHG_RADIUS=1
tests_unit_lanes_shorts_SOURCES = tests/unit/lanes.c
tests_unit_lanes_shorts_CPPFLAGS = $(test_cppflags) -DNUMBER=int16_t -DHG_DIMS=2 -DHG_RADIUS=2
tests_unit_lanes_space_SOURCES = tests/unit/lanes.c
tests_unit_lanes_space_CPPFLAGS = $(test_cppflags) -DNUMBER=float -DHG_DIMS=3 -DHG_RADIUS=1
tests_unit_images_1_SOURCES = tests/unit/images.c
tests_unit_images_1_CPPFLAGS = $(test_cppflags) -DHG_DIMS=1
tests_unit_images_2_SOURCES = tests/unit/images.c
tests_unit_images_2_CPPFLAGS = $(test_cppflags) -DHG_DIMS=2
tests_unit_images_3_SOURCES = tests/unit/images.c
tests_unit_images_3_CPPFLAGS = $(test_cppflags) -DHG_DIMS=3
tests_unit_random_CPPFLAGS = $(test_cppflags)
tests_unit_results_CPPFLAGS = $(test_cppflags) $(PNG_CFLAGS)
tests_unit_results_LDADD = libhetgrid.la $(PNG_LIBS) -lm
tests_unit_speeds_CPPFLAGS = $(test_cppflags)
tests_unit_shares_CPPFLAGS = $(test_cppflags)
tests_unit_row_CPPFLAGS = $(test_cppflags)
tests_unit_stored_CPPFLAGS = $(test_cppflags)
tests_unit_streams_CPPFLAGS = $(test_cppflags)
tests_unit_tables_CPPFLAGS = $(test_cppflags)
tests_unit_detect_CPPFLAGS = $(test_cppflags)
tests_unit_divide_CPPFLAGS = $(test_cppflags)
tests_unit_owners_CPPFLAGS = $(test_cppflags)
tests_unit_queues_CPPFLAGS = $(test_cppflags)
tests_unit_ranks_CPPFLAGS = $(test_cppflags)
tests_unit_ranks_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_unit_ranks_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_runtime_coreless_CPPFLAGS = $(test_cppflags)
tests_runtime_offers_CPPFLAGS = $(test_cppflags)
tests_runtime_offers_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_offers_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_runtime_decisions_CPPFLAGS = $(test_cppflags)
tests_runtime_decisions_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_decisions_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_runtime_residency_CPPFLAGS = $(test_cppflags)
tests_runtime_residency_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_residency_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_runtime_groups_CPPFLAGS = $(test_cppflags)
tests_runtime_groups_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_groups_LDADD = libhetgrid.la $(STARPU_LIBS)
# the program's functions take precedence over StarPU's
tests_runtime_limits_CPPFLAGS = $(test_cppflags)
tests_runtime_limits_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH) -Wl,--export-dynamic-symbol=starpu_task_init \
  -Wl,--export-dynamic-symbol=starpu_codelet_init
tests_runtime_limits_LDADD = $(STARPU_LIBS) -ldl
EXTRA_tests_runtime_limits_DEPENDENCIES = libhetgrid-sched.la
tests_runtime_models_CPPFLAGS = $(test_cppflags)
tests_runtime_models_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_models_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_runtime_policies_CPPFLAGS = $(test_cppflags)
tests_runtime_policies_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_policies_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_runtime_tables_CPPFLAGS = $(test_cppflags)
tests_runtime_tables_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH)
tests_runtime_tables_LDADD = libhetgrid.la $(STARPU_LIBS)
tests_unit_elimination_CPPFLAGS = $(test_cppflags)
tests_unit_ends_CPPFLAGS = $(test_cppflags)
tests_unit_energy_CPPFLAGS = $(test_cppflags)
tests_unit_counters_CPPFLAGS = $(test_cppflags)
tests_unit_counters_LDADD = libhetgrid.la -ldl -lm
tests_unit_placement_CPPFLAGS = $(test_cppflags)
tests_unit_platform_CPPFLAGS = $(test_cppflags)
tests_fuzz_networks_CPPFLAGS = $(test_cppflags)
tests_fuzz_platforms_CPPFLAGS = $(test_cppflags)
tests_fuzz_meters_CPPFLAGS = $(test_cppflags)
tests_fuzz_contexts_SOURCES = tests/fuzz/contexts.c apps/energy/contexts.c apps/energy/contexts.h
tests_fuzz_contexts_CPPFLAGS = $(test_cppflags)
tests_fuzz_contexts_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
tests_fuzz_fft_SOURCES = tests/fuzz/fft.c apps/fft/fft.h apps/fft/fftw.c apps/fft/files.c
tests_fuzz_fft_CPPFLAGS = $(test_cppflags) $(FFTW_CFLAGS)
tests_fuzz_fft_LDADD = libhetgrid.la $(FFTW_LIBS) -lm
tests_unit_fft_SOURCES = tests/unit/fft.c apps/fft/fft.h apps/fft/fftw.c apps/fft/verify.c
tests_unit_fft_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/apps $(FFTW_CFLAGS)
tests_unit_fft_LDADD = libhetgrid.la $(FFTW_LIBS) -lm
tests_unit_traces_CPPFLAGS = $(test_cppflags)
tests_fuzz_traces_CPPFLAGS = $(test_cppflags)
tests_fuzz_mtx_CPPFLAGS = $(test_cppflags)
tests_fuzz_tables_CPPFLAGS = $(test_cppflags)
tests_runtime_divisible_CPPFLAGS = $(test_cppflags)
tests_runtime_failures_CPPFLAGS = $(test_cppflags)
tests_runtime_factors_CPPFLAGS = $(test_cppflags)
tests_runtime_factors_LDADD = libhetgrid.la $(HDF5_LIBS) -lm
tests_runtime_physics_CPPFLAGS = $(test_cppflags)
tests_runtime_products_CPPFLAGS = $(test_cppflags)
tests_runtime_values_CPPFLAGS = $(test_cppflags)
tests_fuzz_npy_CPPFLAGS = $(test_cppflags)
tests_fuzz_csv_CPPFLAGS = $(test_cppflags)
tests_fuzz_options_CPPFLAGS = $(test_cppflags)
tests_fuzz_boxes_CPPFLAGS = $(test_cppflags)
tests_fuzz_jobs_CPPFLAGS = $(test_cppflags)
tests_fuzz_files_CPPFLAGS = $(test_cppflags)
tests_fuzz_problems_CPPFLAGS = $(test_cppflags)
tests_fuzz_golden_SOURCES = tests/fuzz/golden.c $(golden_sources)
tests_fuzz_golden_CPPFLAGS = $(test_cppflags)
tests_fuzz_golden_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm
# headers that replace CUDA's, found before them
emulated_headers = \
  tests/gpu/emulated/cublas_v2.h \
  tests/gpu/emulated/cuda_pipeline_primitives.h \
  tests/gpu/emulated/cuda_runtime.h \
  tests/gpu/emulated/cuda_runtime_api.h \
  tests/gpu/emulated/cufft.h \
  tests/gpu/emulated/cusolverDn.h
emulated_cppflags = -I$(top_srcdir)/tests/gpu/emulated $(test_cppflags)
tests_gpu_adr_emulated_SOURCES = tests/gpu/adr_emulated.cc
tests_gpu_adr_emulated_CPPFLAGS = $(emulated_cppflags)
tests_gpu_adr_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2 -ffp-contract=off -fno-strict-aliasing -Wno-unknown-pragmas

tests_gpu_kernels_emulated_SOURCES = tests/gpu/kernels_emulated.cc
tests_gpu_kernels_emulated_CPPFLAGS = $(emulated_cppflags)
tests_gpu_kernels_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2 -ffp-contract=off -fno-strict-aliasing -Wno-unknown-pragmas

tests_gpu_fft_emulated_SOURCES = tests/gpu/fft_emulated.cc
tests_gpu_fft_emulated_CPPFLAGS = $(emulated_cppflags)
tests_gpu_fft_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2

tests_gpu_pricing_emulated_SOURCES = tests/gpu/pricing_emulated.cc
tests_gpu_pricing_emulated_CPPFLAGS = $(emulated_cppflags)
tests_gpu_pricing_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2 -ffp-contract=off -fno-math-errno

tests_gpu_lu_emulated_SOURCES = tests/gpu/lu_emulated.cc
tests_gpu_lu_emulated_CPPFLAGS = $(emulated_cppflags)
tests_gpu_lu_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2 -Wno-unknown-pragmas
tests_gpu_lu_emulated_LDADD = libhetgrid.la -lm

# hetgrid-calibrate with an emulated GPU
tests_gpu_calibrate_emulated_SOURCES = $(hetgrid_calibrate_SOURCES) tests/gpu/calibrate_emulated.cc
tests_gpu_calibrate_emulated_CPPFLAGS = $(emulated_cppflags)
tests_gpu_calibrate_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2 -ffp-contract=off -fno-strict-aliasing -Wno-unknown-pragmas
tests_gpu_calibrate_emulated_LDADD = libhetgrid.la -lm

# hetgrid-network with an emulated GPU
tests_gpu_network_emulated_SOURCES = $(hetgrid_network_SOURCES) tests/gpu/network_emulated.cc
tests_gpu_network_emulated_CPPFLAGS = $(emulated_cppflags) $(JANSSON_CFLAGS)
tests_gpu_network_emulated_CXXFLAGS = $(AM_CXXFLAGS) -O2 -ffp-contract=off -fno-strict-aliasing -Wno-unknown-pragmas
tests_gpu_network_emulated_LDADD = libhetgrid.la $(JANSSON_LIBS) -lm

units_emulated_sources = tests/gpu/units_emulated.cc tests/gpu/units_updates.c tests/gpu/units_updates.h
units_emulated_cppflags = $(emulated_cppflags) -I$(top_srcdir)/tests/gpu
units_emulated_cxxflags = $(AM_CXXFLAGS) -O2 -ffp-contract=off
tests_gpu_units_emulated_0_SOURCES = $(units_emulated_sources)
tests_gpu_units_emulated_0_CPPFLAGS = $(units_emulated_cppflags) -DHG_DIMS=0
tests_gpu_units_emulated_0_CXXFLAGS = $(units_emulated_cxxflags)
tests_gpu_units_emulated_1_SOURCES = $(units_emulated_sources)
tests_gpu_units_emulated_1_CPPFLAGS = $(units_emulated_cppflags) -DHG_DIMS=1
tests_gpu_units_emulated_1_CXXFLAGS = $(units_emulated_cxxflags)
tests_gpu_units_emulated_2_SOURCES = $(units_emulated_sources)
tests_gpu_units_emulated_2_CPPFLAGS = $(units_emulated_cppflags) -DHG_DIMS=2
tests_gpu_units_emulated_2_CXXFLAGS = $(units_emulated_cxxflags)
tests_gpu_units_emulated_3_SOURCES = $(units_emulated_sources)
tests_gpu_units_emulated_3_CPPFLAGS = $(units_emulated_cppflags) -DHG_DIMS=3
tests_gpu_units_emulated_3_CXXFLAGS = $(units_emulated_cxxflags)

# The CUDA kernels on a device; compiled if there is nvcc, skipped without a device.
EXTRA_DIST += tests/gpu/adr_gpu.cu tests/gpu/kernels_gpu.cu tests/gpu/pricing_gpu.cu
if HAVE_NVCC
check_DATA = tests/gpu/adr_gpu tests/gpu/kernels_gpu tests/gpu/pricing_gpu bench/gpu_heat bench/gpu_elimination
TESTS += tests/gpu/adr_gpu tests/gpu/kernels_gpu tests/gpu/pricing_gpu
tests/gpu/kernels_gpu: tests/gpu/kernels_gpu.cu codelets/heat/heat_cuda.lo codelets/halo_pieces_cuda.lo tests/unit/heat_cases.h codelets/heat/heat_reference.c
	$(AM_V_GEN)$(MKDIR_P) tests/gpu && $(CC) -std=gnu11 -O2 -ffp-contract=off -I$(top_srcdir) -c $(top_srcdir)/codelets/heat/heat_reference.c -o tests/gpu/reference_gpu.o && \
	$(NVCC) $(NVCC_FLAGS) -I$(top_srcdir)/tests $(top_srcdir)/tests/gpu/kernels_gpu.cu codelets/heat/.libs/heat_cuda.o codelets/.libs/halo_pieces_cuda.o \
	  tests/gpu/reference_gpu.o -o $@
# with CPU kernels of the build, for comparison
pricing_objects = codelets/pricing/libhetgrid_parts_la-pricing_cpu.lo libpricing-baseline.la
adr_objects = codelets/adr/libhetgrid_parts_la-adr_cpu.lo libadr-baseline.la
if X86_ISA
pricing_objects += libpricing-avx2.la libpricing-avx512.la
adr_objects += libadr-avx2.la libadr-avx512.la
endif
tests/gpu/adr_gpu: tests/gpu/adr_gpu.cu codelets/adr/adr_cuda.lo codelets/adr/adr_solve_cuda.lo tests/unit/adr_cases.h $(adr_objects)
	$(AM_V_GEN)$(MKDIR_P) tests/gpu && $(NVCC) $(NVCC_FLAGS) -I$(top_srcdir)/tests $(top_srcdir)/tests/gpu/adr_gpu.cu \
	  codelets/adr/.libs/adr_cuda.o codelets/adr/.libs/adr_solve_cuda.o codelets/adr/.libs/libhetgrid_parts_la-adr_cpu.o \
	  $(patsubst %.la,.libs/%.a,$(filter %.la,$(adr_objects))) -o $@
tests/gpu/pricing_gpu: tests/gpu/pricing_gpu.cu codelets/pricing/pricing_cuda.lo tests/unit/pricing_cases.h $(pricing_objects)
	$(AM_V_GEN)$(MKDIR_P) tests/gpu && $(NVCC) $(NVCC_FLAGS) -I$(top_srcdir)/tests $(top_srcdir)/tests/gpu/pricing_gpu.cu \
	  codelets/pricing/.libs/pricing_cuda.o codelets/pricing/.libs/libhetgrid_parts_la-pricing_cpu.o $(patsubst %.la,.libs/%.a,$(filter %.la,$(pricing_objects))) -o $@
bench/gpu_heat: bench/gpu_heat.cu codelets/heat/heat_cuda.lo
	$(AM_V_GEN)$(MKDIR_P) bench && $(NVCC) $(NVCC_FLAGS) $(top_srcdir)/bench/gpu_heat.cu codelets/heat/.libs/heat_cuda.o -o $@
bench/gpu_elimination: bench/gpu_elimination.cu codelets/lu/lu_cuda.lo
	$(AM_V_GEN)$(MKDIR_P) bench && $(NVCC) $(NVCC_FLAGS) $(top_srcdir)/bench/gpu_elimination.cu codelets/lu/.libs/lu_cuda.o \
	  -lcublas -lcusolver -o $@
CLEANFILES += bench/gpu_elimination tests/gpu/adr_gpu tests/gpu/kernels_gpu tests/gpu/pricing_gpu tests/gpu/reference_gpu.o bench/gpu_heat
endif

# Tests under sanitizers, in separate build trees: AddressSanitizer and UBSan, ThreadSanitizer.
check-memory check-threads:
	HETGRID_SANITIZED=$(abs_builddir)/sanitized $(top_srcdir)/scripts/sanitize $(@:check-%=%)
.PHONY: check-memory check-threads

clean-local: clean-tests
clean-tests:
	rm -rf tests/starpu sanitized
