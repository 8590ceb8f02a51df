/* SPDX-License-Identifier: MIT */
#include "codelets/adr/adr_codelet.h"

#include "base/clock.h"
#include "codelets/simulated_costs.h"
#include "codelets/energy_codelet.h"
#ifdef HG_HAVE_CUDA
#include "codelets/adr/adr_cuda.h"
#include "codelets/halo_pieces_cuda.h"
#endif

static double *values(void *buffer)
{
  return (double *)STARPU_VECTOR_GET_PTR(buffer);
}

static hg_adr_outcome *outcome(void *buffer)
{
  return (hg_adr_outcome *)STARPU_VARIABLE_GET_PTR(buffer);
}

static hg_phase_times *times_of(const hg_adr_task *task)
{
  return &task->info->times[starpu_worker_get_id_check()];
}

static void begin_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const double start = hg_now();
  hg_adr_begin(&task->info->block, task->first, task->bdf2, values(buffer[0]), values(buffer[1]), values(buffer[2]),
               outcome(buffer[3]));
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
}

static void residual_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const hg_adr_info *info = task->info;
  const double start = hg_now();
  info->kernel->residual[info->real](&info->block, &task->step, values(buffer[2]), values(buffer[0]), values(buffer[1]),
                                     task->fresh, values(buffer[3]), outcome(buffer[4]));
  *outcome(buffer[5]) = *outcome(buffer[4]);
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
}

static bool is_solved(const hg_adr_task *task, const hg_adr_outcome *f)
{
  return f->residual <= task->step.tolerance || f->failed > 0;
}

/* Counts the work of a solve, for reports: points of the block times iterations. */
static void count_points(const hg_adr_task *task, double iterations)
{
  const int64_t *n = task->info->block.n;
  hg_phase_add(&times_of(task)->cells, iterations * (double)(n[0] * n[1] * n[2]));
}

static void count_solve(const hg_adr_task *task, double iterations)
{
  count_points(task, iterations);
  starpu_task_get_current()->flops = hg_adr_solve_flops(&task->info->block, &task->step, iterations);
}

static void solve_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const hg_adr_info *info = task->info;
  hg_adr_outcome *f = outcome(buffer[3]);
  const double start = hg_now(), before = f->iterations;
  if (is_solved(task, f)) return;
  info->kernel->solve[info->real](&info->block, &task->step, values(buffer[1]), values(buffer[0]), values(buffer[2]),
                                  f);
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
  count_solve(task, f->iterations - before);
}

static double *sums(void *buffer)
{
  return (double *)STARPU_VARIABLE_GET_PTR(buffer);
}

static void pass_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const hg_adr_info *info = task->info;
  const double start = hg_now();
  info->kernel->pass[info->real](&info->block, &task->step, task->pass, &task->it, values(buffer[1]), values(buffer[0]),
                                 values(buffer[2]), outcome(buffer[3]), sums(buffer[4]));
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
  if (task->pass == HG_ADR_END) count_points(task, task->it.count);
}

/* --- pieces --- */

static int value_size(const hg_adr_task *task)
{
  return task->of_work && task->info->real ? (int)sizeof(float) : (int)sizeof(double);
}

/* The first species of what is packed or unpacked; the second is one field further. */
static char *species(const hg_adr_task *task, void *buffer)
{
  const int64_t skipped = task->of_work ? task->field * task->info->block.field : 0;
  return (char *)values(buffer) + skipped * value_size(task);
}

/* A piece's species directly follow each other; those of a state are a field apart. */
static void copy(const hg_adr_task *task, const hg_halo_piece_cells *cells, void *buffer, char *piece, bool pack)
{
  const int size = value_size(task);
  const int64_t count = cells->n[0] * cells->n[1] * cells->n[2];
  for (int s = 0; s < 2; s++) {
    char *from = species(task, buffer) + s * task->info->block.field * size;
    if (pack)
      hg_halo_piece_pack(cells, size, from, piece + s * count * size);
    else
      hg_halo_piece_unpack(cells, size, from, piece + s * count * size);
  }
}

static void pack_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const double start = hg_now();
  for (int i = 0; i < task->info->out_count; i++)
    copy(task, &task->info->out[i], buffer[0], (char *)values(buffer[1 + i]), true);
  hg_phase_add(&times_of(task)->pack, hg_now() - start);
}

