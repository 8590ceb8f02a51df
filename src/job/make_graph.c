/* SPDX-License-Identifier: MIT */
/* Chooses the kind of graph for a job. */
#include "codelets/units/units_codelet.h"
#include "graph/batch.h"
#include "graph/stencil.h"
#include "graph/units.h"
#include "job/run.h"

hg_status hg_run_graph(hg_run *r, const hg_tiling *tiling, hg_graph **out)
{
  const hg_job *j = r->job;
  if (r->options->relax) {
    r->relax.tolerance = j->tolerance;
    r->relax.check_every = j->check_every;
    return hg_relax_make(&r->session, tiling, r->stencil_kernel, hg_run_fill_source, r, &r->relax, out);
  }
  if (hg_run_is_stencil(r)) return hg_stencil_make(&r->session, tiling, r->stencil_kernel, hg_run_fill_source, r, out);
  if (j->update->independent) return hg_batch_make(&r->session, tiling, r->kernel, r->options->least, out);
  r->dependence = (hg_dependence){
      .neighbours = j->neighbours, .zone = j->zone, .length = j->length, .limit = j->neighbour_limit, .arg = j->arg};
  return hg_units_make(&r->session, tiling, r->kernel, &r->dependence, out);
}
