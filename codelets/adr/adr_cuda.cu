/* SPDX-License-Identifier: MIT */
/* The beginning of a time step of adr, and the residual, on CUDA devices. */
#include "codelets/adr/adr_cuda.cuh"

namespace adr
{

/* Non-negative doubles are ordered as their bit patterns are, and NaN is above all of them. */
template <typename T>
__device__ __forceinline__ void take_largest(double value, double *largest)
{
  for (int half = WARP / 2; half > 0; half /= 2) value = hg_adr_max(value, __shfl_down_sync(0xffffffffu, value, half));
  if ((threadIdx.y * LANES<T> + threadIdx.x) % WARP == 0 && value != 0)
    atomicMax((unsigned long long *)largest, (unsigned long long)__double_as_longlong(fabs(value)));
}

/* --- a step begins --- */

const int64_t BLOCKS_MOST = 1 << 16;

__global__ void __launch_bounds__(THREADS) magnitudes(hg_adr_block b, const double *u, hg_adr_outcome *outcome)
{
  const Place p = place_of<LANE_ROWS<double>>(b);
  for (int s = 0; s < 2; s++) {
    double largest = 0;
    for (int64_t x = p.x; x < b.hi[0] && is_own(b, p); x += LANES<double>) {
      const double value = fabs(u[s * b.field + row_at(b, p) + x]);
      if (x >= b.lo[0] && value > largest) largest = value;
    }
    take_largest<double>(largest, &outcome->scale[s]);
  }
}

__global__ void __launch_bounds__(THREADS)
    begin_values(int64_t count, bool first, bool bdf2, double *u, double *old, double *before, hg_adr_outcome *outcome)
{
  const int64_t start = (int64_t)blockIdx.x * THREADS + threadIdx.x, step = (int64_t)gridDim.x * THREADS;
  if (start < 2) outcome->scale[start] += 1;
  for (int64_t i = start; i < count; i += step) {
    const double now = u[i], then = first ? now : before[i];
    old[i] = bdf2 && !first ? (4 * now - then) / 3 : now;
    before[i] = now;
    if (!first) u[i] = 2 * now - then;
  }
}

/* --- the residual --- */

template <typename T>
struct Residual {
  hg_adr_block b;
  hg_adr_step step;
  const double *tables, *u, *old;
  bool fresh;
  T *work;
  hg_adr_outcome *outcome;
};

template <int REACTION>
__device__ __forceinline__ hg_adr_rates rates_of(const double *term, double c1, double c2, const double s[3],
                                                 const double c[3])
{
  if constexpr (REACTION == HG_ADR_MMS) return hg_adr_mms(c1, c2, term, s[0], s[1], s[2], c[0], c[1], c[2]);
  if constexpr (REACTION == HG_ADR_CONSERVE) return hg_adr_conserve(c1, c2);
  if constexpr (REACTION == HG_ADR_DIURNAL) return hg_adr_diurnal(c1, c2, term);
  return {};
}

template <typename T, int REACTION>
__device__ void residual_at(const Residual<T> &r, const Tables &t, const Weights<double> &w, const Place &p, int64_t x,
                            double *largest)
{
  const int64_t f = r.b.field, at = row_at(r.b, p) + x;
  const double *u1 = r.u + at, *u2 = u1 + f, one = 1 / r.outcome->scale[0], two = 1 / r.outcome->scale[1];
  const double sum = t.sum[0][x] + (t.sum[1][p.y] + t.sum[2][p.z]);
  const double s[3] = {t.sine[0][x], t.sine[1][p.y], t.sine[2][p.z]};
  const double c[3] = {t.cosine[0][x], t.cosine[1][p.y], t.cosine[2][p.z]};
  const Sides side = sides_of(r.b, 0, x);
  const double in1 = inflow(w, t.lo[0][x], t.hi[0][x], side, u1), in2 = inflow(w, t.lo[0][x], t.hi[0][x], side, u2);
  const hg_adr_point q = hg_adr_point_of(r.step.dt, sum, r.old[at], r.old[at + f], *u1, *u2, in1, in2,
                                         rates_of<REACTION>(r.step.term, *u1, *u2, s, c), r.outcome->scale[1] * one,
                                         r.outcome->scale[0] * two);
  T *m = r.work + HG_ADR_INVERSE * f + at;
  if (r.fresh) {
    m[0] = (T)q.m11;
    m[f] = (T)q.m12;
    m[2 * f] = (T)q.m21;
    m[3 * f] = (T)q.m22;
  }
  const double g1 = q.f1 * one, g2 = q.f2 * two;
  r.work[at] = (T)((double)m[0] * g1 + (double)m[f] * g2);
  r.work[at + f] = (T)((double)m[2 * f] * g1 + (double)m[3 * f] * g2);
  if (!is_own(r.b, p) || x < r.b.lo[0] || x >= r.b.hi[0]) return;
  *largest = hg_adr_max(hg_adr_max(*largest, hg_adr_ratio(q.f1, r.old[at])), hg_adr_ratio(q.f2, r.old[at + f]));
}

template <typename T, int REACTION>
__global__ void __launch_bounds__(THREADS) residual(Residual<T> r)
{
  const Place p = place_of<LANE_ROWS<T>>(r.b);
  const Tables t = tables_of(r.b, r.tables);
  double largest = 0;
  if (p.inside) {
    const Weights<double> w = weights_of(r.b, t.lo, t.hi, p);
    for (int64_t x = p.x; x < r.b.n[0]; x += LANES<T>) residual_at<T, REACTION>(r, t, w, p, x, &largest);
  }
  take_largest<T>(largest, &r.outcome->residual);
}

template <typename T>
cudaError_t launch_residual(const Residual<T> &r, cudaStream_t stream)
{
  const dim3 blocks = blocks_of<LANE_ROWS<T>>(&r.b), threads = threads_of<T>();
  const cudaError_t error = cudaMemsetAsync(&r.outcome->residual, 0, sizeof r.outcome->residual, stream);
  if (error != cudaSuccess) return error;
  switch (r.b.reaction) {
  case HG_ADR_MMS: HG_LAUNCH((residual<T, HG_ADR_MMS>), blocks, threads, stream, r); break;
  case HG_ADR_CONSERVE: HG_LAUNCH((residual<T, HG_ADR_CONSERVE>), blocks, threads, stream, r); break;
  case HG_ADR_DIURNAL: HG_LAUNCH((residual<T, HG_ADR_DIURNAL>), blocks, threads, stream, r); break;
  default: HG_LAUNCH((residual<T, HG_ADR_NONE>), blocks, threads, stream, r);
  }
  return cudaGetLastError();
}

} // namespace adr

