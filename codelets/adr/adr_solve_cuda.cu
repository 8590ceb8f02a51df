/* SPDX-License-Identifier: MIT */
/* The inner solver of adr on CUDA devices: BiCGSTAB and BiCG with all vectors and scalars on the device.
 *
 * The method's scalars are on the device (adr_krylov.h), so whole iterations are queued, and the host only checks now
 * and then whether the last one is done. Kernels do nothing after the last iteration, or where a breakdown leaves
 * nothing to do. */
#include "codelets/adr/adr_solve_cuda.cuh"

namespace adr
{

/* (a, a) */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) square_rows(Solver<T> c, const T *a)
{
  const Place p = place_of<ROWS>(c.b);
  const int n = (int)c.b.n[0];
  T sum = 0;
  if (!p.inside) return;
  for (int from = 0; from < n; from += SPAN<T>) {
    const Nodes<T> value = load(a, c.b.field, strip_of<T>(c.b, p, from));
    sum = add_lanes(sum, value * value, n - from);
  }
  keep_row(c, p, 0, sum);
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

/* p = r + beta (p - omega v) */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) search_bicgstab(Solver<T> c)
{
  const hg_adr_krylov it = *c.it;
  const Place p = place_of<ROWS>(c.b);
  if (!it.runs || !p.inside) return;
  const int64_t f = c.b.field;
  const T beta = (T)it.beta, omega = (T)it.omega;
  for (int from = 0; from < c.b.n[0]; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> r = load(c.vector[0], f, s), v = load(c.vector[3], f, s);
    Nodes<T> d = load(c.vector[2], f, s);
    for (int k = 0; k < d.COUNT; k++) d[k] = it.fresh ? r[k] : r[k] + beta * (d[k] - omega * v[k]);
    if (it.fresh) store(c.vector[1], f, s, r);
    store(c.vector[2], f, s, d);
  }
}

/* p = r + beta p, p~ = r~ + beta p~, written as on the CPU. */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) search_bicg(Solver<T> c)
{
  const hg_adr_krylov it = *c.it;
  const Place p = place_of<ROWS>(c.b);
  if (!it.runs || !p.inside) return;
  const int64_t f = c.b.field;
  const T beta = (T)it.beta;
  for (int from = 0; from < c.b.n[0]; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> r = load(c.vector[0], f, s), rt = load(c.vector[1], f, s);
    Nodes<T> d = load(c.vector[2], f, s), dt = load(c.vector[3], f, s);
    for (int k = 0; k < d.COUNT; k++) {
      d[k] = it.fresh ? r[k] : r[k] + beta * (d[k] - 0 * r[k]);
      dt[k] = it.fresh ? r[k] : rt[k] + beta * (dt[k] - 0 * rt[k]);
    }
    if (it.fresh) store(c.vector[1], f, s, r);
    store(c.vector[2], f, s, d);
    store(c.vector[3], f, s, dt);
  }
}

/* out = B in; sums (other, out), and with `second` also (out, out). */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) apply(Solver<T> c, const T *in, T *out, const T *other, bool second)
{
  const Place p = place_of<ROWS>(c.b);
  if (!c.it->runs || (second && !c.it->usable) || !p.inside) return;
  const int n = (int)c.b.n[0];
  const int64_t f = c.b.field;
  const Weights<T> w = weights_of(c.b, c.lo, c.hi, p);
  T sum[DOTS] = {};
  for (int from = 0; from < n; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> here = load(in, f, s), with = load(other, f, s), m1 = load(c.inverse, f, s),
                   m2 = load(c.inverse + 2 * f, f, s), w_in = inflow_of(c.b, w, c.lo[0], c.hi[0], in, s, here);
    Nodes<T> b_in;
    for (int i = 0; i < PACK<T>; i++) {
      const int k = i + PACK<T>;
      b_in[i] = here[i] - (m1[i] * w_in[i] + m1[k] * w_in[k]);
      b_in[k] = here[k] - (m2[i] * w_in[i] + m2[k] * w_in[k]);
    }
    store(out, f, s, b_in);
    sum[0] = add_lanes(sum[0], with * b_in, n - from);
    if (second) sum[1] = add_lanes(sum[1], b_in * b_in, n - from);
  }
  keep_row(c, p, 0, sum[0]);
  if (second) keep_row(c, p, 1, sum[1]);
}

/* r -= alpha v */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) descend(Solver<T> c)
{
  const Place p = place_of<ROWS>(c.b);
  if (!c.it->runs || !c.it->usable || !p.inside) return;
  const T alpha = (T)-c.it->alpha;
  for (int from = 0; from < c.b.n[0]; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> v = load(c.vector[3], c.b.field, s);
    Nodes<T> r = load(c.vector[0], c.b.field, s);
    for (int k = 0; k < r.COUNT; k++) r[k] += alpha * v[k];
    store(c.vector[0], c.b.field, s, r);
  }
}

