// SPDX-License-Identifier: MIT
// The CUDA part of elimination on the CPU: its own kernels with a block's threads as fibres, cuBLAS and cuSOLVER by
// BLAS and LAPACK. The launchers do a whole elimination on separate tiles, which is compared with LAPACK's.
#include "codelets/lu/lu_cuda.cu"

#include <algorithm>

extern "C" {
#include "codelets/lu/lu_kernels.h"
#include "codelets/lu/permutation.h"
}
#include "tap.h"

namespace
{
template <typename T>
struct matrix {
  int n, nb, tiles;
  std::vector<std::vector<T>> store; // tile i + j * tiles
  std::vector<hg_cuda_tile> tile;

  matrix(int order, int block) : n(order), nb(block), tiles((order + block - 1) / block)
  {
    store.resize((size_t)tiles * tiles);
    tile.resize((size_t)tiles * tiles);
    for (int j = 0; j < tiles; j++)
      for (int i = 0; i < tiles; i++) {
        const int rows = std::min(nb, n - i * nb), cols = std::min(nb, n - j * nb), ld = rows + (i / 3 + j) % 3;
        store[i + j * tiles].assign((size_t)ld * cols, (T)NAN);
        tile[i + j * tiles] = hg_cuda_tile{store[i + j * tiles].data(), rows, cols, ld};
      }
  }
  T &at(int row, int col)
  {
    const hg_cuda_tile &t = tile[row / nb + col / nb * tiles];
    return ((T *)t.a)[row % nb + (size_t)(col % nb) * t.ld];
  }
};

// Row moves of a column below the diagonal tile k, from the pivots of its panel.
template <typename T>
void move_column(const hg_lu_cuda &c, matrix<T> &a, int k, int j, const hg_row_move *move, int moves)
{
  std::vector<hg_cuda_move> list;
  std::vector<T> work((size_t)moves * a.nb + 1);
  for (int i = 0; i < moves; i++) {
    hg_cuda_tile &from = a.tile[k + move[i].from / a.nb + j * a.tiles],
                 &to = a.tile[k + move[i].to / a.nb + j * a.tiles];
    list.push_back({(T *)from.a + move[i].from % a.nb, (T *)to.a + move[i].to % a.nb, from.ld, to.ld});
  }
  hg_lu_cuda_move_rows(&c, list.data(), moves, a.tile[k + j * a.tiles].cols, work.data());
}

template <typename T>
bool factor(matrix<T> &a, bool by_swaps, std::vector<int> &pivot, int &info)
{
  hg_lu_cuda c;
  if (hg_lu_cuda_open(sizeof(T) == sizeof(float), nullptr, &c) != cudaSuccess) return false;
  std::vector<int32_t> row(a.n), order(a.nb + 1);
  std::vector<hg_row_move> move(2 * a.nb);
  for (int i = 0; i < a.n; i++) row[i] = i;
  info = 0;
  for (int k = 0; k < a.tiles; k++) {
    const int cols = a.tile[k + k * a.tiles].cols, below = a.tiles - k, rows = a.n - k * a.nb;
    const size_t bytes = hg_lu_cuda_panel_bytes(&c, rows, cols);
    std::vector<double> work(bytes / sizeof(double) + 1);
    if (hg_lu_cuda_begin_urgent(&c) != cudaSuccess) return false;
    if (hg_lu_cuda_panel(&c, &a.tile[k + k * a.tiles], below, false, work.data(), bytes, order.data()) != cudaSuccess)
      return false;
    if (hg_lu_cuda_end_urgent(&c, nullptr) != cudaSuccess) return false;
    if (order[0] && !info) info = k * a.nb + order[0];
    for (int i = 0; i < cols; i++) pivot.push_back(k * a.nb + order[1 + i]);
    const int moves = hg_net_permutation(cols, order.data() + 1, row.data(), move.data());
    for (int j = 0; j < a.tiles; j++) {
      if (j == k) continue;
      if (by_swaps) {
        std::vector<char> ways(hg_lu_cuda_swap_bytes(cols));
        hg_lu_cuda_swap(&c, &a.tile[k + j * a.tiles], below, order.data(), cols, ways.data());
      } else
        move_column(c, a, k, j, move.data(), moves);
      if (j < k) continue;
      hg_cuda_tile *top = &a.tile[k + j * a.tiles];
      hg_lu_cuda_solve(&c, &a.tile[k + k * a.tiles], false, top);
      std::vector<void *> space(hg_lu_cuda_products_bytes(below) / sizeof(void *));
      hg_lu_cuda_add_products(&c, -1, &a.tile[k + 1 + k * a.tiles], top, &a.tile[k + 1 + j * a.tiles], below - 1,
                              space.data());
    }
  }
  return true;
}

int lapack(int n, double *a, int *pivot)
{
  return hg_dgetrf(n, n, a, n, pivot);
}

int lapack(int n, float *a, int *pivot)
{
  return hg_sgetrf(n, n, a, n, pivot);
}

template <typename T>
void eliminate(int n, int nb, bool by_swaps, bool singular, const char *name)
{
  uint64_t state = (uint64_t)(n * 31 + nb);
  matrix<T> a(n, nb);
  std::vector<T> whole((size_t)n * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      T value = (T)((double)tap_random(&state) / 1.8446744073709552e19 - .5);
      if (singular && j == n / 2) value = 0;
      a.at(i, j) = whole[i + (size_t)j * n] = value;
    }
  const std::vector<T> original = whole;
  std::vector<int> pivot, expected(n);
  int info, wanted = lapack(n, whole.data(), expected.data());
  bool done = factor(a, by_swaps, pivot, info), same = true;
  double worst = 0;
  for (int i = 0; i < n && done && !singular; i++) same = same && pivot[i] == expected[i] - 1;
  for (int j = 0; j < n && done && !singular; j++)
    for (int i = 0; i < n; i++) worst = std::max(worst, (double)std::fabs(a.at(i, j) - whole[i + (size_t)j * n]));
  const double bound = (sizeof(T) == sizeof(float) ? 1e-7 : 2e-16) * n * 128;
  tap_ok(done && same && info == wanted && worst < bound,
         "%s, n = %d, nb = %d: pivots and info are LAPACK's (%d), factors within %g (got %g)", name, n, nb, wanted,
         bound, worst);
  if (singular) return;
  worst = 0;
  multiply_back(a, pivot);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) worst = std::max(worst, (double)std::fabs(a.at(i, j) - original[i + (size_t)j * n]));
  tap_ok(worst < bound, "and multiply back to the matrix (error %g)", worst);
}

