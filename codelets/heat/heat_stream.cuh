/* SPDX-License-Identifier: MIT */
/* CUDA kernels that advance a tile by several steps per pass over memory; part of heat_cuda.cu.
 *
 * In 2-D a warp owns a strip of columns and walks down its rows; in 3-D a block owns a patch of columns and rows and
 * walks down its planes. When layer i (a row or plane) has been loaded, which is level 0, level l advances layer i-l.
 * For this it needs level l-1 of the layers i-l-1, i-l (both from earlier iterations) and i-l+1 (from this one). All
 * of these stay in the registers of the lane that owns the cells. Only a lane's outermost cells are needed by others:
 * to the west and east they go by shuffles, in 3-D to the north and south through shared memory, with one barrier per
 * plane. A strip or patch loses K cells at each of its sides. (Streaming with levels in registers: AN5D, Matsumura et
 * al., CGO 2020, whose blocks exchange everything through shared memory.) Layers are copied to a ring in shared memory
 * some layers ahead: so many registers leave room for few warps, and this way none of them waits for memory.
 *
 * Strips and patches at the edges of the grid are shifted inwards until they lie inside, and overlap others there; the
 * cells that they write do not overlap. A held layer needs nothing from outside. */

/* Up to this number of steps, memory is the limit and whole sectors are stored. Beyond it arithmetic is, and the
 * exchange between lanes costs more than it saves (H100: 1 step 7 % faster, 8 steps 15 % slower). */
enum { SECTORS_UP_TO = 4 };
enum { WARPS = 8, PATCH_ROWS = 4, RING_ROWS = 4, RING_PLANES = 4 };

/* Columns of a lane: two vectors of 16 bytes in 2-D, one in 3-D. */
template <typename T, int DIMS>
constexpr int lane_columns = (DIMS == 2 ? 32 : 16) / sizeof(T);

/* Columns that are lost at each end, rounded so that a lane keeps or loses all of its own. */
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

/* The x term of a lane's columns; the neighbouring lanes have the columns next to them. */
template <typename T, int C>
__device__ __forceinline__ void row_term(const Coef<T> &k, const T *centre, T *v)
{
  const T west = __shfl_up_sync(ALL_LANES, centre[C - 1], 1), east = __shfl_down_sync(ALL_LANES, centre[0], 1);
  row_term<T, C>(k, west, centre, east, v);
}

template <typename T, int C>
__device__ __forceinline__ void add_source(const T *q, T *v)
{
  alignas(16) T source[C];
  copy_vector<T, C>(q, source);
#pragma unroll
  for (int c = 0; c < C; c++) v[c] = v[c] + source[c];
}

/* Bit mask of a lane's columns that are held. */
template <int C>
__device__ __forceinline__ unsigned held_columns(const Region &r, int64_t x)
{
  unsigned held = 0;
  for (int c = 0; c < C; c++) held |= (unsigned)is_held(r, 0, x + c) << c;
  return held;
}

/* Layers of a ring that are being loaded while one is used. */
template <int RING>
__device__ __forceinline__ void wait_for_layer()
{
  __pipeline_wait_prior(RING - 2);
}

/* Which cells of a layer are checked for being held: none, those at the sides, all. */
enum WhereHeld { HELD_NOWHERE, HELD_AT_SIDES, HELD_ANYWHERE };

/* --- 2-D --------------------------------------------------------------------------------------------------------- */

/* The work of a warp. */
template <typename T>
struct Strip {
  const T *src, *q; /* column `columns.at` of row 0; the lane's columns there */
  T *dst;           /* where the lane writes: column x of row 0 */
  int64_t x;
  unsigned held;
  Cut columns;
  int y0, y1; /* rows */
};

/* Rows of a strip, by row number modulo the ring's size. */
template <typename T>
struct RowRing {
  alignas(16) T row[RING_ROWS][LANES * lane_columns<T, 2>];
};

