/* SPDX-License-Identifier: MIT */
/* The inner solver of adr on CUDA devices: BiCGSTAB and BiCG with all vectors and numbers on the device.
 *
 * The lanes of a row's dot product are added pairwise by shuffles, the rows of a plane one after the other, then the
 * planes: the CPU's order. The numbers of the method are the device's (adr_krylov.h), so an iteration is queued as a
 * whole and the host looks once whether it was the last; kernels that a breakdown leaves without work do nothing. */
#include "codelets/adr_cuda.cuh"
#include "codelets/adr_krylov.h"

namespace adr
{

enum { DOTS = 2 };

/* What its kernels work with; r, r0, p, v, t, x of BiCGSTAB, r, r~, p, p~, q, x, M^-T p~ of BiCG, 2 fields each. */
template <typename T>
struct Solver {
  hg_adr_block b;
  double dt;
  const double *tables;
  T *lo[3], *hi[3], *tlo[3], *thi[3]; /* weights of neighbours, and those of the transpose */
  const T *inverse;
  T *vector[7];
  hg_adr_krylov *it;
  double *row, *plane; /* sums: [DOTS][n[2]][2][n[1]], [DOTS][n[2]] */
};

/* What is needed besides the CPU's vectors lies in the fields that are left: less than 2 * 16 values a row. */
template <typename T>
Solver<T> make_solver(const hg_adr_block *b, const hg_adr_step *step, const double *tables, T *work)
{
  Solver<T> c = {};
  c.b = *b;
  c.dt = step->dt;
  c.tables = tables;
  c.inverse = work + HG_ADR_INVERSE * b->field;
  for (int i = 0; i < 7; i++)
    c.vector[i] = work + (i == 0 ? (int64_t)HG_ADR_RIGHT : HG_ADR_VECTORS + 2 * (i - 1)) * b->field;
  c.it = (hg_adr_krylov *)(work + HG_ADR_SPARE * b->field);
  c.row = (double *)(c.it + 1);
  c.plane = c.row + DOTS * 2 * b->n[1] * b->n[2];
  T *room = (T *)(c.plane + DOTS * b->n[2]);
  for (int a = 0; a < 3; a++) {
    T **const table[4] = {&c.lo[a], &c.hi[a], &c.tlo[a], &c.thi[a]};
    for (int k = 0; k < 4; k++, room += b->n[a]) *table[k] = room;
  }
  return c;
}

template <typename T>
__global__ void __launch_bounds__(THREADS) fill_tables(Solver<T> c)
{
  const Tables t = tables_of(c.b, c.tables);
  double weight[4];
  for (int a = 0; a < 3; a++)
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < c.b.n[a]; i += (int64_t)gridDim.x * THREADS) {
      hg_adr_weights(t.lo[a], t.hi[a], c.b.n[a], i, c.b.wrap[a], c.dt, weight);
      c.lo[a][i] = (T)weight[0];
      c.hi[a][i] = (T)weight[1];
      c.tlo[a][i] = (T)weight[2];
      c.thi[a][i] = (T)weight[3];
    }
}

/* --- sums --- */

/* A row's sum of a species: all threads of a warp call it. */
template <typename T>
__device__ __forceinline__ void keep_row(const Solver<T> &c, const Place &p, int dot, int species, T lane)
{
  for (int half = LANES<T> / 2; half > 0; half /= 2) lane += __shfl_down_sync(0xffffffffu, lane, half);
  if (p.x == 0 && p.inside) c.row[((dot * c.b.n[2] + p.z) * 2 + species) * c.b.n[1] + p.y] = (double)lane;
}