// Reconstructs the matrix from the factors by undoing each task.
template <typename T>
void multiply_back(matrix<T> &a, const std::vector<int> &pivot)
{
  hg_lu_cuda c;
  hg_lu_cuda_open(sizeof(T) == sizeof(float), nullptr, &c);
  const hg_lu_kernels &cpu = hg_lu_cpu[c.is_float];
  for (int k = a.tiles - 1; k >= 0; k--) {
    hg_cuda_tile *diagonal = &a.tile[k + k * a.tiles];
    const int below = a.tiles - k - 1;
    std::vector<void *> space(hg_lu_cuda_products_bytes(below + 1) / sizeof(void *));
    for (int j = k + 1; j < a.tiles; j++) {
      hg_cuda_tile *top = &a.tile[k + j * a.tiles];
      hg_lu_cuda_add_products(&c, 1, diagonal + 1, top, top + 1, below, space.data());
      hg_lu_cuda_times_lower(&c, diagonal, top);
    }
    for (int i = 1; i <= below; i++) hg_lu_cuda_times_upper(&c, diagonal, diagonal + i);
    std::vector<T> work((size_t)diagonal->rows * diagonal->rows);
    cpu.times_itself(diagonal->rows, diagonal->a, diagonal->ld, work.data());
    for (int i = diagonal->cols - 1; i >= 0; i--)
      for (int col = 0; col < a.n; col++) std::swap(a.at(k * a.nb + i, col), a.at(pivot[k * a.nb + i], col));
  }
}

