/* SPDX-License-Identifier: MIT */
/* The CUDA kernels that app.h makes of an update, emulated by fibres on the CPU, equal the CPU's rows bit for bit. */
#define HG_CUDA_EMULATION
#include "codelets/units/units_cuda.cu"

#include "codelets/units/stored.h"
#include "codelets/units/units_cpu.h"
#include "units_updates.h"

#include "tap.h"

extern "C" const hg_update *const cpu_update;
extern "C" int64_t hg_l2_cache_bytes(void);

static std::vector<double> random_values(uint64_t *state, int64_t count)
{
  std::vector<double> v((size_t)count);
  for (double &x : v) x = (double)tap_between(state, -1000, 1000) / 16;
  return v;
}

#if HG_DIMS > 0
/* Extents of a random core. The layers of a large core that three steps need exceed the L2 cache. */
static int64_t core_extent(uint64_t *state, int axis, bool large)
{
  const int64_t rows = HG_DIMS == 3 ? 128 : 1;
  if (large && axis == 0) return hg_l2_cache_bytes() / 60 / rows;
  return large && axis < HG_DIMS - 1 ? rows : tap_between(state, 1, axis == 0 ? 70 : large ? 5 : 20);
}

/* Fills in the images behind insulated sides, also in held rows, as a state has them before its first step. */
static void put_images(const hg_tile_shape *s, std::vector<double> *state)
{
  for (int a = 0; a < HG_DIMS; a++)
    for (int64_t i = 0; i < (int64_t)state->size(); i++) {
      const int64_t at = i / s->stride[a] % (a < 2 ? s->stride[a + 1] / s->stride[a] : s->n[2]),
                    end = s->n[a] - s->images[a][1], first = s->images[a][0],
                    from = at < first ? 2 * first - 1 - at : 2 * end - 1 - at;
      const bool is_image =
          (at < first && at >= first - HG_RADIUS) || (at >= end && at < end + HG_RADIUS && at < s->n[a]);
      if (is_image) (*state)[(size_t)i] = (*state)[(size_t)(i + (from - at) * s->stride[a])];
    }
}

