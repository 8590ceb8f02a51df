// SPDX-License-Identifier: MIT
// Elimination on a GPU. cuBLAS and cuSOLVER compute products, triangular solves and panels. Our own kernels move rows
// in two rounds: all are read, then all are written, so that their order does not matter.
#include "codelets/lu/lu_cuda.h"

#include "codelets/lu/cuda_library.h"

namespace
{
enum { MOVES = 96, TILES = HG_LU_SWAP_TILES, THREADS = 128 }; // as many as fit into the 4 KiB of a kernel's arguments

struct move_list {
  hg_cuda_move move[MOVES];
};

struct tile_list {
  void *a[TILES];
  int ld[TILES];
  int tiles, rows; // of each but the last
};

enum { MOVE_LANES = 32, MOVE_COLUMNS = 4 };

// A warp handles 32 moves in one column. Moves of adjacent rows, as the top rows of an exchange are, share memory
// accesses. The work space holds the moves of a column next to each other.
template <typename T>
__global__ void read_rows(move_list list, int moves, int first, int all, int cols, T *work)
{
  const int m = blockIdx.x * MOVE_LANES + threadIdx.x, c = blockIdx.y * MOVE_COLUMNS + threadIdx.y;
  if (m < moves && c < cols)
    work[(size_t)c * all + first + m] = ((const T *)list.move[m].from)[(size_t)c * list.move[m].ld_from];
}

template <typename T>
__global__ void write_rows(move_list list, int moves, int first, int all, int cols, const T *work)
{
  const int m = blockIdx.x * MOVE_LANES + threadIdx.x, c = blockIdx.y * MOVE_COLUMNS + threadIdx.y;
  if (m < moves && c < cols) ((T *)list.move[m].to)[(size_t)c * list.move[m].ld_to] = work[(size_t)c * all + first + m];
}

// The move of a row from one tile to another.
struct alignas(8) row_way {
  uint16_t from_tile, from, to_tile, to;
};

enum { NOWHERE = UINT16_MAX }; // instead of a tile number, for a row that stays

// The row that exchanges 0 .. last bring to `row`, found by undoing them from the last to the first.
__device__ int source_of(int row, int last, const int32_t *pivot)
{
#pragma unroll 16
  for (int i = last; i >= 0; i--) row = row == i ? pivot[i] : row == pivot[i] ? i : row;
  return row;
}

// Composes exchanges to one permutation, one thread per row: the top rows, then the rows exchanged with them. If a row
// is exchanged several times, its last exchange counts.
__global__ void compose(const int32_t *pivot, int count, int tile_rows, row_way *way)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= 2 * count) return;
  const bool top = i < count;
  const int to = top ? i : pivot[i - count], last = top ? count - 1 : i - count;
  bool listed = top || to >= count;
#pragma unroll 16
  for (int later = count - 1; later > last; later--) listed &= pivot[later] != to;
  const int from = listed ? source_of(to, last, pivot) : to;
  way[i] = {(uint16_t)(from == to ? (int)NOWHERE : from / tile_rows), (uint16_t)(from % tile_rows),
            (uint16_t)(to / tile_rows), (uint16_t)(to % tile_rows)};
}

enum { SWAP_THREADS = 512, SWAP_EACH = 2 * HG_LU_SWAP_ROWS / SWAP_THREADS };

// A block holds the rows of a column in registers between reading and writing them. Neighbouring threads have
// neighbouring top rows: first as targets, then, for most of the rows below, as sources.
template <typename T>
__global__ void __launch_bounds__(SWAP_THREADS) swap_rows(tile_list list, const row_way *way, int ways)
{
  __shared__ T *column[TILES];
  for (int t = threadIdx.x; t < list.tiles; t += SWAP_THREADS)
    column[t] = (T *)list.a[t] + (size_t)blockIdx.x * list.ld[t];
  __syncthreads();
  T value[SWAP_EACH] = {};
#pragma unroll
  for (int i = 0; i < SWAP_EACH; i++) {
    const int w = i * SWAP_THREADS + threadIdx.x;
    if (w < ways && way[w].from_tile != NOWHERE) value[i] = column[way[w].from_tile][way[w].from];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < SWAP_EACH; i++) {
    const int w = i * SWAP_THREADS + threadIdx.x;
    if (w < ways && way[w].from_tile != NOWHERE) column[way[w].to_tile][way[w].to] = value[i];
  }
}

