/* SPDX-License-Identifier: MIT */
/* Example: transfers of 1 s per item each way, kernels of 1 s per item, two copy engines. 8 items at once take 24 s; 8
 * streams of one item take 10 s. If bus and kernel have start-up times, more streams cost more, and the best number is
 * in between. */
#include "divisible/streams.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define GAIN 1e-9 /* relative; smaller gains are ignored */

static double transfer(const hg_partial_speed *bus, double bytes)
{
  return bytes > 0 ? bytes / hg_partial_speed_at(bus, bytes) : 0;
}

static double time_in(const hg_stream_device *d, int64_t n)
{
  return transfer(&d->in, (double)n * d->bytes_in);
}

static double time_out(const hg_stream_device *d, int64_t n)
{
  return transfer(&d->out, (double)n * d->bytes_out);
}

static double time_kernel(const hg_stream_device *d, int64_t n)
{
  return (double)n / hg_partial_speed_at(&d->kernel, (double)n);
}

/* --- simulation --- */

/* Time at which each stage is free again. */
typedef struct stages {
  double in, kernel, out;
} stages;

/* Seconds of the three stages of each stream; many streams are as long as the previous one. */
static void find_durations(const hg_stream_device *d, const hg_streams *s, hg_stream_times *of)
{
  for (int i = 0; i < s->count; i++)
    of[i] =
        i > 0 && s->size[i] == s->size[i - 1]
            ? of[i - 1]
            : (hg_stream_times){d->start + time_in(d, s->size[i]), time_kernel(d, s->size[i]), time_out(d, s->size[i])};
}

static void copy_in(const hg_stream_device *d, const hg_stream_times *of, stages *free, hg_stream_times *t, int i)
{
  const bool waits = d->buffers > 0 && i >= d->buffers;
  const double start = waits ? fmax(free->in, t[i - d->buffers].out) : free->in;
  t[i].in = free->in = start + of[i].in;
  if (d->copy_engines == 1) free->out = free->in;
  t[i].kernel = free->kernel = fmax(t[i].in, free->kernel) + of[i].kernel;
}

static void copy_out(const hg_stream_device *d, const hg_stream_times *of, stages *free, hg_stream_times *t, int i)
{
  t[i].out = free->out = fmax(t[i].kernel, free->out) + of[i].out;
  if (d->copy_engines == 1) free->in = free->out;
}

double hg_streams_simulate(const hg_stream_device *d, const hg_streams *s, hg_stream_times *times)
{
  hg_stream_times own[HG_STREAMS_MAX], of[HG_STREAMS_MAX], *t = times ? times : own;
  const int ahead = d->copy_engines == 1 && d->buffers != 1; /* a copy in goes before the previous copy out */
  stages free = {0, 0, 0};
  find_durations(d, s, of);
  for (int i = 0; i < s->count + ahead; i++) {
    if (i < s->count) copy_in(d, of, &free, t, i);
    if (i >= ahead) copy_out(d, of, &free, t, i - ahead);
  }
  return t[s->count - 1].out;
}

/* --- ways of splitting --- */

static void append(hg_streams *s, int64_t n)
{
  if (s->count < HG_STREAMS_MAX)
    s->size[s->count++] = n;
  else
    s->size[s->count - 1] += n;
}

static int64_t half(int64_t n)
{
  return n - n / 2;
}

void hg_streams_div2(int64_t n, int64_t n_min, hg_streams *out)
{
  out->count = 0;
  for (; n - half(n) >= n_min; n -= half(n)) append(out, half(n));
  append(out, n);
}

void hg_streams_equal(int64_t n, int count, hg_streams *out)
{
  const int64_t most = count < HG_STREAMS_MAX ? count : HG_STREAMS_MAX, streams = n < most ? n : most;
  out->count = 0;
  for (int64_t i = 0; i < streams; i++) append(out, n / streams + (i < n % streams));
}

/* The most items, up to n, whose copy in takes at most `seconds`. */
static int64_t most_within(const hg_stream_device *d, double seconds, int64_t n)
{
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo + 1) / 2;
    if (time_in(d, mid) <= seconds)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

/* The next stream that the kernel before it hides, 0 if none fits. */
static int64_t hidden(const hg_stream_device *d, const hg_streams *s, int64_t rest)
{
  double room = time_kernel(d, s->size[s->count - 1]);
  if (d->copy_engines == 1 && s->count > 1) room -= time_out(d, s->size[s->count - 2]);
  return most_within(d, room, rest);
}

void hg_streams_hide(const hg_stream_device *d, int64_t n, int64_t n_min, int64_t first, hg_streams *out)
{
  out->count = 0;
  for (int64_t rest = n; rest > 0;) {
    int64_t next = out->count ? hidden(d, out, rest) : first;
    if (next < n_min) next = half(rest) > n_min ? half(rest) : n_min;
    if (next > rest || rest - next < n_min) next = rest;
    append(out, next);
    rest -= next;
  }
}