static void unpack_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const double start = hg_now();
  for (int i = 0; i < task->info->in_count; i++)
    copy(task, &task->info->in[i], buffer[0], (char *)values(buffer[1 + i]), false);
  hg_phase_add(&times_of(task)->unpack, hg_now() - start);
}

#ifdef HG_HAVE_CUDA
/* On GPUs everything except the solve is queued on the worker's stream, and StarPU waits for it. */
static void check_cuda(cudaError_t error)
{
  if (error != cudaSuccess) STARPU_CUDA_REPORT_ERROR(error);
}

static void begin_cuda(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  check_cuda(hg_adr_cuda_begin(&task->info->block, task->first, task->bdf2, values(buffer[0]), values(buffer[1]),
                               values(buffer[2]), outcome(buffer[3]), starpu_cuda_get_local_stream()));
}

static void residual_cuda(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const cudaStream_t stream = starpu_cuda_get_local_stream();
  check_cuda(hg_adr_cuda_residual(&task->info->block, &task->step, task->info->real, values(buffer[2]),
                                  values(buffer[0]), values(buffer[1]), task->fresh, values(buffer[3]),
                                  outcome(buffer[4]), stream));
  check_cuda(cudaMemcpyAsync(outcome(buffer[5]), outcome(buffer[4]), sizeof(hg_adr_outcome), cudaMemcpyDeviceToDevice,
                             stream));
}

static void solve_cuda(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const cudaStream_t stream = starpu_cuda_get_local_stream();
  hg_adr_outcome f;
  int iterations;
  check_cuda(cudaMemcpyAsync(&f, outcome(buffer[3]), sizeof f, cudaMemcpyDeviceToHost, stream));
  check_cuda(cudaStreamSynchronize(stream));
  if (is_solved(task, &f)) return;
  check_cuda(hg_adr_cuda_solve(&task->info->block, &task->step, task->info->real, values(buffer[1]), values(buffer[0]),
                               values(buffer[2]), outcome(buffer[3]), &iterations, stream));
  count_solve(task, iterations);
}

static void pass_cuda(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const hg_adr_info *info = task->info;
  if (task->pass == HG_ADR_END) count_points(task, task->it.count);
  check_cuda(hg_adr_cuda_pass(&info->block, &task->step, info->real, task->pass, &task->it, values(buffer[1]),
                              values(buffer[0]), values(buffer[2]), outcome(buffer[3]), sums(buffer[4]),
                              starpu_cuda_get_local_stream()));
}

/* Each species is copied as a separate piece. */
static void copy_cuda(const hg_adr_task *task, const hg_halo_piece_cells *cells, int count, void *buffer[], bool pack)
{
  const int size = value_size(task);
  hg_halo_piece_cells of_species[2 * count + 1];
  void *piece[2 * count + 1];
  for (int i = 0; i < 2 * count; i++) {
    const hg_halo_piece_cells *c = &cells[i / 2];
    of_species[i] = *c;
    of_species[i].first += i % 2 * task->info->block.field;
    piece[i] = (char *)values(buffer[1 + i / 2]) + i % 2 * c->n[0] * c->n[1] * c->n[2] * size;
  }
  check_cuda(hg_halo_piece_cuda_copy(of_species, 2 * count, size, species(task, buffer[0]), piece, pack,
                                     starpu_cuda_get_local_stream()));
}

static void pack_cuda(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  copy_cuda(task, task->info->out, task->info->out_count, buffer, true);
}

static void unpack_cuda(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  copy_cuda(task, task->info->in, task->info->in_count, buffer, false);
}
#endif

/* Functions for GPUs; in simulation they only show that there are some. */
#if defined HG_HAVE_CUDA
#define ON_GPUS(task, flags) .cuda_funcs = {task##_cuda}, .cuda_flags = {flags}
#elif defined STARPU_SIMGRID
#define ON_GPUS(task, flags) .cuda_funcs = {task##_cpu}, .cuda_flags = {flags}
#else
#define ON_GPUS(task, flags) .cuda_funcs = {NULL}
#endif

#ifdef STARPU_SIMGRID
/* These tasks are memory-bound: per node an iteration of BiCGSTAB moves 168 bytes in single precision and twice that
 * in double, a residual about 100, the beginning of a step 112. */
static double cost(struct starpu_task *task, unsigned worker, double bytes)
{
  const hg_adr_info *info = ((const hg_adr_task *)task->cl_arg)->info;
  const double points = (double)(info->block.n[0] * info->block.n[1] * info->block.n[2]);
  return hg_cost_us(hg_platform_adr_time(hg_costs_device(worker), points, bytes), false);
}

