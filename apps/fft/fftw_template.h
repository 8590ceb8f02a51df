/* SPDX-License-Identifier: MIT */
/* FFTW in one precision: FFT(name) is its function, REAL its number type, LIBRARY the name to define. */

static unsigned FFT_OWN(flags)(fft_planner planner)
{
  return planner == FFT_ESTIMATE ? FFTW_ESTIMATE : planner == FFT_MEASURE ? FFTW_MEASURE : FFTW_PATIENT;
}

/* If not all planes are aligned alike, the plan must work for any alignment. */
static unsigned FFT_OWN(alignment)(const fft_shape *s)
{
  const size_t in = (size_t)(s->n[1] * fft_width(s, fft_is_spectrum(s, false))) *
                    fft_value_bytes(s, fft_is_spectrum(s, false)),
               out = (size_t)(s->n[1] * fft_width(s, fft_is_spectrum(s, true))) *
                     fft_value_bytes(s, fft_is_spectrum(s, true));
  return in % 64 || out % 64 ? FFTW_UNALIGNED : 0;
}

static FFT(plan) FFT_OWN(plan_plane)(const fft_shape *s, unsigned flags, void *in, void *out)
{
  const int n2 = (int)s->n[1], n3 = (int)s->n[2];
  if (s->real && s->inverse) return FFT(plan_dft_c2r_2d)(n2, n3, in, out, flags);
  if (s->real) return FFT(plan_dft_r2c_2d)(n2, n3, in, out, flags);
  return FFT(plan_dft_2d)(n2, n3, in, out, s->inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);
}

/* `wide` adjacent columns. */
static FFT(plan) FFT_OWN(plan_columns)(const fft_shape *s, unsigned flags, int wide, void *block)
{
  const int n = (int)s->n[0];
  return FFT(plan_many_dft)(1, &n, wide, block, NULL, wide, 1, block, NULL, wide, 1,
                            s->inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);
}

static void FFT_OWN(run)(FFT(plan) plan, const fft_shape *s, void *in, void *out)
{
  if (s->real && s->inverse)
    FFT(execute_dft_c2r)(plan, in, out);
  else if (s->real)
    FFT(execute_dft_r2c)(plan, in, out);
  else
    FFT(execute_dft)(plan, in, out);
}

/* Shortest time of some passes over planes that are not in the caches. */
static double FFT_OWN(time)(FFT(plan) plan, const fft_shape *s, const fft_trial *t)
{
  enum { PASSES = 3 };
  double least = INFINITY;
  for (int pass = 0; pass < PASSES; pass++) {
    const double start = hg_now();
    for (int64_t i = 0; i < t->planes; i++) FFT_OWN(run)(plan, s, t->in + i * t->in_bytes, t->out + i * t->out_bytes);
    least = fmin(least, hg_now() - start);
  }
  return least;
}

static void FFT_OWN(know)(const char *wisdom)
{
  FFT(forget_wisdom)();
  if (wisdom) FFT(import_wisdom_from_string)(wisdom);
}

/* FFTW measures the parts of a plan one by one, in the caches, so its choice varies between runs, and the speed of
 * plans by up to a factor of two. Of several plans the fastest is kept, and so is its wisdom. */
static FFT(plan) FFT_OWN(race)(const fft_shape *s, unsigned flags, const fft_trial *t)
{
  enum { MOST = 6 };
  const double SECONDS = 1, start = hg_now();
  FFT(plan) best = FFT_OWN(plan_plane)(s, flags | FFTW_WISDOM_ONLY, t->in, t->out);
  if (best) return best;
  char *before = FFT(export_wisdom_to_string)(), *wisdom = NULL;
  double least = INFINITY;
  for (int i = 0; i == 0 || (i < MOST && (hg_now() - start) * (i + 1) <= SECONDS * i); i++) {
    FFT_OWN(know)(before);
    FFT(plan) plan = FFT_OWN(plan_plane)(s, flags, t->in, t->out);
    const double seconds = plan ? FFT_OWN(time)(plan, s, t) : INFINITY;
    FFT(plan) worse = seconds < least ? best : plan;
    if (worse) FFT(destroy_plan)(worse);
    if (!(seconds < least)) continue;
    least = seconds;
    best = plan;
    free(wisdom);
    wisdom = FFT(export_wisdom_to_string)();
  }
  FFT_OWN(know)(wisdom);
  free(wisdom);
  free(before);
  return best;
}

