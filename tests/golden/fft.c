/* SPDX-License-Identifier: MIT */
/* Golden cases of streams and shares: `hetgrid-fft --golden FILE`. */
#include "tests/golden/cases.h"

#include <math.h>

#include "apps/fft/fft.h"
#include "speed/fpm.h"
#include "divisible/shares.h"
#include "divisible/streams.h"

enum { DEVICES = 16, STEPS = 1000 };

/* Reads [[w, speed], ..] as a speed function. */
static hg_status read_speed(const json_t *list, const char *what, hg_partial_speed *out)
{
  const json_t *point;
  size_t i;
  out->count = 0;
  if (!json_is_array(list) || json_array_size(list) > HG_PARTIAL_POINTS)
    return hg_fail(HG_FORMAT, "%s: must be a list of at most %d points", what, HG_PARTIAL_POINTS);
  json_array_foreach(list, i, point)
  {
    const json_t *w = json_array_get(point, 0), *speed = json_array_get(point, 1);
    if (!json_is_number(w) || !json_is_number(speed))
      return hg_fail(HG_FORMAT, "%s: a point must be two numbers", what);
    out->point[out->count++] = (hg_partial_point){json_number_value(w), json_number_value(speed), 1};
  }
  return HG_OK;
}

static hg_status read_device(const json_t *input, hg_stream_device *d)
{
  const json_t *json;
  int64_t engines;
  double buffers;
  d->start = 0;
  HG_TRY(hg_golden_part(input, "device", JSON_OBJECT, &json));
  HG_TRY(read_speed(json_object_get(json, "bw_h2d"), "bw_h2d", &d->in));
  HG_TRY(read_speed(json_object_get(json, "bw_d2h"), "bw_d2h", &d->out));
  HG_TRY(read_speed(json_object_get(json, "rate"), "rate", &d->kernel));
  HG_TRY(hg_golden_double(json, "b_in", &d->bytes_in));
  HG_TRY(hg_golden_double(json, "b_out", &d->bytes_out));
  HG_TRY(hg_golden_int(json, "copy_engines", &engines));
  HG_TRY(hg_golden_double_or(json, "buffers", 0, &buffers));
  d->copy_engines = engines == 1 || engines == 2 ? (int)engines : 0;
  d->buffers = buffers >= 0 && buffers < 1e9 ? (int)buffers : -1;
  return hg_stream_device_check(d);
}

static hg_status read_items(const json_t *input, const char *key, int64_t *n)
{
  HG_TRY(hg_golden_int(input, key, n));
  return *n < 1 ? hg_fail(HG_INVALID, "%s is %lld, must be >= 1", key, (long long)*n) : HG_OK;
}

static void put_sizes(hg_golden_case *c, const hg_streams *s)
{
  double size[HG_STREAMS_MAX];
  for (int i = 0; i < s->count; i++) size[i] = (double)s->size[i];
  hg_golden_put_doubles(c, "sizes", s->count, size);
}

static hg_status run_div2(hg_golden_case *c)
{
  hg_streams s;
  int64_t n, n_min;
  HG_TRY(read_items(c->input, "n", &n));
  HG_TRY(read_items(c->input, "n_min", &n_min));
  hg_streams_div2(n, n_min, &s);
  put_sizes(c, &s);
  return HG_OK;
}

static hg_status run_minimal(hg_golden_case *c)
{
  hg_stream_device d;
  double theta, eps;
  HG_TRY(read_device(c->input, &d));
  HG_TRY(hg_golden_double(c->input, "theta", &theta));
  HG_TRY(hg_golden_double(c->input, "eps", &eps));
  hg_golden_put(c, "n_min", (double)hg_streams_minimal(&d, theta, eps, INT64_C(1) << 40));
  return HG_OK;
}

static hg_status read_sizes(const json_t *input, hg_streams *s)
{
  double size[HG_STREAMS_MAX];
  HG_TRY(hg_golden_doubles(input, "sizes", HG_STREAMS_MAX, size, &s->count));
  for (int i = 0; i < s->count; i++) {
    if (!(size[i] >= 1 && size[i] < 0x1p53) || size[i] != floor(size[i]))
      return hg_fail(HG_INVALID, "a stream of %g items, must be a whole number >= 1", size[i]);
    s->size[i] = (int64_t)size[i];
  }
  return HG_OK;
}

static hg_status run_simulate(hg_golden_case *c)
{
  hg_stream_device d;
  hg_streams s;
  hg_stream_times t[HG_STREAMS_MAX];
  double in[HG_STREAMS_MAX], kernel[HG_STREAMS_MAX], out[HG_STREAMS_MAX];
  HG_TRY(read_device(c->input, &d));
  HG_TRY(read_sizes(c->input, &s));
  hg_golden_put(c, "total_s", hg_streams_simulate(&d, &s, t));
  for (int i = 0; i < s.count; i++) in[i] = t[i].in, kernel[i] = t[i].kernel, out[i] = t[i].out;
  hg_golden_put_doubles(c, "h2d_end", s.count, in);
  hg_golden_put_doubles(c, "kernel_end", s.count, kernel);
  hg_golden_put_doubles(c, "d2h_end", s.count, out);
  return HG_OK;
}

