# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/adr.h \
  codelets/adr_codelet.c \
  codelets/adr_codelet.h \
  codelets/adr_cpu.c \
  codelets/adr_flops.c \
  codelets/adr_internal.h \
  codelets/adr_krylov.h \
  codelets/adr_point.h \
  codelets/adr_problem.h \
  codelets/batch_codelet.c \
  codelets/batch_codelet.h \
  codelets/bus.c \
  codelets/bus.h \
  codelets/costs.h \
  codelets/costs_codelet.c \
  codelets/energy_codelet.c \
  codelets/energy_codelet.h \
  codelets/failure.c \
  codelets/failure.h \
  codelets/fill_codelet.c \
  codelets/fill_codelet.h \
  codelets/gpu.h \
  codelets/heat_depth.c \
  codelets/heat_update.c \
  codelets/heat_update.h \
  codelets/heat_cpu.c \
  codelets/heat_internal.h \
  codelets/heat_reference.c \
  codelets/isa.h \
  codelets/jobs.h \
  codelets/jobs_codelet.h \
  codelets/kernels.h \
  codelets/lu_codelet.c \
  codelets/lu_codelet.h \
  codelets/lu_cpu.c \
  codelets/lu_cpu_template.h \
  codelets/lu_kernels.h \
  codelets/lu_task.h \
  codelets/lu_tournament_codelet.c \
  codelets/lu_tournament_codelet.h \
  codelets/phases.h \
  codelets/pieces.c \
  codelets/pieces.h \
  codelets/pricing.h \
  codelets/pricing_cpu.c \
  codelets/pricing_flops.c \
  codelets/pricing_internal.h \
  codelets/pricing_update.c \
  codelets/pricing_update.h \
  codelets/scratch.c \
  codelets/scratch.h \
  codelets/stencil_codelet.c \
  codelets/stencil_codelet.h \
  codelets/stored.c \
  codelets/stored.h \
  codelets/tile.h \
  codelets/units.h \
  codelets/units_codelet.c \
  codelets/units_codelet.h \
  codelets/units_cpu.c \
  codelets/units_cpu.h \
  codelets/units_lanes.c \
  codelets/units_lanes.h \
  codelets/units_tile.c \
  codelets/units_tile.h

# The vector kernels are built once per instruction set; -ffp-contract=off keeps the arithmetic the same in all.
heat_isa_sources = \
  codelets/heat_deep_template.h \
  codelets/heat_internal.h \
  codelets/heat_isa.c \
  codelets/heat_isa.h \
  codelets/heat_lanes_template.h \
  codelets/lane_rows.h \
  codelets/heat_planes_template.h \
  codelets/heat_sweep_template.h \
  codelets/kernels.h \
  codelets/tile.h
isa_cflags = $(AM_CFLAGS) -O3 -ffp-contract=off -fno-trapping-math -fno-math-errno
adr_isa_sources = \
  codelets/adr.h \
  codelets/adr_internal.h \
  codelets/adr_isa.c \
  codelets/adr_krylov.h \
  codelets/adr_pass_template.h \
  codelets/adr_point.h \
  codelets/adr_problem.h \
  codelets/adr_real.h \
  codelets/adr_residual_template.h \
  codelets/adr_solve_template.h
pricing_isa_sources = \
  codelets/pricing.h \
  codelets/pricing_chunks_template.h \
  codelets/pricing_internal.h \
  codelets/pricing_isa.c \
  codelets/pricing_isa_float.c \
  codelets/pricing_lanes.h \
  codelets/pricing_math.h \
  codelets/pricing_math_double.h \
  codelets/pricing_math_float.h \
  codelets/pricing_paths.h
noinst_LTLIBRARIES += libadr-baseline.la libheat-baseline.la libpricing-baseline.la
libadr_baseline_la_SOURCES = $(adr_isa_sources)
libadr_baseline_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=baseline
libadr_baseline_la_CFLAGS = $(isa_cflags)
libheat_baseline_la_SOURCES = $(heat_isa_sources)
libheat_baseline_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=baseline
libheat_baseline_la_CFLAGS = $(isa_cflags)
libpricing_baseline_la_SOURCES = $(pricing_isa_sources)
libpricing_baseline_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=baseline
libpricing_baseline_la_CFLAGS = $(isa_cflags)
adr_isa = libadr-baseline.la
libhetgrid_la_LIBADD += libadr-baseline.la libheat-baseline.la libpricing-baseline.la
if X86_ISA
avx2_cflags = $(isa_cflags) -mavx2 -mfma
avx512_cflags = $(isa_cflags) -mavx512f -mavx512vl -mavx512dq -mfma -mprefer-vector-width=512
noinst_LTLIBRARIES += libadr-avx2.la libadr-avx512.la
libadr_avx2_la_SOURCES = $(adr_isa_sources)
libadr_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx2
libadr_avx2_la_CFLAGS = $(avx2_cflags)
libadr_avx512_la_SOURCES = $(adr_isa_sources)
libadr_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx512
libadr_avx512_la_CFLAGS = $(avx512_cflags)
adr_isa += libadr-avx2.la libadr-avx512.la
libhetgrid_la_LIBADD += libadr-avx2.la libadr-avx512.la
noinst_LTLIBRARIES += libheat-avx2.la libheat-avx512.la libpricing-avx2.la libpricing-avx512.la
libheat_avx2_la_SOURCES = $(heat_isa_sources)
libheat_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx2
libheat_avx2_la_CFLAGS = $(avx2_cflags)
libheat_avx512_la_SOURCES = $(heat_isa_sources)
libheat_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx512
libheat_avx512_la_CFLAGS = $(avx512_cflags)
libpricing_avx2_la_SOURCES = $(pricing_isa_sources)
libpricing_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx2
libpricing_avx2_la_CFLAGS = $(avx2_cflags)
libpricing_avx512_la_SOURCES = $(pricing_isa_sources)
libpricing_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx512
libpricing_avx512_la_CFLAGS = $(avx512_cflags)
libhetgrid_la_LIBADD += libheat-avx2.la libheat-avx512.la libpricing-avx2.la libpricing-avx512.la
libhetgrid_parts_la_CPPFLAGS += -DHG_HAVE_X86_ISA
endif

