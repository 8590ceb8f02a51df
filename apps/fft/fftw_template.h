/* SPDX-License-Identifier: MIT */
/* FFTW in one precision: FFT(name) is its function, REAL its number, LIBRARY what is defined. */

static unsigned FFT_OWN(flags)(fft_planner planner)
{
  return planner == FFT_ESTIMATE  ? FFTW_ESTIMATE
         : planner == FFT_MEASURE ? FFTW_MEASURE
                                  : FFTW_PATIENT;
}

/* Planes of which not all are aligned alike have a plan for any alignment. */
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

/* `wide` columns next to each other. */
static FFT(plan) FFT_OWN(plan_columns)(const fft_shape *s, unsigned flags, int wide, void *block)
{
  const int n = (int)s->n[0];
  return FFT(plan_many_dft)(1, &n, wide, block, NULL, wide, 1, block, NULL, wide, 1,
                            s->inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);
}

static hg_status FFT_OWN(plan)(const fft_shape *s, fft_planner planner, fft_plans *out)
{
  const size_t plane = (size_t)(s->n[1] * (s->n[2] + 2)) * 2 * sizeof(REAL),
               block = (size_t)s->n[0] * FFT_BLOCK * 2 * sizeof(REAL),
               most = plane > block ? plane : block;
  const unsigned flags = FFT_OWN(flags)(planner);
  const int left = (int)(fft_width(s, true) % FFT_BLOCK);
  void *a = FFT(malloc)(most), *b = FFT(malloc)(most);
  *out = (fft_plans){NULL, NULL, NULL};
  if (a && b) out->plane = FFT_OWN(plan_plane)(s, flags | FFT_OWN(alignment)(s), a, b);
  if (a && s->cube) out->column = FFT_OWN(plan_columns)(s, flags, FFT_BLOCK, a);
  if (a && s->cube && left) out->rest = FFT_OWN(plan_columns)(s, flags, left, a);
  FFT(free)(a);
  FFT(free)(b);
  if (out->plane && (!s->cube || (out->column && (out->rest || !left)))) return HG_OK;
  return hg_fail(HG_RUNTIME, "FFTW made no plan for planes of %lld x %lld", (long long)s->n[1],
                 (long long)s->n[2]);
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
  if (s->real && s->inverse)
    FFT(execute_dft_c2r)(p->plane, in, out);
  else if (s->real)
    FFT(execute_dft_r2c)(p->plane, in, out);
  else
    FFT(execute_dft)(p->plane, in, out);
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
  plan = s->real && s->inverse ? FFT(plan_many_dft_c2r)(rank, first, many, in, NULL, 1, before, out,
                                                        NULL, 1, after, FFTW_ESTIMATE)
         : s->real ? FFT(plan_many_dft_r2c)(rank, first, many, in, NULL, 1, before, out, NULL, 1,
                                            after, FFTW_ESTIMATE)
                   : FFT(plan_many_dft)(rank, first, many, in, NULL, 1, before, out, NULL, 1, after,
                                        s->inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  if (!plan) return hg_fail(HG_RUNTIME, "FFTW made no plan to verify with");
  FFT(execute)(plan);
  FFT(destroy_plan)(plan);
  return HG_OK;
}

const fft_library LIBRARY = {"fftw",         FFT_OWN(plan),    FFT_OWN(free),
                             FFT_OWN(plane), FFT_OWN(columns), FFT_OWN(scale),
                             FFT_OWN(keep),  FFT_OWN(use),     FFT_OWN(direct)};
