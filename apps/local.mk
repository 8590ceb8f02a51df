# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-calibrate hetgrid-plan hetgrid-simulate hetgrid-trace
# programs in virtual time, beside the others and installed with them
simulated =
manuals = \
  apps/hetgrid-calibrate.1 \
  apps/hetgrid-plan.1 \
  apps/hetgrid-simulate.1 \
  apps/hetgrid-trace.1
simulation:
	bash $(top_srcdir)/scripts/build-simulation . $(prefix) $(simulated)
.PHONY: simulation

# StarPU starts main itself where time is virtual
if SIMULATION
AM_CPPFLAGS += -Dmain=starpu_main -DHG_VIRTUAL_TIME
AM_CFLAGS += -Wno-missing-prototypes
endif
hetgrid_calibrate_SOURCES = \
  apps/calibrate.c \
  apps/calibrate.h \
  apps/calibrate_adr.c \
  apps/calibrate_bus.c \
  apps/calibrate_energy.c \
  apps/calibrate_gpu.c \
  apps/calibrate_kernels.c \
  apps/calibrate_measure.c \
  apps/calibrate_panel.c \
  apps/calibrate_platform.c \
  apps/calibrate_together.c \
  apps/programs.c \
  apps/programs.h
hetgrid_calibrate_LDADD = libhetgrid.la -lm
hetgrid_plan_SOURCES = apps/plan.c apps/plan.h apps/plan_golden.c apps/plan_golden.h \
  apps/plan_energy.c \
  apps/plan_golden_models.c apps/plan_models.c apps/plan_options.c \
  apps/plan_points.c \
  apps/plan_print.c
hetgrid_plan_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_plan_LDADD = $(parts_without_tasks)
hetgrid_simulate_SOURCES = apps/simulate.c apps/simulate.h apps/simulate_draw.c apps/simulate_draw.h \
  apps/simulate_cooperative.c \
  apps/simulate_dfpa.c \
  apps/simulate_adr.c \
  apps/simulate_async.c \
  apps/simulate_async.h \
  apps/simulate_jacobi.c \
  apps/simulate_paper.c \
  apps/simulate_plan.c apps/simulate_run.c apps/simulate_share.c apps/simulate_show.c apps/simulate_thesis.c \
  apps/programs.c apps/programs.h
hetgrid_simulate_LDADD = $(parts_without_tasks) $(adr_isa)
platformsdir = $(pkgdatadir)/platforms
dist_platforms_DATA = \
  apps/platforms/hcl.platform \
  apps/platforms/thesis.platform \
  apps/platforms/thesis-32+32.platform \
  apps/platforms/thesis-rows.platform \
  apps/platforms/h100-node.platform \
  apps/platforms/h200-node.platform \
  apps/platforms/mixed-64.platform
hetgrid_trace_SOURCES = apps/trace.c
hetgrid_trace_LDADD = $(parts_without_tasks)

include apps/adr/local.mk
include apps/elimination/local.mk
include apps/energy/local.mk
include apps/fft/local.mk
include apps/heat/local.mk
include apps/jacobi/local.mk
include apps/matmul/local.mk
include apps/network/local.mk
include apps/pricer/local.mk

# applications that use the public interface alone: compiled for the tests, installed as sources to start from
examples = \
  apps/examples/average \
  apps/examples/cube \
  apps/examples/elimination_units \
  apps/examples/heat_points \
  apps/examples/heat_tiles \
  apps/examples/histories \
  apps/examples/life \
  apps/examples/line \
  apps/examples/mandelbrot \
  apps/examples/own_loop \
  apps/examples/random_graph \
  apps/examples/spectrum
check_PROGRAMS += $(examples)
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = $(examples:=.c)
templatedir = $(pkgdatadir)/template
dist_template_DATA = apps/template/Makefile apps/template/forest.c

# man pages from the programs' own --help and the pages' examples
if HAVE_HELP2MAN
man1_MANS = $(manuals)
about_calibrate = speed of the workers of a machine
about_plan = division of a grid among unequal processors
about_simulate = the programs on machines that are only described
about_trace = where the time of a recorded run went
apps/hetgrid-%.1: hetgrid-% scripts/packages/manual
	$(AM_V_GEN)$(MKDIR_P) apps && bash $(top_srcdir)/scripts/packages/manual $* > apps/$*.h2m && \
	  $(HELP2MAN) --include=apps/$*.h2m --no-info --version-string=$(VERSION) --name='$(about_$*)' --output=$@ ./hetgrid-$*
CLEANFILES += $(man1_MANS) $(manuals:apps/hetgrid-%.1=apps/%.h2m)
endif
