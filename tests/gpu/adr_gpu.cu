/* SPDX-License-Identifier: MIT */
/* The CUDA kernels of adr on a real device give the same bits as the CPU kernels; prints their speed. Skipped without a
 * device. Needs neither StarPU nor libhetgrid. */
#include "codelets/adr/adr_cuda.h"
#include "tests/unit/adr_cases.h"

static void *to_device(const void *host, size_t bytes)
{
  void *device = nullptr;
  if (cudaMalloc(&device, bytes) != cudaSuccess) return nullptr;
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  return device;
}

/* The arrays of a case in device memory. */
struct device_case {
  double *tables, *state[ADR_STATES];
  void *work;
  hg_adr_outcome *outcome;
};

static device_case put(const adr_case *c)
{
  device_case d;
  d.tables = (double *)to_device(c->tables, adr_table_bytes(c));
  for (int i = 0; i < ADR_STATES; i++) d.state[i] = (double *)to_device(c->state[i], adr_state_bytes(c));
  d.work = to_device(c->work, adr_work_bytes(c));
  d.outcome = (hg_adr_outcome *)to_device(&c->outcome, sizeof c->outcome);
  return d;
}

static void take_back(device_case *d, adr_case *c)
{
  for (int i = 0; i < ADR_STATES; i++) {
    cudaMemcpy(c->state[i], d->state[i], adr_state_bytes(c), cudaMemcpyDeviceToHost);
    cudaFree(d->state[i]);
  }
  cudaMemcpy(c->work, d->work, adr_work_bytes(c), cudaMemcpyDeviceToHost);
  cudaMemcpy(&c->outcome, d->outcome, sizeof c->outcome, cudaMemcpyDeviceToHost);
  cudaFree(d->tables);
  cudaFree(d->work);
  cudaFree(d->outcome);
}

static void break_on_device(const adr_case *c, void *work)
{
  const int64_t at = HG_ADR_INVERSE * c->b.field + c->b.origin;
  const float one = NAN;
  const double two = NAN;
  const size_t size = adr_real_bytes(c);
  cudaMemcpy((char *)work + (size_t)at * size, c->is_float ? (const void *)&one : (const void *)&two, size,
             cudaMemcpyHostToDevice);
}

static void run_device(adr_case *c)
{
  device_case d = put(c);
  cudaError_t error =
      hg_adr_cuda_begin(&c->b, c->first, c->bdf2, d.state[0], d.state[1], d.state[2], d.outcome, nullptr);
  for (int i = 0; i < adr_sweeps(c) && error == cudaSuccess; i++) {
    error = hg_adr_cuda_residual(&c->b, &c->step, c->is_float, d.tables, d.state[0], d.state[1], i == 0, d.work,
                                 d.outcome, nullptr);
    if (c->broken) break_on_device(c, d.work);
    if (error == cudaSuccess)
      error = hg_adr_cuda_solve(&c->b, &c->step, c->is_float, d.tables, d.state[0], d.work, d.outcome, &c->iterations,
                                nullptr);
  }
  if (error != cudaSuccess) printf("# %s\n", cudaGetErrorString(error));
  take_back(&d, c);
}

static void pass_on_device(adr_case *c, hg_adr_pass pass, const hg_adr_krylov *it, double sum[2])
{
  device_case d = put(c);
  double *sums = (double *)to_device(sum, 2 * sizeof *sum);
  const cudaError_t error =
      hg_adr_cuda_pass(&c->b, &c->step, c->is_float, pass, it, d.tables, d.state[0], d.work, d.outcome, sums, nullptr);
  cudaMemcpy(sum, sums, 2 * sizeof *sum, cudaMemcpyDeviceToHost);
  cudaFree(sums);
  if (error != cudaSuccess) printf("# %s\n", cudaGetErrorString(error));
  take_back(&d, c);
}

/* Iterations of BiCGSTAB in single precision on a large block. */
static void time_solve(int64_t side)
{
  enum { ITERATIONS = 50 };
  uint64_t state = 1;
  const int64_t most[3] = {1, 1, 1};
  adr_case c = adr_make_case(&state, most);
  adr_free_case(&c);
  for (int a = 0; a < 3; a++) {
    c.b.n[a] = c.b.hi[a] = side;
    c.b.lo[a] = 0;
    c.b.wrap[a] = false;
  }
  hg_adr_lay_out(&c.b);
  c.is_float = true;
  c.step.bicg = 0;
  c.step.inner = 1e-30;
  c.step.limit = ITERATIONS;
  c.tables = (double *)calloc(1, adr_table_bytes(&c));
  for (int i = 0; i < ADR_STATES; i++) c.state[i] = (double *)calloc(1, adr_state_bytes(&c));
  c.work = calloc(1, adr_work_bytes(&c));
  for (int64_t k = 0; k < 2 * c.b.field; k++) c.state[0][k] = adr_real(&state, 1, 2);
  adr_fill_tables(&state, &c);
  device_case d = put(&c);
  cudaEvent_t begin, end;
  float ms = 0;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  hg_adr_cuda_begin(&c.b, true, false, d.state[0], d.state[1], d.state[2], d.outcome, nullptr);
  for (int i = 0; i < 3; i++) {
    hg_adr_cuda_residual(&c.b, &c.step, true, d.tables, d.state[0], d.state[1], true, d.work, d.outcome, nullptr);
    cudaEventRecord(begin);
    hg_adr_cuda_solve(&c.b, &c.step, true, d.tables, d.state[0], d.work, d.outcome, &c.iterations, nullptr);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
  }
  const double bytes = 168. * (double)(side * side * side) * c.iterations;
  printf("# bicgstab on %lld^3 nodes: %d iterations in %.4g s, %.4g GB/s of 168 bytes a node\n", (long long)side,
         c.iterations, ms * 1e-3, bytes / ms * 1e-6);
  take_back(&d, &c);
  adr_free_case(&c);
}

int main()
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    tap_skip("no CUDA device");
    return tap_done();
  }
  const int64_t rows[3] = {300, 20, 10}, planes[3] = {20, 40, 100}, one[3] = {1, 1, 1}, cube[3] = {64, 64, 64};
  adr_check_cases(run_device, "rows", rows, 80, 1);
  adr_check_cases(run_device, "planes", planes, 40, 2);
  adr_check_cases(run_device, "a node", one, 16, 3);
  adr_check_cases(run_device, "cubes", cube, 24, 4);
  adr_check_passes(pass_on_device, "rows", rows, 20, 5);
  adr_check_passes(pass_on_device, "cubes", cube, 10, 6);
  for (int64_t side = 64; side <= 256; side *= 2) time_solve(side);
  return tap_done();
}
