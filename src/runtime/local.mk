# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/runtime/consistency.c \
  src/runtime/consistency.h \
  src/runtime/comm.h \
  src/runtime/late_flops.c \
  src/runtime/late_flops.h \
  src/runtime/messages.c \
  src/runtime/messages.h \
  src/runtime/mpi_backoff.h \
  src/runtime/oversubscription.h \
  src/runtime/paje_order.c \
  src/runtime/paje_order.h \
  src/runtime/pinned.c \
  src/runtime/pinned.h \
  src/runtime/policy_choice.c \
  src/runtime/profile.c \
  src/runtime/profile.h \
  src/runtime/ranks.h \
  src/runtime/record.c \
  src/runtime/record.h \
  src/runtime/session.c \
  src/runtime/session.h \
  src/runtime/shared_counter.h \
  src/runtime/starpu_environment.c \
  src/runtime/starpu_environment.h \
  src/runtime/starpu_models.c \
  src/runtime/starpu_models.h \
  src/runtime/task_data.h \
  src/runtime/task_inline.c \
  src/runtime/task_overhead.c \
  src/runtime/task_overhead.h \
  src/runtime/versions.c \
  src/runtime/versions.h \
  src/runtime/worker_backoff.c \
  src/runtime/worker_backoff.h \
  src/runtime/worker_list.c \
  src/runtime/worker_list.h \
  src/runtime/worker_usage.c \
  src/runtime/worker_usage.h \
  src/runtime/workers.c \
  src/runtime/workers.h
# with virtual time, ranks are nodes of a platform
if SIMULATION
libhetgrid_parts_la_SOURCES += \
  src/runtime/ranks_simulated.c \
  src/runtime/shared_counter_simulated.c
else
libhetgrid_parts_la_SOURCES += \
  src/runtime/comm.c \
  src/runtime/mpi_backoff.c \
  src/runtime/oversubscription.c \
  src/runtime/ranks_mpi.c \
  src/runtime/shared_counter.c
endif
