// SPDX-License-Identifier: MIT
// Work of tasks on a GPU, alone. Everything is queued on one stream, as StarPU does it; a run ends when the stream is
// empty, so a launch costs what it costs a task.
#include "codelets/gpu.h"

#include <chrono>
#include <cstdio>
#include <new>
#include <vector>

#include "codelets/adr_cuda.h"
#include "codelets/heat_cuda.h"
#include "codelets/lu_cuda.h"
#include "codelets/pieces_cuda.h"
#include "codelets/pricing_cuda.h"

struct hg_gpu_work {
  virtual ~hg_gpu_work() = default;
  virtual cudaError_t once() = 0;
  cudaStream_t stream = nullptr;
};

namespace
{
enum { FILL_BLOCKS = 256, FILL_THREADS = 128 };

// Small numbers of all bits: a device that multiplies zeros takes less power and runs faster. So small that nothing
// grows however often work is repeated.
template <typename T>
__global__ void fill(int64_t count, T *a)
{
  for (int64_t i = blockIdx.x * (int64_t)FILL_THREADS + threadIdx.x; i < count;
       i += (int64_t)gridDim.x * FILL_THREADS) {
    uint64_t z = (uint64_t)i * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    a[i] = (T)(((double)(z >> 11) * 0x1p-53 - .5) * 1e-6);
  }
}

// Memory of the device, or pinned memory of the host, with the lifetime of what holds it.
class memory
{
public:
  explicit memory(size_t bytes, bool on_host = false) : host(on_host)
  {
    if (bytes == 0) return;
    if ((host ? cudaMallocHost(&p, bytes) : cudaMalloc(&p, bytes)) != cudaSuccess) {
      cudaGetLastError(); // it is not the next call's error
      throw std::bad_alloc();
    }
  }
  memory(const memory &) = delete;
  ~memory()
  {
    if (host)
      cudaFreeHost(p);
    else
      cudaFree(p);
  }
  void fill_with_numbers(bool is_float, int64_t count, cudaStream_t stream) const
  {
    if (is_float)
      HG_LAUNCH(fill<float>, dim3(FILL_BLOCKS), dim3(FILL_THREADS), stream, count, (float *)p);
    else
      HG_LAUNCH(fill<double>, dim3(FILL_BLOCKS), dim3(FILL_THREADS), stream, count, (double *)p);
  }
  char *at(size_t bytes = 0) const
  {
    return (char *)p + bytes;
  }

private:
  void *p = nullptr;
  bool host;
};

class stream_work : public hg_gpu_work
{
public:
  explicit stream_work(int gpu)
  {
    cudaSetDevice(gpu);
    if (cudaStreamCreate(&stream) != cudaSuccess) throw std::bad_alloc();
  }
  ~stream_work() override
  {
    cudaStreamDestroy(stream);
  }
};

// A square tile with margins, as an interior tile of a run has them.
hg_tile_shape padded_square(int64_t side, int depth, int64_t size)
{
  const int64_t line = 64 / size, n = side + 2 * depth, row = (n + line - 1) / line * line;
  hg_tile_shape s = {};
  s.dims = 2;
  s.n[0] = s.n[1] = n;
  s.n[2] = s.stride[0] = 1;
  s.stride[1] = row;
  s.stride[2] = row * n;
  for (int axis = 0; axis < 2; axis++) s.margin[axis][0] = s.margin[axis][1] = depth;
  return s;
}

int64_t value_size(bool is_float)
{
  return is_float ? 4 : 8;
}

class heat_steps : public stream_work
{
public:
  heat_steps(int gpu, bool single, int64_t side, int deep)
      : stream_work(gpu), shape(padded_square(side, deep, value_size(single))), is_float(single), depth(deep),
        before((size_t)(shape.stride[2] * value_size(single))), after((size_t)(shape.stride[2] * value_size(single)))
  {
    before.fill_with_numbers(single, shape.stride[2], stream);
    after.fill_with_numbers(single, shape.stride[2], stream);
  }
  cudaError_t once() override
  {
    const hg_heat_coef coef = {{.1, .1, 0}};
    return hg_heat_cuda_advance(&shape, &coef, is_float, depth, HG_HEAT_CUDA_AUTO, before.at(), after.at(), nullptr,
                                stream);
  }

private:
  hg_tile_shape shape;
  bool is_float;
  int depth;
  memory before, after;
};

class border_exchange : public stream_work
{
public:
  border_exchange(int gpu, bool is_float, int64_t side, int depth)
      : stream_work(gpu), size(value_size(is_float)), bytes((size_t)(side * depth * size)),
        tile((size_t)(padded_square(side, depth, size).stride[2] * size)), device(BORDERS * bytes),
        host(BORDERS * bytes, true)
  {
    const hg_tile_shape s = padded_square(side, depth, size);
    const int64_t row = s.stride[1], last = s.n[0] - 2 * depth;
    const hg_piece_cells cells[BORDERS] = {{depth * row + depth, {1, row, s.stride[2]}, {depth, side, 1}},
                                           {depth * row + last, {1, row, s.stride[2]}, {depth, side, 1}},
                                           {depth * row + depth, {1, row, s.stride[2]}, {side, depth, 1}},
                                           {last * row + depth, {1, row, s.stride[2]}, {side, depth, 1}}};
    for (int i = 0; i < BORDERS; i++) {
      border[i] = cells[i];
      piece[i] = device.at((size_t)i * bytes);
    }
  }
  cudaError_t once() override
  {
    cudaError_t error = hg_piece_cuda_copy(border, BORDERS, (int)size, tile.at(), piece, true, stream);
    for (int i = 0; i < 2 * BORDERS && error == cudaSuccess; i++) {
      char *const there = host.at((size_t)(i / 2) * bytes);
      error = i % 2 == 0 ? cudaMemcpyAsync(there, piece[i / 2], bytes, cudaMemcpyDeviceToHost, stream)
                         : cudaMemcpyAsync(piece[i / 2], there, bytes, cudaMemcpyHostToDevice, stream);
    }
    if (error != cudaSuccess) return error;
    return hg_piece_cuda_copy(border, BORDERS, (int)size, tile.at(), piece, false, stream);
  }

private:
  enum { BORDERS = 4 };
  int64_t size;
  size_t bytes; // of a border
  memory tile, device, host;
  hg_piece_cells border[BORDERS];
  void *piece[BORDERS];
};

class elimination_step : public stream_work
{
public:
  elimination_step(int gpu, bool single, int64_t side, int nb)
      : stream_work(gpu), is_float(single), values((size_t)(side + nb) * (size_t)nb),
        panel(values * (size_t)value_size(single)),
        matrix((size_t)(side + nb) * (size_t)side * (size_t)value_size(single)),
        addresses(hg_lu_cuda_products_bytes((int)(side / nb + 2)))
  {
    if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) throw std::bad_alloc();
    cublasSetStream(blas, stream);
    panel.fill_with_numbers(single, (int64_t)values, stream);
    matrix.fill_with_numbers(single, (side + nb) * side, stream);
    const int64_t size = value_size(single);
    int64_t used = 0;
    for (int64_t row = 0; row < side + nb; row += nb)
      panel_tile.push_back(cut(panel, row * nb * size, side + nb - row, nb, nb));
    for (int64_t column = 0; column < side; column += nb)
      for (int64_t row = 0; row < side + nb; row += nb) {
        tile.push_back(cut(matrix, used * size, side + nb - row, side - column, nb));
        used += (int64_t)tile.back().rows * tile.back().cols;
      }
  }
  ~elimination_step() override
  {
    cublasDestroy(blas);
  }
  cudaError_t once() override
  {
    const hg_lu_cuda c = {is_float, stream, blas, nullptr};
    const size_t rows = panel_tile.size();
    cudaError_t error = cudaSuccess;
    for (size_t top = 0; top < tile.size() && error == cudaSuccess; top += rows) {
      error = hg_lu_cuda_solve(&c, &panel_tile[0], false, &tile[top]);
      if (error == cudaSuccess)
        error =
            hg_lu_cuda_add_products(&c, -1, &panel_tile[1], &tile[top], &tile[top + 1], (int)rows - 1, addresses.at());
    }
    return error;
  }

private:
  static hg_cuda_tile cut(const memory &from, int64_t bytes, int64_t rows_left, int64_t cols_left, int nb)
  {
    const int rows = (int)(rows_left < nb ? rows_left : nb), cols = (int)(cols_left < nb ? cols_left : nb);
    return {from.at((size_t)bytes), rows, cols, rows};
  }
  bool is_float;
  size_t values; // of the panel
  memory panel, matrix, addresses;
  cublasHandle_t blas;
  std::vector<hg_cuda_tile> panel_tile, tile;
};

