/* SPDX-License-Identifier: MIT */
#include "codelets/units/units_codelet.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "codelets/simulated_costs.h"
#include "codelets/energy_codelet.h"
#include "codelets/scratch.h"
#include "codelets/units/stored.h"
#include "codelets/units/units_cpu.h"
#ifdef HG_HAVE_CUDA
#include "codelets/units/units_cuda.h"
#endif

void hg_quantity_stats_clear(hg_quantity_stats *m)
{
  *m = (hg_quantity_stats){.largest = -INFINITY, .smallest = INFINITY};
}

void hg_quantity_stats_take(void *arg, const double *values, int64_t count)
{
  hg_quantity_stats *m = arg;
  for (int64_t i = 0; i < count; i++) {
    const double v = values[i];
    if (!(v <= m->largest) && !isnan(m->largest)) m->largest = v;
    if (!(v >= m->smallest) && !isnan(m->smallest)) m->smallest = v;
  }
  hg_exact_add_all(&m->sum, values, count);
}

/* --- stencils ---------------------------------------------------------------------------------------------------- */

static hg_units_tile tile_of(const hg_tile_step *step, const hg_tile_states *s)
{
  const hg_tile_info *t = step->tile;
  const hg_units_kernel *k = t->kernel->data;
  hg_units_tile tile = {.shape = &t->shape,
                        .lo = {t->lo[0], t->lo[1], t->lo[2]},
                        .update = k->update,
                        .source = s->source,
                        .units = {.n = {k->n[0], k->n[1], k->n[2]},
                                  .step = step->first,
                                  .parameters = step->parameters,
                                  .fault = &k->fault[starpu_worker_get_id_check()]}};
  return tile;
}

static bool advance_cpu(const hg_tile_step *step, const hg_tile_states *s)
{
  const hg_units_tile tile = tile_of(step, s);
  const hg_update *u = tile.update;
  const size_t own = u->work_bytes ? u->work_bytes(&tile, step->steps) : 0;
  void *work = hg_task_scratch(step->tile->failure, u->tile ? own : hg_units_workspace(&tile, step->steps));
  if (!work) return false;
  if (u->tile)
    u->tile(&tile, step->first, step->steps, s->before, s->after, work);
  else
    hg_units_advance(&tile, step->first, step->steps, s->before, s->after, work);
  return true;
}

static void measure_cpu(const hg_tile_step *step, const hg_tile_states *s, void *result)
{
  const hg_units_tile tile = tile_of(step, s);
  const hg_quantity *q = ((const hg_units_kernel *)step->tile->kernel->data)->quantity;
  hg_quantity_stats_clear(result);
  if (!q->tile) {
    hg_units_measure(&tile, q, step->first, s->before, s->after, hg_quantity_stats_take, result);
    return;
  }
  const double largest = q->tile(&tile, s->before, s->after);
  hg_quantity_stats_take(result, &largest, 1);
}

#ifdef HG_HAVE_CUDA
static int advance_cuda(const hg_tile_step *step, const hg_tile_states *s, void *stream)
{
  const hg_units_tile tile = tile_of(step, s);
  const hg_units_kernel *k = step->tile->kernel->data;
  const hg_units_box launch = {.blocks = k->blocks, .threads = k->threads, .parameter_bytes = k->parameter_bytes};
  if (k->update->tile_cuda) return k->update->tile_cuda(&tile, step->first, step->steps, s->before, s->after, stream);
  return (int)hg_units_cuda_advance(&tile, &launch, step->first, step->steps, s->before, s->after, stream);
}

static int measure_cuda(const hg_tile_step *step, const hg_tile_states *s, void *result, void *stream)
{
  const hg_units_tile tile = tile_of(step, s);
  const hg_quantity *q = ((const hg_units_kernel *)step->tile->kernel->data)->quantity;
  static const hg_quantity_stats none = {.largest = -INFINITY, .smallest = INFINITY}; /* outlives the copy */
  const cudaError_t error = cudaMemcpyAsync(result, &none, sizeof none, cudaMemcpyHostToDevice, (cudaStream_t)stream);
  if (error != cudaSuccess) return (int)error;
  return q->tile_cuda(&tile, s->before, s->after, &((hg_quantity_stats *)result)->largest, stream);
}
#endif

