/* SPDX-License-Identifier: MIT */
/* Parts of elimination on a GPU: the limits (copy bandwidth, dgemm), cuSOLVER's getrf as the peer of the whole, and our
 * launchers: panels (alone and concurrent with products), tile updates, exchanges, triangles. CSV. Needs neither StarPU
 * nor libhetgrid. By hand, from the source folder:
 *   nvcc -O3 -std=c++20 -arch=native -I. bench/gpu_elimination.cu codelets/lu/lu_cuda.cu -lcublas -lcusolver -o
 * gpu_elimination */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "codelets/lu/lu_cuda.h"

namespace
{

enum { ROUNDS = 5 };

void require(bool good, const char *what)
{
  if (good) return;
  fprintf(stderr, "gpu_elimination: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  exit(1);
}

/* Median seconds; `prepare` is not timed. */
template <typename P, typename F>
double median_seconds(P prepare, F launch)
{
  cudaEvent_t start, stop;
  std::vector<float> ms(ROUNDS);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int r = -1; r < ROUNDS; r++) {
    prepare();
    cudaEventRecord(start);
    launch();
    cudaEventRecord(stop);
    require(cudaEventSynchronize(stop) == cudaSuccess, "kernel");
    if (r >= 0) cudaEventElapsedTime(&ms[r], start, stop);
  }
  std::sort(ms.begin(), ms.end());
  return ms[ROUNDS / 2] * 1e-3;
}

double best_gemm = 0, copy_rate = 0; /* limits: GFLOP/s, GB/s */

void row(const char *what, int n, int parameter, double seconds, double rate, const char *unit)
{
  const double limit = strcmp(unit, "GB/s") == 0 ? copy_rate : best_gemm;
  printf("%s,%d,double,%d,%.6g,%.4f,%s,%.4f,%.3f\n", what, n, parameter, seconds, rate, unit, limit,
         limit > 0 ? rate / limit : 1.);
  fflush(stdout);
}

__global__ void fill(size_t count, double *a)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
    unsigned long long z = i * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    a[i] = (double)(z >> 11) * 0x1p-53 - .5;
  }
}

double *device_matrix(size_t values)
{
  double *a;
  require(cudaMalloc(&a, values * sizeof *a) == cudaSuccess, "memory");
  return a;
}
} // namespace

/* Rank-1 updates, a column at a time: the thesis' program, whose units are elements (without its search for pivots). */
__global__ void scale_column(int n, int k, double *a)
{
  const int i = blockIdx.x * 256 + threadIdx.x + k + 1;
  if (i < n) a[i + (size_t)k * n] /= a[k + (size_t)k * n];
}

__global__ void update_rest(int n, int k, double *a)
{
  const int i = blockIdx.x * 32 + threadIdx.x + k + 1, j = blockIdx.y * 8 + threadIdx.y + k + 1;
  if (i < n && j < n) a[i + (size_t)j * n] -= a[i + (size_t)k * n] * a[k + (size_t)j * n];
}

struct Card {
  hg_lu_cuda c;
  size_t values;
  double *a, *b;
  int *info, *pivot;

  explicit Card(int most) : values((size_t)most * most), a(device_matrix(values)), b(device_matrix(values))
  {
    require(hg_lu_cuda_open(false, nullptr, &c) == cudaSuccess, "cuBLAS and cuSOLVER");
    require(cudaMalloc(&info, sizeof *info) == cudaSuccess && cudaMalloc(&pivot, most * sizeof *pivot) == cudaSuccess,
            "memory");
    refill();
  }
  void refill()
  {
    fill<<<1024, 256>>>(values, a);
  }
  double getrf_seconds(int n)
  {
    int size;
    cusolverDnDgetrf_bufferSize(c.solver, n, n, a, n, &size);
    require((size_t)size <= values, "workspace");
    return median_seconds([&] { refill(); }, [&] { cusolverDnDgetrf(c.solver, n, n, a, n, b, pivot, info); });
  }
  // A matrix that starts in host memory, as in a program.
  double getrf_from_host_seconds(int n)
  {
    int size;
    double *host;
    const size_t bytes = (size_t)n * n * sizeof *a;
    cusolverDnDgetrf_bufferSize(c.solver, n, n, a, n, &size);
    require((size_t)size <= values && cudaMallocHost(&host, bytes) == cudaSuccess, "pinned memory");
    refill();
    require(cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "copy");
    const double s = median_seconds([] {},
                                    [&] {
                                      cudaMemcpyAsync(a, host, bytes, cudaMemcpyHostToDevice, 0);
                                      cusolverDnDgetrf(c.solver, n, n, a, n, b, pivot, info);
                                    });
    cudaFreeHost(host);
    return s;
  }
  double columns_seconds(int n)
  {
    return median_seconds([&] { refill(); },
                          [&] {
                            for (int k = 0; k + 1 < n; k++) {
                              const unsigned left = (unsigned)(n - k - 1);
                              scale_column<<<(left + 255) / 256, 256>>>(n, k, a);
                              update_rest<<<dim3((left + 31) / 32, (left + 7) / 8), dim3(32, 8)>>>(n, k, a);
                            }
                          });
  }
};

