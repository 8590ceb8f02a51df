/* SPDX-License-Identifier: MIT */
/* Memory that StarPU may transfer to devices. */
#ifndef HG_GRAPH_PINNED_H
#define HG_GRAPH_PINNED_H

#include <stddef.h>

#include "base/status.h"

/** Zeroed memory, pinned where there are devices, in huge pages where the system gives them. HG_MEMORY naming `what`.
 * Free with hg_pinned_free. */
hg_status hg_pinned_allocate(const char *what, size_t bytes, void **memory);
void hg_pinned_free(void *memory, size_t bytes);
#endif
