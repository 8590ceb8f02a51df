# SPDX-License-Identifier: MIT
scheduler_sources = \
  schedulers/availability.c \
  schedulers/availability.h \
  schedulers/constants.h \
  schedulers/costs.c \
  schedulers/costs.h \
  schedulers/hetgrid_sched.c \
  schedulers/hetgrid_sched.h \
  schedulers/hints.h \
  schedulers/memory.c \
  schedulers/memory.h \
  schedulers/model_cache.c \
  schedulers/model_cache.h \
  schedulers/nphp.c \
  schedulers/nphp.h \
  schedulers/owners.c \
  schedulers/owners.h \
  schedulers/placement.c \
  schedulers/placement.h \
  schedulers/policy.h \
  schedulers/prefetch.c \
  schedulers/prefetch.h \
  schedulers/queue.c \
  schedulers/queue.h \
  schedulers/queues.c \
  schedulers/queues.h \
  schedulers/ranks.c \
  schedulers/ranks.h \
  schedulers/speeds.c \
  schedulers/speeds.h \
  schedulers/stealing.c \
  schedulers/stealing.h \
  schedulers/task_graph.c \
  schedulers/task_graph.h \
  schedulers/tile_tables.c \
  schedulers/tile_tables.h \
  schedulers/tile_times.c \
  schedulers/tile_times.h \
  schedulers/transfers.c \
  schedulers/transfers.h \
  schedulers/workers.c \
  schedulers/workers.h
libhetgrid_parts_la_SOURCES += $(scheduler_sources)

# The policies for other programs: only the parts of this project that they need, and no symbols except StarPU's entry
# points. StarPU unloads the library when a context is deleted, which running threads would not survive: hence
# nodelete.
plugin_LTLIBRARIES += libhetgrid-sched.la
libhetgrid_sched_la_SOURCES = \
  schedulers/plugin.c \
  src/base/file.c \
  src/base/locale.c \
  src/base/log.c \
  src/base/map.c \
  src/base/memory.c \
  src/base/shown.c \
  src/base/status.c \
  src/base/text.c \
  src/input/array.c \
  src/input/csv.c \
  src/input/georeference.c \
  src/input/gunzip.c \
  src/input/lines.c \
  src/speed/kernel_classes.c \
  src/base/data_folder.c \
  src/speed/fpm.c \
  src/network/table.c \
  src/speed/partial.c \
  src/speed/speed.c \
  src/speed/tables.c \
  src/placement/candidates.c \
  src/placement/follow.c \
  src/placement/fpmc.c \
  src/placement/fpmc_thesis.c \
  src/placement/machine.c \
  src/placement/search.c \
  $(partition_sources) \
  $(scheduler_sources)
libhetgrid_sched_la_CPPFLAGS = $(AM_CPPFLAGS) $(subst -I/,-isystem /,$(STARPU_CFLAGS)) $(CUDA_CPPFLAGS)
libhetgrid_sched_la_LDFLAGS = $(AM_LDFLAGS) $(STARPU_RPATH) -module -avoid-version -shared -Wl,-z,nodelete -Wl,--no-undefined \
  -export-symbols-regex '^starpu_get_sched_lib'
libhetgrid_sched_la_LIBADD = $(STARPU_LIBS) $(ZLIB_LIBS) -lm
