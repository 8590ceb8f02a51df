# SPDX-License-Identifier: MIT
# programs in virtual time, built next to the others and installed with them
simulated =
manuals =
simulation:
	bash $(top_srcdir)/scripts/build-simulation . $(prefix) $(simulated)
.PHONY: simulation

# with virtual time StarPU starts main itself
if SIMULATION
AM_CPPFLAGS += -Dmain=starpu_main -DHG_VIRTUAL_TIME
AM_CFLAGS += -Wno-missing-prototypes
endif
platformsdir = $(pkgdatadir)/platforms
dist_platforms_DATA = \
  apps/platforms/hcl.platform \
  apps/platforms/thesis.platform \
  apps/platforms/thesis-32+32.platform \
  apps/platforms/thesis-rows.platform \
  apps/platforms/h100-node.platform \
  apps/platforms/h200-node.platform \
  apps/platforms/mixed-64.platform

# golden cases of programs with --golden FILE
golden_sources = tests/golden/cases.c tests/golden/cases.h

include apps/adr/local.mk
include apps/calibrate/local.mk
include apps/elimination/local.mk
include apps/energy/local.mk
include apps/fft/local.mk
include apps/heat/local.mk
include apps/jacobi/local.mk
include apps/matmul/local.mk
include apps/network/local.mk
include apps/plan/local.mk
include apps/pricer/local.mk
include apps/simulate/local.mk
include apps/trace/local.mk

# applications that use only the public interface: compiled for the tests, installed as sources to start from
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
# an application in two precisions
apps_examples_line_LDADD = apps/examples/line_double.$(OBJEXT) $(LDADD)
apps/examples/line_double.$(OBJEXT): apps/examples/line.c $(nodist_hg_HEADERS)
	$(AM_V_CC)$(MKDIR_P) apps/examples && $(COMPILE) -DHG_VALUE=double -c -o $@ $<
CLEANFILES += apps/examples/line_double.$(OBJEXT)
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = $(examples:=.c) apps/examples/terrain.sh
templatedir = $(pkgdatadir)/template
dist_template_DATA = apps/template/Makefile apps/template/forest.c

# man pages from the programs' own --help and the pages' examples
if HAVE_HELP2MAN
man1_MANS = $(manuals)
apps/hetgrid-%.1: hetgrid-% scripts/packages/manual
	$(AM_V_GEN)$(MKDIR_P) apps && bash $(top_srcdir)/scripts/packages/manual $* > apps/$*.h2m && \
	  $(HELP2MAN) --include=apps/$*.h2m --no-info --version-string=$(VERSION) --name='$(about_$*)' --output=$@ ./hetgrid-$*
CLEANFILES += $(man1_MANS) $(manuals:apps/hetgrid-%.1=apps/%.h2m)
endif