/* Starts copying row y to its slot; rows outside the grid repeat the outermost one. Lanes copy adjacent pieces. */
template <typename T, int K>
__device__ __forceinline__ void fetch_row(const Region &r, const Strip<T> &s, RowRing<T> &ring, int y)
{
  constexpr int C = lane_columns<T, 2>, PIECE = 16 / sizeof(T);
  if (y < s.y1 + K) {
    const int at = (int)threadIdx.x * PIECE;
    const T *from = s.src + clamp(y, r.n[1]) * r.stride[1] + at;
    T *to = ring.row[(unsigned)y % RING_ROWS] + at;
#pragma unroll
    for (int i = 0; i < C / PIECE; i++) __pipeline_memcpy_async(to + i * LANES * PIECE, from + i * LANES * PIECE, 16);
  }
  __pipeline_commit();
}

/* Writes the columns of a row that are kept. Lanes 2j and 2j+1 have four pieces of 16 bytes, 0 1 and 2 3. They swap
 * two so as to write 0 1, then 2 3: whole sectors of memory, where each alone would write halves. */
template <typename T>
__device__ __forceinline__ void store_row(const Strip<T> &s, T *to, const T *v)
{
  constexpr int C = lane_columns<T, 2>, HALF = C / 2;
  alignas(16) T first[HALF], second[HALF];
  const bool odd = threadIdx.x % 2;
#pragma unroll
  for (int c = 0; c < HALF; c++) {
    const T other = __shfl_xor_sync(ALL_LANES, odd ? v[c] : v[HALF + c], 1);
    first[c] = odd ? other : v[c];
    second[c] = odd ? v[HALF + c] : other;
  }
  store_vector<T, HALF>(to, s.x, s.columns, first);
  store_vector<T, HALF>(to + C, s.x + C, s.columns, second);
}

/* Takes row y into the window and writes row y-K. Two rows of a level are kept; the new one replaces the upper one, so
 * they swap roles from row to row, which PARITY tracks. */
template <typename T, int K, bool SOURCE, WhereHeld HELD, int PARITY>
__device__ __forceinline__ void stream_row(const Region &r, const Coef<T> &k, const Strip<T> &s, int y,
                                           T (*window)[2][lane_columns<T, 2>], RowRing<T> &ring)
{
  constexpr int C = lane_columns<T, 2>;
  alignas(16) T fresh[C], v[C];
  const int64_t stride = r.stride[1];
  wait_for_layer<RING_ROWS>();
  __syncwarp();
  copy_vector<T, C>(ring.row[(unsigned)y % RING_ROWS] + threadIdx.x * C, fresh);
  fetch_row<T, K>(r, s, ring, y + RING_ROWS - 1);
#pragma unroll
  for (int l = 1; l <= K; l++) {
    T *above = window[l - 1][PARITY], *centre = window[l - 1][1 - PARITY];
    row_term<T, C>(k, centre, v);
#pragma unroll
    for (int c = 0; c < C; c++) v[c] = fma(k.ay, above[c] + fresh[c], v[c]);
    if (SOURCE) add_source<T, C>(s.q + clamp(y - l, r.n[1]) * stride, v);
    if (HELD != HELD_NOWHERE) {
      const bool row = HELD == HELD_ANYWHERE && is_held(r, 1, y - l);
#pragma unroll
      for (int c = 0; c < C; c++) v[c] = row || (s.held >> c & 1) ? centre[c] : v[c];
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
      above[c] = fresh[c];
      fresh[c] = v[c];
    }
  }
  if (y - K < s.y0 || y - K >= s.y1) return;
  if constexpr (K <= SECTORS_UP_TO)
    store_row<T>(s, s.dst + (y - K) * stride, fresh);
  else
    store_vector<T, C>(s.dst + (y - K) * stride, s.x, s.columns, fresh);
}

/* Takes rows y.. into the window while y < end, two at a time. Returns the next. */
template <typename T, int K, bool SOURCE, WhereHeld HELD>
__device__ __forceinline__ int stream_down(const Region &r, const Coef<T> &k, const Strip<T> &s, int y, int end,
                                           T (*window)[2][lane_columns<T, 2>], RowRing<T> &ring)
{
#pragma unroll 1
  for (; y < end; y += 2) {
    stream_row<T, K, SOURCE, HELD, 0>(r, k, s, y, window, ring);
    stream_row<T, K, SOURCE, HELD, 1>(r, k, s, y + 1, window, ring);
  }
  return y;
}