hg_stencil_kernel hg_units_stencil_kernel(const hg_units_kernel *k, bool has_source, double flops)
{
  return (hg_stencil_kernel){
      .value_bytes = k->update->value_bytes,
      .has_source = has_source,
      .result_bytes = k->quantity ? sizeof(hg_quantity_stats) : 0,
      .flops = flops,
      .data = k,
      .parameters = k->parameters,
      .parameter_bytes = k->parameter_bytes,
      .task = (struct starpu_codelet *)(uintptr_t)&k->task,
      .pack = (struct starpu_codelet *)(uintptr_t)&k->pack,
      .advance = advance_cpu,
      .measure = measure_cpu,
#ifdef HG_HAVE_CUDA
      .advance_cuda = advance_cuda,
      .measure_cuda = k->quantity && k->quantity->tile_cuda ? measure_cuda : NULL,
#endif
  };
}

/* --- stored neighbours ------------------------------------------------------------------------------------------- */

static void *pointer(void *buffer)
{
  return (void *)STARPU_VECTOR_GET_PTR(buffer);
}

static hg_units units_of(const hg_stored_step *step, void *state, const void *index)
{
  hg_units u = hg_stored_units(step->tile, state, index);
  u.step = step->step;
  u.parameters = step->parameters;
  u.fault = &step->tile->kernel->fault[starpu_worker_get_id_check()];
  return u;
}

static void stored_cpu(void *buffer[], void *arg)
{
  const hg_stored_step *step = arg;
  const hg_stored_tile *t = step->tile;
  hg_phase_times *times = &t->kernel->times[starpu_worker_get_id_check()];
  const double start = hg_now();
  const void *pieces[t->in_count + 1];
  for (int i = 0; i < t->in_count; i++) pieces[i] = pointer(buffer[3 + i]);
  hg_stored_unpack(t, pieces, pointer(buffer[0]));
  const double unpacked = hg_now();
  const hg_units units = units_of(step, pointer(buffer[0]), pointer(buffer[2]));
  hg_stored_advance(t, &units, pointer(buffer[1]));
  hg_phase_add(&times->cells, (double)t->own_count);
  hg_phase_add(&times->unpack, unpacked - start);
  hg_phase_add(&times->compute, hg_now() - unpacked);
}

static void stored_pack_cpu(void *buffer[], void *arg)
{
  const hg_stored_tile *t = ((const hg_stored_step *)arg)->tile;
  const double start = hg_now();
  void *pieces[t->out_count + 1];
  for (int i = 0; i < t->out_count; i++) pieces[i] = pointer(buffer[3 + i]);
  hg_stored_pack(t, pointer(buffer[0]), pointer(buffer[1]), pointer(buffer[2]), pieces);
  hg_phase_add(&t->kernel->times[starpu_worker_get_id_check()].pack, hg_now() - start);
}

static void stored_measure_cpu(void *buffer[], void *arg)
{
  const hg_stored_step *step = arg;
  hg_quantity_stats *result = (hg_quantity_stats *)STARPU_VARIABLE_GET_PTR(buffer[2]);
  const hg_units units = units_of(step, pointer(buffer[0]), NULL);
  hg_quantity_stats_clear(result);
  hg_stored_measure(step->tile, &units, pointer(buffer[1]), hg_quantity_stats_take, result);
}

#ifdef HG_HAVE_CUDA
static void check_cuda(int error)
{
  if (error != cudaSuccess) STARPU_CUDA_REPORT_ERROR((cudaError_t)error);
}

/* Copies received pieces behind the tile's own values, then computes with one thread per unit. */
static void stored_cuda(void *buffer[], void *arg)
{
  const hg_stored_step *step = arg;
  const hg_stored_tile *t = step->tile;
  const hg_units_kernel *k = t->kernel;
  cudaStream_t stream = starpu_cuda_get_local_stream();
  hg_units units = units_of(step, pointer(buffer[0]), pointer(buffer[2]));
  char *to = (char *)pointer(buffer[0]) + t->elements * k->update->value_bytes;
  for (int i = 0; i < t->in_count; to += t->in_bytes[i++])
    check_cuda(cudaMemcpyAsync(to, pointer(buffer[3 + i]), (size_t)t->in_bytes[i], cudaMemcpyDeviceToDevice, stream));
  hg_units_box box = {.blocks = k->blocks, .threads = k->threads, .parameter_bytes = k->parameter_bytes};
  const int64_t stride[3] = {1, units.own[0], units.own[0] * units.own[1]};
  for (int a = 0; a < 3; a++) {
    box.n[a] = box.close[a] = box.read_hi[a] = units.own[a];
    box.stride[a] = units.stride[a] = stride[a];
    units.at[a] = units.lo[a];
  }
  units.before = units.values;
  hg_phase_add(&k->times[starpu_worker_get_id_check()].cells, (double)t->own_count);
  check_cuda(k->update->launch(&units, &box, pointer(buffer[1]), stream));
}

