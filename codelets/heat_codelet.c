/* SPDX-License-Identifier: MIT */
#include "codelets/heat_codelet.h"

#include <math.h>

#include "codelets/costs.h"
#include "codelets/scratch.h"
#ifdef HG_HAVE_CUDA
#include "codelets/heat_cuda.h"
#endif

/* Largest |a - b| over the cores of two states. */
#define CORE_CHANGE(TYPE)                                                                                              \
  static double core_change_##TYPE(const hg_tile_shape *s, const TYPE *a, const TYPE *b)                               \
  {                                                                                                                    \
    double change = 0;                                                                                                 \
    for (int64_t z = s->margin[2][0]; z < s->n[2] - s->margin[2][1]; z++)                                              \
      for (int64_t y = s->margin[1][0]; y < s->n[1] - s->margin[1][1]; y++)                                            \
        for (int64_t x = s->margin[0][0]; x < s->n[0] - s->margin[0][1]; x++) {                                        \
          int64_t i = x + y * s->stride[1] + z * s->stride[2];                                                         \
          double d = fabs((double)a[i] - (double)b[i]);                                                                \
          change = d > change || isnan(d) ? d : change;                                                                \
        }                                                                                                              \
    return change;                                                                                                     \
  }

CORE_CHANGE(double)
CORE_CHANGE(float)

static bool advance_cpu(const hg_tile_step *step, const hg_tile_states *s)
{
  const hg_tile_info *t = step->tile;
  const hg_heat_update *u = t->kernel->data;
  void *work = hg_task_scratch(t->failure, u->cpu->workspace[u->is_float](&t->shape, step->steps, s->source != NULL));
  if (!work) return false;
  u->cpu->advance[u->is_float](&t->shape, &u->coef, step->steps, s->before, s->after, s->source, work);
  return true;
}

static void measure_cpu(const hg_tile_step *step, const hg_tile_states *s, void *change)
{
  const hg_heat_update *u = step->tile->kernel->data;
  const hg_tile_shape *shape = &step->tile->shape;
  *(double *)change =
      u->is_float ? core_change_float(shape, s->before, s->after) : core_change_double(shape, s->before, s->after);
}

#ifdef HG_HAVE_CUDA
static int advance_cuda(const hg_tile_step *step, const hg_tile_states *s, void *stream)
{
  const hg_heat_update *u = step->tile->kernel->data;
  return (int)hg_heat_cuda_advance(&step->tile->shape, &u->coef, u->is_float, step->steps, HG_HEAT_CUDA_AUTO, s->before,
                                   s->after, s->source, stream);
}

static int measure_cuda(const hg_tile_step *step, const hg_tile_states *s, void *change, void *stream)
{
  const hg_heat_update *u = step->tile->kernel->data;
  return (int)hg_heat_cuda_change(&step->tile->shape, u->is_float, s->before, s->after, change, stream);
}
#endif

#ifdef STARPU_SIMGRID
/* us of a task on a worker; single precision takes half the time. */
static double heat_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_tile_step *step = task->cl_arg;
  const hg_tile_info *t = step->tile;
  double items = 0;
  for (int i = 0; i < t->in_count; i++) items += (double)(t->in[i].n[0] * t->in[i].n[1] * t->in[i].n[2]);
  return hg_cost_us(hg_platform_heat_time(hg_costs_device(worker), hg_tile_core_count(t), step->steps, items),
                    ((const hg_heat_update *)t->kernel->data)->is_float);
}
#endif

static struct starpu_perfmodel heat_model =
    HG_COST_MODEL("hetgrid_heat", heat_cost, .type = STARPU_HISTORY_BASED, .footprint = hg_stencil_footprint);
static struct starpu_perfmodel pack_model =
    HG_COST_MODEL("hetgrid_heat_pack", heat_cost, .type = STARPU_HISTORY_BASED, .footprint = hg_stencil_footprint);

static struct starpu_codelet heat_task = {
    .name = "heat",
    .cpu_funcs = {hg_stencil_cpu},
    .cpu_funcs_name = {"hg_stencil_cpu"},
#ifdef HG_HAVE_CUDA
    .cuda_funcs = {hg_stencil_cuda},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#elif defined STARPU_SIMGRID
    .cuda_funcs = {hg_stencil_cpu}, /* says that there is one; nothing is called in virtual time */
    .cuda_flags = {STARPU_CUDA_ASYNC},
#endif
    .nbuffers = STARPU_VARIABLE_NBUFFERS,
    .model = &heat_model,
    .color = 0xd95f02,
};

static struct starpu_codelet pack_task = {
    .name = "heat_pack",
    .cpu_funcs = {hg_stencil_pack_cpu},
    .cpu_funcs_name = {"hg_stencil_pack_cpu"},
#ifdef HG_HAVE_CUDA
    .cuda_funcs = {hg_stencil_pack_cuda},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#elif defined STARPU_SIMGRID
    .cuda_funcs = {hg_stencil_pack_cpu},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#endif
    .nbuffers = STARPU_VARIABLE_NBUFFERS,
    .model = &pack_model,
    .color = 0x1b9e77,
};

hg_stencil_kernel hg_heat_stencil_kernel(int dims, bool has_source, const hg_heat_update *update)
{
  static const double flops[] = {0, 4, 7, 10}; /* fused multiply-adds count as two */
  return (hg_stencil_kernel){
      .value_bytes = update->is_float ? 4 : 8,
      .has_source = has_source,
      .result_bytes = sizeof(double),
      .flops = flops[dims],
      .data = update,
      .task = &heat_task,
      .pack = &pack_task,
      .advance = advance_cpu,
      .measure = measure_cpu,
#ifdef HG_HAVE_CUDA
      .advance_cuda = advance_cuda,
      .measure_cuda = measure_cuda,
#endif
  };
}
