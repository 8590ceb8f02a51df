/* SPDX-License-Identifier: MIT */
/* CUDA kernels that advance a tile by several steps per pass over memory; part of heat_cuda.cu.
 *
 * In 2-D a warp owns a strip of columns and walks down its rows, in 3-D a block owns a patch of columns and rows and
 * walks down its planes. When layer i (a row or plane) has been loaded, which is level 0, level l advances layer i-l,
 * for which it needs level l-1 of the layers i-l-1, i-l (both from earlier iterations) and i-l+1 (from this one). All
 * of that stays in the registers of the lane that owns the cells. Only the outermost cells of a lane are wanted by
 * others: to the west and east they go by shuffles, in 3-D to the north and south through shared memory, a barrier per
 * plane. A strip or patch loses K cells at each of its sides. (Streaming with levels in registers: AN5D, Matsumura et
 * al., CGO 2020, whose blocks exchange all through shared memory.)
 *
 * Strips and patches at the edges of the grid are moved inwards until they lie inside, and overlap others there; what
 * each of them writes does not overlap. A held layer needs nothing from outside. */

enum { LANES = 32, WARPS = 8, PATCH_ROWS = 4 };
constexpr unsigned ALL_LANES = 0xffffffff;

/* Columns of a lane: in 2-D two vectors of 16 bytes, in 3-D one. */
template <typename T, int DIMS>
constexpr int lane_columns = (DIMS == 2 ? 32 : 16) / sizeof(T);

/* Columns that are lost at each end, so that lanes keep or lose all of theirs. */
template <typename T, int K, int DIMS>
constexpr int columns_lost = (K + lane_columns<T, DIMS> - 1) / lane_columns<T, DIMS> *lane_columns<T, DIMS>;

/* Part of an axis: `size` cells from `at` on are loaded, the cells keep0..keep1 are written. */
struct Cut {
  int64_t at, keep0, keep1;
};

/* Part i of the cells lo..hi; parts start at multiples of `step` and lie in 0..limit. */
__device__ __forceinline__ Cut cut(int64_t lo, int64_t hi, int64_t limit, int size, int lost, int step, int64_t i)
{
  const int64_t kept = size - 2 * lost, first = lo / step * step + i * kept, at = first - lost;
  Cut c;
  c.at = at < 0 ? 0 : at < limit - size ? at : limit - size;
  c.keep0 = first < lo ? lo : first;
  c.keep1 = first + kept < hi ? first + kept : hi;
  return c;
}

/* Number of such parts. */
int64_t parts(int64_t lo, int64_t hi, int size, int lost, int step)
{
  return ceil_div(hi - lo / step * step, size - 2 * lost);
}

template <typename T, int C>
__device__ __forceinline__ void copy_vector(const T *from, T *to)
{
#pragma unroll
  for (int i = 0; i < C * (int)sizeof(T) / 16; i++) ((uint4 *)to)[i] = ((const uint4 *)from)[i];
}

/* Columns x.. of a lane, as far as they are kept. */
template <typename T, int C>
__device__ __forceinline__ void store_vector(T *to, int64_t x, const Cut &cut, const T *v)
{
  if (x >= cut.keep0 && x + C <= cut.keep1) {
    copy_vector<T, C>(v, to);
    return;
  }
#pragma unroll
  for (int c = 0; c < C; c++)
    if (x + c >= cut.keep0 && x + c < cut.keep1) to[c] = v[c];
}

/* The x term of a lane's columns: c0 T + ax (W + E). */
template <typename T, int C>
__device__ __forceinline__ void row_term(const Coef<T> &k, const T *centre, T *v)
{
  const T west = __shfl_up_sync(ALL_LANES, centre[C - 1], 1), east = __shfl_down_sync(ALL_LANES, centre[0], 1);
#pragma unroll
  for (int c = 0; c < C; c++) {
    const T w = c > 0 ? centre[c > 0 ? c - 1 : 0] : west, e = c < C - 1 ? centre[c < C - 1 ? c + 1 : c] : east;
    v[c] = fma(k.ax, w + e, k.c0 * centre[c]);
  }
}

