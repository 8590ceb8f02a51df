/* SPDX-License-Identifier: MIT */
/* The experiments on division by learnt speeds: those of DFPA's paper (dfpa.c), and the GTX 285 beside a core of Sousa
 * and Ilic's slides ("Cooperative Execution on Heterogeneous Multi-core Systems", 2010). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "chart/chart.h"
#include "base/memory.h"
#include "speed/partial.h"
#include "divisible/pass_log.h"
#include "divisible/shares.h"
#include "divisible/streams.h"
#include "apps/simulate/simulate.h"

enum { JOBS = 256, PASSES = 8, MINIMUM = 4 };

/* Values read off the slides' figures: bytes/s over bytes each way, transforms/s over transforms. */
static hg_stream_device gtx285(void)
{
  static const double in[] = {1.9e9, 2.25e9, 2.44e9, 2.555e9, 2.57e9, 2.578e9, 2.583e9, 2.585e9},
                      out[] = {2.5e9, 2.85e9, 3.05e9, 3.15e9, 3.18e9, 3.195e9, 3.205e9, 3.21e9},
                      rate[] = {700, 980, 1230, 1400, 1500, 1560, 1590, 1600};
  hg_stream_device d = {.bytes_in = 0x1p20, .bytes_out = 0x1p20, .copy_engines = 1};
  d.in.count = d.out.count = d.kernel.count = 8;
  for (int i = 0; i < 8; i++) {
    d.in.point[i] = (hg_partial_point){ldexp(0x1p20, i), in[i], 1};
    d.out.point[i] = (hg_partial_point){ldexp(0x1p20, i), out[i], 1};
    d.kernel.point[i] = (hg_partial_point){ldexp(1, i), rate[i], 1};
  }
  return d;
}

/* Learning continues: the GPU's models grow with each pass. */
typedef struct pair {
  hg_stream_device device, known;
  hg_shares shares;          /* core, GPU */
  double core;               /* transforms/s */
  hg_partial_speed streamed; /* of the GPU, from the arrivals of its streams */
  int measured;              /* number of points measured for both as a whole */
} pair;

/* The model of the GPU as a whole is derived from the models of its streams. */
static hg_status model(void *arg, int part, int64_t w, double seconds, hg_partial_speed *speed)
{
  pair *p = arg;
  p->measured++;
  if (part == 0) return hg_partial_learn(speed, (double)w, seconds);
  return hg_streams_curve(&p->known, HG_STREAMS_BEST, JOBS, MINIMUM, 0, 1, speed);
}

static hg_status learn_streams(pair *p, const hg_streams *s, const hg_stream_times *t)
{
  int64_t items = 0;
  for (int i = 0; i < s->count; i++) {
    const double n = (double)s->size[i], b = n * p->device.bytes_in, o = n * p->device.bytes_out;
    HG_TRY(hg_partial_learn(&p->known.in, b, b / hg_partial_speed_at(&p->device.in, b)));
    HG_TRY(hg_partial_learn(&p->known.out, o, o / hg_partial_speed_at(&p->device.out, o)));
    HG_TRY(hg_partial_learn(&p->known.kernel, n, n / hg_partial_speed_at(&p->device.kernel, n)));
    items += s->size[i];
    HG_TRY(hg_partial_learn(&p->streamed, (double)items, t[i].out));
  }
  return HG_OK;
}

static hg_status one_pass(pair *p, hg_streams *s, hg_stream_times *t, double seconds[2])
{
  const int64_t items = p->shares.w[1];
  seconds[0] = (double)p->shares.w[0] / p->core;
  seconds[1] = 0;
  if (items > 0) {
    if (p->known.kernel.count == 0)
      hg_streams_div2(items, MINIMUM, s);
    else
      HG_TRY(hg_streams_divide(&p->known, HG_STREAMS_BEST, items, MINIMUM, 0, s, NULL));
    seconds[1] = hg_streams_simulate(&p->device, s, t);
    HG_TRY(learn_streams(p, s, t));
  }
  return hg_shares_learn(&p->shares, seconds);
}

static int points_of(const pair *p)
{
  return p->known.in.count + p->known.out.count + p->known.kernel.count + p->streamed.count + p->measured;
}

static void print_pass(FILE *out, const pair *p, int64_t core, const hg_streams *s, const double seconds[2])
{
  fprintf(out, "| %.0f | %d | %" PRId64 " + %" PRId64 " | ", p->core, p->shares.passes, core, JOBS - core);
  for (int i = 0; i < s->count; i++) fprintf(out, "%s%" PRId64, i ? " " : "", s->size[i]);
  fprintf(out, " | %.3f | %.1f %% | %d | %s |\n", fmax(seconds[0], seconds[1]), 100 * p->shares.imbalance, points_of(p),
          hg_shares_state_name(p->shares.state));
}

static void record_chunks(const pair *p, int64_t core, const hg_streams *s, const hg_stream_times *t,
                          const double seconds[2], hg_pass *pass)
{
  pass->chunk[0] = (hg_pass_chunk){0, (double)core, 0, seconds[0], seconds[0]};
  pass->chunks = 1 + (core < JOBS ? s->count : 0);
  for (int i = 0; i + 1 < pass->chunks; i++) {
    const double items = (double)s->size[i], free = i > 0 ? fmax(t[i].in, t[i - 1].kernel) : t[i].in;
    pass->chunk[i + 1] = (hg_pass_chunk){1, items, free, t[i].kernel, t[i].out};
  }
  for (int w = 0; w < 2; w++) {
    pass->worker[w] = (hg_pass_worker){.items = (double)(w ? JOBS - core : core), .seconds = seconds[w]};
    hg_pass_know(&p->shares.speed[w], &pass->worker[w]);
  }
}

