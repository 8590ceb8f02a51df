# SPDX-License-Identifier: MIT
libhetgrid_parts_la_SOURCES += \
  src/graph/about.c \
  src/graph/about.h \
  src/graph/alike.c \
  src/graph/alike.h \
  src/graph/async.h \
  src/graph/async_make.c \
  src/graph/async_run.c \
  src/graph/async_run.h \
  src/graph/batch.c \
  src/graph/batch.h \
  src/graph/broadcast.h \
  src/graph/comm.h \
  src/graph/common.h \
  src/graph/crowd.h \
  src/graph/counted.c \
  src/graph/counted.h \
  src/graph/counter.h \
  src/graph/detect.c \
  src/graph/detect.h \
  src/graph/divisible.h \
  src/graph/divisible_run.h \
  src/graph/exchange.c \
  src/graph/exchange.h \
  src/graph/graph.c \
  src/graph/graph.h \
  src/graph/mailbox.c \
  src/graph/mailbox.h \
  src/graph/messages.c \
  src/graph/messages.h \
  src/graph/move.c \
  src/graph/move.h \
  src/graph/mpi_nap.h \
  src/graph/network_measure.h \
  src/graph/network_world.h \
  src/graph/pinned.c \
  src/graph/pinned.h \
  src/graph/profile.c \
  src/graph/profile.h \
  src/graph/ranks.h \
  src/graph/record.c \
  src/graph/record.h \
  src/graph/relax.c \
  src/graph/relax.h \
  src/graph/rounds.c \
  src/graph/rounds.h \
  src/graph/row.c \
  src/graph/row.h \
  src/graph/row_together.c \
  src/graph/session.c \
  src/graph/session.h \
  src/graph/slabs.h \
  src/graph/starpu_environment.c \
  src/graph/starpu_environment.h \
  src/graph/starpu_models.c \
  src/graph/starpu_models.h \
  src/graph/stencil.c \
  src/graph/stencil.h \
  src/graph/stencil_fill.c \
  src/graph/stencil_move.c \
  src/graph/stencil_tiles.c \
  src/graph/stencil_tiles.h \
  src/graph/task_cost.c \
  src/graph/task_cost.h \
  src/graph/task_data.h \
  src/graph/task_here.c \
  src/graph/units.c \
  src/graph/units.h \
  src/graph/units_exchange.c \
  src/graph/units_index.c \
  src/graph/units_move.c \
  src/graph/units_tiles.c \
  src/graph/units_tiles.h \
  src/graph/use.c \
  src/graph/use.h \
  src/graph/worker_list.c \
  src/graph/worker_list.h \
  src/graph/worker_nap.c \
  src/graph/worker_nap.h \
  src/graph/workers.c \
  src/graph/workers.h

# where time is virtual, ranks are nodes of a platform
if SIMULATION
libhetgrid_parts_la_SOURCES += src/graph/counter_simulated.c src/graph/ranks_simulated.c
else
libhetgrid_parts_la_SOURCES += \
  src/graph/broadcast.c \
  src/graph/broadcast_choose.c \
  src/graph/comm.c \
  src/graph/counter.c \
  src/graph/crowd.c \
  src/graph/divisible.c \
  src/graph/divisible_check.c \
  src/graph/divisible_device.c \
  src/graph/divisible_models.c \
  src/graph/divisible_parts.c \
  src/graph/divisible_ranks.c \
  src/graph/divisible_record.c \
  src/graph/mpi_nap.c \
  src/graph/network_measure.c \
  src/graph/network_times.c \
  src/graph/network_world.c \
  src/graph/ranks_mpi.c \
  src/graph/slabs.c
endif
EXTRA_DIST += \
  src/graph/broadcast.c \
  src/graph/broadcast_choose.c \
  src/graph/comm.c \
  src/graph/counter.c \
  src/graph/crowd.c \
  src/graph/counter_simulated.c \
  src/graph/divisible.c \
  src/graph/divisible_check.c \
  src/graph/divisible_device.c \
  src/graph/divisible_models.c \
  src/graph/divisible_parts.c \
  src/graph/divisible_ranks.c \
  src/graph/divisible_record.c \
  src/graph/mpi_nap.c \
  src/graph/network_measure.c \
  src/graph/network_times.c \
  src/graph/network_world.c \
  src/graph/ranks_mpi.c \
  src/graph/ranks_simulated.c \
  src/graph/slabs.c
