# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-plan
hetgrid_plan_SOURCES = \
  $(golden_sources) \
  tests/golden/plan.c \
  tests/golden/plan.h \
  tests/golden/plan_models.c \
  apps/plan/energy.c \
  apps/plan/models.c \
  apps/plan/options.c \
  apps/plan/plan.c \
  apps/plan/plan.h \
  apps/plan/points.c \
  apps/plan/print.c
hetgrid_plan_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
hetgrid_plan_LDADD = $(parts_without_tasks)
about_plan = division of a grid among unequal processors
manuals += apps/hetgrid-plan.1