static hg_status record(const pair *p, int64_t core, const hg_streams *s, const hg_stream_times *t,
                        const double seconds[2], hg_passes *passes)
{
  hg_pass *pass;
  HG_TRY(hg_passes_next(passes, &pass));
  HG_TRY(hg_allocate("a pass", (HG_STREAMS_MAX + 1) * sizeof *pass->chunk, (void **)&pass->chunk));
  pass->number = p->shares.passes;
  pass->seconds = fmax(seconds[0], seconds[1]);
  pass->imbalance = p->shares.imbalance;
  pass->state = hg_shares_state_name(p->shares.state);
  record_chunks(p, core, s, t, seconds, pass);
  return HG_OK;
}

static hg_status begin_record(hg_passes *passes)
{
  HG_TRY(hg_passes_begin(2, passes));
  snprintf(passes->name[0], HG_PASSES_NAME, "core");
  snprintf(passes->name[1], HG_PASSES_NAME, "GTX 285");
  passes->cuda[1] = true;
  return HG_OK;
}

static hg_status draw(const char *picture, double core, const hg_passes *passes)
{
  char path[HG_PATH_MAX], name[40];
  snprintf(name, sizeof name, "core-%.0f", core);
  HG_TRY(hg_chart_path(picture, name, path));
  snprintf(name, sizeof name, "A core of %.0f items/s", core);
  return hg_passes_draw(path, name, JOBS, passes);
}

static hg_status balance_core(FILE *out, double core, hg_passes *passes)
{
  pair p = {.device = gtx285(), .core = core};
  hg_status status = HG_OK;
  p.known = (hg_stream_device){.bytes_in = p.device.bytes_in, .bytes_out = p.device.bytes_out, .copy_engines = 1};
  HG_TRY(hg_shares_begin(2, JOBS, .05, NULL, &p.shares));
  p.shares.model = model;
  p.shares.arg = &p;
  while (p.shares.state == HG_SHARES_LEARNING && p.shares.passes < PASSES && status == HG_OK) {
    const int64_t share = p.shares.w[0];
    hg_streams s;
    hg_stream_times t[HG_STREAMS_MAX];
    double seconds[2];
    status = one_pass(&p, &s, t, seconds);
    if (status == HG_OK) print_pass(out, &p, share, &s, seconds);
    if (status == HG_OK && passes) status = record(&p, share, &s, t, seconds, passes);
  }
  hg_shares_end(&p.shares);
  return status;
}

static hg_status balance_and_draw(FILE *out, double core, const char *picture)
{
  hg_passes passes;
  if (!picture) return balance_core(out, core, NULL);
  hg_status status = begin_record(&passes);
  if (status == HG_OK) status = balance_core(out, core, &passes);
  if (status == HG_OK) status = draw(picture, core, &passes);
  hg_passes_end(&passes);
  return status;
}

static hg_status alone(FILE *out)
{
  static const struct {
    const char *name;
    hg_stream_strategy strategy;
  } way[] = {{"unsplit", HG_STREAMS_UNSPLIT}, {"DIV2", HG_STREAMS_DIV2}, {"best streams", HG_STREAMS_BEST}};
  const hg_stream_device d = gtx285();
  fputs("\nThe GPU alone:", out);
  for (int i = 0; i < 3; i++) {
    hg_streams s;
    double seconds;
    HG_TRY(hg_streams_divide(&d, way[i].strategy, JOBS, MINIMUM, 0, &s, &seconds));
    fprintf(out, "%s %s %.3f s", i ? "," : "", way[i].name, seconds);
  }
  fputs(".\n", out);
  return HG_OK;
}

static hg_status even_shares(FILE *out, const double *core, int cores)
{
  const hg_stream_device d = gtx285();
  hg_streams s;
  double gpu;
  HG_TRY(hg_streams_divide(&d, HG_STREAMS_UNSPLIT, JOBS / 2, MINIMUM, 0, &s, &gpu));
  fputs("Even shares, the GPU's unsplit:", out);
  for (int i = 0; i < cores; i++) fprintf(out, "%s %.3f s", i ? "," : "", fmax(gpu, JOBS / 2 / core[i]));
  fputs(".\n", out);
  return HG_OK;
}

static hg_status gpu_report(FILE *out, const char *picture)
{
  static const double core[] = {100, 300, 600};
  fputs(
      "\n# A GTX 285 and a core: 256 transforms of 256 x 256\n\n"
      "Curves of the slides, one copy engine, streams of at least 4 transforms; the first pass is even and by DIV2.\n\n"
      "| core, 1/s | pass | core + GPU | streams | s | imbalance | points | |\n|---|---|---|---|---|---|---|---|\n",
      out);
  for (int i = 0; i < 3; i++) HG_TRY(balance_and_draw(out, core[i], picture));
  HG_TRY(alone(out));
  HG_TRY(even_shares(out, core, 3));
  fputs(
      "\nThe slides: balanced after 3 iterations, with more than 30 points instead of 3. Reproduced are the few passes, the "
      "many points and the order of the strategies. Not reproduced: the slides name no times of whole passes, and the "
      "core's speed only in a figure, so that three are tried; \"first half, then what fits\" read literally gives two "
      "equal streams, which DIV2 beats, so streams compete in a simulation instead; lines of flops(x log x)/s, as in the "
      "slides' figures, are 19.5 % off between 16 and 240 transforms, so speeds are transforms/s here.\n",
      out);
  return HG_OK;
}

hg_status simulate_cooperative(FILE *out, const char *picture)
{
  HG_TRY(simulate_dfpa(out));
  return gpu_report(out, picture);
}
