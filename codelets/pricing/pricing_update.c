/* SPDX-License-Identifier: MIT */
#include "codelets/pricing/pricing_update.h"

#ifdef HG_HAVE_CUDA
#include "codelets/pricing/pricing_cuda.h"
#endif

static int64_t first_piece(const hg_units *u)
{
  const hg_pricing_portfolio *b = u->parameters;
  return b->first + u->step * b->per_step + u->at[0];
}

static void run(const hg_units *u, int64_t count, void *out)
{
  const hg_pricing_portfolio *b = u->parameters;
  const hg_pricing_kernel *kernel = u->data;
  hg_chunk_sums *sums = out;
  for (int64_t i = 0; i < count; i++) {
    const int64_t piece = first_piece(u) + i;
    if (piece < b->rows * b->chunks)
      kernel->in[b->is_float]->chunk(&b->row[piece / b->chunks], piece % b->chunks, &sums[i]);
    else
      sums[i] = (hg_chunk_sums){0, 0};
  }
}

/* Paths of a piece: none beyond the last row, fewer in the last chunk. */
static int64_t paths_of(const hg_pricing_portfolio *b, int64_t piece)
{
  if (piece >= b->rows * b->chunks) return 0;
  const int64_t left = b->row[piece / b->chunks].paths - piece % b->chunks * HG_CHUNK_PATHS;
  return left < 0 ? 0 : left < HG_CHUNK_PATHS ? left : HG_CHUNK_PATHS;
}

static double flops(const hg_units *u, int64_t count)
{
  const hg_pricing_portfolio *b = u->parameters;
  double sum = 0;
  for (int64_t i = 0; i < count; i++) {
    const int64_t piece = first_piece(u) + i, paths = paths_of(b, piece);
    if (paths > 0) sum += (double)paths * hg_pricing_flops(&b->row[piece / b->chunks], b->is_float);
  }
  return sum;
}

#ifdef HG_HAVE_CUDA
static int launch(const hg_units *u, const hg_units_box *box, void *out, void *stream)
{
  const hg_pricing_portfolio *b = u->parameters;
  return (int)hg_pricing_cuda_sums(b->row, b->rows, b->chunks, first_piece(u), box->n[0], b->is_float, out, stream);
}
#endif

hg_update hg_pricing_update(const hg_pricing_kernel *kernel, double work)
{
  return (hg_update){
      .name = "pricer",
      .dims = 1,
      .independent = true,
      .value_bytes = sizeof(hg_chunk_sums),
      .run = run,
#ifdef HG_HAVE_CUDA
      .launch = launch,
#endif
      .kernel = kernel->name,
      .data = kernel,
      .work = work,
      .flops = flops,
  };
}
