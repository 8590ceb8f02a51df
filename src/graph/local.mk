# SPDX-License-Identifier: MIT
libhetgrid_la_SOURCES += \
  src/graph/exchange.c \
  src/graph/exchange.h \
  src/graph/heat.c \
  src/graph/move.c \
  src/graph/move.h \
  src/graph/pinned.c \
  src/graph/pinned.h \
  src/graph/ranks.h \
  src/graph/session.c \
  src/graph/stencil.c \
  src/graph/stencil_move.c \
  src/graph/stencil_tiles.c \
  src/graph/stencil_tiles.h \
  src/graph/task_data.h \
  src/graph/times.c \
  src/graph/times.h \
  src/graph/units.c \
  src/graph/units_exchange.c \
  src/graph/units_index.c \
  src/graph/units_move.c \
  src/graph/units_tiles.c \
  src/graph/units_tiles.h

# where time is virtual, ranks are nodes of a platform
ranks_simulated_sources = src/graph/ranks_simulated.c
ranks_mpi_sources = \
  src/graph/mpi_nap.c \
  src/graph/mpi_nap.h \
  src/graph/ranks_mpi.c
if SIMULATION
libhetgrid_la_SOURCES += $(ranks_simulated_sources)
else
libhetgrid_la_SOURCES += $(ranks_mpi_sources)
endif
EXTRA_DIST += $(ranks_mpi_sources) $(ranks_simulated_sources)

hggraphdir = $(hgdir)/graph
hggraph_HEADERS = \
  src/graph/heat.h \
  src/graph/session.h \
  src/graph/stencil.h \
  src/graph/units.h