static hg_status FFT_OWN(make)(const fft_shape *s, fft_planner planner, const fft_trial *t, fft_plans *out)
{
  const int left = (int)(fft_width(s, true) % FFT_BLOCK);
  const unsigned flags = FFT_OWN(flags)(planner), of_planes = flags | FFT_OWN(alignment)(s);
  out->plane =
      planner == FFT_MEASURE ? FFT_OWN(race)(s, of_planes, t) : FFT_OWN(plan_plane)(s, of_planes, t->in, t->out);
  if (s->cube) out->column = FFT_OWN(plan_columns)(s, flags, FFT_BLOCK, t->in);
  if (s->cube && left) out->rest = FFT_OWN(plan_columns)(s, flags, left, t->in);
  if (out->plane && (!s->cube || (out->column && (out->rest || !left)))) return HG_OK;
  return hg_fail(HG_RUNTIME, "FFTW found no plan for planes of %lld x %lld", (long long)s->n[1], (long long)s->n[2]);
}

static hg_status FFT_OWN(plan)(const fft_shape *s, fft_planner planner, fft_plans *out)
{
  const size_t block = (size_t)s->n[0] * FFT_BLOCK * 2 * sizeof(REAL);
  fft_trial t = fft_trial_of(s, planner == FFT_MEASURE);
  const size_t in = (size_t)(t.planes * t.in_bytes);
  *out = (fft_plans){NULL, NULL, NULL};
  hg_status status = fft_allocate("a plan's values", in > block ? in : block, (void **)&t.in);
  if (status == HG_OK) status = fft_allocate("a plan's values", (size_t)(t.planes * t.out_bytes), (void **)&t.out);
  if (status == HG_OK) status = FFT_OWN(make)(s, planner, &t, out);
  free(t.in);
  free(t.out);
  return status;
}

static void FFT_OWN(free)(fft_plans *p)
{
  if (p->plane) FFT(destroy_plan)(p->plane);
  if (p->column) FFT(destroy_plan)(p->column);
  if (p->rest) FFT(destroy_plan)(p->rest);
  *p = (fft_plans){NULL, NULL, NULL};
}

static void FFT_OWN(plane)(const fft_plans *p, const fft_shape *s, void *in, void *out)
{
  FFT_OWN(run)(p->plane, s, in, out);
}

static void FFT_OWN(columns)(void *plan, void *block)
{
  FFT(execute_dft)(plan, block, block);
}

static void FFT_OWN(scale)(void *values, int64_t count, double by)
{
  REAL *x = values;
  const REAL factor = (REAL)by;
  for (int64_t i = 0; i < count; i++) x[i] *= factor;
}

static char *FFT_OWN(keep)(void)
{
  return FFT(export_wisdom_to_string)();
}

static bool FFT_OWN(use)(const char *text)
{
  return FFT(import_wisdom_from_string)(text) != 0;
}

static hg_status FFT_OWN(direct)(const fft_shape *s, void *in, void *out)
{
  const int rank = s->cube ? 3 : 2, n[3] = {(int)s->n[0], (int)s->n[1], (int)s->n[2]},
            many = s->cube ? 1 : n[0], *const first = s->cube ? n : n + 1;
  const int64_t rows = (s->cube ? s->n[0] : 1) * s->n[1];
  const int before = (int)(rows * fft_width(s, fft_is_spectrum(s, false))),
            after = (int)(rows * fft_width(s, fft_is_spectrum(s, true)));
  FFT(plan)
  plan = s->real && s->inverse
             ? FFT(plan_many_dft_c2r)(rank, first, many, in, NULL, 1, before, out, NULL, 1, after, FFTW_ESTIMATE)
         : s->real ? FFT(plan_many_dft_r2c)(rank, first, many, in, NULL, 1, before, out, NULL, 1, after, FFTW_ESTIMATE)
                   : FFT(plan_many_dft)(rank, first, many, in, NULL, 1, before, out, NULL, 1, after,
                                        s->inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  if (!plan) return hg_fail(HG_RUNTIME, "FFTW found no plan for --verify");
  FFT(execute)(plan);
  FFT(destroy_plan)(plan);
  return HG_OK;
}

const fft_library LIBRARY = {"fftw",         FFT_OWN(plan), FFT_OWN(free), FFT_OWN(plane), FFT_OWN(columns),
                             FFT_OWN(scale), FFT_OWN(keep), FFT_OWN(use),  FFT_OWN(direct)};