extern "C" cudaError_t hg_adr_cuda_begin(const hg_adr_block *b, bool first, bool bdf2, double *u, double *old,
                                         double *before, hg_adr_outcome *outcome, cudaStream_t stream)
{
  const int64_t count = 2 * b->field, blocks = (count + adr::THREADS - 1) / adr::THREADS;
  const cudaError_t error = cudaMemsetAsync(outcome->scale, 0, sizeof outcome->scale, stream);
  if (error != cudaSuccess) return error;
  HG_LAUNCH(adr::magnitudes, adr::blocks_of<adr::LANE_ROWS<double>>(b), adr::threads_of<double>(), stream, *b, u,
            outcome);
  HG_LAUNCH(adr::begin_values, dim3((unsigned)(blocks < adr::BLOCKS_MOST ? blocks : adr::BLOCKS_MOST)),
            dim3(adr::THREADS), stream, count, first, bdf2, u, old, before, outcome);
  return cudaGetLastError();
}

extern "C" cudaError_t hg_adr_cuda_residual(const hg_adr_block *b, const hg_adr_step *step, bool is_float,
                                            const double *tables, const double *u, const double *old, bool fresh,
                                            void *work, hg_adr_outcome *outcome, cudaStream_t stream)
{
  if (is_float) return adr::launch_residual<float>({*b, *step, tables, u, old, fresh, (float *)work, outcome}, stream);
  return adr::launch_residual<double>({*b, *step, tables, u, old, fresh, (double *)work, outcome}, stream);
}