# divisible jobs are measured, so they have no costs in virtual time
if !SIMULATION
libhetgrid_parts_la_SOURCES += codelets/jobs_codelet.c
endif
EXTRA_DIST += \
  codelets/jobs_codelet.c \
  codelets/adr_cuda.cu \
  codelets/adr_cuda.cuh \
  codelets/adr_cuda.h \
  codelets/adr_solve_cuda.cu \
  codelets/adr_solve_cuda.cuh \
  codelets/bus_cuda.cu \
  codelets/cuda.h \
  codelets/cuda_library.h \
  codelets/fft_cuda.cu \
  codelets/fft_cuda.h \
  codelets/gpu_cuda.cu \
  codelets/gpu_lu_cuda.cu \
  codelets/gpu_none.c \
  codelets/gpu_work.cuh \
  codelets/heat_cuda.cu \
  codelets/heat_cuda.h \
  codelets/heat_step.cuh \
  codelets/heat_stream.cuh \
  codelets/lu_cuda.cu \
  codelets/lu_cuda.h \
  codelets/lu_cuda_codelet.c \
  codelets/lu_cuda_codelet.h \
  codelets/pieces_cuda.cu \
  codelets/pieces_cuda.h \
  codelets/pricing_cuda.cu \
  codelets/pricing_cuda.h \
  codelets/pricing_cuda_template.h \
  codelets/units_cuda.cu \
  codelets/units_cuda.h
NVCC_FLAGS = -O3 -std=c++20 -fmad=false $(NVCC_ARCH) $(NVCC_COMPRESS) -I$(top_srcdir) -Xcompiler -fPIC,-Wall
if HAVE_CUDA
libhetgrid_parts_la_CPPFLAGS += -DHG_HAVE_CUDA
libhetgrid_parts_la_SOURCES += codelets/lu_cuda_codelet.c codelets/lu_cuda_codelet.h
libhetgrid_la_LIBADD += $(cuda_objects) $(CUDA_LIBS) -lstdc++
else
libhetgrid_parts_la_SOURCES += codelets/gpu_none.c
endif

cuda_objects = \
  codelets/adr_cuda.lo \
  codelets/adr_solve_cuda.lo \
  codelets/bus_cuda.lo \
  codelets/gpu_cuda.lo \
  codelets/gpu_lu_cuda.lo \
  codelets/heat_cuda.lo \
  codelets/lu_cuda.lo \
  codelets/pieces_cuda.lo \
  codelets/pricing_cuda.lo \
  codelets/units_cuda.lo
# nvcc knows nothing of libtool: the object is made by hand and described in a .lo file of its own.
codelets/%_cuda.lo: codelets/%_cuda.cu
	$(AM_V_GEN)$(MKDIR_P) codelets/.libs && \
	$(NVCC) $(NVCC_FLAGS) -c $< -o codelets/.libs/$*_cuda.o && \
	printf '%s\n' "# $@ - a libtool object file" "# Generated by libtool" "pic_object='.libs/$*_cuda.o'" \
	  "non_pic_object=none" > $@
$(cuda_objects): codelets/cuda.h codelets/tile.h
# of hetgrid-fft alone
codelets/fft_cuda.lo: codelets/fft_cuda.h codelets/cuda.h
codelets/adr_cuda.lo codelets/adr_solve_cuda.lo: codelets/adr_cuda.cuh codelets/adr_cuda.h codelets/adr.h \
  codelets/adr_point.h codelets/adr_problem.h
codelets/adr_solve_cuda.lo: codelets/adr_solve_cuda.cuh codelets/adr_krylov.h
codelets/bus_cuda.lo: codelets/bus.h
codelets/gpu_cuda.lo: codelets/gpu_work.cuh codelets/gpu.h codelets/adr.h codelets/adr_cuda.h codelets/heat_cuda.h \
  codelets/kernels.h codelets/pieces_cuda.h codelets/pieces.h codelets/pricing_cuda.h codelets/pricing.h
codelets/gpu_lu_cuda.lo: codelets/gpu_work.cuh codelets/gpu.h codelets/adr.h codelets/lu_cuda.h codelets/lu_task.h
codelets/heat_cuda.lo: codelets/heat_step.cuh codelets/heat_stream.cuh codelets/heat_cuda.h codelets/kernels.h
codelets/lu_cuda.lo: codelets/cuda_library.h codelets/lu_cuda.h codelets/lu_task.h
codelets/pieces_cuda.lo: codelets/pieces_cuda.h codelets/pieces.h
codelets/pricing_cuda.lo: codelets/pricing_cuda.h codelets/pricing_cuda_template.h codelets/pricing.h \
  codelets/pricing_lanes.h codelets/pricing_math.h codelets/pricing_math_double.h codelets/pricing_math_float.h \
  codelets/pricing_paths.h
codelets/units_cuda.lo: codelets/units_cuda.h codelets/units_tile.h codelets/units.h
CLEANFILES += $(cuda_objects) $(cuda_objects:codelets/%.lo=codelets/.libs/%.o) codelets/fft_cuda.lo codelets/.libs/fft_cuda.o
