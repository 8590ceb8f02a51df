/* SPDX-License-Identifier: MIT */
#include "codelets/units/stencil_codelet.h"

#include "base/clock.h"
#ifdef HG_HAVE_CUDA
#include "codelets/halo_pieces_cuda.h"
#endif

static void *pointer(void *buffer)
{
  return (void *)STARPU_VECTOR_GET_PTR(buffer);
}

/* Buffers of a task, in the order documented in the header. */
typedef struct buffers {
  hg_tile_states states;
  void *result;
  void **in, **out;
} buffers;

static buffers name_buffers(void *buffer[], const hg_tile_step *step)
{
  const hg_tile_info *t = step->tile;
  buffers b = {.states = {.before = pointer(buffer[0]), .after = pointer(buffer[1])}};
  int next = 2;
  if (t->kernel->has_source) b.states.source = pointer(buffer[next++]);
  if (step->measure) b.result = (void *)STARPU_VARIABLE_GET_PTR(buffer[next++]);
  b.in = buffer + next;
  b.out = b.in + t->in_count;
  return b;
}

double hg_tile_core_count(const hg_tile_info *t)
{
  const hg_tile_shape *s = &t->shape;
  double cells = 1;
  for (int a = 0; a < 3; a++) cells *= (double)(s->n[a] - s->margin[a][0] - s->margin[a][1]);
  return cells;
}

void hg_stencil_cpu(void *buffer[], void *arg)
{
  const hg_tile_step *step = arg;
  const hg_tile_info *t = step->tile;
  const int size = (int)t->kernel->value_bytes;
  hg_phase_times *times = &t->times[starpu_worker_get_id_check()];
  buffers b = name_buffers(buffer, step);
  double start = hg_now();
  for (int i = 0; i < t->in_count; i++) hg_halo_piece_unpack(&t->in[i], size, b.states.before, pointer(b.in[i]));
  double unpacked = hg_now();
  if (!t->kernel->advance(step, &b.states)) return;
  if (step->measure) t->kernel->measure(step, &b.states, b.result);
  double computed = hg_now();
  for (int i = 0; i < t->out_count; i++) hg_halo_piece_pack(&t->out[i], size, b.states.after, pointer(b.out[i]));
  hg_phase_add(&times->cells, step->steps * hg_tile_core_count(t));
  hg_phase_add(&times->unpack, unpacked - start);
  hg_phase_add(&times->compute, computed - unpacked);
  hg_phase_add(&times->pack, hg_now() - computed);
}

void hg_stencil_pack_cpu(void *buffer[], void *arg)
{
  const hg_tile_info *t = ((const hg_tile_step *)arg)->tile;
  for (int i = 0; i < t->out_count; i++)
    hg_halo_piece_pack(&t->out[i], (int)t->kernel->value_bytes, pointer(buffer[0]), pointer(buffer[1 + i]));
}

#ifdef HG_HAVE_CUDA
static void check_cuda(int error)
{
  if (error != cudaSuccess) STARPU_CUDA_REPORT_ERROR((cudaError_t)error);
}

static void copy_pieces_cuda(const hg_tile_info *t, const hg_halo_piece_cells *cells, int count, void *state,
                             void *buffer[], bool pack)
{
  void *pieces[count + 1];
  for (int i = 0; i < count; i++) pieces[i] = pointer(buffer[i]);
  check_cuda(hg_halo_piece_cuda_copy(cells, count, (int)t->kernel->value_bytes, state, pieces, pack,
                                     starpu_cuda_get_local_stream()));
}

/* Asynchronous: all work is queued on the worker's stream, and StarPU waits for it. The phases are not timed
 * separately; the time spent here is the time to queue. */
void hg_stencil_cuda(void *buffer[], void *arg)
{
  const hg_tile_step *step = arg;
  const hg_tile_info *t = step->tile;
  cudaStream_t stream = starpu_cuda_get_local_stream();
  buffers b = name_buffers(buffer, step);
  hg_phase_add(&t->times[starpu_worker_get_id_check()].cells, step->steps * hg_tile_core_count(t));
  copy_pieces_cuda(t, t->in, t->in_count, b.states.before, b.in, false);
  check_cuda(t->kernel->advance_cuda(step, &b.states, stream));
  if (step->measure) check_cuda(t->kernel->measure_cuda(step, &b.states, b.result, stream));
  copy_pieces_cuda(t, t->out, t->out_count, b.states.after, b.out, true);
}

void hg_stencil_pack_cuda(void *buffer[], void *arg)
{
  const hg_tile_info *t = ((const hg_tile_step *)arg)->tile;
  copy_pieces_cuda(t, t->out, t->out_count, pointer(buffer[0]), buffer + 1, true);
}
#endif

uint32_t hg_stencil_footprint(struct starpu_task *task)
{
  const hg_tile_step *step = task->cl_arg;
  const hg_tile_info *t = step->tile;
  int64_t key[] = {t->shape.n[0], t->shape.n[1],          t->shape.n[2],
                   step->steps,   t->kernel->value_bytes, t->kernel->has_source};
  return starpu_hash_crc32c_be_n(key, sizeof key, 0);
}