class panel_copy : public stream_work
{
public:
  panel_copy(int gpu, bool is_float, int64_t side, int nb)
      : stream_work(gpu), bytes((size_t)(side + nb) * (size_t)nb * (size_t)value_size(is_float)), device(bytes),
        host(bytes, true)
  {
  }
  cudaError_t once() override
  {
    return cudaMemcpyAsync(device.at(), host.at(), bytes, cudaMemcpyHostToDevice, stream);
  }

private:
  size_t bytes;
  memory device, host;
};

// A block column by tiles of nb rows.
std::vector<hg_cuda_tile> cut_column(const memory &column, int64_t rows, int cols, int nb, int64_t size)
{
  std::vector<hg_cuda_tile> tile;
  for (int64_t row = 0; row < rows; row += nb) {
    const int high = (int)(rows - row < nb ? rows - row : nb);
    tile.push_back({column.at((size_t)(row * cols * size)), high, cols, high});
  }
  return tile;
}

// cuSOLVER's handle on a stream.
class solver_handle
{
public:
  explicit solver_handle(cudaStream_t stream)
  {
    if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) throw std::bad_alloc();
    cusolverDnSetStream(handle, stream);
  }
  solver_handle(const solver_handle &) = delete;
  ~solver_handle()
  {
    cusolverDnDestroy(handle);
  }
  cusolverDnHandle_t handle = nullptr;
};

