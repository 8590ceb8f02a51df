/* SPDX-License-Identifier: MIT */
/* The inner solver of adr on CUDA devices: BiCGSTAB and BiCG with all vectors and numbers on the device.
 *
 * The numbers of the method are the device's (adr_krylov.h), so an iteration is queued as a
 * whole and the host looks once whether it was the last; kernels that a breakdown leaves without work do nothing. */
#include "codelets/adr/adr_solve_cuda.cuh"

namespace adr
{

/* (a, a) */
template <typename T>
__global__ void __launch_bounds__(THREADS) square_rows(Solver<T> c, const T *a)
{
  const Place p = place_of<T>(c.b);
  for (int s = 0; s < 2; s++) {
    T lane = 0;
    const T *row = a + s * c.b.field + row_at(c.b, p);
    for (int64_t x = p.x; x < c.b.n[0] && p.inside; x += LANES<T>) lane += row[x] * row[x];
    keep_row(c, p, 0, s, lane);
  }
}

template <typename T>
__global__ void __launch_bounds__(THREADS) begin_solve(Solver<T> c, double inner, int limit)
{
  double sum[DOTS];
  if (add_planes(c, 1, sum)) *c.it = hg_adr_krylov_begin(sum[0], inner, limit);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) choose_alpha(Solver<T> c)
{
  double sum[DOTS];
  if (!c.it->runs) return;
  if (add_planes(c, 1, sum)) hg_adr_krylov_alpha(c.it, sum[0]);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) choose_omega(Solver<T> c)
{
  double sum[DOTS];
  if (!c.it->runs) return;
  if (add_planes(c, 2, sum)) hg_adr_krylov_omega(c.it, sum[0], sum[1]);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) end_iteration(Solver<T> c, bool bicg)
{
  double sum[DOTS];
  if (!c.it->runs) return;
  if (add_planes(c, 2, sum)) hg_adr_krylov_next(c.it, sum[0], sum[1], bicg ? 1 : c.it->alpha / c.it->omega);
}

/* --- vectors --- */

/* Each node of this thread, both species: BODY sees `at`. */
#define HG_ADR_NODES(c, T, BODY)                                                                                       \
  do {                                                                                                                 \
    const Place p = place_of<T>((c).b);                                                                                \
    for (int s = 0; s < 2 && p.inside; s++)                                                                            \
      for (int64_t x = p.x; x < (c).b.n[0]; x += LANES<T>) {                                                           \
        const int64_t at = s * (c).b.field + row_at((c).b, p) + x;                                                     \
        BODY                                                                                                           \
      }                                                                                                                \
  } while (0)

/* p = r + beta (p - omega v) */
template <typename T>
__global__ void __launch_bounds__(THREADS) search_bicgstab(Solver<T> c)
{
  const hg_adr_krylov it = *c.it;
  if (!it.runs) return;
  const T beta = (T)it.beta, omega = (T)it.omega, *r = c.vector[0], *v = c.vector[3];
  T *r0 = c.vector[1], *d = c.vector[2];
  HG_ADR_NODES(c, T, {
    if (it.fresh) r0[at] = r[at];
    d[at] = it.fresh ? r[at] : r[at] + beta * (d[at] - omega * v[at]);
  });
}

/* p = r + beta p, p~ = r~ + beta p~, written as on the CPU. */
template <typename T>
__global__ void __launch_bounds__(THREADS) search_bicg(Solver<T> c)
{
  const hg_adr_krylov it = *c.it;
  if (!it.runs) return;
  const T beta = (T)it.beta, *r = c.vector[0];
  T *rt = c.vector[1], *d = c.vector[2], *dt = c.vector[3];
  HG_ADR_NODES(c, T, {
    if (it.fresh) rt[at] = r[at];
    d[at] = it.fresh ? r[at] : r[at] + beta * (d[at] - 0 * r[at]);
    dt[at] = it.fresh ? r[at] : rt[at] + beta * (dt[at] - 0 * rt[at]);
  });
}

/* out = B in; (other, out), and with `second` (out, out) too. */
template <typename T>
__global__ void __launch_bounds__(THREADS) apply(Solver<T> c, const T *in, T *out, const T *other, bool second)
{
  if (!c.it->runs || (second && !c.it->usable)) return;
  const Place p = place_of<T>(c.b);
  const int64_t f = c.b.field, row = row_at(c.b, p);
  T dot[2][DOTS] = {};
  if (p.inside) {
    const Weights<T> w = weights_of(c.b, c.lo, c.hi, p);
    for (int64_t x = p.x; x < c.b.n[0]; x += LANES<T>) {
      const Sides s = sides_of(c.b, 0, x);
      const int64_t at = row + x;
      const T *m = c.inverse + at;
      const T one = inflow(w, c.lo[0][x], c.hi[0][x], s, in + at),
              two = inflow(w, c.lo[0][x], c.hi[0][x], s, in + at + f);
      out[at] = in[at] - (m[0] * one + m[f] * two);
      out[at + f] = in[at + f] - (m[2 * f] * one + m[3 * f] * two);
      for (int k = 0; k < 2; k++) {
        dot[k][0] += other[at + k * f] * out[at + k * f];
        dot[k][1] += out[at + k * f] * out[at + k * f];
      }
    }
  }
  for (int k = 0; k < 2; k++) {
    keep_row(c, p, 0, k, dot[k][0]);
    if (second) keep_row(c, p, 1, k, dot[k][1]);
  }
}

/* r -= alpha v */
template <typename T>
__global__ void __launch_bounds__(THREADS) descend(Solver<T> c)
{
  if (!c.it->runs || !c.it->usable) return;
  const T alpha = (T)-c.it->alpha, *v = c.vector[3];
  T *r = c.vector[0];
  HG_ADR_NODES(c, T, { r[at] += alpha * v[at]; });
}

/* x += alpha p + omega r, r -= omega t; (r0, r), (r, r) */
template <typename T>
__global__ void __launch_bounds__(THREADS) correct(Solver<T> c)
{
  if (!c.it->runs || !c.it->usable) return;
  const Place p = place_of<T>(c.b);
  const T alpha = (T)c.it->alpha, omega = (T)c.it->omega;
  const T *r0 = c.vector[1], *d = c.vector[2], *t = c.vector[4];
  T *r = c.vector[0], *sum = c.vector[5];
  for (int s = 0; s < 2; s++) {
    T dot[DOTS] = {};
    for (int64_t x = p.x; x < c.b.n[0] && p.inside; x += LANES<T>) {
      const int64_t at = s * c.b.field + row_at(c.b, p) + x;
      sum[at] += alpha * d[at] + omega * r[at];
      r[at] -= omega * t[at];
      dot[0] += r0[at] * r[at];
      dot[1] += r[at] * r[at];
    }
    for (int k = 0; k < DOTS; k++) keep_row(c, p, k, s, dot[k]);
  }
}

/* BiCG: x += alpha p, r -= alpha q; t = M^-T p~ */
template <typename T>
__global__ void __launch_bounds__(THREADS) correct_bicg(Solver<T> c)
{
  if (!c.it->runs || !c.it->usable) return;
  const Place p = place_of<T>(c.b);
  const int64_t f = c.b.field;
  const T alpha = (T)c.it->alpha, minus = (T)-c.it->alpha;
  const T *d = c.vector[2], *dt = c.vector[3], *q = c.vector[4];
  T *r = c.vector[0], *sum = c.vector[5], *t = c.vector[6];
  for (int64_t x = p.x; x < c.b.n[0] && p.inside; x += LANES<T>) {
    const int64_t at = row_at(c.b, p) + x;
    const T *m = c.inverse + at;
    for (int64_t i = at; i <= at + f; i += f) {
      sum[i] += alpha * d[i];
      r[i] += minus * q[i];
    }
    t[at] = m[0] * dt[at] + m[2 * f] * dt[at + f];
    t[at + f] = m[f] * dt[at] + m[3 * f] * dt[at + f];
  }
}

/* BiCG: q~ = B^T p~ = p~ - W^T t, r~ -= alpha q~; (r~, r), (r, r) */
template <typename T>
__global__ void __launch_bounds__(THREADS) apply_transposed(Solver<T> c)
{
  if (!c.it->runs || !c.it->usable) return;
  const Place p = place_of<T>(c.b);
  const T alpha = (T)-c.it->alpha, *r = c.vector[0], *dt = c.vector[3], *t = c.vector[6];
  T *rt = c.vector[1];
  for (int s = 0; s < 2; s++) {
    T dot[DOTS] = {};
    for (int64_t x = p.x; x < c.b.n[0] && p.inside; x += LANES<T>) {
      const int64_t at = s * c.b.field + row_at(c.b, p) + x;
      const Weights<T> w = weights_of(c.b, c.tlo, c.thi, p);
      const T q = dt[at] - inflow(w, c.tlo[0][x], c.thi[0][x], sides_of(c.b, 0, x), t + at);
      rt[at] += alpha * q;
      dot[0] += rt[at] * r[at];
      dot[1] += r[at] * r[at];
    }
    for (int k = 0; k < DOTS; k++) keep_row(c, p, k, s, dot[k]);
  }
}

/* The own unknowns get what was found, in their own magnitude. */
template <typename T>
__global__ void __launch_bounds__(THREADS) add_update(Solver<T> c, const hg_adr_outcome *outcome, double *u)
{
  const Place p = place_of<T>(c.b);
  for (int s = 0; s < 2 && is_own(c.b, p); s++)
    for (int64_t x = p.x; x < c.b.hi[0]; x += LANES<T>) {
      const int64_t at = s * c.b.field + row_at(c.b, p) + x;
      if (x >= c.b.lo[0]) u[at] += outcome->scale[s] * (double)c.vector[5][at];
    }
}

/* What was found is counted. */
template <typename T>
__global__ void count_solve(Solver<T> c, hg_adr_outcome *outcome)
{
  outcome->iterations += c.it->count;
  outcome->failed = c.it->failed;
}

template <typename T>
void iterate_bicgstab(const Solver<T> &c, dim3 blocks, dim3 threads, cudaStream_t stream)
{
  T *const *v = c.vector;
  HG_LAUNCH(search_bicgstab<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[2], v[3], v[1], false);
  HG_LAUNCH(choose_alpha<T>, sums_of(&c.b, 1), dim3(THREADS), stream, c);
  HG_LAUNCH(descend<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[0], v[4], v[0], true);
  HG_LAUNCH(choose_omega<T>, sums_of(&c.b, 2), dim3(THREADS), stream, c);
  HG_LAUNCH(correct<T>, blocks, threads, stream, c);
  HG_LAUNCH(end_iteration<T>, sums_of(&c.b, 2), dim3(THREADS), stream, c, false);
}

template <typename T>
void iterate_bicg(const Solver<T> &c, dim3 blocks, dim3 threads, cudaStream_t stream)
{
  T *const *v = c.vector;
  HG_LAUNCH(search_bicg<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[2], v[4], v[3], false);
  HG_LAUNCH(choose_alpha<T>, sums_of(&c.b, 1), dim3(THREADS), stream, c);
  HG_LAUNCH(correct_bicg<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply_transposed<T>, blocks, threads, stream, c);
  HG_LAUNCH(end_iteration<T>, sums_of(&c.b, 2), dim3(THREADS), stream, c, true);
}

/* The host's copy of where the iterations are. */
cudaError_t look(const hg_adr_krylov *it, hg_adr_krylov *here, cudaStream_t stream)
{
  const cudaError_t error = cudaMemcpyAsync(here, it, sizeof *here, cudaMemcpyDeviceToHost, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <typename T>
cudaError_t solve(const hg_adr_block *b, const hg_adr_step *step, const double *tables, double *u, T *work,
                  hg_adr_outcome *outcome, int *iterations, cudaStream_t stream)
{
  const Solver<T> c = make_solver(b, step, tables, work);
  const dim3 blocks = blocks_of<T>(b), threads = threads_of<T>();
  hg_adr_krylov it;
  cudaError_t error = cudaMemsetAsync(c.vector[5], 0, 2 * (size_t)b->field * sizeof(T), stream);
  if (error != cudaSuccess) return error;
  HG_LAUNCH(fill_tables<T>, dim3(FILL_BLOCKS), dim3(THREADS), stream, c);
  HG_LAUNCH(square_rows<T>, blocks, threads, stream, c, c.vector[0]);
  HG_LAUNCH(begin_solve<T>, sums_of(b, 1), dim3(THREADS), stream, c, step->inner, step->limit);
  error = look(c.it, &it, stream);
  while (error == cudaSuccess && it.runs) {
    step->bicg ? iterate_bicg(c, blocks, threads, stream) : iterate_bicgstab(c, blocks, threads, stream);
    error = cudaGetLastError();
    if (error == cudaSuccess) error = look(c.it, &it, stream);
  }
  if (error != cudaSuccess) return error;
  *iterations = it.count;
  HG_LAUNCH(add_update<T>, blocks, threads, stream, c, outcome, u);
  HG_LAUNCH(count_solve<T>, dim3(1), dim3(1), stream, c, outcome);
  error = cudaGetLastError();
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

/* --- one pass of a method over all blocks --- */

template <typename T>
__global__ void keep_numbers(Solver<T> c, hg_adr_krylov it)
{
  *c.it = it;
  *c.ended = 0;
}

template <typename T>
__global__ void __launch_bounds__(THREADS) add_up(Solver<T> c, int dots, double *out)
{
  double sum[DOTS];
  const bool has_them = add_planes(c, dots, sum);
  for (int i = 0; i < dots && has_them; i++) out[i] = sum[i];
}

/* Launches what a pass is; the number of its products. */
template <typename T>
int launch_pass(const Solver<T> &c, hg_adr_pass which, double *u, hg_adr_outcome *outcome, cudaStream_t stream)
{
  const dim3 blocks = blocks_of<T>(&c.b), threads = threads_of<T>();
  T *const *v = c.vector;
  switch (which) {
  case HG_ADR_BEGIN: HG_LAUNCH(square_rows<T>, blocks, threads, stream, c, v[0]); return 1;
  case HG_ADR_SEARCH: HG_LAUNCH(search_bicgstab<T>, blocks, threads, stream, c); return 0;
  case HG_ADR_ALONG_P: HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[2], v[3], v[1], false); return 1;
  case HG_ADR_DESCEND: HG_LAUNCH(descend<T>, blocks, threads, stream, c); return 0;
  case HG_ADR_ALONG_R: HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[0], v[4], v[0], true); return 2;
  case HG_ADR_CORRECT: HG_LAUNCH(correct<T>, blocks, threads, stream, c); return 2;
  case HG_ADR_END:
    HG_LAUNCH(add_update<T>, blocks, threads, stream, c, outcome, u);
    HG_LAUNCH(count_solve<T>, dim3(1), dim3(1), stream, c, outcome);
  }
  return 0;
}

template <typename T>
cudaError_t pass(const hg_adr_block *b, const hg_adr_step *step, hg_adr_pass which, const hg_adr_krylov *it,
                 const double *tables, double *u, T *work, hg_adr_outcome *outcome, double *sum, cudaStream_t stream)
{
  const Solver<T> c = make_solver(b, step, tables, work);
  cudaError_t error = cudaSuccess;
  if (which == HG_ADR_BEGIN) error = cudaMemsetAsync(c.vector[5], 0, 2 * (size_t)b->field * sizeof(T), stream);
  if (error != cudaSuccess) return error;
  /* the pass before may have been on another device */
  if (which == HG_ADR_ALONG_P || which == HG_ADR_ALONG_R)
    HG_LAUNCH(fill_tables<T>, dim3(FILL_BLOCKS), dim3(THREADS), stream, c);
  HG_LAUNCH(keep_numbers<T>, dim3(1), dim3(1), stream, c, *it);
  const int dots = launch_pass(c, which, u, outcome, stream);
  error = cudaMemsetAsync(sum, 0, DOTS * sizeof *sum, stream);
  if (error == cudaSuccess && dots > 0) HG_LAUNCH(add_up<T>, sums_of(b, dots), dim3(THREADS), stream, c, dots, sum);
  return error == cudaSuccess ? cudaGetLastError() : error;
}

} // namespace adr

extern "C" cudaError_t hg_adr_cuda_solve(const hg_adr_block *b, const hg_adr_step *step, bool is_float,
                                         const double *tables, double *u, void *work, hg_adr_outcome *outcome,
                                         int *iterations, cudaStream_t stream)
{
  if (is_float) return adr::solve(b, step, tables, u, (float *)work, outcome, iterations, stream);
  return adr::solve(b, step, tables, u, (double *)work, outcome, iterations, stream);
}

extern "C" cudaError_t hg_adr_cuda_pass(const hg_adr_block *b, const hg_adr_step *step, bool is_float,
                                        hg_adr_pass which, const hg_adr_krylov *it, const double *tables, double *u,
                                        void *work, hg_adr_outcome *outcome, double *sum, cudaStream_t stream)
{
  if (is_float) return adr::pass(b, step, which, it, tables, u, (float *)work, outcome, sum, stream);
  return adr::pass(b, step, which, it, tables, u, (double *)work, outcome, sum, stream);
}