/* --- the smallest stream --- */

static double peak(const hg_partial_speed *bus)
{
  double most = 0;
  for (int i = 0; i < bus->count; i++) most = fmax(most, bus->point[i].speed);
  return most;
}

static bool is_enough(const hg_partial_speed *bus, double bytes, double theta, double eps)
{
  if (!(bytes > 0)) return true;
  const double speed = hg_partial_speed_at(bus, bytes);
  return speed >= theta * peak(bus) || hg_partial_speed_at(bus, 2 * bytes) < (1 + eps) * speed;
}

int64_t hg_streams_minimal(const hg_stream_device *d, double theta, double eps, int64_t most)
{
  int64_t n = 1;
  while (n <= most / 2 && !(is_enough(&d->in, (double)n * d->bytes_in, theta, eps) &&
                            is_enough(&d->out, (double)n * d->bytes_out, theta, eps)))
    n *= 2;
  return n;
}

/* --- the best --- */

/* A search may simulate only so many streams: planning must not take the time that it saves. */
typedef struct search {
  const hg_stream_device *device;
  hg_streams *best;
  double seconds;
  int left; /* streams that may still be simulated */
} search;

static bool compete(search *b, const hg_streams *s)
{
  if (b->left <= 0) return false;
  b->left -= s->count;
  const double seconds = hg_streams_simulate(b->device, s, NULL);
  if (!(seconds < b->seconds * (1 - GAIN))) return false;
  *b->best = *s;
  b->seconds = seconds;
  return true;
}

/* First streams of every number of items, or in steps of a 16th of all. */
static void try_first_sizes(search *b, int64_t n, int64_t n_min)
{
  const int64_t step = n / 16 + 1;
  hg_streams s;
  for (int64_t first = n_min; first < n; first += step) {
    hg_streams_hide(b->device, n, n_min, first, &s);
    compete(b, &s);
    hg_streams_hide(b->device, n, 1, first, &s);
    compete(b, &s);
  }
}

static void try_equal(search *b, int64_t n, int64_t n_min)
{
  hg_streams s;
  (void)n_min;
  for (int count = 2; count <= 64 && count <= n; count++) {
    hg_streams_equal(n, count, &s);
    compete(b, &s);
  }
}

/* Moves items from stream `from` to stream `to`; an empty stream is removed. */
static bool try_move(search *b, int from, int to, int64_t items)
{
  hg_streams s = *b->best;
  if (items > s.size[from]) items = s.size[from];
  s.size[from] -= items;
  s.size[to] += items;
  if (s.size[from] == 0) {
    s.count--;
    memmove(&s.size[from], &s.size[from + 1], (size_t)(s.count - from) * sizeof *s.size);
  }
  return compete(b, &s);
}

/* Splits a stream in two. */
static bool try_cut(search *b, int at, int64_t items)
{
  hg_streams s = *b->best;
  if (items < 1 || items >= s.size[at] || s.count == HG_STREAMS_MAX) return false;
  memmove(&s.size[at + 1], &s.size[at], (size_t)(s.count - at) * sizeof *s.size);
  s.count++;
  s.size[at] = items;
  s.size[at + 1] -= items;
  return compete(b, &s);
}

/* With many streams there are too many pairs; then only neighbours exchange items. */
static bool improve(search *b, int64_t items)
{
  const int reach = b->best->count <= 16 ? b->best->count : 1;
  for (int i = 0; i < b->best->count; i++) {
    if (try_cut(b, i, items) || try_cut(b, i, b->best->size[i] - items)) return true;
    for (int j = i - reach < 0 ? 0 : i - reach; j <= i + reach && j < b->best->count; j++)
      if (j != i && try_move(b, i, j, items)) return true;
  }
  return false;
}

static void climb(search *b, int64_t n)
{
  int budget = 400;
  for (int64_t items = n / 4 > 0 ? n / 4 : 1; items > 0; items /= 2)
    while (budget-- > 0 && improve(b, items)) continue;
}

static void try_simple(search *b, int64_t n, int64_t n_min)
{
  hg_streams s;
  hg_streams_div2(n, n_min, &s);
  compete(b, &s);
  hg_streams_hide(b->device, n, n_min, 0, &s);
  compete(b, &s);
}

static void try_unsplit(search *b, int64_t n, int64_t n_min)
{
  hg_streams s;
  (void)n_min;
  hg_streams_equal(n, 1, &s);
  compete(b, &s);
}

typedef void family(search *b, int64_t n, int64_t n_min);

