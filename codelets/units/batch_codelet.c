/* SPDX-License-Identifier: MIT */
#include "codelets/units/batch_codelet.h"

#include <stdio.h>

#include "base/clock.h"
#include "codelets/simulated_costs.h"
#include "codelets/energy_codelet.h"

static hg_units units_of(const hg_batch_step *step, hg_fault *fault)
{
  const hg_units_kernel *k = step->kernel;
  hg_units u = {.step = step->step, .parameters = step->parameters, .data = k->update->data, .fault = fault};
  for (int a = 0; a < 3; a++) {
    u.n[a] = k->n[a];
    u.at[a] = u.lo[a] = step->box.lo[a];
    u.own[a] = hg_box_extent(&step->box, a);
  }
  return u;
}

static hg_fault *own_fault(const hg_units_kernel *k)
{
  return &k->fault[starpu_worker_get_id_check()];
}

double hg_batch_flops(const hg_batch_step *step)
{
  const hg_update *update = step->kernel->update;
  if (!update->flops) return step->kernel->flops * (double)hg_box_cells(&step->box);
  hg_units u = units_of(step, NULL);
  double flops = 0;
  for (u.at[2] = u.lo[2]; u.at[2] < step->box.hi[2]; u.at[2]++)
    for (u.at[1] = u.lo[1]; u.at[1] < step->box.hi[1]; u.at[1]++) flops += update->flops(&u, u.own[0]);
  return flops;
}

/* Row by row. */
static void batch_cpu(void *buffer[], void *arg)
{
  const hg_batch_step *step = arg;
  const hg_units_kernel *k = step->kernel;
  hg_phase_times *times = &k->times[starpu_worker_get_id_check()];
  hg_units u = units_of(step, own_fault(k));
  char *out = (char *)STARPU_VECTOR_GET_PTR(buffer[0]);
  const double start = hg_now();
  for (u.at[2] = u.lo[2]; u.at[2] < step->box.hi[2]; u.at[2]++)
    for (u.at[1] = u.lo[1]; u.at[1] < step->box.hi[1]; u.at[1]++) {
      k->update->run(&u, u.own[0], out);
      out += u.own[0] * k->update->value_bytes;
    }
  hg_phase_add(&times->compute, hg_now() - start);
  hg_phase_add(&times->cells, (double)hg_box_cells(&step->box));
}

#ifdef HG_HAVE_CUDA
static void batch_cuda(void *buffer[], void *arg)
{
  const hg_batch_step *step = arg;
  const hg_units_kernel *k = step->kernel;
  const hg_units u = units_of(step, own_fault(k));
  const hg_units_box box = {.n = {u.own[0], u.own[1], u.own[2]},
                            .blocks = k->blocks,
                            .threads = k->threads,
                            .parameter_bytes = k->parameter_bytes};
  void *out = (void *)STARPU_VECTOR_GET_PTR(buffer[0]);
  const int error = k->update->launch(&u, &box, out, starpu_cuda_get_local_stream());
  if (error != cudaSuccess) STARPU_CUDA_REPORT_ERROR((cudaError_t)error);
  hg_phase_add(&k->times[starpu_worker_get_id_check()].cells, (double)hg_box_cells(&step->box));
}
#endif

#ifdef STARPU_SIMGRID
static double batch_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_batch_step *step = task->cl_arg;
  const double work = (double)hg_box_cells(&step->box) * step->kernel->update->work;
  return hg_cost_us(hg_platform_batch_time(hg_costs_device(worker), work), false);
}
#else
/* Batches of the same size take different times, depending on the work of their units. */
static uint32_t footprint(struct starpu_task *task)
{
  const hg_batch_step *step = task->cl_arg;
  const double key[] = {(double)hg_box_cells(&step->box), step->kernel->update->work};
  return starpu_hash_crc32c_be_n(key, sizeof key, 0);
}
#endif

void hg_batch_codelet(hg_units_kernel *k, const char *name)
{
  snprintf(k->symbol, sizeof k->symbol, "hetgrid_%.60s", name);
#ifdef STARPU_SIMGRID
  k->model = (struct starpu_perfmodel)HG_COST_MODEL(k->symbol, batch_cost);
#else
  k->model =
      (struct starpu_perfmodel)HG_COST_MODEL(k->symbol, NULL, .type = STARPU_HISTORY_BASED, .footprint = footprint);
#endif
  k->task = (struct starpu_codelet){.name = name,
                                    .cpu_funcs = {batch_cpu},
                                    .nbuffers = 1,
                                    .modes = {STARPU_W},
                                    .color = 0xd95f02,
                                    .model = &k->model,
                                    .energy_model = &hg_energy_model};
#if defined HG_HAVE_CUDA
  if (hg_update_runs_on_cuda(k->update)) k->task.cuda_funcs[0] = batch_cuda;
#elif defined STARPU_SIMGRID
  k->task.cuda_funcs[0] = batch_cpu; /* in simulation it only shows that a CUDA function exists */
#endif
  k->task.cuda_flags[0] = STARPU_CUDA_ASYNC;
}