template <typename T, int C>
__device__ __forceinline__ void add_source(const T *q, T *v)
{
  alignas(16) T source[C];
  copy_vector<T, C>(q, source);
#pragma unroll
  for (int c = 0; c < C; c++) v[c] = v[c] + source[c];
}

/* Bits of a lane's columns that are held. */
template <int C>
__device__ __forceinline__ unsigned held_columns(const Region &r, int64_t x)
{
  unsigned held = 0;
  for (int c = 0; c < C; c++) held |= (unsigned)is_held(r, 0, x + c) << c;
  return held;
}

/* --- 2-D --------------------------------------------------------------------------------------------------------- */

/* What a warp does. */
template <typename T>
struct Strip {
  const T *src, *q; /* the lane's columns of row 0 */
  T *dst;
  int64_t x; /* first column of the lane */
  unsigned held;
  Cut columns;
  int64_t y0, y1; /* rows */
};

/* Takes row y into the window and writes row y-K. Of the two rows of a level that are kept, the one above is replaced
 * by the one below, so they change places from row to row, which PARITY follows. Rows outside the grid repeat its
 * outermost. */
template <typename T, int K, bool SOURCE, bool HOLDS, int PARITY>
__device__ __forceinline__ void stream_row(const Region &r, const Coef<T> &k, const Strip<T> &s, int64_t y,
                                           T (*window)[2][lane_columns<T, 2>], T *ahead)
{
  constexpr int C = lane_columns<T, 2>;
  alignas(16) T fresh[C], v[C];
  const int64_t stride = r.stride[1];
#pragma unroll
  for (int c = 0; c < C; c++) fresh[c] = ahead[c];
  copy_vector<T, C>(s.src + clamp(y + 2, r.n[1]) * stride, ahead);
#pragma unroll
  for (int l = 1; l <= K; l++) {
    T *above = window[l - 1][PARITY], *centre = window[l - 1][1 - PARITY];
    row_term<T, C>(k, centre, v);
#pragma unroll
    for (int c = 0; c < C; c++) v[c] = fma(k.ay, above[c] + fresh[c], v[c]);
    if (SOURCE) add_source<T, C>(s.q + clamp(y - l, r.n[1]) * stride, v);
    if (HOLDS) {
      const bool row = is_held(r, 1, y - l);
      if (row || s.held)
#pragma unroll
        for (int c = 0; c < C; c++) v[c] = row || (s.held >> c & 1) ? centre[c] : v[c];
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
      above[c] = fresh[c];
      fresh[c] = v[c];
    }
  }
  if (y - K >= s.y0 && y - K < s.y1) store_vector<T, C>(s.dst + (y - K) * stride, s.x, s.columns, fresh);
}

template <typename T, int K, bool SOURCE, bool HOLDS>
__device__ __forceinline__ void stream_strip(const Region &r, const Coef<T> &k, const Strip<T> &s)
{
  constexpr int C = lane_columns<T, 2>;
  alignas(16) T window[K][2][C] = {}, ahead[2][C];
  const int64_t first = s.y0 - K, stride = r.stride[1];
  copy_vector<T, C>(s.src + clamp(first, r.n[1]) * stride, ahead[0]);
  copy_vector<T, C>(s.src + clamp(first + 1, r.n[1]) * stride, ahead[1]);
#pragma unroll 1
  for (int64_t y = first; y < s.y1 + K; y += 2) {
    stream_row<T, K, SOURCE, HOLDS, 0>(r, k, s, y, window, ahead[0]);
    stream_row<T, K, SOURCE, HOLDS, 1>(r, k, s, y + 1, window, ahead[1]);
  }
}

/* A block is a warp, so that the compiler knows that what depends on the block is the same in all lanes. Blocks go
 * through the strips first: neighbours run at the same time and find each other's columns in the caches. */