/* Improves the best of each family by local search. @param effort  streams that each search may simulate */
static void divide_best(const hg_stream_device *d, int64_t n, int64_t n_min, int effort, hg_streams *out)
{
  static family *const all[] = {try_unsplit, try_simple, try_equal, try_first_sizes};
  search b = {d, out, INFINITY, INT_MAX};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    hg_streams s = {1, {n}};
    search own = {d, &s, INFINITY, effort};
    all[i](&own, n, n_min);
    climb(&own, n);
    compete(&b, &s);
  }
}

/* --- interface --- */

static hg_status check_speed(const char *what, const hg_partial_speed *p, double needed)
{
  if (p->count == 0 && needed > 0) return hg_fail(HG_INVALID, "%s: no speed is known", what);
  for (int i = 0; i < p->count; i++)
    if (!(p->point[i].speed > 0) || !isfinite(p->point[i].speed) || !(p->point[i].w > 0))
      return hg_fail(HG_INVALID, "%s: %g per s at %g, both must be > 0 and finite", what, p->point[i].speed,
                     p->point[i].w);
  return HG_OK;
}

hg_status hg_stream_device_check(const hg_stream_device *d)
{
  if (!(d->bytes_in >= 0) || !isfinite(d->bytes_in) || !(d->bytes_out >= 0) || !isfinite(d->bytes_out))
    return hg_fail(HG_INVALID, "%g bytes in and %g bytes out per item, must be >= 0", d->bytes_in, d->bytes_out);
  if (!(d->start >= 0) || !isfinite(d->start))
    return hg_fail(HG_INVALID, "%g s to start a stream, must be >= 0", d->start);
  if (d->copy_engines < 1 || d->copy_engines > 2)
    return hg_fail(HG_INVALID, "%d copy engines, must be 1 or 2", d->copy_engines);
  if (d->buffers < 0) return hg_fail(HG_INVALID, "%d buffers, must be >= 0", d->buffers);
  HG_TRY(check_speed("bandwidth to the device", &d->in, d->bytes_in));
  HG_TRY(check_speed("bandwidth from the device", &d->out, d->bytes_out));
  return check_speed("kernel", &d->kernel, 1);
}

/* For streams to be used: a millisecond or two; for an estimate: a tenth of that. */
enum { THOROUGH = 8000, ROUGH = 500 };

static hg_status divide(const hg_stream_device *d, hg_stream_strategy strategy, int64_t n, int64_t n_min, int count,
                        int effort, hg_streams *out, double *seconds)
{
  HG_TRY(hg_stream_device_check(d));
  if (n < 1 || n_min < 1 || count < 0)
    return hg_fail(HG_INVALID, "%lld items in %d streams of at least %lld, all must be > 0", (long long)n, count,
                   (long long)n_min);
  if (strategy == HG_STREAMS_BEST) divide_best(d, n, n_min, effort, out);
  if (strategy == HG_STREAMS_DIV2) hg_streams_div2(n, n_min, out);
  if (strategy == HG_STREAMS_FIXED) hg_streams_equal(n, count > 0 ? count : 1, out);
  if (strategy == HG_STREAMS_UNSPLIT) hg_streams_equal(n, 1, out);
  if (seconds) *seconds = hg_streams_simulate(d, out, NULL);
  return HG_OK;
}

hg_status hg_streams_divide(const hg_stream_device *d, hg_stream_strategy strategy, int64_t n, int64_t n_min, int count,
                            hg_streams *out, double *seconds)
{
  return divide(d, strategy, n, n_min, count, THOROUGH, out, seconds);
}

hg_status hg_streams_curve(const hg_stream_device *d, hg_stream_strategy strategy, int64_t n, int64_t n_min, int count,
                           double factor, hg_partial_speed *out)
{
  enum { SIZES = 8 };
  hg_streams s;
  out->count = 0;
  for (int k = 1; k <= SIZES; k++) {
    const int64_t items = n / SIZES * k + n % SIZES * k / SIZES;
    double seconds;
    if (items < 1) continue;
    HG_TRY(divide(d, strategy, items, n_min, count, ROUGH, &s, &seconds));
    HG_TRY(hg_partial_learn(out, (double)items, seconds * factor));
  }
  return HG_OK;
}

hg_status hg_network_bus(const hg_network *n, bool in, bool pinned, hg_partial_speed *out)
{
  const double least = 4096, most = 0x1p28;
  const hg_network_level *l = pinned ? NULL : hg_network_level_find(n, in ? "h2d-pageable" : "d2h-pageable");
  if (!l) l = hg_network_level_find(n, in ? "h2d" : "d2h");
  *out = (hg_partial_speed){.count = 0};
  for (double bytes = least; l && bytes <= most; bytes *= 4)
    HG_TRY(hg_partial_learn(out, bytes, hg_network_time(l, bytes)));
  return HG_OK;
}
