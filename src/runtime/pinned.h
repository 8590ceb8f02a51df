/* SPDX-License-Identifier: MIT */
/* Memory that StarPU may transfer to devices. */
#ifndef HG_RUNTIME_PINNED_H
#define HG_RUNTIME_PINNED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/** Zeroed memory, pinned where there are devices, in huge pages where the system gives them. HG_MEMORY naming `what`.
 * Free with hg_pinned_free. */
hg_status hg_pinned_allocate(const char *what, size_t bytes, void **memory);
void hg_pinned_free(void *memory, size_t bytes);

/** A block of such memory that may be handed on. */
typedef struct hg_pinned {
  void *memory; /**< NULL: none */
  size_t bytes; /**< its size */
  bool mapped;  /**< by the system, not by StarPU */
} hg_pinned;

/** Makes a block of at least `bytes` out of one that is smaller, or out of none. What it held is gone; its pages are
 * not, where there are no devices, so that the system has only what comes on top to clear. HG_MEMORY naming `what`; the
 * block is as it was. */
hg_status hg_pinned_grow(const char *what, size_t bytes, hg_pinned *block);
void hg_pinned_drop(hg_pinned *block);
#endif