static double begin_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  return cost(task, worker, 112);
}

static double residual_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  return cost(task, worker, 100);
}

static double solve_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_adr_task *what = task->cl_arg;
  const double bytes = what->info->real ? 168 : 336;
  return what->idle ? hg_cost_us(1e-6, false) : cost(task, worker, what->info->iterations * bytes);
}

/* Of an iteration's traffic, 168 bytes per point or twice that, each product takes about 1/3 and each other pass about
 * 1/9. */
static double pass_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_adr_task *what = task->cl_arg;
  const bool is_product = what->pass == HG_ADR_ALONG_P || what->pass == HG_ADR_ALONG_R;
  return cost(task, worker, (is_product ? 56 : 18) * (what->info->real ? 1 : 2));
}

static double copy_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)task, (void)worker, (void)implementation;
  return hg_cost_us(1e-6, false);
}
#endif

/* Blocks of different size take different times. */
static uint32_t footprint(struct starpu_task *task)
{
  const hg_adr_info *info = ((const hg_adr_task *)task->cl_arg)->info;
  const int64_t key[] = {info->block.n[0], info->block.n[1], info->block.n[2], info->real,
                         ((const hg_adr_task *)task->cl_arg)->pass};
  return starpu_hash_crc32c_be_n(key, sizeof key, 0);
}

static struct starpu_perfmodel begin_model =
    HG_COST_MODEL("hetgrid_adr_begin", begin_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel residual_model =
    HG_COST_MODEL("hetgrid_adr_residual", residual_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel solve_model =
    HG_COST_MODEL("hetgrid_adr_solve", solve_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel pass_model =
    HG_COST_MODEL("hetgrid_adr_pass", pass_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel copy_model =
    HG_COST_MODEL("hetgrid_adr_copy", copy_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);

struct starpu_codelet hg_adr_begin_codelet = {.name = "adr_begin",
                                              .cpu_funcs = {begin_cpu},
                                              ON_GPUS(begin, STARPU_CUDA_ASYNC),
                                              .nbuffers = 4,
                                              .modes = {STARPU_RW, STARPU_RW, STARPU_RW, STARPU_RW},
                                              .color = 0x7570b3,
                                              .model = &begin_model,
                                              .energy_model = &hg_energy_model};
struct starpu_codelet hg_adr_residual_codelet = {
    .name = "adr_residual",
    .cpu_funcs = {residual_cpu},
    ON_GPUS(residual, STARPU_CUDA_ASYNC),
    .nbuffers = 6,
    .modes = {STARPU_RW, STARPU_R, STARPU_R, STARPU_RW, STARPU_RW, STARPU_W},
    .color = 0xd95f02,
    .model = &residual_model,
    .energy_model = &hg_energy_model};
struct starpu_codelet hg_adr_solve_codelet = {.name = "adr_solve",
                                              .cpu_funcs = {solve_cpu},
                                              ON_GPUS(solve, 0),
                                              .nbuffers = 4,
                                              .modes = {STARPU_RW, STARPU_R, STARPU_RW, STARPU_RW},
                                              .color = 0x1b9e77,
                                              .model = &solve_model,
                                              .energy_model = &hg_energy_model};
struct starpu_codelet hg_adr_pass_codelet = {.name = "adr_pass",
                                             .cpu_funcs = {pass_cpu},
                                             ON_GPUS(pass, STARPU_CUDA_ASYNC),
                                             .nbuffers = 5,
                                             .modes = {STARPU_RW, STARPU_R, STARPU_RW, STARPU_RW, STARPU_W},
                                             .color = 0xe6ab02,
                                             .model = &pass_model,
                                             .energy_model = &hg_energy_model};
struct starpu_codelet hg_adr_pack_codelet = {.name = "adr_pack",
                                             .cpu_funcs = {pack_cpu},
                                             ON_GPUS(pack, STARPU_CUDA_ASYNC),
                                             .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                             .color = 0xe7298a,
                                             .model = &copy_model,
                                             .energy_model = &hg_energy_model};
struct starpu_codelet hg_adr_unpack_codelet = {.name = "adr_unpack",
                                               .cpu_funcs = {unpack_cpu},
                                               ON_GPUS(unpack, STARPU_CUDA_ASYNC),
                                               .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                               .color = 0x66a61e,
                                               .model = &copy_model,
                                               .energy_model = &hg_energy_model};
