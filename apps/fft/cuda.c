/* SPDX-License-Identifier: MIT */
/* The functions of items on a GPU. */
#include "codelets/fft/fft_cuda.h"

#include "fft.h"

static hg_fft_kind kind_of(const fft_shape *s)
{
  return (hg_fft_kind){.single = s->single, .real = s->real, .inverse = s->inverse};
}

static double scale_of(const fft_shape *s, bool last)
{
  return s->inverse && last ? 1 / fft_points(s) : 1;
}

/* The worker's plans, made by the thread that uses them. */
static hg_status plans_of(const hg_items *items, hg_fft_cuda **out)
{
  fft *f = items->arg;
  if (!f->gpu[items->worker]) f->gpu[items->worker] = hg_fft_cuda_make();
  *out = f->gpu[items->worker];
  return *out ? HG_OK : hg_fail(HG_MEMORY, "no memory for plans");
}

static hg_status status_of(int error, const hg_items *items)
{
  if (error == 0) return HG_OK;
  return hg_fail(HG_RUNTIME, "%s failed with %d (%lld transforms)", error < 0 ? "cuFFT" : "CUDA",
                 error < 0 ? -error : error, (long long)items->count);
}

static hg_status planes(const hg_items *items, const void *in, void *out)
{
  const fft_shape *s = &((const fft *)items->arg)->options.shape;
  hg_fft_cuda *plans;
  HG_TRY(plans_of(items, &plans));
  return status_of(hg_fft_cuda_planes(plans, kind_of(s), s->n[1], s->n[2], items->count, in, out,
                                      scale_of(s, fft_planes_are_last(s)), items->stream),
                   items);
}

hg_status fft_cuda_planes(const hg_items *items)
{
  return planes(items, items->array[0], items->array[1]);
}

/* Values between the rows of `in` and of `out`. */
static hg_status columns(const hg_items *items, int64_t in_stride, int64_t out_stride, const void *in, void *out)
{
  const fft_shape *s = &((const fft *)items->arg)->options.shape;
  hg_fft_cuda *plans;
  HG_TRY(plans_of(items, &plans));
  return status_of(hg_fft_cuda_columns(plans, kind_of(s), s->n[0], items->count * fft_width(s, true), in_stride,
                                       out_stride, in, out, scale_of(s, !fft_planes_are_last(s)), items->stream),
                   items);
}

hg_status fft_cuda_columns(const hg_items *items)
{
  const fft_shape *s = &((const fft *)items->arg)->options.shape;
  const int target = s->real && s->inverse;
  const int64_t bytes = (int64_t)fft_value_bytes(s, true);
  return columns(items, items->stride[0] / bytes, items->stride[target] / bytes, items->array[0], items->array[target]);
}

/* A CPU, which has no stream, uses FFTW's plans. */
hg_status fft_prepare_planes(const hg_items *items)
{
  return items->stream ? planes(items, NULL, NULL) : HG_OK;
}

/* In a GPU's memory the rows of a chunk of columns are contiguous. */
hg_status fft_prepare_columns(const hg_items *items)
{
  const int64_t wide = items->count * fft_width(&((const fft *)items->arg)->options.shape, true);
  return items->stream ? columns(items, wide, wide, NULL, NULL) : HG_OK;
}

void fft_cuda_end(fft *f)
{
  for (int w = 0; w < f->workers && f->gpu; w++) hg_fft_cuda_free(f->gpu[w]);
}
