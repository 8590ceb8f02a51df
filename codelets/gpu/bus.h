/* SPDX-License-Identifier: MIT */
/* Copies between main memory and the first GPU (and from it to the second), for timing. Without CUDA or a GPU there
 * are none. */
#ifndef HG_CODELETS_GPU_BUS_H
#define HG_CODELETS_GPU_BUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of copies; their names are in hg_bus_names, ended by NULL. */
typedef enum hg_bus_kind {
  HG_BUS_H2D, /**< pinned memory to the GPU */
  HG_BUS_D2H,
  HG_BUS_H2D_PAGEABLE, /**< memory of malloc to the GPU */
  HG_BUS_D2H_PAGEABLE,
  HG_BUS_H2D_BOTH, /**< pinned memory to the GPU, with an equal copy in the other direction at the same time */
  HG_BUS_D2H_BOTH,
  HG_BUS_D2D /**< the first GPU to the second */
} hg_bus_kind;
extern const char *const hg_bus_names[];

/** Whether the devices for it exist. */
bool hg_bus_there(hg_bus_kind kind);

/** Seconds from the first use of a GPU until it is ready, measured at the first call in a process; NAN without a
 * GPU. */
double hg_bus_start(void);

/** Memory for copies of up to `bytes`. */
typedef struct hg_bus hg_bus;

/** Returns NULL without memory or without a GPU. */
hg_bus *hg_bus_open(int64_t bytes);
void hg_bus_close(hg_bus *bus);

/** seconds[count] of copies of `bytes`, from the call until the data have arrived, by the host's clock.
 * @return 0, or -1 if the device reports an error */
int hg_bus_times(hg_bus *bus, hg_bus_kind kind, int64_t bytes, int count, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