/* A random tile: its sides have margins, some of them beyond the grid's sides, or are held; coordinates wrap. */
static bool same_tile(uint64_t *state, bool large)
{
  const int steps = large ? 3 : (int)tap_between(state, 1, 4);
  hg_tile_shape s = {};
  hg_fault fault = {};
  double parameters[2] = {.25, .125};
  hg_units_tile t = {};
  s.dims = HG_DIMS;
  for (int a = 0; a < 3; a++) {
    int64_t core = a < HG_DIMS ? core_extent(state, a, large) : 1, n = core;
    for (int h = 0; h < 2 && a < HG_DIMS; h++) {
      s.hold[a][h] = tap_between(state, 0, 1);
      s.margin[a][h] = s.hold[a][h] ? (int)tap_between(state, 0, steps * HG_RADIUS) : steps * HG_RADIUS;
      n += s.margin[a][h];
      if (!s.hold[a][h] && core >= HG_RADIUS) s.images[a][h] = (int)tap_between(state, 0, s.margin[a][h]);
    }
    s.n[a] = n;
    t.units.n[a] = n + 7;
    t.lo[a] = a < HG_DIMS ? tap_between(state, -3, 6) : 0;
  }
  s.stride[0] = 1;
  s.stride[1] = (s.n[0] + 7) / 8 * 8;
  s.stride[2] = s.stride[1] * s.n[1];
  s.stream = tap_between(state, 0, 1);
  t.shape = &s;
  t.units.parameters = parameters;
  t.units.fault = &fault;
  const int64_t cells = s.stride[2] * s.n[2];
  std::vector<double> before = random_values(state, cells), after((size_t)cells), result((size_t)cells);
  put_images(&s, &before);
  std::vector<double> scratch = before;
  t.update = cpu_update;
  std::vector<char> work(hg_units_workspace(&t, steps) + 64);
  char *aligned = work.data() + (64 - (uintptr_t)work.data() % 64) % 64;
  hg_units_advance(&t, 5, steps, before.data(), after.data(), aligned);
  t.update = &tested;
  static const int threads[] = {0, 128, 512, 1024};
  hg_units_box launch = {};
  launch.threads = threads[tap_between(state, 0, 3)];
  launch.blocks = (int)tap_between(state, 0, 3);
  launch.parameter_bytes = sizeof parameters;
  hg_units_cuda_advance(&t, &launch, 5, steps, scratch.data(), result.data(), nullptr);
  bool same = fault.kind == HG_FAULT_NONE;
  for (int64_t z = s.margin[2][0]; z < s.n[2] - s.margin[2][1]; z++)
    for (int64_t y = s.margin[1][0]; y < s.n[1] - s.margin[1][1]; y++)
      for (int64_t x = s.margin[0][0]; x < s.n[0] - s.margin[0][1]; x++) {
        const size_t i = (size_t)(x + y * s.stride[1] + z * s.stride[2]);
        same = same && std::memcmp(&after[i], &result[i], sizeof(double)) == 0;
      }
  return same;
}
#else
/* A tile of 4 x 3 units with random neighbours in it and among five units of other tiles; values of 1 to 3 elements. */
static bool same_tile(uint64_t *state, bool large)
{
  (void)large;
  enum { OWN = 12, GHOSTS = 5, MOST = 4 };
  std::vector<int64_t> index;
  hg_fault fault = {};
  double factor = .5;
  hg_stored_tile t = {};
  t.update = cpu_update;
  t.own_count = OWN;
  t.has_offsets = true;
  const int64_t n[3] = {8, 5, 1}, own[3] = {4, 3, 1}, lo[3] = {2, 1, 0};
  for (int a = 0; a < 3; a++) {
    t.units.n[a] = n[a];
    t.units.own[a] = own[a];
    t.units.lo[a] = t.units.at[a] = lo[a];
  }
  index.push_back(0);
  for (int i = 0; i < OWN + GHOSTS; i++) index.push_back(index.back() + tap_between(state, 1, 3));
  t.elements = index[OWN];
  const int64_t elements = index.back();
  t.start_at = (int64_t)(index.size() * sizeof(int64_t));
  std::vector<int32_t> member;
  for (int i = 0; i <= OWN; i++) {
    index.push_back((int64_t)member.size());
    for (int64_t k = i < OWN ? tap_between(state, 0, MOST) : 0; k > 0; k--)
      member.push_back((int32_t)tap_between(state, 0, OWN + GHOSTS - 1));
  }
  t.ghost_at = (int64_t)(index.size() * sizeof(int64_t));
  for (int i = 0; i < GHOSTS; i++) index.push_back(30 + i);
  t.member_at = (int64_t)(index.size() * sizeof(int64_t));
  index.resize(index.size() + member.size() / 2 + 1);
  if (!member.empty()) std::memcpy((char *)index.data() + t.member_at, member.data(), member.size() * sizeof(int32_t));
  std::vector<double> values = random_values(state, elements), after((size_t)elements), result((size_t)elements);
  hg_units units = hg_stored_units(&t, values.data(), index.data());
  units.step = 3;
  units.parameters = &factor;
  units.fault = &fault;
  hg_stored_advance(&t, &units, after.data());
  hg_units_box box = {};
  for (int a = 0; a < 3; a++) {
    box.n[a] = box.close[a] = own[a];
    box.stride[a] = units.stride[a] = a == 0 ? 1 : a == 1 ? own[0] : own[0] * own[1];
  }
  box.parameter_bytes = sizeof factor;
  units.before = units.values;
  tested.launch(&units, &box, result.data(), nullptr);
  bool same = fault.kind == HG_FAULT_NONE && std::memcmp(after.data(), result.data(), (size_t)t.elements * 8) == 0;
  /* and the units sent to others */
  std::vector<int32_t> positions;
  for (int i = 0; i < 7; i++) positions.push_back((int32_t)tap_between(state, 0, OWN - 1));
  int64_t first[2] = {0, 7};
  std::vector<double> piece(21), gathered(21);
  void *pieces[1] = {piece.data()};
  t.out_count = 1;
  t.out_first = first;
  hg_stored_pack(&t, values.data(), index.data(), positions.data(), pieces);
  hg_stored_cuda_gather(values.data(), 8, index.data(), positions.data(), 7, gathered.data(), nullptr);
  return same && piece == gathered;
}
#endif

int main()
{
  uint64_t state = 11;
  int bad = 0;
  for (int i = 0; i < 25; i++) bad += !same_tile(&state, false);
  tap_int(bad, 0, "emulated CUDA kernels equal the CPU on 25 random tiles");
#if HG_DIMS > 1
  for (int i = 0; i < 2; i++) bad += !same_tile(&state, true);
  tap_int(bad, 0, "tiles that the CPU cuts into pieces");
#endif
#if HG_DIMS == 0
  double state_values[6] = {1, 2, 3, 4, 5, 6}, piece[4] = {0};
  const int32_t positions[2] = {2, 0};
  hg_stored_cuda_gather(state_values, 16, nullptr, positions, 2, piece, nullptr);
  tap_ok(piece[0] == 5 && piece[1] == 6 && piece[2] == 1 && piece[3] == 2, "values of two words are gathered");
#endif
  return tap_done();
}
