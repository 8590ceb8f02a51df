/* SPDX-License-Identifier: MIT */
/* To be preloaded into a program: makes one value of a result wrong, which its checks must find.
 *
 *   HG_WRONG  number added to the value; nan makes it NaN */
#include <complex.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "adr/results.h"
#include "job/run.h"
#include "pricing/estimate.h"

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static double error(void)
{
  const char *text = getenv("HG_WRONG");
  return text ? atof(text) : 0;
}

/* Changes the value in the middle. */
static void spoil(const hg_field *f)
{
  const int64_t i = hg_field_cells(f) / 2;
  if (!f->values) return;
  if (f->precision == HG_FLOAT)
    ((float *)f->values)[i] += (float)error();
  else
    ((double *)f->values)[i] += error();
}

hg_status hg_run_gather(hg_run *run, hg_field *out)
{
  const hg_status status = NEXT(hg_run_gather)(run, out);
  if (status == HG_OK) spoil(out);
  return status;
}

hg_status hg_adr_gather(const hg_session *session, const hg_tiling *tiling, hg_adr_graph *graph, bool before,
                        hg_field field[2])
{
  const hg_status status = NEXT(hg_adr_gather)(session, tiling, graph, before, field);
  if (status == HG_OK && !before) spoil(&field[1]);
  return status;
}

hg_estimate hg_path_sums_estimate(const hg_path_sums *sums, const hg_contract *contract, hg_payoff payoff)
{
  hg_estimate e = NEXT(hg_path_sums_estimate)(sums, contract, payoff);
  e.value += error();
  return e;
}

/* Spoils all transforms. */
void fftw_execute_dft(const void *plan, double complex *in, double complex *out);
void fftw_execute_dft(const void *plan, double complex *in, double complex *out)
{
  NEXT(fftw_execute_dft)(plan, in, out);
  out[0] += error();
}