using Column = std::vector<hg_cuda_tile>;

Column column_at(double *a, int n, int nb)
{
  Column tile;
  for (int r = 0; r < n; r += nb) {
    const int rows = std::min(nb, n - r);
    tile.push_back({a + (size_t)r * nb, rows, nb, rows});
  }
  return tile;
}

/* A separate stream, concurrent with others. */
struct Lane {
  cudaStream_t stream;
  hg_lu_cuda c;

  Lane()
  {
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "stream");
    require(hg_lu_cuda_open(false, stream, &c) == cudaSuccess, "cuBLAS and cuSOLVER");
  }
  ~Lane()
  {
    hg_lu_cuda_close(&c);
    cudaStreamDestroy(stream);
  }
};

/* A panel while another stream is full of products: if `urgent` as the program runs it, otherwise at equal priority. */
double panel_beside_products(Card &card, int n, int nb, bool urgent, int32_t *order)
{
  enum { COLUMNS = 48 };
  Lane lane, other;
  cudaEvent_t start, stop;
  std::vector<float> ms(ROUNDS);
  double *const half = card.b + card.values / 2;
  const Column panel = column_at(card.a, n, nb), left = column_at(card.a + (size_t)n * nb, n, nb),
               right = column_at(card.a + 2 * (size_t)n * nb, n, nb);
  const hg_cuda_tile top = {half, nb, nb, nb};
  const size_t bytes = hg_lu_cuda_panel_bytes(&lane.c, n, nb);
  require(bytes <= card.values * 4, "workspace");
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int r = -1; r < ROUNDS; r++) {
    card.refill();
    require(cudaDeviceSynchronize() == cudaSuccess, "fill");
    for (int i = 0; i < COLUMNS; i++)
      hg_lu_cuda_add_products(&other.c, -1, left.data(), &top, right.data(), (int)left.size(), half + (size_t)nb * nb);
    cudaEventRecord(start, lane.stream);
    if (urgent) hg_lu_cuda_begin_urgent(&lane.c);
    require(hg_lu_cuda_panel(&lane.c, panel.data(), (int)panel.size(), false, card.b, bytes, order) == cudaSuccess,
            "panel");
    if (urgent) hg_lu_cuda_end_urgent(&lane.c, lane.stream);
    cudaEventRecord(stop, lane.stream);
    require(cudaDeviceSynchronize() == cudaSuccess, "panel");
    if (r >= 0) cudaEventElapsedTime(&ms[r], start, stop);
  }
  std::sort(ms.begin(), ms.end());
  return ms[ROUNDS / 2] * 1e-3;
}

double gflops(int n, double seconds)
{
  return 2e-9 / 3 * n * (double)n * n / seconds;
}

/* gpu_elimination getrf|getrf-from-host|by-columns N: GFLOP/s. */
int one(const char *how, int n)
{
  Card card(n);
  const double s = strcmp(how, "getrf") == 0             ? card.getrf_seconds(n)
                   : strcmp(how, "getrf-from-host") == 0 ? card.getrf_from_host_seconds(n)
                                                         : card.columns_seconds(n);
  printf("%.4g\n", gflops(n, s));
  return 0;
}

