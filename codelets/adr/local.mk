# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/adr/adr.h \
  codelets/adr/adr_codelet.c \
  codelets/adr/adr_codelet.h \
  codelets/adr/adr_cpu.c \
  codelets/adr/adr_flops.c \
  codelets/adr/adr_internal.h \
  codelets/adr/adr_krylov.h \
  codelets/adr/adr_point.h \
  codelets/adr/adr_problem.h
