/* SPDX-License-Identifier: MIT */
/* Copies between main memory and the first GPU (and from it to the second), to be timed. In a build
 * without CUDA, or without a GPU, there are none. */
#ifndef HG_CODELETS_GPU_BUS_H
#define HG_CODELETS_GPU_BUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is copied from where to where; names in hg_bus_names, ended by NULL. */
typedef enum hg_bus_kind {
  HG_BUS_H2D, /**< pinned memory to the GPU */
  HG_BUS_D2H,
  HG_BUS_H2D_PAGEABLE, /**< memory of malloc to the GPU */
  HG_BUS_D2H_PAGEABLE,
  HG_BUS_H2D_BOTH, /**< pinned memory to the GPU while as much comes back */
  HG_BUS_D2H_BOTH,
  HG_BUS_D2D /**< the first GPU to the second */
} hg_bus_kind;
extern const char *const hg_bus_names[];

/** Whether there are the devices for it. */
bool hg_bus_there(hg_bus_kind kind);

/** s from the first use of a GPU until it can be used, measured at the first call in a process; NAN
 * without a GPU. */
double hg_bus_start(void);

/** Memory for copies of up to `bytes`. */
typedef struct hg_bus hg_bus;

/** NULL: no memory, or no GPU. */
hg_bus *hg_bus_open(int64_t bytes);
void hg_bus_close(hg_bus *bus);

/** seconds[count] of copies of `bytes`, from the call until the data are there, by the host's
 * clock.
 * @return 0, or -1 if the device reports an error */
int hg_bus_times(hg_bus *bus, hg_bus_kind kind, int64_t bytes, int count, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