template <typename T, int K, bool SOURCE>
__global__ void __launch_bounds__(LANES)
    stream_rows(Region r, Coef<T> k, const T *src, T *dst, const T *q, int64_t strips, int64_t rows)
{
  constexpr int C = lane_columns<T, 2>, WIDTH = LANES * C;
  const int64_t strip = blockIdx.x % strips, piece = blockIdx.x / strips;
  Strip<T> s;
  s.columns = cut(r.lo[0], r.hi[0], r.stride[1], WIDTH, columns_lost<T, K, 2>, C, strip);
  s.x = s.columns.at + (int64_t)threadIdx.x * C;
  s.src = src + s.x;
  s.dst = dst + s.x;
  s.q = SOURCE ? q + s.x : nullptr;
  s.held = held_columns<C>(r, s.x);
  s.y0 = r.lo[1] + piece * rows;
  s.y1 = s.y0 + rows < r.hi[1] ? s.y0 + rows : r.hi[1];
  const bool at_sides = s.columns.at == 0 || s.columns.at + WIDTH >= r.n[0];
  const bool at_ends = s.y0 <= K || s.y1 + K >= r.n[1];
  if (at_sides || at_ends)
    stream_strip<T, K, SOURCE, true>(r, k, s);
  else
    stream_strip<T, K, SOURCE, false>(r, k, s);
}

/* --- 3-D --------------------------------------------------------------------------------------------------------- */

/* What a block does. */
template <typename T>
struct Patch {
  const T *src, *q; /* the lane's first cell in plane 0 */
  T *dst;
  int64_t x, y; /* of it */
  unsigned held;
  Cut columns, rows;
  int64_t z0, z1; /* planes */
};

/* First and last rows of the warps, by level. */
template <typename T, int K>
struct Borders {
  /* [parity of the plane][level][warp][first, last][lane][column] */
  alignas(16) T row[2][K][WARPS][2][LANES][lane_columns<T, 3>];
};

/* Takes plane z into the window and writes plane z-K. */
template <typename T, int K, bool SOURCE, bool HOLDS, int PARITY>
__device__ __forceinline__ void stream_plane(const Region &r, const Coef<T> &k, const Patch<T> &p, int64_t z,
                                             T (*window)[2][PATCH_ROWS][lane_columns<T, 3>], Borders<T, K> &borders,
                                             T (*ahead)[lane_columns<T, 3>])
{
  constexpr int C = lane_columns<T, 3>, ROWS = PATCH_ROWS;
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int64_t stride = r.stride[1], plane = r.stride[2];
  alignas(16) T fresh[ROWS][C], v[ROWS][C], beyond[2][C];
#pragma unroll
  for (int j = 0; j < ROWS; j++) {
#pragma unroll
    for (int c = 0; c < C; c++) fresh[j][c] = ahead[j][c];
    copy_vector<T, C>(p.src + clamp(z + 1, r.n[2]) * plane + j * stride, ahead[j]);
  }
#pragma unroll
  for (int l = 1; l <= K; l++) {
    T(*above)[C] = window[l - 1][PARITY], (*centre)[C] = window[l - 1][1 - PARITY];
    copy_vector<T, C>(borders.row[1 - PARITY][l - 1][warp > 0 ? warp - 1 : 0][1][lane], beyond[0]);
    copy_vector<T, C>(borders.row[1 - PARITY][l - 1][warp < WARPS - 1 ? warp + 1 : warp][0][lane], beyond[1]);
    copy_vector<T, C>(fresh[0], borders.row[PARITY][l - 1][warp][0][lane]);
    copy_vector<T, C>(fresh[ROWS - 1], borders.row[PARITY][l - 1][warp][1][lane]);
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
      const T *north = j > 0 ? centre[j > 0 ? j - 1 : 0] : beyond[0];
      const T *south = j < ROWS - 1 ? centre[j < ROWS - 1 ? j + 1 : j] : beyond[1];
      row_term<T, C>(k, centre[j], v[j]);
#pragma unroll
      for (int c = 0; c < C; c++)
        v[j][c] = fma(k.az, above[j][c] + fresh[j][c], fma(k.ay, north[c] + south[c], v[j][c]));
      if (SOURCE) add_source<T, C>(p.q + clamp(z - l, r.n[2]) * plane + j * stride, v[j]);
    }
    if (HOLDS) {
      const bool held_plane = is_held(r, 2, z - l);
      if (held_plane || p.held)
#pragma unroll
        for (int i = 0; i < ROWS * C; i++)
          v[i / C][i % C] = held_plane || (p.held >> i & 1) ? centre[i / C][i % C] : v[i / C][i % C];
    }
#pragma unroll
    for (int i = 0; i < ROWS * C; i++) {
      above[i / C][i % C] = fresh[i / C][i % C];
      fresh[i / C][i % C] = v[i / C][i % C];
    }
  }
  if (z - K >= p.z0 && z - K < p.z1)
