/* SPDX-License-Identifier: MIT */
/* The CUDA kernels of adr, emulated by fibres on the CPU, give the same bits as the CPU kernels. */
#include "codelets/adr/adr_cuda.cu"
#include "codelets/adr/adr_solve_cuda.cu"
#include "codelets/gpu/gpu_cuda.cu"
#include "codelets/gpu/gpu_lu_cuda.cu"
#include "codelets/heat/heat_cuda.cu"
#include "codelets/lu/lu_cuda.cu"
#include "codelets/halo_pieces_cuda.cu"
#include "codelets/pricing/pricing_cuda.cu"

#include "tests/unit/adr_cases.h"

static void run_emulated(adr_case *c)
{
  hg_adr_cuda_begin(&c->b, c->first, c->bdf2, c->state[0], c->state[1], c->state[2], &c->outcome, nullptr);
  for (int i = 0; i < adr_sweeps(c); i++) {
    hg_adr_cuda_residual(&c->b, &c->step, c->is_float, c->tables, c->state[0], c->state[1], i == 0, c->work,
                         &c->outcome, nullptr);
    if (c->broken) adr_break(c, c->work);
    hg_adr_cuda_solve(&c->b, &c->step, c->is_float, c->tables, c->state[0], c->work, &c->outcome, &c->iterations,
                      nullptr);
  }
}

static void pass_emulated(adr_case *c, hg_adr_pass pass, const hg_adr_krylov *it, double sum[2])
{
  hg_adr_cuda_pass(&c->b, &c->step, c->is_float, pass, it, c->tables, c->state[0], c->work, &c->outcome, sum, nullptr);
}

/* The solve that hetgrid-calibrate times gives the CPU's result in each repetition. */
static void check_work()
{
  const int64_t most[3] = {12, 9, 9};
  uint64_t seed = 8;
  adr_case c = adr_make_case(&seed, most);
  int iterations = 0;
  const hg_adr_kernel *k = hg_adr_kernel_find("auto");
  hg_adr_begin(&c.b, true, false, c.state[0], c.state[1], c.state[2], &c.outcome);
  c.outcome.scale[0] = c.outcome.scale[1] = 1;
  k->residual[c.is_float](&c.b, &c.step, c.tables, c.state[0], c.state[1], true, c.work, &c.outcome);
  hg_gpu_work *work = hg_gpu_adr(0, c.is_float, &c.b, &c.step, c.tables, c.state[0], c.work, &iterations);
  tap_ok(work && hg_gpu_run(work, 2) >= 0, "a solve is timed");
  hg_gpu_end(work);
  k->solve[c.is_float](&c.b, &c.step, c.tables, c.state[0], c.work, &c.outcome);
  tap_int(iterations, (int64_t)c.outcome.iterations, "... of the CPU's iterations");
  adr_free_case(&c);
}

int main()
{
  const int64_t rows[3] = {70, 6, 5}, planes[3] = {5, 20, 9}, one[3] = {1, 1, 1}, line[3] = {1, 1, 40},
                long_rows[3] = {300, 2, 2}, high[3] = {1, 400, 2};
  adr_check_cases(run_emulated, "rows", rows, 24, 1);
  adr_check_cases(run_emulated, "planes", planes, 16, 2);
  adr_check_cases(run_emulated, "a node", one, 16, 3);
  adr_check_cases(run_emulated, "a line", line, 8, 4);
  adr_check_cases(run_emulated, "long rows", long_rows, 8, 7);
  adr_check_cases(run_emulated, "high planes", high, 8, 8);
  adr_check_passes(pass_emulated, "rows", rows, 8, 5);
  adr_check_passes(pass_emulated, "planes", planes, 8, 6);
  check_work();
  return tap_done();
}