/* Checks for held rows only where there can be any: among the first and the last rows. */
template <typename T, int K, bool SOURCE, WhereHeld HELD>
__device__ __forceinline__ void stream_strip(const Region &r, const Coef<T> &k, const Strip<T> &s, RowRing<T> &ring)
{
  alignas(16) T window[K][2][lane_columns<T, 2>] = {};
  const int end = s.y1 + K, last = (int)r.n[1] - 1;
#pragma unroll 1
  for (int i = 0; i < RING_ROWS - 1; i++) fetch_row<T, K>(r, s, ring, s.y0 - K + i);
  int y = s.y0 - K;
#pragma unroll 1
  for (int first = K + 1; y < end; first = end) {
    y = stream_down<T, K, SOURCE, HELD_ANYWHERE>(r, k, s, y, end < first ? end : first, window, ring);
    y = stream_down<T, K, SOURCE, HELD>(r, k, s, y, end < last ? end : last, window, ring);
  }
}

/* A block is a warp, so that the compiler knows that values depending on the block are uniform over the lanes. Block
 * numbers run over the strips first: neighbouring strips run at the same time and find each other's columns in the
 * caches. */
template <typename T, int K, bool SOURCE>
__global__ void __launch_bounds__(LANES)
    stream_rows(Region r, Coef<T> k, const T *src, T *dst, const T *q, int64_t strips, int64_t rows)
{
  constexpr int C = lane_columns<T, 2>, WIDTH = LANES * C;
  __shared__ RowRing<T> ring;
  const int64_t strip = blockIdx.x % strips, piece = blockIdx.x / strips;
  Strip<T> s;
  s.columns = cut(r.lo[0], r.hi[0], r.stride[1], WIDTH, columns_lost<T, K, 2>, C, strip);
  const int64_t x = s.columns.at + (int64_t)threadIdx.x * C;
  s.x = K <= SECTORS_UP_TO ? x - (int)(threadIdx.x % 2) * (C / 2) : x;
  s.src = src + s.columns.at;
  s.dst = dst + s.x;
  s.q = SOURCE ? q + x : nullptr;
  s.held = held_columns<C>(r, x);
  s.y0 = (int)(r.lo[1] + piece * rows);
  s.y1 = (int)(s.y0 + rows < r.hi[1] ? s.y0 + rows : r.hi[1]);
  if (s.columns.at == 0 || s.columns.at + WIDTH >= r.n[0])
    stream_strip<T, K, SOURCE, HELD_AT_SIDES>(r, k, s, ring);
  else
    stream_strip<T, K, SOURCE, HELD_NOWHERE>(r, k, s, ring);
}

/* --- 3-D --------------------------------------------------------------------------------------------------------- */

/* The work of a block. */
template <typename T>
struct Patch {
  const T *src, *q; /* the lane's first cell in plane 0 */
  T *dst;
  int64_t x, y; /* of this cell */
  unsigned held;
  Cut columns, rows;
  int z0, z1; /* planes */
};

/* First and last rows of the warps, for each level. */
template <typename T, int K>
struct Borders {
  /* [parity of the plane][level][warp][first, last][lane][column] */
  alignas(16) T row[2][K][WARPS][2][LANES][lane_columns<T, 3>];
};

/* Planes of a patch, by plane number modulo the ring's size; each lane has its own pieces. */
template <typename T>
struct PlaneRing {
  alignas(16) T piece[RING_PLANES][PATCH_ROWS][WARPS][LANES][lane_columns<T, 3>];
};

template <typename T, int K>
struct PatchMemory {
  Borders<T, K> borders;
  PlaneRing<T> ring;
};

/* Starts copying plane z to its slot; planes outside the grid repeat the outermost one. */
template <typename T, int K>
__device__ __forceinline__ void fetch_plane(const Region &r, const Patch<T> &p, PlaneRing<T> &ring, int z)
{
  if (z < p.z1 + K) {
    const T *from = p.src + clamp(z, r.n[2]) * r.stride[2];
#pragma unroll
    for (int j = 0; j < PATCH_ROWS; j++)
      __pipeline_memcpy_async(ring.piece[(unsigned)z % RING_PLANES][j][threadIdx.y][threadIdx.x],
                              from + j * r.stride[1], 16);
  }
  __pipeline_commit();
}

