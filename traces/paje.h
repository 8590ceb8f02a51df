/* SPDX-License-Identifier: MIT */
/* What hetgrid reads of a Paje trace as StarPU writes it: containers, states and links. The ids of events and the order
 * of their fields come from the file's own header. Internal to traces/.
 * Format: B. de Oliveira Stein, J. Chassin de Kergommeaux, G. Mounie, "Paje trace file format", 2013. */
#ifndef HG_TRACES_PAJE_H
#define HG_TRACES_PAJE_H

#include "base/status.h"

typedef enum hg_paje_kind {
  HG_PAJE_CONTAINER,
  HG_PAJE_SET,
  HG_PAJE_PUSH,
  HG_PAJE_POP,
  HG_PAJE_START_LINK,
  HG_PAJE_END_LINK,
  HG_PAJE_VALUE,
  HG_PAJE_KINDS
} hg_paje_kind;

/** An event. Fields that an event does not have are "". Links name the container at their end in `container`. */
typedef struct hg_paje_event {
  hg_paje_kind kind;
  double time; /**< in the file's unit */
  const char *type, *container, *value, *alias, *name, *key, *colour;
} hg_paje_event;

typedef hg_status hg_paje_sink(void *arg, const hg_paje_event *event);

/** Calls `take` for each event of these kinds, in the order of the file. HG_IO, HG_FORMAT naming the line, and what
 * `take` returns. */
hg_status hg_paje_read(const char *path, hg_paje_sink *take, void *arg);
#endif
