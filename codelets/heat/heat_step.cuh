/* SPDX-License-Identifier: MIT */
/* CUDA kernels that advance a tile by one step per pass over memory; part of heat_cuda.cu. A value is loaded once for
 * all threads that need it ("data reuse", thesis 6.4): values above and below stay in registers while a warp or block
 * walks down, those at the sides come from other lanes. */

enum { STEP_WARPS = 8, STEP_ROWS = 16, STEP_AHEAD = 4, TX = 32, TY = 8 };

/* V values that fill 16 bytes, or one value. */
template <typename T, int V>
struct alignas(V * sizeof(T)) Values {
  T at[V];
};

/* A cell of a 1-D or 2-D grid after a step. */
template <typename T>
__device__ __forceinline__ T step_cell(const Region &r, const Coef<T> &k, const T *src, const T *q, int64_t x,
                                       int64_t y)
{
  const T *row = src + y * r.stride[1];
  if (is_held(r, 0, x) || is_held(r, 1, y)) return row[x];
  T v = fma(k.ax, row[clamp(x - 1, r.n[0])] + row[clamp(x + 1, r.n[0])], k.c0 * row[x]);
  if (r.dims > 1)
    v = fma(k.ay, src[x + clamp(y - 1, r.n[1]) * r.stride[1]] + src[x + clamp(y + 1, r.n[1]) * r.stride[1]], v);
  return q ? v + q[x + y * r.stride[1]] : v;
}

/* A warp's view of a row: each lane's columns, and in the outer lanes the column next to them. */
template <typename T, int V>
struct StepRow {
  Values<T, V> own;
  T beyond;
};

template <typename T, int V>
__device__ __forceinline__ StepRow<T, V> load_row(const T *own, const T *beyond, bool is_outer)
{
  StepRow<T, V> row;
  row.own = *(const Values<T, V> *)own;
  row.beyond = is_outer ? *beyond : 0;
  return row;
}

template <typename T, int V>
__device__ __forceinline__ Values<T, V> step_row(const Coef<T> &k, const StepRow<T, V> &north, const StepRow<T, V> &row,
                                                 const StepRow<T, V> &south)
{
  const T left = __shfl_up_sync(ALL_LANES, row.own.at[V - 1], 1), right = __shfl_down_sync(ALL_LANES, row.own.at[0], 1);
  const T west = threadIdx.x == 0 ? row.beyond : left, east = threadIdx.x == LANES - 1 ? row.beyond : right;
  Values<T, V> v;
  row_term<T, V>(k, west, row.own.at, east, v.at);
#pragma unroll
  for (int c = 0; c < V; c++) v.at[c] = fma(k.ay, north.own.at[c] + south.own.at[c], v.at[c]);
  return v;
}

/* STEP_ROWS rows of a strip all of whose neighbours exist and none of whose cells is held. Rows are loaded some rows
 * ahead. */
template <typename T, int V>
__device__ __forceinline__ void step_strip(const Coef<T> &k, int64_t stride, const T *src, T *dst, const T *q)
{
  const bool is_outer = threadIdx.x == 0 || threadIdx.x == LANES - 1;
  const T *own = src - stride, *beyond = own + (threadIdx.x == 0 ? -1 : V);
  StepRow<T, V> window[STEP_AHEAD + 2];
#pragma unroll
  for (int i = 0; i < STEP_AHEAD + 2; i++, own += stride, beyond += stride)
    window[i] = load_row<T, V>(own, beyond, is_outer);
#pragma unroll 1
  for (int y = 0; y < STEP_ROWS; y += STEP_AHEAD) {
    const bool more = y + STEP_AHEAD < STEP_ROWS;
    StepRow<T, V> next[STEP_AHEAD];
#pragma unroll
    for (int i = 0; i < STEP_AHEAD; i++, own += stride, beyond += stride)
      if (more) next[i] = load_row<T, V>(own, beyond, is_outer);
#pragma unroll
    for (int i = 0; i < STEP_AHEAD; i++, dst += stride) {
      Values<T, V> v = step_row<T, V>(k, window[i], window[i + 1], window[i + 2]);
      if (q) {
        const Values<T, V> source = *(const Values<T, V> *)(q + (y + i) * stride);
#pragma unroll
        for (int c = 0; c < V; c++) v.at[c] = v.at[c] + source.at[c];
      }
      *(Values<T, V> *)dst = v;
    }
    window[0] = window[STEP_AHEAD];
    window[1] = window[STEP_AHEAD + 1];
#pragma unroll
    for (int i = 0; i < STEP_AHEAD; i++) window[i + 2] = next[i];
  }
}

