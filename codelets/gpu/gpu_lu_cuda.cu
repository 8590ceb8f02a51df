// SPDX-License-Identifier: MIT
// The work of elimination's tasks on a GPU, run alone.
#include "codelets/gpu/gpu.h"

#include <vector>

#include "codelets/gpu/gpu_work.cuh"
#include "codelets/lu/lu_cuda.h"

namespace
{
// The libraries' handles on a stream.
class handles
{
public:
  handles(bool is_float, cudaStream_t stream)
  {
    if (hg_lu_cuda_open(is_float, stream, &c) != cudaSuccess) throw std::bad_alloc();
  }
  handles(const handles &) = delete;
  ~handles()
  {
    hg_lu_cuda_close(&c);
  }
  hg_lu_cuda c;
};

class elimination_step : public stream_work
{
public:
  elimination_step(int gpu, bool single, int64_t side, int nb)
      : stream_work(gpu), libraries(single, stream), values((size_t)(side + nb) * (size_t)nb),
        panel(values * (size_t)value_size(single)),
        matrix((size_t)(side + nb) * (size_t)side * (size_t)value_size(single)),
        addresses(hg_lu_cuda_products_bytes((int)(side / nb + 2)))
  {
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
  cudaError_t once() override
  {
    const hg_lu_cuda &c = libraries.c;
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
  handles libraries;
  size_t values; // of the panel
  memory panel, matrix, addresses;
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

// A block column of tiles of nb rows.
std::vector<hg_cuda_tile> cut_column(const memory &column, int64_t rows, int cols, int nb, int64_t size)
{
  std::vector<hg_cuda_tile> tile;
  for (int64_t row = 0; row < rows; row += nb) {
    const int high = (int)(rows - row < nb ? rows - row : nb);
    tile.push_back({column.at((size_t)(row * cols * size)), high, cols, high});
  }
  return tile;
}

class panel_factors : public stream_work
{
public:
  panel_factors(int gpu, bool single, int64_t rows, int nb)
      : stream_work(gpu), bytes((size_t)(rows * nb * value_size(single))), source(bytes), column(bytes),
        pivots((size_t)(nb + 1) * sizeof(int32_t)), tile(cut_column(column, rows, nb, nb, value_size(single))),
        libraries(single, stream), work_bytes(hg_lu_cuda_panel_bytes(&libraries.c, (int)rows, nb)), work(work_bytes)
  {
    source.fill_with_numbers(single, rows * nb, stream);
  }
  cudaError_t once() override
  {
    const cudaError_t error = cudaMemcpyAsync(column.at(), source.at(), bytes, cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) return error;
    return hg_lu_cuda_panel(&libraries.c, tile.data(), (int)tile.size(), false, work.at(), work_bytes,
                            (int32_t *)pivots.at());
  }

private:
  size_t bytes; // of the panel
  memory source, column, pivots;
  std::vector<hg_cuda_tile> tile;
  handles libraries;
  size_t work_bytes;
  memory work;
};

class row_swap : public stream_work
{
public:
  row_swap(int gpu, bool single, int64_t rows, int64_t side, int nb)
      : stream_work(gpu), c{single, stream, nullptr, nullptr, nullptr, nullptr}, count(nb),
        column((size_t)(rows * side * value_size(single))), pivots((size_t)(nb + 1) * sizeof(int32_t)),
        work(hg_lu_cuda_swap_bytes(nb)), tile(cut_column(column, rows, (int)side, nb, value_size(single)))
  {
    std::vector<int32_t> pivot(1, 0);
    for (int64_t i = 0; i < nb; i++) pivot.push_back((int32_t)(i + i * FAR_APART % (rows - i)));
    column.fill_with_numbers(single, rows * side, stream);
    cudaMemcpyAsync(pivots.at(), pivot.data(), pivot.size() * sizeof pivot[0], cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream); // the list's lifetime ends here
  }
  cudaError_t once() override
  {
    return hg_lu_cuda_swap(&c, tile.data(), (int)tile.size(), (const int32_t *)pivots.at(), count, work.at());
  }

private:
  enum { FAR_APART = 7919 }; // rows, like pivots
  hg_lu_cuda c;
  int count;
  memory column, pivots, work;
  std::vector<hg_cuda_tile> tile;
};
} // namespace

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
