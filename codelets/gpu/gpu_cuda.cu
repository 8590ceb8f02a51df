// SPDX-License-Identifier: MIT
// The GPUs of this machine, and the work of tasks on them: stencils, transport, paths; for elimination see
// gpu_lu_cuda.cu.
#include "codelets/gpu/gpu.h"

#include <chrono>
#include <cstdio>

#include "codelets/adr/adr_cuda.h"
#include "codelets/gpu/gpu_work.cuh"
#include "codelets/heat/heat_cuda.h"
#include "codelets/halo_pieces_cuda.h"
#include "codelets/pricing/pricing_cuda.h"

namespace
{
// A square tile with margins, like an interior tile of a run.
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
    const hg_halo_piece_cells cells[BORDERS] = {{depth * row + depth, {1, row, s.stride[2]}, {depth, side, 1}},
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
    cudaError_t error = hg_halo_piece_cuda_copy(border, BORDERS, (int)size, tile.at(), piece, true, stream);
    for (int i = 0; i < 2 * BORDERS && error == cudaSuccess; i++) {
      char *const there = host.at((size_t)(i / 2) * bytes);
      error = i % 2 == 0 ? cudaMemcpyAsync(there, piece[i / 2], bytes, cudaMemcpyDeviceToHost, stream)
                         : cudaMemcpyAsync(piece[i / 2], there, bytes, cudaMemcpyHostToDevice, stream);
    }
    if (error != cudaSuccess) return error;
    return hg_halo_piece_cuda_copy(border, BORDERS, (int)size, tile.at(), piece, false, stream);
  }

private:
  enum { BORDERS = 4 };
  int64_t size;
  size_t bytes; // of a border
  memory tile, device, host;
  hg_halo_piece_cells border[BORDERS];
  void *piece[BORDERS];
};

int64_t chunks_of(int64_t paths)
{
  return (paths + HG_CHUNK_PATHS - 1) / HG_CHUNK_PATHS;
}

// Where the sums of chunks are copied to.
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

// The initial values of each solve: its right-hand side, and the magnitudes of species.
class adr_solve : public stream_work
{
public:
  adr_solve(int gpu, bool single, const hg_adr_block *b, const hg_adr_step *s, const double *t, const double *u,
            const void *w, int *count)
      : stream_work(gpu), is_float(single), block(*b), step(*s), iterations(count),
        field((size_t)b->field * (size_t)value_size(single)), tables((size_t)hg_adr_table_at(b, 3, 0) * sizeof *t),
        state(2 * (size_t)b->field * sizeof *u), work(HG_ADR_FIELDS * field), right(2 * field),
        outcome(2 * sizeof(hg_adr_outcome))
  {
    const hg_adr_outcome start = {{1, 1}, 1, 0, 0};
    copy(tables, 0, t, (size_t)hg_adr_table_at(b, 3, 0) * sizeof *t);
    copy(state, 0, u, 2 * (size_t)b->field * sizeof *u);
    copy(work, 0, w, HG_ADR_FIELDS * field);
    copy(right, 0, w, 2 * field);
    copy(outcome, sizeof start, &start, sizeof start);
  }
  cudaError_t once() override
  {
    cudaError_t error = cudaMemcpyAsync(work.at(), right.at(), 2 * field, cudaMemcpyDeviceToDevice, stream);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(outcome.at(), outcome.at(sizeof(hg_adr_outcome)), sizeof(hg_adr_outcome),
                              cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) return error;
    return hg_adr_cuda_solve(&block, &step, is_float, (const double *)tables.at(), (double *)state.at(), work.at(),
                             (hg_adr_outcome *)outcome.at(), iterations, stream);
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
  memory tables, state, work, right, outcome;
};

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

/* Assumes 64 multiply-adds per cycle and multiprocessor in single precision; newer GPUs do 128. */
double hg_gpu_rate(int gpu, bool is_float)
{
  const double FLOPS = 2 * 64, KHZ = 1e3;
  int processors = 0, clock = 0, ratio = 0;
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu) != cudaSuccess ||
      cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, gpu) != cudaSuccess ||
      cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, gpu) != cudaSuccess || ratio < 1)
    return 0;
  return FLOPS * processors * KHZ * clock / (is_float ? 1 : ratio);
}

hg_gpu_work *hg_gpu_heat(int gpu, bool is_float, int64_t side, int depth)
{
  return make<heat_steps>(gpu, is_float, side, depth);
}

hg_gpu_work *hg_gpu_exchange(int gpu, bool is_float, int64_t side, int depth)
{
  return make<border_exchange>(gpu, is_float, side, depth);
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
