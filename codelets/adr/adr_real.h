/* SPDX-License-Identifier: MIT */
/* All kernels for one REAL. Included by adr_isa.c. */
#define LANES PASTE(LANES, of, REAL)
#include "codelets/adr/adr_solve_template.h"
#include "codelets/adr/adr_pass_template.h"
#undef LANES
#undef PIPELINE

#define REACTION mms
#define RATES hg_adr_mms(c1, c2, step->term, sines[x], sin_y, sin_z, cosines[x], cos_y, cos_z)
#include "codelets/adr/adr_residual_template.h"
#define REACTION conserve
#define RATES hg_adr_conserve(c1, c2)
#include "codelets/adr/adr_residual_template.h"
#define REACTION diurnal
#define RATES hg_adr_diurnal(c1, c2, step->term)
#include "codelets/adr/adr_residual_template.h"
#define REACTION none
#define RATES ((hg_adr_rates){0})
#include "codelets/adr/adr_residual_template.h"

static void PASTE(residual, of, REAL)(const hg_adr_block *b, const hg_adr_step *step, const double *tables, double *u,
                                      const double *old, bool fresh, void *work, hg_adr_outcome *outcome)
{
  wrap_state(b, u);
  switch ((hg_adr_reaction)b->reaction) {
  case HG_ADR_MMS: NAME3(residual_block, mms)(b, step, tables, u, old, fresh, work, outcome); break;
  case HG_ADR_CONSERVE: NAME3(residual_block, conserve)(b, step, tables, u, old, fresh, work, outcome); break;
  case HG_ADR_DIURNAL: NAME3(residual_block, diurnal)(b, step, tables, u, old, fresh, work, outcome); break;
  case HG_ADR_NONE: NAME3(residual_block, none)(b, step, tables, u, old, fresh, work, outcome); break;
  }
}