class panel_factors : public stream_work
{
public:
  panel_factors(int gpu, bool single, int64_t rows, int nb)
      : stream_work(gpu), bytes((size_t)(rows * nb * value_size(single))), source(bytes), column(bytes),
        pivots((size_t)(nb + 1) * sizeof(int32_t)), tile(cut_column(column, rows, nb, nb, value_size(single))),
        solver(stream), c{single, stream, nullptr, solver.handle},
        work_bytes(hg_lu_cuda_panel_bytes(&c, (int)rows, nb)), work(work_bytes)
  {
    source.fill_with_numbers(single, rows * nb, stream);
  }
  cudaError_t once() override
  {
    const cudaError_t error = cudaMemcpyAsync(column.at(), source.at(), bytes, cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) return error;
    return hg_lu_cuda_panel(&c, tile.data(), (int)tile.size(), false, work.at(), work_bytes, (int32_t *)pivots.at());
  }

private:
  size_t bytes; // of the panel
  memory source, column, pivots;
  std::vector<hg_cuda_tile> tile;
  solver_handle solver;
  hg_lu_cuda c;
  size_t work_bytes;
  memory work;
};

class row_swap : public stream_work
{
public:
  row_swap(int gpu, bool single, int64_t rows, int64_t side, int nb)
      : stream_work(gpu), c{single, stream, nullptr, nullptr}, count(nb),
        column((size_t)(rows * side * value_size(single))), pivots((size_t)(nb + 1) * sizeof(int32_t)),
        tile(cut_column(column, rows, (int)side, nb, value_size(single)))
  {
    std::vector<int32_t> pivot(1, 0);
    for (int64_t i = 0; i < nb; i++) pivot.push_back((int32_t)(i + i * FAR_APART % (rows - i)));
    column.fill_with_numbers(single, rows * side, stream);
    cudaMemcpyAsync(pivots.at(), pivot.data(), pivot.size() * sizeof pivot[0], cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream); // the list ends here
  }
  cudaError_t once() override
  {
    return hg_lu_cuda_swap(&c, tile.data(), (int)tile.size(), (const int32_t *)pivots.at(), count);
  }

private:
  enum { FAR_APART = 7919 }; // rows, as pivots are
  hg_lu_cuda c;
  int count;
  memory column, pivots;
  std::vector<hg_cuda_tile> tile;
};

int64_t chunks_of(int64_t paths)
{
  return (paths + HG_CHUNK_PATHS - 1) / HG_CHUNK_PATHS;
}

// Where the sums of chunks come back to.
class path_sums : public stream_work
{
public:
  path_sums(int gpu, int64_t count)
      : stream_work(gpu), bytes((size_t)chunks_of(count) * sizeof(hg_chunk_sums)), device(bytes), host(bytes, true)
  {
  }
  cudaError_t once() override
  {
    return cudaMemcpyAsync(host.at(), device.at(), bytes, cudaMemcpyDeviceToHost, stream);
  }

protected:
  size_t bytes;
  memory device, host;
};

class path_chunks : public path_sums
{
public:
  path_chunks(int gpu, int64_t count) : path_sums(gpu, count), chunks(chunks_of(count)), row(sizeof(hg_paths), true)
  {
    const hg_paths p = {100, 100, .03, .2, 1, -.2, 1, count, 1, 0, {1, 0}, HG_PAYOFF};
    *(hg_paths *)row.at() = p;
  }
  cudaError_t once() override
  {
    return hg_pricing_cuda_sums((const hg_paths *)row.at(), 1, chunks, 0, chunks, false, (hg_chunk_sums *)device.at(),
                                stream);
  }

private:
  int64_t chunks;
  memory row;
};

