# SPDX-License-Identifier: MIT
bin_PROGRAMS += hetgrid-trace
hetgrid_trace_SOURCES = \
  apps/trace/trace.c
hetgrid_trace_LDADD = $(parts_without_tasks)
about_trace = where the time of a recorded run went
manuals += apps/hetgrid-trace.1