static void stored_pack_cuda(void *buffer[], void *arg)
{
  const hg_stored_tile *t = ((const hg_stored_step *)arg)->tile;
  const int64_t *offset = t->has_offsets ? pointer(buffer[1]) : NULL;
  const int32_t *positions = pointer(buffer[2]);
  for (int i = 0; i < t->out_count; i++)
    check_cuda(hg_stored_cuda_gather(pointer(buffer[0]), t->kernel->update->value_bytes, offset,
                                     positions + t->out_first[i], t->out_first[i + 1] - t->out_first[i],
                                     pointer(buffer[3 + i]), starpu_cuda_get_local_stream()));
}
#endif

/* --- codelets ---------------------------------------------------------------------------------------------------- */

#ifdef STARPU_SIMGRID
/* Time of a task on a worker in us, taken from heat; single precision takes half the time. */
static double units_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_tile_step *step = task->cl_arg;
  const hg_tile_info *t = step->tile;
  double items = 0;
  for (int i = 0; i < t->in_count; i++) items += (double)(t->in[i].n[0] * t->in[i].n[1] * t->in[i].n[2]);
  return hg_cost_us(hg_platform_heat_time(hg_costs_device(worker), hg_tile_core_count(t), step->steps, items),
                    t->kernel->value_bytes <= 4);
}
#endif

static void set_model(struct starpu_perfmodel *m, char symbol[HG_MODEL_SYMBOL], const char *name, const char *what)
{
  snprintf(symbol, HG_MODEL_SYMBOL, "hetgrid_%.60s%s", name, what);
#ifdef STARPU_SIMGRID
  *m = (struct starpu_perfmodel)HG_COST_MODEL(symbol, units_cost);
#else
  *m = (struct starpu_perfmodel)HG_COST_MODEL(symbol, NULL, .type = STARPU_HISTORY_BASED);
#endif
}

/* Floats and doubles with the same number of bytes take different times. */
static uint32_t stored_footprint(struct starpu_task *task)
{
  const hg_stored_step *step = task->cl_arg;
  return starpu_hash_crc32c_be((uint32_t)step->tile->kernel->update->value_bytes, starpu_task_data_footprint(task));
}

static void set_codelet(struct starpu_codelet *c, const char *name, starpu_cpu_func_t cpu, uint32_t color)
{
  *c = (struct starpu_codelet){.name = name, .cpu_funcs = {cpu}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .color = color};
}

/* Functions for GPUs. In simulation they only show that there are some and are never called. */
static void set_cuda(hg_units_kernel *k, bool stored)
{
#if defined HG_HAVE_CUDA
  if (!hg_update_runs_on_cuda(k->update)) return;
  k->task.cuda_funcs[0] = stored ? stored_cuda : hg_stencil_cuda;
  k->pack.cuda_funcs[0] = stored ? stored_pack_cuda : hg_stencil_pack_cuda;
#elif defined STARPU_SIMGRID
  k->task.cuda_funcs[0] = stored ? stored_cpu : hg_stencil_cpu;
  k->pack.cuda_funcs[0] = stored ? stored_pack_cpu : hg_stencil_pack_cpu;
#else
  (void)stored;
#endif
  k->task.cuda_flags[0] = k->pack.cuda_flags[0] = STARPU_CUDA_ASYNC;
}

void hg_units_codelets(hg_units_kernel *k, const char *name, bool stored)
{
  snprintf(k->pack_name, sizeof k->pack_name, "%.60s_pack", name);
  set_model(&k->model, k->symbol, name, "");
  set_model(&k->pack_model, k->pack_symbol, name, "_pack");
  if (!hg_simulated) k->model.footprint = k->pack_model.footprint = stored ? stored_footprint : hg_stencil_footprint;
  set_codelet(&k->task, name, stored ? stored_cpu : hg_stencil_cpu, 0xd95f02);
  set_codelet(&k->pack, k->pack_name, stored ? stored_pack_cpu : hg_stencil_pack_cpu, 0x1b9e77);
  set_codelet(&k->measure, "measure", stored_measure_cpu, 0x7570b3);
  k->task.model = &k->model;
  k->task.energy_model = k->pack.energy_model = &hg_energy_model;
  if (!stored) k->pack.model = &k->pack_model;
  set_cuda(k, stored);
}