// What each solve begins from is kept: its right-hand side, and the magnitudes of species.
class adr_solve : public stream_work
{
public:
  adr_solve(int gpu, bool single, const hg_adr_block *b, const hg_adr_step *s, const double *t, const double *u,
            const void *w, int *count)
      : stream_work(gpu), is_float(single), block(*b), step(*s), iterations(count),
        field((size_t)b->field * (size_t)value_size(single)),
        tables((size_t)hg_adr_table_at(b, 3, 0) * sizeof *t), state(2 * (size_t)b->field * sizeof *u),
        work(HG_ADR_FIELDS * field), right(2 * field), facts(2 * sizeof(hg_adr_facts))
  {
    const hg_adr_facts start = {{1, 1}, 1, 0, 0};
    copy(tables, 0, t, (size_t)hg_adr_table_at(b, 3, 0) * sizeof *t);
    copy(state, 0, u, 2 * (size_t)b->field * sizeof *u);
    copy(work, 0, w, HG_ADR_FIELDS * field);
    copy(right, 0, w, 2 * field);
    copy(facts, sizeof start, &start, sizeof start);
  }
  cudaError_t once() override
  {
    cudaError_t error = cudaMemcpyAsync(work.at(), right.at(), 2 * field, cudaMemcpyDeviceToDevice, stream);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(facts.at(), facts.at(sizeof(hg_adr_facts)), sizeof(hg_adr_facts),
                              cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) return error;
    return hg_adr_cuda_solve(&block, &step, is_float, (const double *)tables.at(), (double *)state.at(), work.at(),
                             (hg_adr_facts *)facts.at(), iterations, stream);
  }

private:
  void copy(const memory &to, size_t at, const void *from, size_t bytes) const
  {
    cudaMemcpyAsync(to.at(at), from, bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
  }
  bool is_float;
  hg_adr_block block;
  hg_adr_step step;
  int *iterations;
  size_t field; // bytes
  memory tables, state, work, right, facts;
};

template <typename W, typename... A>
hg_gpu_work *make(int gpu, A... what)
{
  try {
    return new W(gpu, what...);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
} // namespace

int hg_gpu_count(void)
{
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

void hg_gpu_model(int gpu, char *name, size_t size)
{
  cudaDeviceProp p;
  snprintf(name, size, "%s", cudaGetDeviceProperties(&p, gpu) == cudaSuccess ? p.name : "gpu");
}

void hg_gpu_bus(int gpu, char *bus, size_t size)
{
  if (cudaDeviceGetPCIBusId(bus, (int)size, gpu) != cudaSuccess) bus[0] = 0;
}

int64_t hg_gpu_memory(int gpu)
{
  size_t free_bytes = 0, all = 0;
  cudaSetDevice(gpu);
  return cudaMemGetInfo(&free_bytes, &all) == cudaSuccess ? (int64_t)free_bytes : 0;
}

hg_gpu_work *hg_gpu_heat(int gpu, bool is_float, int64_t side, int depth)
{
  return make<heat_steps>(gpu, is_float, side, depth);
}

hg_gpu_work *hg_gpu_exchange(int gpu, bool is_float, int64_t side, int depth)
{
  return make<border_exchange>(gpu, is_float, side, depth);
}

hg_gpu_work *hg_gpu_update(int gpu, bool is_float, int64_t side, int nb)
{
  return make<elimination_step>(gpu, is_float, side, nb);
}

hg_gpu_work *hg_gpu_panel_copy(int gpu, bool is_float, int64_t side, int nb)
{
  return make<panel_copy>(gpu, is_float, side, nb);
}

hg_gpu_work *hg_gpu_panel(int gpu, bool is_float, int64_t rows, int nb)
{
  return make<panel_factors>(gpu, is_float, rows, nb);
}

hg_gpu_work *hg_gpu_swap(int gpu, bool is_float, int64_t rows, int64_t side, int nb)
{
  return make<row_swap>(gpu, is_float, rows, side, nb);
}

hg_gpu_work *hg_gpu_paths(int gpu, int64_t count)
{
  return make<path_chunks>(gpu, count);
}

hg_gpu_work *hg_gpu_path_sums(int gpu, int64_t count)
{
  return make<path_sums>(gpu, count);
}

hg_gpu_work *hg_gpu_adr(int gpu, bool is_float, const hg_adr_block *block, const hg_adr_step *step,
                        const double *tables, const double *u, const void *work, int *iterations)
{
  return make<adr_solve>(gpu, is_float, block, step, tables, u, work, iterations);
}

double hg_gpu_run(hg_gpu_work *work, int repeats)
{
  const double start = now();
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < repeats && error == cudaSuccess; i++) error = work->once();
  if (error == cudaSuccess) error = cudaStreamSynchronize(work->stream);
  return error == cudaSuccess ? now() - start : -1;
}

void hg_gpu_end(hg_gpu_work *work)
{
  delete work;
}
