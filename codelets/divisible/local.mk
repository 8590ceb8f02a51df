# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/divisible/jobs.h \
  codelets/divisible/jobs_codelet.h