static hg_status run_streaming(hg_golden_case *c)
{
  hg_stream_device d;
  hg_streams s;
  int64_t n, n_min;
  HG_TRY(read_device(c->input, &d));
  HG_TRY(read_items(c->input, "n", &n));
  HG_TRY(read_items(c->input, "n_min", &n_min));
  hg_streams_hide(&d, n, n_min, 0, &s);
  put_sizes(c, &s);
  hg_golden_put(c, "total_s", hg_streams_simulate(&d, &s, NULL));
  return HG_OK;
}

/* The programs' division, against the optimum by brute force and against all items at once. */
static hg_status run_quality(hg_golden_case *c)
{
  hg_stream_device d;
  hg_streams s;
  int64_t n;
  double seconds, unsplit, optimum;
  HG_TRY(read_device(c->input, &d));
  HG_TRY(read_items(c->input, "n", &n));
  HG_TRY(hg_golden_double(c->expect, "optimum_s", &optimum));
  HG_TRY(hg_golden_double(c->expect, "unsplit_s", &unsplit));
  HG_TRY(hg_streams_divide(&d, HG_STREAMS_BEST, n, 1, 0, &s, &seconds));
  hg_golden_check(c, seconds <= 1.05 * optimum, "optimum_s", seconds, 1.05 * optimum);
  hg_golden_check(c, seconds <= unsplit * (1 + 1e-12), "unsplit_s", seconds, unsplit);
  hg_streams_div2(n, 1, &s);
  hg_golden_check(c, seconds <= (1 + 1e-12) * hg_streams_simulate(&d, &s, NULL), "div2_s", seconds,
                  hg_streams_simulate(&d, &s, NULL));
  hg_golden_check(c, true, "optimum_sizes", 0, 0); /* any division of that quality is accepted */
  hg_golden_check(c, true, "reference_strategy_s", 0, 0);
  return HG_OK;
}

typedef struct devices {
  int count;
  hg_partial_speed speed[DEVICES];
  hg_speed_model model[DEVICES];
  int64_t items;
} devices;

static hg_status read_devices(const json_t *input, devices *d)
{
  const json_t *list, *json;
  size_t i;
  HG_TRY(hg_golden_part(input, "speed_points", JSON_ARRAY, &list));
  HG_TRY(read_items(input, "N", &d->items));
  d->count = (int)json_array_size(list);
  if (d->count < 1 || d->count > DEVICES) return hg_fail(HG_INVALID, "%d devices, must be 1..%d", d->count, DEVICES);
  json_array_foreach(list, i, json)
  {
    HG_TRY(read_speed(json, "speed_points", &d->speed[i]));
    d->model[i] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &d->speed[i]};
  }
  return HG_OK;
}

static hg_status run_partition(hg_golden_case *c)
{
  static devices d;
  int64_t w[DEVICES], sum = 0;
  double optimum;
  HG_TRY(read_devices(c->input, &d));
  HG_TRY(hg_golden_double(c->expect, "optimal_makespan_s", &optimum));
  HG_TRY(hg_fpm(d.count, d.model, NULL, d.items, w));
  for (int i = 0; i < d.count; i++) sum += w[i];
  const double makespan = hg_makespan(d.count, d.model, NULL, w);
  hg_golden_check(c, sum == d.items, "x", (double)sum, (double)d.items);
  hg_golden_check(c, makespan <= optimum * (1 + 1e-9), "optimal_makespan_s", makespan, optimum);
  hg_golden_check(c, makespan <= optimum * (1 + 1e-9), "makespan_s", makespan, optimum);
  return HG_OK;
}

static hg_status run_online(hg_golden_case *c)
{
  static devices d;
  hg_shares s;
  double eps, seconds[DEVICES], share[DEVICES];
  HG_TRY(read_devices(c->input, &d));
  HG_TRY(hg_golden_double(c->input, "eps", &eps));
  HG_TRY(hg_shares_begin(d.count, d.items, eps, NULL, &s));
  s.gain = -1e9; /* these cases end only by balance or repetition */
  hg_status status = HG_OK;
  while (s.state == HG_SHARES_LEARNING && s.passes < STEPS && status == HG_OK) {
    for (int i = 0; i < d.count; i++)
      seconds[i] = hg_speed_time(&d.model[i], (double)s.w[i], 0), share[i] = (double)s.w[i];
    status = hg_shares_learn(&s, seconds);
  }
  hg_golden_put(c, "iterations", s.passes);
  hg_golden_put(c, "final_imbalance", s.imbalance);
  hg_golden_put_doubles(c, "final_x", d.count, share);
  hg_shares_end(&s);
  return status;
}

hg_status fft_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {{"div2", run_div2},         {"minimal_chunk", run_minimal},
                                         {"simulate", run_simulate}, {"streaming", run_streaming},
                                         {"quality", run_quality},   {"partition", run_partition},
                                         {"online", run_online},     {NULL, NULL}};
  return hg_golden_run(path, kinds);
}