#pragma unroll
    for (int j = 0; j < ROWS; j++)
      if (p.y + j >= p.rows.keep0 && p.y + j < p.rows.keep1)
        store_vector<T, C>(p.dst + (z - K) * plane + j * stride, p.x, p.columns, fresh[j]);
  __syncthreads();
}

template <typename T, int K, bool SOURCE, bool HOLDS>
__device__ __forceinline__ void stream_patch(const Region &r, const Coef<T> &k, const Patch<T> &p,
                                             Borders<T, K> &borders)
{
  constexpr int C = lane_columns<T, 3>, ROWS = PATCH_ROWS;
  alignas(16) T window[K][2][ROWS][C] = {}, ahead[ROWS][C];
  const int64_t first = p.z0 - K;
#pragma unroll
  for (int j = 0; j < ROWS; j++)
    copy_vector<T, C>(p.src + clamp(first, r.n[2]) * r.stride[2] + j * r.stride[1], ahead[j]);
#pragma unroll 1
  for (int64_t z = first; z < p.z1 + K; z += 2) {
    stream_plane<T, K, SOURCE, HOLDS, 0>(r, k, p, z, window, borders, ahead);
    stream_plane<T, K, SOURCE, HOLDS, 1>(r, k, p, z + 1, window, borders, ahead);
  }
}

template <typename T, int K, bool SOURCE>
__global__ void __launch_bounds__(LANES *WARPS)
    stream_planes(Region r, Coef<T> k, const T *src, T *dst, const T *q, int64_t across, int64_t down, int64_t planes)
{
  constexpr int C = lane_columns<T, 3>, WIDTH = LANES * C, HEIGHT = WARPS * PATCH_ROWS;
  using Exchange = Borders<T, K>;
  HG_SHARED(Exchange, borders);
  const int64_t patch = blockIdx.x % (across * down), piece = blockIdx.x / (across * down);
  Patch<T> p;
  p.columns = cut(r.lo[0], r.hi[0], r.stride[1], WIDTH, columns_lost<T, K, 3>, C, patch % across);
  p.rows = cut(r.lo[1], r.hi[1], r.n[1], HEIGHT, K, 1, patch / across);
  p.x = p.columns.at + (int64_t)threadIdx.x * C;
  p.y = p.rows.at + (int64_t)threadIdx.y * PATCH_ROWS;
  const int64_t at = p.x + p.y * r.stride[1];
  p.src = src + at;
  p.dst = dst + at;
  p.q = SOURCE ? q + at : nullptr;
  p.held = 0;
  for (int j = 0; j < PATCH_ROWS; j++)
    p.held |= (is_held(r, 1, p.y + j) ? (1u << C) - 1 : held_columns<C>(r, p.x)) << j * C;
  p.z0 = r.lo[2] + piece * planes;
  p.z1 = p.z0 + planes < r.hi[2] ? p.z0 + planes : r.hi[2];
  const bool at_sides =
      p.columns.at == 0 || p.columns.at + WIDTH >= r.n[0] || p.rows.at == 0 || p.rows.at + HEIGHT >= r.n[1];
  const bool at_ends = p.z0 <= K || p.z1 + K >= r.n[2];
  if (at_sides || at_ends)
    stream_patch<T, K, SOURCE, true>(r, k, p, *borders);
  else
    stream_patch<T, K, SOURCE, false>(r, k, p, *borders);
}

/* --- launches ---------------------------------------------------------------------------------------------------- */

/* Blocks of a kernel that the device runs at a time. `known` remembers it: devices that run one graph are taken to be
 * alike. */
template <typename F>
int64_t resident_blocks(F kernel, int threads, size_t shared, std::atomic<int64_t> &known)
{
  if (known == 0) {
    int device = 0, processors = 1, blocks = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared);
    known = (int64_t)processors * (blocks > 0 ? blocks : 1);
  }
  return known;
}

