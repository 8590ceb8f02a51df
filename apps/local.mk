# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-heat
hetgrid_heat_SOURCES = apps/heat.c apps/heat_options.c apps/heat_options.h
hetgrid_heat_LDADD = libhetgrid.la

# man pages from the programs' own --help
if HAVE_HELP2MAN
man1_MANS = apps/hetgrid-heat.1
apps/hetgrid-heat.1: hetgrid-heat
	$(AM_V_GEN)$(MKDIR_P) apps && $(HELP2MAN) --no-info --version-string=$(VERSION) \
	  --name='heat transfer on heterogeneous machines' --output=$@ ./hetgrid-heat
CLEANFILES += $(man1_MANS)
endif