// A panel of so many tiles of two rows, except one row in the last.
void factor_panel(int tiles, int cols)
{
  const int rows = 2 * tiles - 1;
  uint64_t state = 7;
  hg_lu_cuda c;
  hg_lu_cuda_open(false, nullptr, &c);
  std::vector<double> store((size_t)tiles * 2 * cols), whole((size_t)rows * cols);
  std::vector<hg_cuda_tile> tile;
  for (int i = 0; i < tiles; i++) tile.push_back({&store[(size_t)i * 2 * cols], i + 1 < tiles ? 2 : 1, cols, 2});
  const auto value = [&](int r, int col) -> double & { return store[(size_t)(r / 2 * 2 * cols + r % 2 + 2 * col)]; };
  for (int col = 0; col < cols; col++)
    for (int r = 0; r < rows; r++)
      value(r, col) = whole[r + (size_t)col * rows] = (double)tap_random(&state) / 1.8446744073709552e19 - .5;
  std::vector<int> expected(cols);
  std::vector<int32_t> pivot(cols + 1);
  const size_t bytes = hg_lu_cuda_panel_bytes(&c, rows, cols);
  std::vector<double> work(bytes / sizeof(double) + 1);
  hg_dgetrf(rows, cols, whole.data(), rows, expected.data());
  bool good = hg_lu_cuda_panel(&c, tile.data(), tiles, false, work.data(), bytes, pivot.data()) == cudaSuccess;
  for (int col = 0; col < cols; col++) {
    good = good && pivot[1 + col] == expected[col] - 1;
    for (int r = 0; r < rows; r++) good = good && value(r, col) == whole[r + (size_t)col * rows];
  }
  tap_ok(good, "a panel of %d tiles, more than a launch takes", tiles);
}

template <typename T>
void solve_and_add(int n, int cols)
{
  hg_lu_cuda c;
  hg_lu_cuda_open(sizeof(T) == sizeof(float), nullptr, &c);
  std::vector<T> u((size_t)n * n), x((size_t)n * cols), b((size_t)n * cols, 0);
  uint64_t state = 3;
  for (auto &v : u) v = (T)(.1 * (double)tap_random(&state) / 1.8446744073709552e19);
  for (int i = 0; i < n; i++) u[i + (size_t)i * n] += 1;
  for (auto &v : x) v = (T)((double)tap_random(&state) / 1.8446744073709552e19);
  for (int j = 0; j < cols; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i <= k; i++) b[i + (size_t)j * n] += u[i + (size_t)k * n] * x[k + (size_t)j * n];
  hg_cuda_tile triangle{u.data(), n, n, n}, right{b.data(), n, cols, n}, left{x.data(), n, cols, n};
  hg_lu_cuda_solve(&c, &triangle, true, &right);
  double worst = 0;
  for (size_t i = 0; i < x.size(); i++) worst = std::max(worst, (double)std::fabs(b[i] - x[i]));
  tap_ok(worst < (sizeof(T) == sizeof(float) ? 1e-4 : 1e-11),
         "an upper triangle of %d is solved for %d columns (error %g)", n, cols, worst);
  std::vector<T> sum = x;
  hg_lu_cuda_add(&c, &right, &left);
  bool good = true;
  for (size_t i = 0; i < x.size(); i++) good = good && x[i] == sum[i] + b[i];
  tap_ok(good, "and added");
}
} // namespace

int main(int, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 1;
  for (bool by_swaps : {false, true}) {
    const char *name = by_swaps ? "by swaps" : "by moves";
    eliminate<double>(7, 3, by_swaps, false, name);
    eliminate<double>(64, 16, by_swaps, false, name);
    eliminate<double>(150, 32, by_swaps, false, name);
    eliminate<double>(1, 4, by_swaps, false, name);
    eliminate<double>(40, 64, by_swaps, false, name);
    eliminate<float>(50, 16, by_swaps, false, name);
    eliminate<double>(300, 120, by_swaps, false, name); // more moves than a launch takes
    eliminate<double>(60, 16, by_swaps, true, "a column of zeros");
  }
  factor_panel(165, 3);
  solve_and_add<double>(33, 140);
  solve_and_add<float>(20, 5);
  return tap_done();
}
