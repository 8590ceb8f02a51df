/* SPDX-License-Identifier: MIT */
/* What jobs do on a GPU. */
#include "codelets/fft/fft_cuda.h"

#include <stdio.h>

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
static hg_fft_cuda *plans_of(const hg_jobs *jobs)
{
  fft *f = jobs->arg;
  if (!f->gpu[jobs->worker]) f->gpu[jobs->worker] = hg_fft_cuda_make();
  return f->gpu[jobs->worker];
}

static hg_status status_of(int error, const hg_jobs *jobs)
{
  if (error == 0) return HG_OK;
  return hg_fail(HG_RUNTIME, "%s failed with %d (%lld transforms)", error < 0 ? "cuFFT" : "CUDA",
                 error < 0 ? -error : error, (long long)jobs->count);
}

static hg_status planes(const hg_jobs *jobs, const void *in, void *out)
{
  const fft_shape *s = &((const fft *)jobs->arg)->options.shape;
  hg_fft_cuda *plans = plans_of(jobs);
  if (!plans) return hg_fail(HG_MEMORY, "no memory for plans");
  return status_of(hg_fft_cuda_planes(plans, kind_of(s), s->n[1], s->n[2], jobs->count, in, out,
                                      scale_of(s, fft_planes_are_last(s)), jobs->stream),
                   jobs);
}

hg_status fft_cuda_planes(const hg_jobs *jobs)
{
  return planes(jobs, jobs->array[0], jobs->array[1]);
}

hg_status fft_cuda_columns(const hg_jobs *jobs)
{
  const fft_shape *s = &((const fft *)jobs->arg)->options.shape;
  const int target = s->real && s->inverse;
  const int64_t bytes = (int64_t)fft_value_bytes(s, true), wide = jobs->count * fft_width(s, true);
  hg_fft_cuda *plans = plans_of(jobs);
  if (!plans) return hg_fail(HG_MEMORY, "no memory for plans");
  return status_of(hg_fft_cuda_columns(plans, kind_of(s), s->n[0], wide, jobs->stride[0] / bytes,
                                       jobs->stride[target] / bytes, jobs->array[0], jobs->array[target],
                                       scale_of(s, !fft_planes_are_last(s)), jobs->stream),
                   jobs);
}

/* In a GPU's memory the columns of a chunk lie row behind row. */
static hg_status prepare(const hg_jobs *jobs, bool columns)
{
  const fft_shape *s = &((const fft *)jobs->arg)->options.shape;
  if (!jobs->stream) return HG_OK; /* a CPU: FFTW's plans are made */
  if (!columns) return planes(jobs, NULL, NULL);
  const int64_t wide = jobs->count * fft_width(s, true);
  hg_fft_cuda *plans = plans_of(jobs);
  if (!plans) return hg_fail(HG_MEMORY, "no memory for plans");
  return status_of(hg_fft_cuda_columns(plans, kind_of(s), s->n[0], wide, wide, wide, NULL, NULL, 1, jobs->stream),
                   jobs);
}

hg_status fft_prepare_planes(const hg_jobs *jobs)
{
  return prepare(jobs, false);
}

hg_status fft_prepare_columns(const hg_jobs *jobs)
{
  return prepare(jobs, true);
}

void fft_cuda_end(fft *f)
{
  for (int w = 0; w < f->workers && f->gpu; w++) hg_fft_cuda_free(f->gpu[w]);
}