template <typename T>
__global__ void copy_tiles(tile_list list, int rows, T *whole, int ld, bool back)
{
  const int r = blockIdx.x * THREADS + threadIdx.x, c = blockIdx.y;
  if (r >= rows) return;
  T *const a = (T *)list.a[r / list.rows] + r % list.rows + (size_t)c * list.ld[r / list.rows];
  T *const b = whole + r + (size_t)c * ld;
  *(back ? a : b) = *(back ? b : a);
}

struct product_list {
  void *panel[TILES], *tile[TILES];
};

// cuBLAS needs the addresses of a batch in device memory: those of the panels, the top, the tiles.
__global__ void write_addresses(product_list list, void *top, int count, void **work)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= count) return;
  work[i] = list.panel[i];
  work[count + i] = top;
  work[2 * count + i] = list.tile[i];
}

template <typename T>
__global__ void add_tile(int rows, int cols, const T *from, int ldf, T *to, int ldt)
{
  const int r = blockIdx.x * THREADS + threadIdx.x, c = blockIdx.y;
  if (r < rows && c < cols) to[r + (size_t)c * ldt] += from[r + (size_t)c * ldf];
}

// Converts cuSOLVER's 1-based row numbers and its separate `info`; without pivoting, rows stay.
__global__ void finish_pivots(int cols, const int *ipiv, const int *info, int32_t *pivot)
{
  const int c = blockIdx.x * THREADS + threadIdx.x;
  if (c < cols) pivot[1 + c] = ipiv ? ipiv[c] - 1 : c;
  if (c == 0) pivot[0] = *info > 0 ? *info : 0;
}

unsigned blocks_for(int count)
{
  return (unsigned)((count + THREADS - 1) / THREADS);
}

size_t value_bytes(const hg_lu_cuda *c)
{
  return c->is_float ? sizeof(float) : sizeof(double);
}

template <typename T>
cudaError_t move_rows(const hg_lu_cuda *c, const hg_cuda_move *move, int moves, int cols, T *work)
{
  for (int round = 0; round < 2; round++)
    for (int first = 0; first < moves; first += MOVES) {
      const int count = moves - first < MOVES ? moves - first : (int)MOVES;
      move_list list;
      for (int i = 0; i < count; i++) list.move[i] = move[first + i];
      const dim3 grid((unsigned)((count + MOVE_LANES - 1) / MOVE_LANES),
                      (unsigned)((cols + MOVE_COLUMNS - 1) / MOVE_COLUMNS));
      const dim3 block(MOVE_LANES, MOVE_COLUMNS);
      if (round == 0)
        HG_LAUNCH(read_rows<T>, grid, block, c->stream, list, count, first, moves, cols, work);
      else
        HG_LAUNCH(write_rows<T>, grid, block, c->stream, list, count, first, moves, cols, work);
    }
  return cudaGetLastError();
}

int rows_of(const hg_cuda_tile *tile, int tiles)
{
  int rows = 0;
  for (int i = 0; i < tiles; i++) rows += tile[i].rows;
  return rows;
}

tile_list list_tiles(const hg_cuda_tile *tile, int tiles)
{
  tile_list list;
  list.tiles = tiles;
  list.rows = tile[0].rows;
  for (int i = 0; i < tiles; i++) {
    list.a[i] = tile[i].a;
    list.ld[i] = tile[i].ld;
  }
  return list;
}

// Copies tiles to one matrix, or back.
template <typename T>
cudaError_t gather(const hg_lu_cuda *c, const hg_cuda_tile *tile, int tiles, T *whole, int ld, bool back)
{
  for (int first = 0; first < tiles; first += TILES) {
    const int count = tiles - first < TILES ? tiles - first : (int)TILES, rows = rows_of(tile + first, count);
    const dim3 grid(blocks_for(rows), (unsigned)tile[0].cols);
    if (rows > 0 && tile[0].cols > 0)
      HG_LAUNCH(copy_tiles<T>, grid, dim3(THREADS), c->stream, list_tiles(tile + first, count), rows,
                whole + (size_t)first * tile[0].rows, ld, back);
  }
  return cudaGetLastError();
}

cudaError_t gather(const hg_lu_cuda *c, const hg_cuda_tile *tile, int tiles, void *whole, int ld, bool back)
{
  return c->is_float ? gather(c, tile, tiles, (float *)whole, ld, back)
                     : gather(c, tile, tiles, (double *)whole, ld, back);
}

// Parts of the panel's work space: the matrix, cuSOLVER's own space, pivots, info.
struct panel_space {
  size_t matrix, own, pivots, total;
};

