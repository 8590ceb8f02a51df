/* SPDX-License-Identifier: MIT */
/* The GPUs of this machine, without StarPU: what they are, and the work that tasks do on them, alone, to be timed. In
 * a build without CUDA there are none (gpu_none.c). */
#ifndef HG_CODELETS_GPU_GPU_H
#define HG_CODELETS_GPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codelets/adr/adr.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Work that can be run again and again on a GPU. */
typedef struct hg_gpu_work hg_gpu_work;

/** Number of GPUs; 0 without a driver. */
int hg_gpu_count(void);

/** Model name as the driver gives it ("NVIDIA H200"); "gpu" if it does not tell. */
void hg_gpu_model(int gpu, char *name, size_t size);

/** Address on the PCI bus ("0000:3b:00.0"), by which it is known whatever CUDA_VISIBLE_DEVICES hides; "" if it does not
 * tell. */
void hg_gpu_bus(int gpu, char *bus, size_t size);

/** Bytes of its memory that are free; 0 if it does not tell. */
int64_t hg_gpu_memory(int gpu);

/** flop/s that its processors do at least where nothing keeps them waiting; 0 if it does not tell. */
double hg_gpu_rate(int gpu, bool is_float);

/** `depth` heat steps on the side x side core of a tile. NULL: no memory, here and below. */
hg_gpu_work *hg_gpu_heat(int gpu, bool is_float, int64_t side, int depth);

/** The exchange of such a tile: four borders, `depth` cells deep, are packed, go to main memory, come back and are
 * unpacked. */
hg_gpu_work *hg_gpu_exchange(int gpu, bool is_float, int64_t side, int depth);

/** A step of elimination on side x side elements by tiles of nb x nb: the top rows are solved, the product is
 * subtracted from those below. */
hg_gpu_work *hg_gpu_update(int gpu, bool is_float, int64_t side, int nb);

/** The panel of such a step comes from main memory. */
hg_gpu_work *hg_gpu_panel_copy(int gpu, bool is_float, int64_t side, int nb);

/** The rows x nb panel of a step by tiles of nb rows, with pivoting; a copy on the device brings it back each time. */
hg_gpu_work *hg_gpu_panel(int gpu, bool is_float, int64_t rows, int nb);

/** nb rows of such tiles, side columns wide and rows high together, are exchanged with rows drawn at random. */
hg_gpu_work *hg_gpu_swap(int gpu, bool is_float, int64_t rows, int64_t side, int nb);

/** `count` paths of a European option by chunks, as hetgrid-pricer computes them; their sums alone on the way back. */
hg_gpu_work *hg_gpu_paths(int gpu, int64_t count);
hg_gpu_work *hg_gpu_path_sums(int gpu, int64_t count);

/** A solve of adr from the same right-hand side each time. All arrays are copied to the device here.
 * @param tables,u,work  as for hg_adr_kernel, after its residual @param[out] iterations  of a solve, set by each; kept
 * by reference */
hg_gpu_work *hg_gpu_adr(int gpu, bool is_float, const hg_adr_block *block, const hg_adr_step *step,
                        const double *tables, const double *u, const void *work, int *iterations);

/** Runs work `repeats` times, launches and waiting included. s for all; < 0 if the device reports an error. */
double hg_gpu_run(hg_gpu_work *work, int repeats);

void hg_gpu_end(hg_gpu_work *work);

#ifdef __cplusplus
}
#endif
#endif
