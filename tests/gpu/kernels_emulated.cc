/* SPDX-License-Identifier: MIT */
/* The CUDA kernels, emulated by fibres on the CPU, equal the serial reference bit for bit. */
#include "codelets/heat/heat_cuda.cu"

#include "codelets/halo_pieces_cuda.cu"
#include "tests/unit/heat_cases.h"

static int streamed; /* tiles with several steps per pass */

static int run_emulated(heat_case *c, const void *kernel)
{
  hg_heat_cuda_kernel which = *(const hg_heat_cuda_kernel *)kernel;
  const bool fits = c->is_float ? can_stream(c->shape, (float *)c->src, (float *)c->dst, (float *)c->q)
                                : can_stream(c->shape, (double *)c->src, (double *)c->dst, (double *)c->q);
  streamed += fits && which != HG_HEAT_CUDA_ONE;
  return hg_heat_cuda_advance(&c->shape, &c->coef, c->is_float, c->steps, which, c->src, c->dst, c->q, nullptr) !=
         cudaSuccess;
}

static void check_advance(hg_heat_cuda_kernel kernel, const char *name, int dims, int most, int rounds)
{
  check_cases(run_emulated, &kernel, name, dims, most, rounds);
}

/* Tiles large enough for strips and patches. */
static void check_streaming(void)
{
  const hg_heat_cuda_kernel kernel = HG_HEAT_CUDA_STREAM;
  const hg_heat_cuda_kernel one = HG_HEAT_CUDA_ONE;
  const int64_t wide[3] = {700, 150, 1}, deep[3] = {170, 70, 12};
  check_cases_in(run_emulated, &one, "one-step, wide", 2, wide, 12);
  streamed = 0;
  check_cases_in(run_emulated, &kernel, "streaming", 2, wide, 24);
  tap_ok(streamed >= 8, "%d of them in strips", streamed);
  streamed = 0;
  check_cases_in(run_emulated, &kernel, "streaming", 3, deep, 20);
  tap_ok(streamed >= 4, "%d of them in patches", streamed);
}

static void check_pieces(void)
{
  double tile[12 * 9], piece[20], again[12 * 9] = {};
  for (int i = 0; i < 12 * 9; i++) tile[i] = i;
  const hg_halo_piece_cells c = {.first = 3 + 12 * 6, .stride = {1, -12, 108}, .n = {5, 4, 1}};
  void *pieces[1] = {piece};
  double host[20];
  hg_halo_piece_cuda_copy(&c, 1, 8, tile, pieces, true, nullptr);
  hg_halo_piece_pack(&c, 8, tile, host);
  tap_ok(memcmp(piece, host, sizeof host) == 0, "a mirrored piece is packed as on the CPU");
  hg_halo_piece_cuda_copy(&c, 1, 8, again, pieces, false, nullptr);
  tap_ok(again[3 + 12 * 6] == tile[3 + 12 * 6] && again[7 + 12 * 3] == tile[7 + 12 * 3],
         "and unpacked to its original place");
}

static void check_change(void)
{
  const int64_t most[3] = {40, 40, 40};
  uint64_t state = 5;
  heat_case c = random_case(&state, 2, most);
  double change = -1, largest = 0;
  hg_heat_cuda_change(&c.shape, c.is_float, c.src, c.dst, &change, nullptr);
  for (int64_t y = c.shape.margin[1][0]; y < c.shape.n[1] - c.shape.margin[1][1]; y++)
    for (int64_t x = c.shape.margin[0][0]; x < c.shape.n[0] - c.shape.margin[0][1]; x++) {
      int64_t i = x + y * c.shape.stride[1];
      double d = c.is_float ? fabs((double)((float *)c.src)[i] - (double)((float *)c.dst)[i])
                            : fabs(((double *)c.src)[i] - ((double *)c.dst)[i]);
      if (d > largest) largest = d;
    }
  tap_near(change, largest, 0, "the largest change is found");
  free_case(&c);
}

int main()
{
  check_advance(HG_HEAT_CUDA_ONE, "one-step", 1, 100, 10);
  check_advance(HG_HEAT_CUDA_ONE, "one-step", 2, 40, 20);
  check_advance(HG_HEAT_CUDA_ONE, "one-step", 3, 12, 10);
  check_advance(HG_HEAT_CUDA_STREAM, "streaming", 2, 50, 10);
  check_advance(HG_HEAT_CUDA_STREAM, "streaming", 3, 12, 5);
  check_streaming();
  check_pieces();
  check_change();
  return tap_done();
}
