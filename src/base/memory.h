/* SPDX-License-Identifier: MIT */
/* Memory allocated under a name, for messages when it runs out; lists that grow. */
#ifndef HG_BASE_MEMORY_H
#define HG_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/** Memory this process may still take, in bytes: the kernel's estimate, capped by the limits of its cgroups and of its
 * address space (ulimit -v). */
int64_t hg_memory_available(void);

/** Product of three counts and a size in bytes. HG_MEMORY if it exceeds what is available; `what` names it. */
hg_status hg_memory_check(const char *what, const int64_t n[3], int64_t bytes_per_cell);

/** Makes room for one more element in a list that grows by this function alone: *list holds `count` elements of `size`
 * bytes each; its capacity is the next power of two. HG_MEMORY naming `what`; the list stays as it is. */
hg_status hg_grow(const char *what, void **list, int64_t count, size_t size);

/** Leading dimension, in values, of a matrix with `rows` rows: whole cache lines, but no multiple of a page, which
 * would map all columns to the same few cache lines. */
int hg_leading_dimension(int64_t rows, size_t value_bytes);

/** Zeroed memory, released with free(). It is aligned to a cache line (64 bytes), or from 64 KiB on to a page (4 KiB).
 * HG_MEMORY naming `what` and the size; from 256 MiB on also if the size exceeds the available memory. */
hg_status hg_allocate(const char *what, size_t bytes, void **out);

/** Zeroed memory at an address that this function never returned before, so that a pointer to a freed object never
 * points to another one; NULL if memory runs out. Released with hg_free_distinct. Some 32 bytes per object are never
 * freed. */
void *hg_allocate_distinct(size_t bytes);
void hg_free_distinct(void *object);
#endif
