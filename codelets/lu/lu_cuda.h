/* SPDX-License-Identifier: MIT */
/* CUDA launchers of elimination: plain device pointers, a stream, handles of cuBLAS and cuSOLVER; no StarPU. Matrices
 * are stored by columns. On a GPU every tile is its own allocation, so a block column is a list of tiles. All
 * launchers are asynchronous on the stream, which the handles also use. */
#ifndef HG_CODELETS_LU_LU_CUDA_H
#define HG_CODELETS_LU_LU_CUDA_H

#include "codelets/cuda.h"
#include "codelets/lu/lu_task.h"

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tile in device memory. */
typedef struct hg_cuda_tile {
  void *a;
  int rows, cols, ld;
} hg_cuda_tile;

/** The context of a launcher. */
typedef struct hg_lu_cuda {
  bool is_float;
  cudaStream_t stream;
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  cudaStream_t urgent; /**< of the highest priority */
  cudaEvent_t passed;  /**< for ordering between the streams */
} hg_lu_cuda;

/** Moves a row, in all columns, from one tile to another. */
typedef struct hg_cuda_move {
  const void *from; /**< its first value */
  void *to;
  int ld_from, ld_to;
} hg_cuda_move;

/** Loads cuBLAS and cuSOLVER and creates their handles on a stream of the current device.
 * cudaErrorSharedObjectInitFailed if a library is missing, cudaErrorUnknown if it fails. */
cudaError_t hg_lu_cuda_open(bool is_float, cudaStream_t stream, hg_lu_cuda *out);
void hg_lu_cuda_close(hg_lu_cuda *c);

/** Sets precision and stream, also for the handles. */
void hg_lu_cuda_use(hg_lu_cuda *c, bool is_float, cudaStream_t stream);

/** From here until hg_lu_cuda_end_urgent, work runs before other work of the device, once the stream has finished all
 * it has so far: otherwise each of a panel's many small kernels would wait for the products of another stream.
 * `stream` then waits for the end of this work. */
cudaError_t hg_lu_cuda_begin_urgent(hg_lu_cuda *c);
cudaError_t hg_lu_cuda_end_urgent(hg_lu_cuda *c, cudaStream_t stream);

/** Bytes of device memory that hg_lu_cuda_panel needs for `rows` x `cols`; 0 if cuSOLVER fails. */
size_t hg_lu_cuda_panel_bytes(const hg_lu_cuda *c, int rows, int cols);

/** P A = L U of the tiles as one matrix, with partial pivoting unless `unpivoted`. All tiles but the last must have
 * the same number of rows.
 * @param work  device memory, of the size given by hg_lu_cuda_panel_bytes
 * @param[out] pivot  device: [0] 0 or the 1-based column of the first zero pivot, [1 + c] row exchanged with row c */
cudaError_t hg_lu_cuda_panel(const hg_lu_cuda *c, const hg_cuda_tile *tile, int tiles, bool unpivoted, void *work,
                             size_t bytes, int32_t *pivot);

/** *to = *from for all moves at once. @param work  device memory for moves x cols values */
cudaError_t hg_lu_cuda_move_rows(const hg_lu_cuda *c, const hg_cuda_move *move, int moves, int cols, void *work);

/** Exchanges rows in turn according to `pivot`: row i of the first tile with row pivot[1 + i] of the tiles as one
 * matrix, 0 <= i < count. All tiles but the last must have the same number of rows. At most HG_LU_SWAP_TILES tiles and
 * HG_LU_SWAP_ROWS exchanges. @param work  device memory, hg_lu_cuda_swap_bytes(count) */
cudaError_t hg_lu_cuda_swap(const hg_lu_cuda *c, const hg_cuda_tile *tile, int tiles, const int32_t *pivot, int count,
                            void *work);
size_t hg_lu_cuda_swap_bytes(int count);

/** top = L^-1 top, L the unit lower triangle of `triangle`, or with `upper` top = U^-1 top. */
cudaError_t hg_lu_cuda_solve(const hg_lu_cuda *c, const hg_cuda_tile *triangle, bool upper, const hg_cuda_tile *top);

/** top = L top, L the unit lower triangle of `triangle`. */
cudaError_t hg_lu_cuda_times_lower(const hg_lu_cuda *c, const hg_cuda_tile *triangle, const hg_cuda_tile *top);

/** tile = tile U, U the upper triangle of `triangle`. */
cudaError_t hg_lu_cuda_times_upper(const hg_lu_cuda *c, const hg_cuda_tile *triangle, const hg_cuda_tile *tile);

/** tile += alpha panel top. */
cudaError_t hg_lu_cuda_add_product(const hg_lu_cuda *c, double alpha, const hg_cuda_tile *panel,
                                   const hg_cuda_tile *top, const hg_cuda_tile *tile);

/** tile[i] += alpha panel[i] top for all i. Tiles of equal shape share one launch, since the product of two small
 * tiles leaves most of a device idle. @param work  device memory, hg_lu_cuda_products_bytes(count) */
cudaError_t hg_lu_cuda_add_products(const hg_lu_cuda *c, double alpha, const hg_cuda_tile *panel,
                                    const hg_cuda_tile *top, const hg_cuda_tile *tile, int count, void *work);
size_t hg_lu_cuda_products_bytes(int count);

/** to += from. */
cudaError_t hg_lu_cuda_add(const hg_lu_cuda *c, const hg_cuda_tile *from, const hg_cuda_tile *to);

#ifdef __cplusplus
}
#endif
#endif
