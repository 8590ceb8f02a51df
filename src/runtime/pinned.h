/* SPDX-License-Identifier: MIT */
/* Memory that StarPU may transfer to devices. */
#ifndef HG_RUNTIME_PINNED_H
#define HG_RUNTIME_PINNED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/** Zeroed memory, pinned if there are devices, in huge pages if the system provides them. HG_MEMORY naming `what`.
 * Free with hg_pinned_free. */
hg_status hg_pinned_allocate(const char *what, size_t bytes, void **memory);
void hg_pinned_free(void *memory, size_t bytes);

/** A reusable block of such memory. */
typedef struct hg_pinned {
  void *memory; /**< NULL: none */
  size_t bytes; /**< its size */
  bool mapped;  /**< allocated by mmap, not by StarPU */
} hg_pinned;

/** Grows a smaller or empty block to at least `bytes`. Its contents are lost. Without devices its pages are kept, so
 * that the system clears only the additional ones. HG_MEMORY naming `what`; the block then stays as it was. */
hg_status hg_pinned_grow(const char *what, size_t bytes, hg_pinned *block);
void hg_pinned_drop(hg_pinned *block);
#endif