/* x += alpha p + omega r, r -= omega t; (r0, r), (r, r) */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) correct(Solver<T> c)
{
  const Place p = place_of<ROWS>(c.b);
  if (!c.it->runs || !c.it->usable || !p.inside) return;
  const int n = (int)c.b.n[0];
  const int64_t f = c.b.field;
  const T alpha = (T)c.it->alpha, omega = (T)c.it->omega;
  T sum[DOTS] = {};
  for (int from = 0; from < n; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> r0 = load(c.vector[1], f, s), d = load(c.vector[2], f, s), t = load(c.vector[4], f, s);
    Nodes<T> r = load(c.vector[0], f, s), x = load(c.vector[5], f, s);
    for (int k = 0; k < r.COUNT; k++) {
      x[k] += alpha * d[k] + omega * r[k];
      r[k] -= omega * t[k];
    }
    store(c.vector[5], f, s, x);
    store(c.vector[0], f, s, r);
    sum[0] = add_lanes(sum[0], r0 * r, n - from);
    sum[1] = add_lanes(sum[1], r * r, n - from);
  }
  for (int k = 0; k < DOTS; k++) keep_row(c, p, k, sum[k]);
}

/* BiCG: x += alpha p, r -= alpha q; t = M^-T p~ */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) correct_bicg(Solver<T> c)
{
  const Place p = place_of<ROWS>(c.b);
  if (!c.it->runs || !c.it->usable || !p.inside) return;
  const int64_t f = c.b.field;
  const T alpha = (T)c.it->alpha, minus = (T)-c.it->alpha;
  for (int from = 0; from < c.b.n[0]; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> d = load(c.vector[2], f, s), dt = load(c.vector[3], f, s), q = load(c.vector[4], f, s),
                   m1 = load(c.inverse, f, s), m2 = load(c.inverse + 2 * f, f, s);
    Nodes<T> r = load(c.vector[0], f, s), x = load(c.vector[5], f, s), t;
    for (int k = 0; k < r.COUNT; k++) {
      x[k] += alpha * d[k];
      r[k] += minus * q[k];
      t[k] = m1[k] * dt[k % PACK<T>] + m2[k] * dt[k % PACK<T> + PACK<T>];
    }
    store(c.vector[5], f, s, x);
    store(c.vector[0], f, s, r);
    store(c.vector[6], f, s, t);
  }
}

/* BiCG: q~ = B^T p~ = p~ - W^T t, r~ -= alpha q~; (r~, r), (r, r) */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) apply_transposed(Solver<T> c)
{
  const Place p = place_of<ROWS>(c.b);
  if (!c.it->runs || !c.it->usable || !p.inside) return;
  const int n = (int)c.b.n[0];
  const int64_t f = c.b.field;
  const T alpha = (T)-c.it->alpha;
  const Weights<T> w = weights_of(c.b, c.tlo, c.thi, p);
  T sum[DOTS] = {};
  for (int from = 0; from < n; from += SPAN<T>) {
    const Strip s = strip_of<T>(c.b, p, from);
    const Nodes<T> r = load(c.vector[0], f, s), dt = load(c.vector[3], f, s), t = load(c.vector[6], f, s),
                   w_t = inflow_of(c.b, w, c.tlo[0], c.thi[0], c.vector[6], s, t);
    Nodes<T> rt = load(c.vector[1], f, s);
    for (int k = 0; k < rt.COUNT; k++) rt[k] += alpha * (dt[k] - w_t[k]);
    store(c.vector[1], f, s, rt);
    sum[0] = add_lanes(sum[0], rt * r, n - from);
    sum[1] = add_lanes(sum[1], r * r, n - from);
  }
  for (int k = 0; k < DOTS; k++) keep_row(c, p, k, sum[k]);
}

/* Adds the result to the own unknowns, scaled back to their magnitude. */
template <typename T>
__global__ void __launch_bounds__(ROW_THREADS, 2) add_update(Solver<T> c, const hg_adr_outcome *outcome, double *u)
{
  const Place p = place_of<ROWS>(c.b);
  for (int s = 0; s < 2 && is_own(c.b, p); s++)
    for (int64_t x = p.x; x < c.b.hi[0]; x += WARP) {
      const int64_t at = s * c.b.field + row_at(c.b, p) + x;
      if (x >= c.b.lo[0]) u[at] += outcome->scale[s] * (double)c.vector[5][at];
    }
}

/* Counts the iterations of the solve. */
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

/* With two, the GPU waits for the host half as often; an iteration after the last one does nothing. */
enum { LOOK_EVERY = 2 };

/* Copies the state of the iterations to the host. */
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
  const dim3 blocks = blocks_of<ROWS>(b), threads = dim3(WARP, ROWS);
  hg_adr_krylov it;
  cudaError_t error = cudaMemsetAsync(c.vector[5], 0, 2 * (size_t)b->field * sizeof(T), stream);
  if (error != cudaSuccess) return error;
  HG_LAUNCH(fill_tables<T>, dim3(FILL_BLOCKS), dim3(THREADS), stream, c);
  HG_LAUNCH(square_rows<T>, blocks, threads, stream, c, c.vector[0]);
  HG_LAUNCH(begin_solve<T>, sums_of(b, 1), dim3(THREADS), stream, c, step->inner, step->limit);
  error = look(c.it, &it, stream);
  while (error == cudaSuccess && it.runs) {
    for (int i = 0; i < LOOK_EVERY; i++)
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

/* Launches the kernels of a pass; returns the number of its dot products. */
template <typename T>
int launch_pass(const Solver<T> &c, hg_adr_pass which, double *u, hg_adr_outcome *outcome, cudaStream_t stream)
{
  const dim3 blocks = blocks_of<ROWS>(&c.b), threads = dim3(WARP, ROWS);
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
  /* the previous pass may have run on another device */
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