/* sum[dot] of all planes, on thread 0 of the only block. */
template <typename T>
__device__ void add_planes(const Solver<T> &c, int dots, double sum[DOTS])
{
  const int64_t rows = 2 * c.b.n[1], planes = c.b.n[2];
  for (int64_t i = threadIdx.x; i < dots * planes; i += THREADS) {
    double of_plane = 0;
    for (int64_t k = 0; k < rows; k++) of_plane += c.row[i * rows + k];
    c.plane[i] = of_plane;
  }
  __syncthreads();
  for (int dot = 0; dot < dots && threadIdx.x == 0; dot++) {
    sum[dot] = 0;
    for (int64_t z = 0; z < planes; z++) sum[dot] += c.plane[dot * planes + z];
  }
}

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
  add_planes(c, 1, sum);
  if (threadIdx.x == 0) *c.it = hg_adr_krylov_begin(sum[0], inner, limit);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) choose_alpha(Solver<T> c)
{
  double sum[DOTS];
  if (!c.it->runs) return;
  add_planes(c, 1, sum);
  if (threadIdx.x == 0) hg_adr_krylov_alpha(c.it, sum[0]);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) choose_omega(Solver<T> c)
{
  double sum[DOTS] = {0, 0};
  if (!c.it->runs) return;
  add_planes(c, 2, sum);
  if (threadIdx.x == 0) hg_adr_krylov_omega(c.it, sum[0], sum[1]);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) end_iteration(Solver<T> c, bool bicg)
{
  double sum[DOTS] = {0, 0};
  if (!c.it->runs) return;
  add_planes(c, 2, sum);
  if (threadIdx.x == 0) hg_adr_krylov_next(c.it, sum[0], sum[1], bicg ? 1 : c.it->alpha / c.it->omega);
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
__global__ void __launch_bounds__(THREADS) add_update(Solver<T> c, const hg_adr_facts *facts, double *u)
{
  const Place p = place_of<T>(c.b);
  for (int s = 0; s < 2 && is_own(c.b, p); s++)
    for (int64_t x = p.x; x < c.b.hi[0]; x += LANES<T>) {
      const int64_t at = s * c.b.field + row_at(c.b, p) + x;
      if (x >= c.b.lo[0]) u[at] += facts->scale[s] * (double)c.vector[5][at];
    }
}

/* What was found is counted. */
template <typename T>
__global__ void count_solve(Solver<T> c, hg_adr_facts *facts)
{
  facts->iterations += c.it->count;
  facts->failed = c.it->failed;
}

template <typename T>
void iterate_bicgstab(const Solver<T> &c, dim3 blocks, dim3 threads, cudaStream_t stream)
{
  T *const *v = c.vector;
  HG_LAUNCH(search_bicgstab<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[2], v[3], v[1], false);
  HG_LAUNCH(choose_alpha<T>, dim3(1), dim3(THREADS), stream, c);
  HG_LAUNCH(descend<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[0], v[4], v[0], true);
  HG_LAUNCH(choose_omega<T>, dim3(1), dim3(THREADS), stream, c);
  HG_LAUNCH(correct<T>, blocks, threads, stream, c);
  HG_LAUNCH(end_iteration<T>, dim3(1), dim3(THREADS), stream, c, false);
}

template <typename T>
void iterate_bicg(const Solver<T> &c, dim3 blocks, dim3 threads, cudaStream_t stream)
{
  T *const *v = c.vector;
  HG_LAUNCH(search_bicg<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply<T>, blocks, threads, stream, c, v[2], v[4], v[3], false);
  HG_LAUNCH(choose_alpha<T>, dim3(1), dim3(THREADS), stream, c);
  HG_LAUNCH(correct_bicg<T>, blocks, threads, stream, c);
  HG_LAUNCH(apply_transposed<T>, blocks, threads, stream, c);
  HG_LAUNCH(end_iteration<T>, dim3(1), dim3(THREADS), stream, c, true);
}

/* The host's copy of where the iterations are. */
cudaError_t look(const hg_adr_krylov *it, hg_adr_krylov *here, cudaStream_t stream)
{
  const cudaError_t error = cudaMemcpyAsync(here, it, sizeof *here, cudaMemcpyDeviceToHost, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <typename T>
cudaError_t solve(const hg_adr_block *b, const hg_adr_step *step, const double *tables, double *u, T *work,
                  hg_adr_facts *facts, int *iterations, cudaStream_t stream)
{
  const Solver<T> c = make_solver(b, step, tables, work);
  const dim3 blocks = blocks_of<T>(b), threads = threads_of<T>();
  hg_adr_krylov it;
  cudaError_t error = cudaMemsetAsync(c.vector[5], 0, 2 * (size_t)b->field * sizeof(T), stream);
  if (error != cudaSuccess) return error;
  HG_LAUNCH(fill_tables<T>, dim3(8), dim3(THREADS), stream, c);
  HG_LAUNCH(square_rows<T>, blocks, threads, stream, c, c.vector[0]);
  HG_LAUNCH(begin_solve<T>, dim3(1), dim3(THREADS), stream, c, step->inner, step->limit);
  error = look(c.it, &it, stream);
  while (error == cudaSuccess && it.runs) {
    step->bicg ? iterate_bicg(c, blocks, threads, stream) : iterate_bicgstab(c, blocks, threads, stream);
    error = cudaGetLastError();
    if (error == cudaSuccess) error = look(c.it, &it, stream);
  }
  if (error != cudaSuccess) return error;
  *iterations = it.count;
  HG_LAUNCH(add_update<T>, blocks, threads, stream, c, facts, u);
  HG_LAUNCH(count_solve<T>, dim3(1), dim3(1), stream, c, facts);
  error = cudaGetLastError();
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

} // namespace adr

extern "C" cudaError_t hg_adr_cuda_solve(const hg_adr_block *b, const hg_adr_step *step, bool is_float,
                                         const double *tables, double *u, void *work, hg_adr_facts *facts,
                                         int *iterations, cudaStream_t stream)
{
  if (is_float) return adr::solve(b, step, tables, u, (float *)work, facts, iterations, stream);
  return adr::solve(b, step, tables, u, (double *)work, facts, iterations, stream);
}
