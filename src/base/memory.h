/* SPDX-License-Identifier: MIT */
/* Memory that is asked for by name, so that a lack of it can be said; lists that grow. */
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

/** Makes room for one more element in a list that grows by this alone: *list holds `count` of `size` bytes each, its
 * room is the next power of two. HG_MEMORY naming `what`; the list stays as it is. */
hg_status hg_grow(const char *what, void **list, int64_t count, size_t size);

/** Distance in values of the columns of a matrix of `rows` values each: whole cache lines, but no multiple of a page,
 * which would map them all to the same few lines of the caches. */
int hg_leading_dimension(int64_t rows, size_t value_bytes);

/** Zeroed memory, released with free(). It is aligned to a cache line (64 bytes), from 64 KiB on to a page (4 KiB).
 * HG_MEMORY naming `what` and the size; from 256 MiB on also where that is more than what is available. */
hg_status hg_allocate(const char *what, size_t bytes, void **out);

/** Zeroed memory at an address that no other object of this function has had, so that a pointer to one that has ended
 * never is one to another; NULL: there is none. Released with hg_free_distinct. Each object costs some 32 bytes for
 * good. */
void *hg_allocate_distinct(size_t bytes);
void hg_free_distinct(void *object);
#endif
