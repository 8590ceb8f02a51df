# SPDX-License-Identifier: MIT
# Benchmarks are built and run on request: make bench-heat, make bench-partition
EXTRA_PROGRAMS += bench/heat_peers bench/heat_mpi bench/partition
bench_cflags = $(AM_CFLAGS) -O3 -march=native -mprefer-vector-width=512 -fno-math-errno -fno-trapping-math -ffp-contract=off
bench_heat_peers_CPPFLAGS = $(libhetgrid_la_CPPFLAGS)
bench_heat_peers_CFLAGS = $(bench_cflags) -fopenmp
bench_heat_mpi_CPPFLAGS = $(libhetgrid_la_CPPFLAGS)
bench_heat_mpi_CFLAGS = $(bench_cflags)
bench_heat_mpi_LDADD = $(MPI_LIBS) -lm
bench_partition_CPPFLAGS = $(libhetgrid_la_CPPFLAGS)
EXTRA_DIST += bench/gpu_heat.cu bench/heat bench/results

bench-heat: bench/heat_peers bench/heat_mpi hetgrid-heat
	bash $(top_srcdir)/bench/heat
bench-partition: bench/partition
	bench/partition 2000 1
	bench/partition 2000 4
	bench/partition 300 1 3
.PHONY: bench-heat bench-partition