/* 1-D and 2-D: a warp computes STEP_ROWS rows of a strip of 32 V columns. */
template <typename T, int V>
__global__ void __launch_bounds__(LANES *STEP_WARPS) step_rows(Region r, Coef<T> k, const T *src, T *dst, const T *q)
{
  constexpr int WIDTH = LANES * V;
  const int64_t first = r.lo[0] / V * V + ((int64_t)blockIdx.x * STEP_WARPS + threadIdx.y) * WIDTH;
  const int64_t y0 = r.lo[1] + (int64_t)blockIdx.y * STEP_ROWS, y1 = y0 + STEP_ROWS;
  const bool inside = r.dims > 1 && first > 0 && first >= r.lo[0] && first + WIDTH < r.n[0] &&
                      first + WIDTH <= r.hi[0] && y0 > 0 && y1 < r.n[1] && y1 <= r.hi[1];
  if (inside) {
    const int64_t at = first + (int)threadIdx.x * V + y0 * r.stride[1];
    step_strip<T, V>(k, r.stride[1], src + at, dst + at, q ? q + at : nullptr);
    return;
  }
  for (int64_t y = y0; y < y1 && y < r.hi[1]; y++)
    for (int64_t x = first + threadIdx.x; x < first + WIDTH && x < r.hi[0]; x += LANES)
      if (x >= r.lo[0]) dst[x + y * r.stride[1]] = step_cell(r, k, src, q, x, y);
}

/* 3-D: a block walks down z, with its cells and their neighbours in x and y in shared memory. */
template <typename T>
__global__ void step_planes(Region r, Coef<T> k, const T *src, T *dst, const T *q)
{
  __shared__ T tile[TY + 2][TX + 2];
  const int64_t x = r.lo[0] + (int64_t)blockIdx.x * TX + threadIdx.x,
                y = r.lo[1] + (int64_t)blockIdx.y * TY + threadIdx.y;
  const int64_t cx = clamp(x, r.n[0]), cy = clamp(y, r.n[1]);
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int64_t column = cx + cy * r.stride[1];
  const int64_t west = clamp(x - 1, r.n[0]) + cy * r.stride[1], east = clamp(x + 1, r.n[0]) + cy * r.stride[1];
  const int64_t north = cx + clamp(y - 1, r.n[1]) * r.stride[1], south = cx + clamp(y + 1, r.n[1]) * r.stride[1];
  T up = src[column + clamp(r.lo[2] - 1, r.n[2]) * r.stride[2]], centre = src[column + r.lo[2] * r.stride[2]];
  for (int64_t z = r.lo[2]; z < r.hi[2]; z++) {
    const int64_t plane = z * r.stride[2];
    const T down = src[column + clamp(z + 1, r.n[2]) * r.stride[2]];
    tile[ty][tx] = centre;
    if (threadIdx.x == 0) tile[ty][0] = src[west + plane];
    if (threadIdx.x == TX - 1) tile[ty][TX + 1] = src[east + plane];
    if (threadIdx.y == 0) tile[0][tx] = src[north + plane];
    if (threadIdx.y == TY - 1) tile[TY + 1][tx] = src[south + plane];
    __syncthreads();
    if (x < r.hi[0] && y < r.hi[1]) {
      T v = fma(k.ax, tile[ty][tx - 1] + tile[ty][tx + 1], k.c0 * centre);
      v = fma(k.ay, tile[ty - 1][tx] + tile[ty + 1][tx], v);
      v = fma(k.az, up + down, v);
      if (q) v = v + q[column + plane];
      dst[column + plane] = is_held(r, 0, x) || is_held(r, 1, y) || is_held(r, 2, z) ? centre : v;
    }
    __syncthreads();
    up = centre;
    centre = down;
  }
}

template <typename T, int V>
bool has_vectors(const Region &r, const T *src, const T *dst, const T *q)
{
  return r.stride[1] % V == 0 && ((uintptr_t)src | (uintptr_t)dst | (uintptr_t)q) % (V * sizeof(T)) == 0;
}

template <typename T, int V>
void launch_step_rows(const Region &r, const Coef<T> &k, const T *src, T *dst, const T *q, cudaStream_t stream)
{
  const dim3 grid((unsigned)ceil_div(r.hi[0] - r.lo[0] / V * V, LANES * STEP_WARPS * V),
                  (unsigned)ceil_div(r.hi[1] - r.lo[1], STEP_ROWS));
  HG_LAUNCH((step_rows<T, V>), grid, dim3(LANES, STEP_WARPS), stream, r, k, src, dst, q);
}

template <typename T>
void launch_step(const Region &r, const Coef<T> &k, const T *src, T *dst, const T *q, cudaStream_t stream)
{
  constexpr int V = 16 / sizeof(T);
  const dim3 grid((unsigned)ceil_div(r.hi[0] - r.lo[0], TX), (unsigned)ceil_div(r.hi[1] - r.lo[1], TY));
  if (r.dims > 2)
    HG_LAUNCH(step_planes<T>, grid, dim3(TX, TY), stream, r, k, src, dst, q);
  else if (has_vectors<T, V>(r, src, dst, q))
    launch_step_rows<T, V>(r, k, src, dst, q, stream);
  else
    launch_step_rows<T, 1>(r, k, src, dst, q, stream);
}

template <typename T>
cudaError_t run_steps(const hg_tile_shape &s, const Coef<T> &k, int steps, T *src, T *dst, const T *q,
                      cudaStream_t stream)
{
  T *from = src, *to = dst;
  for (int l = 1; l <= steps; l++) {
    launch_step(region_after(s, l), k, from, to, q, stream);
    T *swap = from;
    from = to;
    to = swap;
  }
  if (from == dst) return cudaGetLastError();
  return cudaMemcpyAsync(dst, src, sizeof(T) * (size_t)(s.stride[2] * s.n[2]), cudaMemcpyDeviceToDevice, stream);
}
