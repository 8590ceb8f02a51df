/* SPDX-License-Identifier: MIT */
/* What items do on a GPU. */
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

/* Plans of the worker; they are made by the thread that uses them. */
static hg_fft_cuda *plans_of(const hg_items *items)
{
  fft *f = items->arg;
  if (!f->gpu[items->worker]) f->gpu[items->worker] = hg_fft_cuda_make();
  return f->gpu[items->worker];
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
  hg_fft_cuda *plans = plans_of(items);
  if (!plans) return hg_fail(HG_MEMORY, "no memory for plans");
  return status_of(hg_fft_cuda_planes(plans, kind_of(s), s->n[1], s->n[2], items->count, in, out,
                                      scale_of(s, fft_planes_are_last(s)), items->stream),
                   items);
}

hg_status fft_cuda_planes(const hg_items *items)
{
  return planes(items, items->array[0], items->array[1]);
}

hg_status fft_cuda_columns(const hg_items *items)
{
  const fft_shape *s = &((const fft *)items->arg)->options.shape;
  const int target = s->real && s->inverse;
  const int64_t bytes = (int64_t)fft_value_bytes(s, true), wide = items->count * fft_width(s, true);
  hg_fft_cuda *plans = plans_of(items);
  if (!plans) return hg_fail(HG_MEMORY, "no memory for plans");
  return status_of(hg_fft_cuda_columns(plans, kind_of(s), s->n[0], wide, items->stride[0] / bytes,
                                       items->stride[target] / bytes, items->array[0], items->array[target],
                                       scale_of(s, !fft_planes_are_last(s)), items->stream),
                   items);
}

/* In a GPU's memory the columns of a chunk lie row behind row. */
static hg_status prepare(const hg_items *items, bool columns)
{
  const fft_shape *s = &((const fft *)items->arg)->options.shape;
  if (!items->stream) return HG_OK; /* a CPU: FFTW's plans are made */
  if (!columns) return planes(items, NULL, NULL);
  const int64_t wide = items->count * fft_width(s, true);
  hg_fft_cuda *plans = plans_of(items);
  if (!plans) return hg_fail(HG_MEMORY, "no memory for plans");
  return status_of(hg_fft_cuda_columns(plans, kind_of(s), s->n[0], wide, wide, wide, NULL, NULL, 1, items->stream),
                   items);
}

hg_status fft_prepare_planes(const hg_items *items)
{
  return prepare(items, false);
}

hg_status fft_prepare_columns(const hg_items *items)
{
  return prepare(items, true);
}

void fft_cuda_end(fft *f)
{
  for (int w = 0; w < f->workers && f->gpu; w++) hg_fft_cuda_free(f->gpu[w]);
}
