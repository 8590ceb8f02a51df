/* SPDX-License-Identifier: MIT */
#include "codelets/pricing_update.h"

#ifdef HG_HAVE_CUDA
#include "codelets/pricing_cuda.h"
#endif

static int64_t first_piece(const hg_units *u)
{
  const hg_pricing_book *b = u->parameters;
  return b->first + u->step * b->per_step + u->at[0];
}

static void run(const hg_units *u, int64_t count, void *out)
{
  const hg_pricing_book *b = u->parameters;
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

#ifdef HG_HAVE_CUDA
static int launch(const hg_units *u, const hg_units_box *box, void *out, void *stream)
{
  const hg_pricing_book *b = u->parameters;
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
  };
}
