# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/energy_codelet.c \
  codelets/energy_codelet.h \
  codelets/failure.c \
  codelets/failure.h \
  codelets/halo_pieces.c \
  codelets/halo_pieces.h \
  codelets/isa.h \
  codelets/phases.h \
  codelets/scratch.c \
  codelets/scratch.h \
  codelets/simulated_costs.h \
  codelets/simulated_costs_codelet.c \
  codelets/tile.h
include codelets/adr/local.mk
include codelets/divisible/local.mk
include codelets/gpu/local.mk
include codelets/heat/local.mk
include codelets/lu/local.mk
include codelets/pricing/local.mk
include codelets/units/local.mk

# The vector kernels are built once per instruction set; -ffp-contract=off keeps the arithmetic the same in all.
heat_isa_sources = \
  codelets/heat/heat_deep_template.h \
  codelets/heat/heat_conductance_template.h \
  codelets/heat/heat_internal.h \
  codelets/heat/heat_isa.c \
  codelets/heat/heat_isa.h \
  codelets/heat/heat_lanes_template.h \
  codelets/units/lane_rows.h \
  codelets/heat/heat_planes_template.h \
  codelets/heat/heat_rows_template.h \
  codelets/heat/heat_sweep_template.h \
  codelets/heat/heat_kernels.h \
  codelets/tile.h
isa_cflags = $(AM_CFLAGS) -O3 -ffp-contract=off -fno-trapping-math -fno-math-errno
adr_isa_sources = \
  codelets/adr/adr.h \
  codelets/adr/adr_internal.h \
  codelets/adr/adr_isa.c \
  codelets/adr/adr_krylov.h \
  codelets/adr/adr_pass_template.h \
  codelets/adr/adr_point.h \
  codelets/adr/adr_problem.h \
  codelets/adr/adr_real.h \
  codelets/adr/adr_residual_template.h \
  codelets/adr/adr_solve_template.h
pricing_isa_sources = \
  codelets/pricing/pricing.h \
  codelets/pricing/pricing_chunks_template.h \
  codelets/pricing/pricing_internal.h \
  codelets/pricing/pricing_isa.c \
  codelets/pricing/pricing_isa_float.c \
  codelets/pricing/pricing_lanes.h \
  codelets/pricing/pricing_math.h \
  codelets/pricing/pricing_math_double.h \
  codelets/pricing/pricing_math_float.h \
  codelets/pricing/pricing_paths.h
# Panels may contract, since their bits are those of a BLAS.
panel_isa_sources = \
  codelets/lu/lu_kernels.h \
  codelets/lu/lu_panel.c \
  codelets/lu/lu_panel_template.h
noinst_LTLIBRARIES += libadr-baseline.la libheat-baseline.la libpanel-baseline.la libpricing-baseline.la
libpanel_baseline_la_SOURCES = $(panel_isa_sources)
libpanel_baseline_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=baseline
libpanel_baseline_la_CFLAGS = $(isa_cflags) -ffp-contract=fast
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
libhetgrid_la_LIBADD += libadr-baseline.la libheat-baseline.la libpanel-baseline.la libpricing-baseline.la
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
noinst_LTLIBRARIES += libpanel-avx2.la libpanel-avx512.la
libpanel_avx2_la_SOURCES = $(panel_isa_sources)
libpanel_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx2
libpanel_avx2_la_CFLAGS = $(avx2_cflags) -ffp-contract=fast
libpanel_avx512_la_SOURCES = $(panel_isa_sources)
libpanel_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) -DHG_ISA=avx512
libpanel_avx512_la_CFLAGS = $(avx512_cflags) -ffp-contract=fast
libhetgrid_la_LIBADD += libpanel-avx2.la libpanel-avx512.la
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

# divisible jobs are measured while they run, so virtual time has no costs for them
if !SIMULATION
libhetgrid_parts_la_SOURCES += codelets/divisible/items_codelet.c
endif
EXTRA_DIST += \
  codelets/divisible/items_codelet.c \
  codelets/adr/adr_cuda.cu \
  codelets/adr/adr_cuda.cuh \
  codelets/adr/adr_cuda.h \
  codelets/adr/adr_solve_cuda.cu \
  codelets/adr/adr_solve_cuda.cuh \
  codelets/gpu/bus_cuda.cu \
  codelets/cuda.h \
  codelets/lu/cuda_library.h \
  codelets/fft/fft_cuda.cu \
  codelets/fft/fft_cuda.h \
  codelets/gpu/gpu_cuda.cu \
  codelets/gpu/gpu_lu_cuda.cu \
  codelets/gpu/gpu_none.c \
  codelets/gpu/gpu_work.cuh \
  codelets/heat/heat_cuda.cu \
  codelets/heat/heat_cuda.h \
  codelets/heat/heat_step.cuh \
  codelets/heat/heat_stream.cuh \
  codelets/lu/lu_cuda.cu \
  codelets/lu/lu_cuda.h \
  codelets/lu/lu_cuda_codelet.c \
  codelets/lu/lu_cuda_codelet.h \
  codelets/halo_pieces_cuda.cu \
  codelets/halo_pieces_cuda.h \
  codelets/pricing/pricing_cuda.cu \
  codelets/pricing/pricing_cuda.h \
  codelets/pricing/pricing_cuda_template.h \
  codelets/units/units_cuda.cu \
  codelets/units/units_cuda.h
NVCC_FLAGS = -O3 -std=c++20 -fmad=false $(NVCC_ARCH) $(NVCC_COMPRESS) -I$(top_srcdir) -Xcompiler -fPIC,-Wall
if HAVE_CUDA
libhetgrid_parts_la_CPPFLAGS += -DHG_HAVE_CUDA
libhetgrid_parts_la_SOURCES += codelets/lu/lu_cuda_codelet.c codelets/lu/lu_cuda_codelet.h
libhetgrid_la_LIBADD += $(cuda_objects) $(CUDA_LIBS) -lstdc++
else
libhetgrid_parts_la_SOURCES += codelets/gpu/gpu_none.c
endif

cuda_objects = \
  codelets/adr/adr_cuda.lo \
  codelets/adr/adr_solve_cuda.lo \
  codelets/gpu/bus_cuda.lo \
  codelets/gpu/gpu_cuda.lo \
  codelets/gpu/gpu_lu_cuda.lo \
  codelets/heat/heat_cuda.lo \
  codelets/lu/lu_cuda.lo \
  codelets/halo_pieces_cuda.lo \
  codelets/pricing/pricing_cuda.lo \
  codelets/units/units_cuda.lo
# libtool does not support nvcc: the rule makes the object, the .lo file that describes it, and a .d file that lists the
# headers.
codelets/%_cuda.lo: codelets/%_cuda.cu codelets/%_cuda.d
	$(AM_V_GEN)$(MKDIR_P) $(@D)/.libs && \
	$(NVCC) $(NVCC_FLAGS) -MMD -MP -MT $@ -MF $(@:.lo=.d) -c $< -o $(@D)/.libs/$(@F:.lo=.o) && \
	printf '%s\n' "# $@ - a libtool object file" "# Generated by libtool" "pic_object='.libs/$(@F:.lo=.o)'" \
	  "non_pic_object=none" > $@
all_cuda_objects = $(cuda_objects) codelets/fft/fft_cuda.lo
$(all_cuda_objects:.lo=.d):
-include $(all_cuda_objects:.lo=.d)
CLEANFILES += $(all_cuda_objects) $(all_cuda_objects:.lo=.d) $(join $(dir $(all_cuda_objects)),$(addprefix .libs/,$(notdir $(all_cuda_objects:.lo=.o))))