size_t rounded(size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

bool measure_panel(const hg_lu_cuda *c, int rows, int cols, panel_space *s)
{
  int values = 0;
  const cusolverStatus_t status =
      c->is_float ? HG_CUSOLVER(cusolverDnSgetrf_bufferSize)(c->solver, rows, cols, nullptr, rows, &values)
                  : HG_CUSOLVER(cusolverDnDgetrf_bufferSize)(c->solver, rows, cols, nullptr, rows, &values);
  s->matrix = rounded((size_t)rows * (size_t)cols * value_bytes(c));
  s->own = rounded((size_t)values * value_bytes(c));
  s->pivots = rounded((size_t)cols * sizeof(int));
  s->total = s->matrix + s->own + s->pivots + 256;
  return status == CUSOLVER_STATUS_SUCCESS;
}

cudaError_t of(cublasStatus_t status)
{
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

bool are_alike(const hg_cuda_tile &a, const hg_cuda_tile &b)
{
  return a.rows == b.rows && a.cols == b.cols && a.ld == b.ld;
}

// Multiplies in place by a triangle from the left (unit lower) or from the right (upper).
cudaError_t multiply_triangle(const hg_lu_cuda *c, bool lower, const hg_cuda_tile *triangle, const hg_cuda_tile *tile)
{
  const cublasSideMode_t side = lower ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  const cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  const cublasDiagType_t diagonal = lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  const double one = 1;
  const float one_f = 1;
  if (tile->rows == 0 || tile->cols == 0) return cudaSuccess;
  return of(c->is_float ? HG_CUBLAS(cublasStrmm)(c->blas, side, fill, CUBLAS_OP_N, diagonal, tile->rows, tile->cols,
                                                 &one_f, (const float *)triangle->a, triangle->ld,
                                                 (const float *)tile->a, tile->ld, (float *)tile->a, tile->ld)
                        : HG_CUBLAS(cublasDtrmm)(c->blas, side, fill, CUBLAS_OP_N, diagonal, tile->rows, tile->cols,
                                                 &one, (const double *)triangle->a, triangle->ld,
                                                 (const double *)tile->a, tile->ld, (double *)tile->a, tile->ld));
}

// Products of tiles of equal shape.
cudaError_t add_batch(const hg_lu_cuda *c, double alpha, const hg_cuda_tile *panel, const hg_cuda_tile *top,
                      const hg_cuda_tile *tile, int count, void **work)
{
  const double one = 1;
  const float alpha_f = (float)alpha, one_f = 1;
  const int m = tile->rows, n = tile->cols, k = panel->cols;
  product_list list;
  for (int i = 0; i < count; i++) {
    list.panel[i] = panel[i].a;
    list.tile[i] = tile[i].a;
  }
  HG_LAUNCH(write_addresses, dim3(blocks_for(count)), dim3(THREADS), c->stream, list, top->a, count, work);
  void **const tops = work + count, **const tiles = work + 2 * count;
  return of(c->is_float
                ? HG_CUBLAS(cublasSgemmBatched)(c->blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha_f,
                                                (const float *const *)work, panel->ld, (const float *const *)tops,
                                                top->ld, &one_f, (float *const *)tiles, tile->ld, count)
                : HG_CUBLAS(cublasDgemmBatched)(c->blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha,
                                                (const double *const *)work, panel->ld, (const double *const *)tops,
                                                top->ld, &one, (double *const *)tiles, tile->ld, count));
}

cudaError_t open_urgent(hg_lu_cuda *c)
{
  int least, greatest;
  cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  if (error == cudaSuccess) error = cudaStreamCreateWithPriority(&c->urgent, cudaStreamNonBlocking, greatest);
  return error == cudaSuccess ? cudaEventCreateWithFlags(&c->passed, cudaEventDisableTiming) : error;
}

// Continues on another stream, after all that was queued on this one.
cudaError_t go_to(hg_lu_cuda *c, cudaStream_t stream)
{
  cudaError_t error = cudaEventRecord(c->passed, c->stream);
  if (error == cudaSuccess) error = cudaStreamWaitEvent(stream, c->passed, 0);
  hg_lu_cuda_use(c, c->is_float, stream);
  return error;
}

template <typename F>
bool is_there(F *function)
{
  return function != nullptr;
}
} // namespace

cudaError_t hg_lu_cuda_open(bool is_float, cudaStream_t stream, hg_lu_cuda *out)
{
  *out = {is_float, stream, nullptr, nullptr, nullptr, nullptr};
  if (!is_there(HG_CUBLAS(cublasCreate)) || !is_there(HG_CUSOLVER(cusolverDnCreate)))
    return cudaErrorSharedObjectInitFailed;
  if (HG_CUBLAS(cublasCreate)(&out->blas) != CUBLAS_STATUS_SUCCESS) return cudaErrorUnknown;
  if (HG_CUSOLVER(cusolverDnCreate)(&out->solver) != CUSOLVER_STATUS_SUCCESS) {
    HG_CUBLAS(cublasDestroy)(out->blas);
    return cudaErrorUnknown;
  }
  const cudaError_t error = open_urgent(out);
  if (error != cudaSuccess)
    hg_lu_cuda_close(out);
  else
    hg_lu_cuda_use(out, is_float, stream);
  return error;
}

void hg_lu_cuda_use(hg_lu_cuda *c, bool is_float, cudaStream_t stream)
{
  c->is_float = is_float;
  c->stream = stream;
  HG_CUBLAS(cublasSetStream)(c->blas, stream);
  HG_CUSOLVER(cusolverDnSetStream)(c->solver, stream);
}

cudaError_t hg_lu_cuda_begin_urgent(hg_lu_cuda *c)
{
  return go_to(c, c->urgent);
}

cudaError_t hg_lu_cuda_end_urgent(hg_lu_cuda *c, cudaStream_t stream)
{
  return go_to(c, stream);
}

void hg_lu_cuda_close(hg_lu_cuda *c)
{
  if (c->passed) cudaEventDestroy(c->passed);
  if (c->urgent) cudaStreamDestroy(c->urgent);
  HG_CUSOLVER(cusolverDnDestroy)(c->solver);
  HG_CUBLAS(cublasDestroy)(c->blas);
}

size_t hg_lu_cuda_panel_bytes(const hg_lu_cuda *c, int rows, int cols)
{
  panel_space s;
  return measure_panel(c, rows, cols, &s) ? s.total : 0;
}

cudaError_t hg_lu_cuda_panel(const hg_lu_cuda *c, const hg_cuda_tile *tile, int tiles, bool unpivoted, void *work,
                             size_t bytes, int32_t *pivot)
{
  const int rows = rows_of(tile, tiles), cols = tile[0].cols;
  panel_space s;
  if (!measure_panel(c, rows, cols, &s) || bytes < s.total) return cudaErrorInvalidValue;
  char *own = (char *)work + s.matrix;
  int *ipiv = (int *)(own + s.own), *info = (int *)(own + s.own + s.pivots);
  cudaError_t error = gather(c, tile, tiles, work, rows, false);
  if (error != cudaSuccess) return error;
  int *const order = unpivoted ? nullptr : ipiv;
  const cusolverStatus_t status =
      c->is_float
          ? HG_CUSOLVER(cusolverDnSgetrf)(c->solver, rows, cols, (float *)work, rows, (float *)own, order, info)
          : HG_CUSOLVER(cusolverDnDgetrf)(c->solver, rows, cols, (double *)work, rows, (double *)own, order, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return cudaErrorUnknown;
  HG_LAUNCH(finish_pivots, dim3(blocks_for(cols)), dim3(THREADS), c->stream, cols, order, info, pivot);
  return gather(c, tile, tiles, work, rows, true);
}

cudaError_t hg_lu_cuda_move_rows(const hg_lu_cuda *c, const hg_cuda_move *move, int moves, int cols, void *work)
{
  return c->is_float ? move_rows(c, move, moves, cols, (float *)work) : move_rows(c, move, moves, cols, (double *)work);
}

size_t hg_lu_cuda_swap_bytes(int count)
{
  return 2 * (size_t)count * sizeof(row_way);
}

cudaError_t hg_lu_cuda_swap(const hg_lu_cuda *c, const hg_cuda_tile *tile, int tiles, const int32_t *pivot, int count,
                            void *work)
{
  row_way *const way = (row_way *)work;
  const int cols = tile[0].cols, ways = 2 * count;
  if (tiles > TILES || count > HG_LU_SWAP_ROWS) return cudaErrorInvalidValue;
  if (cols == 0 || count == 0) return cudaSuccess;
  const tile_list list = list_tiles(tile, tiles);
  HG_LAUNCH(compose, dim3(blocks_for(ways)), dim3(THREADS), c->stream, pivot + 1, count, tile[0].rows, way);
  if (c->is_float)
    HG_LAUNCH(swap_rows<float>, dim3((unsigned)cols), dim3(SWAP_THREADS), c->stream, list, way, ways);
  else
    HG_LAUNCH(swap_rows<double>, dim3((unsigned)cols), dim3(SWAP_THREADS), c->stream, list, way, ways);
  return cudaGetLastError();
}

cudaError_t hg_lu_cuda_solve(const hg_lu_cuda *c, const hg_cuda_tile *triangle, bool upper, const hg_cuda_tile *top)
{
  const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  const cublasDiagType_t diagonal = upper ? CUBLAS_DIAG_NON_UNIT : CUBLAS_DIAG_UNIT;
  const double one = 1;
  const float one_f = 1;
  if (top->rows == 0 || top->cols == 0) return cudaSuccess;
  return of(c->is_float
                ? HG_CUBLAS(cublasStrsm)(c->blas, CUBLAS_SIDE_LEFT, fill, CUBLAS_OP_N, diagonal, top->rows, top->cols,
                                         &one_f, (const float *)triangle->a, triangle->ld, (float *)top->a, top->ld)
                : HG_CUBLAS(cublasDtrsm)(c->blas, CUBLAS_SIDE_LEFT, fill, CUBLAS_OP_N, diagonal, top->rows, top->cols,
                                         &one, (const double *)triangle->a, triangle->ld, (double *)top->a, top->ld));
}

cudaError_t hg_lu_cuda_times_lower(const hg_lu_cuda *c, const hg_cuda_tile *triangle, const hg_cuda_tile *top)
{
  return multiply_triangle(c, true, triangle, top);
}

cudaError_t hg_lu_cuda_times_upper(const hg_lu_cuda *c, const hg_cuda_tile *triangle, const hg_cuda_tile *tile)
{
  return multiply_triangle(c, false, triangle, tile);
}

cudaError_t hg_lu_cuda_add_product(const hg_lu_cuda *c, double alpha, const hg_cuda_tile *panel,
                                   const hg_cuda_tile *top, const hg_cuda_tile *tile)
{
  const double one = 1;
  const float alpha_f = (float)alpha, one_f = 1;
  if (tile->rows == 0 || tile->cols == 0 || panel->cols == 0) return cudaSuccess;
  return of(c->is_float ? HG_CUBLAS(cublasSgemm)(c->blas, CUBLAS_OP_N, CUBLAS_OP_N, tile->rows, tile->cols, panel->cols,
                                                 &alpha_f, (const float *)panel->a, panel->ld, (const float *)top->a,
                                                 top->ld, &one_f, (float *)tile->a, tile->ld)
                        : HG_CUBLAS(cublasDgemm)(c->blas, CUBLAS_OP_N, CUBLAS_OP_N, tile->rows, tile->cols, panel->cols,
                                                 &alpha, (const double *)panel->a, panel->ld, (const double *)top->a,
                                                 top->ld, &one, (double *)tile->a, tile->ld));
}

size_t hg_lu_cuda_products_bytes(int count)
{
  return 3 * sizeof(void *) * (size_t)count;
}

cudaError_t hg_lu_cuda_add_products(const hg_lu_cuda *c, double alpha, const hg_cuda_tile *panel,
                                    const hg_cuda_tile *top, const hg_cuda_tile *tile, int count, void *work)
{
  cudaError_t error = cudaSuccess;
  for (int i = 0, end; i < count && error == cudaSuccess; i = end) {
    for (end = i + 1; end < count && end - i < TILES; end++)
      if (!are_alike(tile[i], tile[end]) || !are_alike(panel[i], panel[end])) break;
    const bool empty = tile[i].rows == 0 || tile[i].cols == 0 || panel[i].cols == 0;
    if (end - i == 1 || empty)
      error = hg_lu_cuda_add_product(c, alpha, &panel[i], top, &tile[i]);
    else
      error = add_batch(c, alpha, panel + i, top, tile + i, end - i, (void **)work);
  }
  return error;
}

cudaError_t hg_lu_cuda_add(const hg_lu_cuda *c, const hg_cuda_tile *from, const hg_cuda_tile *to)
{
  const dim3 grid(blocks_for(to->rows), (unsigned)to->cols);
  if (to->rows == 0 || to->cols == 0) return cudaSuccess;
  if (c->is_float)
    HG_LAUNCH(add_tile<float>, grid, dim3(THREADS), c->stream, to->rows, to->cols, (const float *)from->a, from->ld,
              (float *)to->a, to->ld);
  else
    HG_LAUNCH(add_tile<double>, grid, dim3(THREADS), c->stream, to->rows, to->cols, (const double *)from->a, from->ld,
              (double *)to->a, to->ld);
  return cudaGetLastError();
}
