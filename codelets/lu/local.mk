# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  codelets/lu/fill_codelet.c \
  codelets/lu/fill_codelet.h \
  codelets/lu/lu_codelet.c \
  codelets/lu/lu_codelet.h \
  codelets/lu/lu_cpu.c \
  codelets/lu/lu_cpu_template.h \
  codelets/lu/lu_kernels.h \
  codelets/lu/lu_task.h \
  codelets/lu/lu_tournament_codelet.c \
  codelets/lu/lu_tournament_codelet.h \
  codelets/lu/permutation.c \
  codelets/lu/permutation.h