int main(int argc, char **argv)
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    fprintf(stderr, "gpu_elimination: no CUDA device\n");
    return 77;
  }
  if (argc == 3) return one(argv[1], atoi(argv[2]));
  const int most = 32000;
  Card card(most);
  const hg_lu_cuda &c = card.c;
  double *a = card.a, *b = card.b;
  const size_t values = card.values;
  double s = median_seconds([] {}, [&] { cudaMemcpyAsync(b, a, values * 8, cudaMemcpyDeviceToDevice, 0); });
  copy_rate = 2 * 8e-9 * (double)values / s;
  puts("what,n,precision,parameter,seconds,rate,unit,limit,share");
  row("copy", most, most, s, copy_rate, "GB/s");
  const double unit = 1, zero = 0;
  for (int n : {1024, 4096, 8192}) {
    s = median_seconds([] {},
                       [&] { cublasDgemm(c.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &unit, a, n, a, n, &zero, b, n); });
    best_gemm = std::max(best_gemm, 3 * gflops(n, s));
    row("dgemm", n, n, s, 3 * gflops(n, s), "GFLOP/s");
  }
  for (int n : {2000, 4000, 8000, 16000, 32000}) {
    s = card.getrf_seconds(n);
    row("cusolver_getrf", n, n, s, gflops(n, s), "GFLOP/s");
  }
  int32_t *order;
  require(cudaMalloc(&order, (most + 1) * sizeof *order) == cudaSuccess, "memory");
  for (int nb : {256, 384, 512, 1024})
    for (int n : {4096, 16384, 32000}) {
      const Column tile = column_at(a, n, nb), below = column_at(a + (size_t)n * nb, n, nb);
      const size_t bytes = hg_lu_cuda_panel_bytes(&c, n, nb);
      require(bytes <= values * 8, "workspace");
      s = median_seconds([&] { card.refill(); },
                         [&] {
                           require(hg_lu_cuda_panel(&c, tile.data(), (int)tile.size(), false, b, bytes, order) ==
                                       cudaSuccess,
                                   "panel");
                         });
      const double panel_gflop = 1e-9 * nb * (double)nb * (n - nb / 3.);
      row("panel", n, nb, s, panel_gflop / s, "GFLOP/s");
      if (n == 16384)
        for (bool urgent : {false, true}) {
          s = panel_beside_products(card, n, nb, urgent, order);
          row(urgent ? "panel_urgent" : "panel_beside", n, nb, s, panel_gflop / s, "GFLOP/s");
        }
      const hg_cuda_tile top = {b, nb, nb, nb};
      if (n == 4096) {
        s = median_seconds([] {}, [&] { hg_lu_cuda_solve(&c, &tile[0], false, &top); });
        row("trsm", nb, nb, s, 1e-9 * nb * (double)nb * nb / s, "GFLOP/s");
      }
      s = median_seconds([] {}, [&] { hg_lu_cuda_swap(&c, below.data(), (int)below.size(), order, nb, b); });
      row("swap", n, nb, s, 2 * 8e-9 * 2 * nb * (double)nb / s, "GB/s");
      s = median_seconds([] {},
                         [&] {
                           for (size_t t = 0; t < tile.size(); t++)
                             hg_lu_cuda_add_product(&c, -1, &tile[t], &top, &below[t]);
                         });
      row("tile_updates", n, nb, s, 2e-9 * n * (double)nb * nb / s, "GFLOP/s");
      s = median_seconds([] {},
                         [&] {
                           hg_lu_cuda_add_products(&c, -1, &tile[1], &top, &below[1], (int)tile.size() - 1,
                                                   b + (size_t)nb * nb);
                         });
      row("column_update", n, nb, s, 2e-9 * (n - nb) * (double)nb * nb / s, "GFLOP/s");
      std::vector<hg_cuda_move> move;
      for (int i = 0; i < 2 * nb; i++) {
        const int from = (int)((size_t)i * 7919 % n), to = (int)((size_t)i * 104729 % n);
        move.push_back({(double *)tile[from / nb].a + from % nb, (double *)tile[to / nb].a + to % nb,
                        tile[from / nb].ld, tile[to / nb].ld});
      }
      s = median_seconds([] {}, [&] { hg_lu_cuda_move_rows(&c, move.data(), 2 * nb, nb, b); });
      row("row_moves", n, nb, s, 4 * 8e-9 * 2 * nb * (double)nb / s, "GB/s");
    }
  return 0;
}
