/* SPDX-License-Identifier: MIT */
/* The GPUs of this machine, without StarPU: their properties, and the work of tasks on them, run alone for timing. A
 * build without CUDA has none (gpu_none.c). */
#ifndef HG_CODELETS_GPU_GPU_H
#define HG_CODELETS_GPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codelets/adr/adr.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Work that can be run repeatedly on a GPU. */
typedef struct hg_gpu_work hg_gpu_work;

/** Number of GPUs; 0 without a driver. */
int hg_gpu_count(void);

/** Model name as given by the driver ("NVIDIA H200"); "gpu" if unknown. */
void hg_gpu_model(int gpu, char *name, size_t size);

/** Address on the PCI bus ("0000:3b:00.0"), which identifies it whatever CUDA_VISIBLE_DEVICES hides; "" if unknown. */
void hg_gpu_bus(int gpu, char *bus, size_t size);

/** Bytes of its memory that are free; 0 if unknown. */
int64_t hg_gpu_memory(int gpu);

/** flop/s that its processors reach at least if they never wait; 0 if unknown. */
double hg_gpu_rate(int gpu, bool is_float);

/** `depth` heat steps on the side x side core of a tile. This and the following return NULL without memory. */
hg_gpu_work *hg_gpu_heat(int gpu, bool is_float, int64_t side, int depth);

/** The halo exchange of such a tile: four borders, `depth` cells deep, are packed, copied to main memory and back, and
 * unpacked. */
hg_gpu_work *hg_gpu_exchange(int gpu, bool is_float, int64_t side, int depth);

/** A step of elimination on side x side elements by tiles of nb x nb: solves for the top rows and subtracts the
 * product from the rows below. */
hg_gpu_work *hg_gpu_update(int gpu, bool is_float, int64_t side, int nb);

/** Copies the panel of such a step from main memory. */
hg_gpu_work *hg_gpu_panel_copy(int gpu, bool is_float, int64_t side, int nb);

/** The rows x nb panel of a step by tiles of nb rows, with pivoting; a copy on the device restores it each time. */
hg_gpu_work *hg_gpu_panel(int gpu, bool is_float, int64_t rows, int nb);

/** Exchanges nb rows of such tiles, `side` columns and `rows` rows in all, with rows drawn at random. */
hg_gpu_work *hg_gpu_swap(int gpu, bool is_float, int64_t rows, int64_t side, int nb);

/** `count` paths of a European option by chunks, as hetgrid-pricer computes them; only their sums are copied back. */
hg_gpu_work *hg_gpu_paths(int gpu, int64_t count);
hg_gpu_work *hg_gpu_path_sums(int gpu, int64_t count);

/** A solve of adr, from the same right-hand side each time. All arrays are copied to the device here.
 * @param tables,u,work  as for hg_adr_kernel, after its residual @param[out] iterations  of a solve, set by each run;
 * kept by reference */
hg_gpu_work *hg_gpu_adr(int gpu, bool is_float, const hg_adr_block *block, const hg_adr_step *step,
                        const double *tables, const double *u, const void *work, int *iterations);

/** Runs work `repeats` times, including launches and waiting. Returns the s for all; < 0 if the device reports an
 * error. */
double hg_gpu_run(hg_gpu_work *work, int repeats);

void hg_gpu_end(hg_gpu_work *work);

#ifdef __cplusplus
}
#endif
#endif