/* Takes plane z into the window and writes plane z-K. */
template <typename T, int K, bool SOURCE, WhereHeld HELD, int PARITY>
__device__ __forceinline__ void stream_plane(const Region &r, const Coef<T> &k, const Patch<T> &p, int z,
                                             T (*window)[2][PATCH_ROWS][lane_columns<T, 3>], PatchMemory<T, K> &memory)
{
  constexpr int C = lane_columns<T, 3>, ROWS = PATCH_ROWS;
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int64_t stride = r.stride[1], plane = r.stride[2];
  Borders<T, K> &borders = memory.borders;
  alignas(16) T fresh[ROWS][C], v[ROWS][C], beyond[2][C];
  wait_for_layer<RING_PLANES>();
#pragma unroll
  for (int j = 0; j < ROWS; j++)
    copy_vector<T, C>(memory.ring.piece[(unsigned)z % RING_PLANES][j][warp][lane], fresh[j]);
  fetch_plane<T, K>(r, p, memory.ring, z + RING_PLANES - 1);
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
    if (HELD != HELD_NOWHERE) {
      const bool held_plane = HELD == HELD_ANYWHERE && is_held(r, 2, z - l);
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

/* Like stream_down, for planes. */
template <typename T, int K, bool SOURCE, WhereHeld HELD>
__device__ __forceinline__ int stream_deeper(const Region &r, const Coef<T> &k, const Patch<T> &p, int z, int end,
                                             T (*window)[2][PATCH_ROWS][lane_columns<T, 3>], PatchMemory<T, K> &memory)
{
#pragma unroll 1
  for (; z < end; z += 2) {
    stream_plane<T, K, SOURCE, HELD, 0>(r, k, p, z, window, memory);
    stream_plane<T, K, SOURCE, HELD, 1>(r, k, p, z + 1, window, memory);
  }
  return z;
}

template <typename T, int K, bool SOURCE, WhereHeld HELD>
__device__ __forceinline__ void stream_patch(const Region &r, const Coef<T> &k, const Patch<T> &p,
                                             PatchMemory<T, K> &memory)
{
  alignas(16) T window[K][2][PATCH_ROWS][lane_columns<T, 3>] = {};
  const int end = p.z1 + K, last = (int)r.n[2] - 1;
#pragma unroll 1
  for (int i = 0; i < RING_PLANES - 1; i++) fetch_plane<T, K>(r, p, memory.ring, p.z0 - K + i);
  int z = p.z0 - K;
#pragma unroll 1
  for (int first = K + 1; z < end; first = end) {
    z = stream_deeper<T, K, SOURCE, HELD_ANYWHERE>(r, k, p, z, end < first ? end : first, window, memory);
    z = stream_deeper<T, K, SOURCE, HELD>(r, k, p, z, end < last ? end : last, window, memory);
  }
}

template <typename T, int K, bool SOURCE>
__global__ void __launch_bounds__(LANES *WARPS)
    stream_planes(Region r, Coef<T> k, const T *src, T *dst, const T *q, int64_t across, int64_t down, int64_t planes)
{
  constexpr int C = lane_columns<T, 3>, WIDTH = LANES * C, HEIGHT = WARPS * PATCH_ROWS;
  using Memory = PatchMemory<T, K>;
  HG_SHARED(Memory, memory);
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
  p.z0 = (int)(r.lo[2] + piece * planes);
  p.z1 = (int)(p.z0 + planes < r.hi[2] ? p.z0 + planes : r.hi[2]);
  if (p.columns.at == 0 || p.columns.at + WIDTH >= r.n[0] || p.rows.at == 0 || p.rows.at + HEIGHT >= r.n[1])
    stream_patch<T, K, SOURCE, HELD_AT_SIDES>(r, k, p, *memory);
  else
    stream_patch<T, K, SOURCE, HELD_NOWHERE>(r, k, p, *memory);
}

/* --- launches ---------------------------------------------------------------------------------------------------- */

/* Number of a kernel's blocks that the device runs at a time. `known` caches it: all devices that run a graph are
 * taken to be alike. */
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

enum { MOST_ROUNDS = 16 };

/* Layers per block for which the kernel finishes soonest. Blocks run `resident` at a time. Each begins with 2 K layers
 * that it does not write, and waits `start` layers' time for the first to arrive. */
int64_t layers_per_block(int64_t layers, int64_t side_by_side, int64_t resident, int levels, int start)
{
  int64_t best = layers, least = INT64_MAX;
  for (int64_t pieces = 1; pieces <= layers; pieces++) {
    const int64_t each = ceil_div(layers, pieces), rounds = ceil_div(side_by_side * ceil_div(layers, each), resident);
    const int64_t time = rounds * (each + 2 * levels + start);
    if (time < least) best = each, least = time;
    if (rounds > MOST_ROUNDS) break;
  }
  return best;
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
  const int64_t rows = layers_per_block(height, strips, resident, K, RING_ROWS);
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
  const size_t shared = sizeof(PatchMemory<T, K>); /* more than a kernel gets by default, on each device */
  cudaFuncSetAttribute(stream_planes<T, K, SOURCE>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  const int64_t resident = resident_blocks(stream_planes<T, K, SOURCE>, LANES * WARPS, shared, known);
  const int64_t planes = layers_per_block(depth, across * down, resident, K, RING_PLANES);
  HG_LAUNCH_SHARED((stream_planes<T, K, SOURCE>), dim3((unsigned)(across * down * ceil_div(depth, planes))),
                   dim3(LANES, WARPS), shared, p.stream, r, p.k, p.src, p.dst, p.q, across, down, planes);
}

/* Largest number of steps per pass, as far as registers allow. */
template <typename T, int DIMS, bool SOURCE>
constexpr int most_levels = DIMS == 3                  ? 4
                            : SOURCE || sizeof(T) == 4 ? 8
                                                       : 10;

template <typename T, int DIMS>
int most_levels_of(const T *q)
{
  return q ? most_levels<T, DIMS, true> : most_levels<T, DIMS, false>;
}

template <typename T, int K, int DIMS, bool SOURCE>
void launch_pass(const Pass<T> &p)
{
  if constexpr (DIMS == 2 && K == 1)
    launch_step(p.r, p.k, p.src, p.dst, p.q, p.stream);
  else if constexpr (DIMS == 2)
    launch_rows<T, K, SOURCE>(p);
  else
    launch_planes<T, K, SOURCE>(p);
}

/* The kernel for `levels` <= K steps. */
template <typename T, int K, int DIMS, bool SOURCE>
void launch_levels(int levels, const Pass<T> &p)
{
  if constexpr (K > 1)
    if (levels < K) {
      launch_levels<T, K - 1, DIMS, SOURCE>(levels, p);
      return;
    }
  launch_pass<T, K, DIMS, SOURCE>(p);
}

template <typename T, int DIMS>
void launch(int levels, const Pass<T> &p)
{
  if (p.q)
    launch_levels<T, most_levels<T, DIMS, true>, DIMS, true>(levels, p);
  else
    launch_levels<T, most_levels<T, DIMS, false>, DIMS, false>(levels, p);
}

bool is_aligned(const void *p)
{
  return (uintptr_t)p % 32 == 0;
}

/* Whether strips or patches fit into a tile, and vectors are aligned where they are loaded as a whole. */
template <typename T>
bool can_stream(const hg_tile_shape &s, const T *src, const T *dst, const T *q)
{
  const int64_t columns = s.dims == 2 ? lane_columns<T, 2> : lane_columns<T, 3>;
  return s.dims > 1 && s.stride[1] % columns == 0 && s.stride[2] % columns == 0 && s.stride[1] >= LANES * columns &&
         (s.dims == 2 || s.n[1] >= WARPS * PATCH_ROWS) && is_aligned(src) && is_aligned(dst) && is_aligned(q);
}