/* Layers per block: as many blocks as run at a time, so that all end together, but at least 4 K layers, since 2 K more
 * are read. */
int64_t layers_per_block(int64_t layers, int64_t side_by_side, int64_t resident, int levels)
{
  const int64_t pieces = resident / side_by_side > 0 ? resident / side_by_side : 1, each = ceil_div(layers, pieces);
  return each < 4 * levels ? 4 * levels : each;
}

template <typename T>
struct Pass {
  Region r;
  Coef<T> k;
  const T *src, *q;
  T *dst;
  cudaStream_t stream;
};

template <typename T, int K, bool SOURCE>
void launch_rows(const Pass<T> &p)
{
  constexpr int C = lane_columns<T, 2>;
  static std::atomic<int64_t> known{0};
  const Region &r = p.r;
  const int64_t strips = parts(r.lo[0], r.hi[0], LANES * C, columns_lost<T, K, 2>, C), height = r.hi[1] - r.lo[1];
  const int64_t resident = resident_blocks(stream_rows<T, K, SOURCE>, LANES, 0, known);
  const int64_t rows = layers_per_block(height, strips, resident, K);
  HG_LAUNCH((stream_rows<T, K, SOURCE>), dim3((unsigned)(strips * ceil_div(height, rows))), dim3(LANES), p.stream, r,
            p.k, p.src, p.dst, p.q, strips, rows);
}

template <typename T, int K, bool SOURCE>
void launch_planes(const Pass<T> &p)
{
  constexpr int C = lane_columns<T, 3>;
  static std::atomic<int64_t> known{0};
  const Region &r = p.r;
  const int64_t across = parts(r.lo[0], r.hi[0], LANES * C, columns_lost<T, K, 3>, C);
  const int64_t down = parts(r.lo[1], r.hi[1], WARPS * PATCH_ROWS, K, 1), depth = r.hi[2] - r.lo[2];
  const size_t shared = sizeof(Borders<T, K>); /* more than a kernel gets unasked, on each device */
  cudaFuncSetAttribute(stream_planes<T, K, SOURCE>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  const int64_t resident = resident_blocks(stream_planes<T, K, SOURCE>, LANES * WARPS, shared, known);
  const int64_t planes = layers_per_block(depth, across * down, resident, K);
  HG_LAUNCH_SHARED((stream_planes<T, K, SOURCE>), dim3((unsigned)(across * down * ceil_div(depth, planes))),
                   dim3(LANES, WARPS), shared, p.stream, r, p.k, p.src, p.dst, p.q, across, down, planes);
}

template <typename T, int K, int DIMS>
void launch_pass(const Pass<T> &p)
{
  if constexpr (DIMS == 2) {
    if (p.q)
      launch_rows<T, K, true>(p);
    else
      launch_rows<T, K, false>(p);
  } else {
    if (p.q)
      launch_planes<T, K, true>(p);
    else
      launch_planes<T, K, false>(p);
  }
}

/* Steps per pass at most, as registers allow. */
template <int DIMS>
constexpr int most_levels = DIMS == 2 ? 8 : 4;

/* The kernel of `levels` <= K steps. */
template <typename T, int K, int DIMS>
void launch_levels(int levels, const Pass<T> &p)
{
  if constexpr (K > 1)
    if (levels < K) {
      launch_levels<T, K - 1, DIMS>(levels, p);
      return;
    }
  launch_pass<T, K, DIMS>(p);
}

bool is_aligned(const void *p)
{
  return (uintptr_t)p % 32 == 0;
}

/* Whether strips or patches fit into a tile, and vectors lie where they are loaded in one piece. */
template <typename T>
bool can_stream(const hg_tile_shape &s, const T *src, const T *dst, const T *q)
{
  const int64_t columns = s.dims == 2 ? lane_columns<T, 2> : lane_columns<T, 3>;
  return s.dims > 1 && s.stride[1] % columns == 0 && s.stride[2] % columns == 0 && s.stride[1] >= LANES * columns &&
         (s.dims == 2 || s.n[1] >= WARPS * PATCH_ROWS) && is_aligned(src) && is_aligned(dst) && is_aligned(q);
}
