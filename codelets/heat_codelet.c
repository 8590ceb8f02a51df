/* SPDX-License-Identifier: MIT */
#include "codelets/heat_codelet.h"

#include <math.h>

#include "base/clock.h"
#include "codelets/costs.h"
#include "codelets/scratch.h"
#ifdef HG_HAVE_CUDA
#include "codelets/heat_cuda.h"
#endif

static void *pointer(void *buffer)
{
  return (void *)STARPU_VECTOR_GET_PTR(buffer);
}

/* Largest |a - b| over the cores of two states. */
#define CORE_CHANGE(TYPE)                                                                                              \
  static double core_change_##TYPE(const hg_heat_shape *s, const TYPE *a, const TYPE *b)                               \
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

/* Buffers of a task in the order hg_heat_codelet documents. */
typedef struct buffers {
  void *before, *after, *source;
  double *change;
  void **in, **out;
} buffers;

static buffers name_buffers(void *buffer[], const hg_heat_step *step)
{
  const hg_heat_tile *t = step->tile;
  buffers b = {.before = pointer(buffer[0]), .after = pointer(buffer[1])};
  int next = 2;
  if (t->has_source) b.source = pointer(buffer[next++]);
  if (step->measure) b.change = (double *)STARPU_VARIABLE_GET_PTR(buffer[next++]);
  b.in = buffer + next;
  b.out = b.in + t->in_count;
  return b;
}

static double core_cells(const hg_heat_tile *t)
{
  const hg_heat_shape *s = &t->shape;
  double cells = 1;
  for (int a = 0; a < 3; a++) cells *= (double)(s->n[a] - s->margin[a][0] - s->margin[a][1]);
  return cells;
}

static void heat_cpu(void *buffer[], void *arg)
{
  const hg_heat_step *step = arg;
  const hg_heat_tile *t = step->tile;
  const int size = t->is_float ? 4 : 8;
  hg_phase_times *times = &t->times[starpu_worker_get_id_check()];
  buffers b = name_buffers(buffer, step);
  double start = hg_now();
  for (int i = 0; i < t->in_count; i++) hg_piece_unpack(&t->in[i], size, b.before, pointer(b.in[i]));
  double unpacked = hg_now();
  void *work = hg_worker_scratch(t->cpu->workspace[t->is_float](&t->shape, step->steps, t->has_source));
  if (!work) {
    times->failed = true;
    return;
  }
  t->cpu->advance[t->is_float](&t->shape, &t->coef, step->steps, b.before, b.after, b.source, work);
  if (step->measure)
    *b.change = t->is_float ? core_change_float(&t->shape, b.before, b.after)
                            : core_change_double(&t->shape, b.before, b.after);
  double computed = hg_now();
  for (int i = 0; i < t->out_count; i++) hg_piece_pack(&t->out[i], size, b.after, pointer(b.out[i]));
  times->cells += step->steps * core_cells(t);
  times->unpack += unpacked - start;
  times->compute += computed - unpacked;
  times->pack += hg_now() - computed;
}

static void pack_cpu(void *buffer[], void *arg)
{
  const hg_heat_tile *t = ((const hg_heat_step *)arg)->tile;
  for (int i = 0; i < t->out_count; i++)
    hg_piece_pack(&t->out[i], t->is_float ? 4 : 8, pointer(buffer[0]), pointer(buffer[1 + i]));
}

#ifdef HG_HAVE_CUDA
static void check_cuda(cudaError_t error)
{
  if (error != cudaSuccess) STARPU_CUDA_REPORT_ERROR(error);
}

static void copy_pieces_cuda(const hg_heat_tile *t, const hg_piece_cells *cells, int count, void *state, void *buffer[],
                             bool pack)
{
  void *pieces[count + 1];
  for (int i = 0; i < count; i++) pieces[i] = pointer(buffer[i]);
  check_cuda(
      hg_piece_cuda_copy(cells, count, t->is_float ? 4 : 8, state, pieces, pack, starpu_cuda_get_local_stream()));
}

/* Asynchronous: everything is queued on the worker's stream; StarPU waits for it. The phases are not told apart, the
 * time spent here is the time to queue. */
static void heat_cuda(void *buffer[], void *arg)
{
  const hg_heat_step *step = arg;
  const hg_heat_tile *t = step->tile;
  cudaStream_t stream = starpu_cuda_get_local_stream();
  buffers b = name_buffers(buffer, step);
  t->times[starpu_worker_get_id_check()].cells += step->steps * core_cells(t);
  copy_pieces_cuda(t, t->in, t->in_count, b.before, b.in, false);
  check_cuda(hg_heat_cuda_advance(&t->shape, &t->coef, t->is_float, step->steps, HG_HEAT_CUDA_AUTO, b.before, b.after,
                                  b.source, stream));
  if (step->measure) check_cuda(hg_heat_cuda_change(&t->shape, t->is_float, b.before, b.after, b.change, stream));
  copy_pieces_cuda(t, t->out, t->out_count, b.after, b.out, true);
}

static void pack_cuda(void *buffer[], void *arg)
{
  const hg_heat_tile *t = ((const hg_heat_step *)arg)->tile;
  copy_pieces_cuda(t, t->out, t->out_count, pointer(buffer[0]), buffer + 1, true);
}
#endif

#ifdef STARPU_SIMGRID
/* us of a task on a worker; single precision takes half the time. */
static double heat_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_heat_step *step = task->cl_arg;
  const hg_heat_tile *t = step->tile;
  double items = 0;
  for (int i = 0; i < t->in_count; i++) items += (double)(t->in[i].n[0] * t->in[i].n[1] * t->in[i].n[2]);
  return hg_cost_us(hg_platform_heat_time(hg_costs_device(worker), core_cells(t), step->steps, items), t->is_float);
}
#else
/* History-based models need to tell tasks of different length apart: tile shape and number of steps. */
static uint32_t footprint(struct starpu_task *task)
{
  const hg_heat_step *step = task->cl_arg;
  const hg_heat_tile *t = step->tile;
  int64_t key[] = {t->shape.n[0], t->shape.n[1], t->shape.n[2], step->steps, t->is_float, t->has_source};
  return starpu_hash_crc32c_be_n(key, sizeof key, 0);
}
#endif

static struct starpu_perfmodel heat_model =
    HG_COST_MODEL("hetgrid_heat", heat_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel pack_model =
    HG_COST_MODEL("hetgrid_heat_pack", heat_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);

struct starpu_codelet hg_heat_codelet = {
    .name = "heat",
    .cpu_funcs = {heat_cpu},
    .cpu_funcs_name = {"heat_cpu"},
#ifdef HG_HAVE_CUDA
    .cuda_funcs = {heat_cuda},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#elif defined STARPU_SIMGRID
    .cuda_funcs = {heat_cpu}, /* says that there is one; nothing is called in virtual time */
    .cuda_flags = {STARPU_CUDA_ASYNC},
#endif
    .nbuffers = STARPU_VARIABLE_NBUFFERS,
    .model = &heat_model,
    .color = 0xd95f02,
};

struct starpu_codelet hg_heat_pack_codelet = {
    .name = "heat_pack",
    .cpu_funcs = {pack_cpu},
    .cpu_funcs_name = {"pack_cpu"},
#ifdef HG_HAVE_CUDA
    .cuda_funcs = {pack_cuda},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#elif defined STARPU_SIMGRID
    .cuda_funcs = {pack_cpu},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#endif
    .nbuffers = STARPU_VARIABLE_NBUFFERS,
    .model = &pack_model,
    .color = 0x1b9e77,
};
