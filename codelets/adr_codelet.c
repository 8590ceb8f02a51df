/* SPDX-License-Identifier: MIT */
#include "codelets/adr_codelet.h"

#include "base/clock.h"
#include "codelets/costs.h"

static double *values(void *buffer)
{
  return (double *)STARPU_VECTOR_GET_PTR(buffer);
}

static hg_adr_facts *facts(void *buffer)
{
  return (hg_adr_facts *)STARPU_VARIABLE_GET_PTR(buffer);
}

static hg_phase_times *times_of(const hg_adr_task *task)
{
  return &task->info->times[starpu_worker_get_id_check()];
}

static void begin_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const double start = hg_now();
  hg_adr_begin(&task->info->block, task->first, task->bdf2, values(buffer[0]), values(buffer[1]),
               values(buffer[2]), facts(buffer[3]));
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
}

static void residual_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const hg_adr_info *info = task->info;
  const double start = hg_now();
  info->kernel->residual[info->real](&info->block, &task->step, values(buffer[2]),
                                     values(buffer[0]), values(buffer[1]), task->fresh,
                                     values(buffer[3]), facts(buffer[4]));
  *facts(buffer[5]) = *facts(buffer[4]);
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
}

/* Points that the solve went through, for reports: those of the block times iterations. */
static void solve_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const hg_adr_info *info = task->info;
  const hg_adr_block *b = &info->block;
  hg_adr_facts *f = facts(buffer[3]);
  const double start = hg_now(), before = f->iterations;
  if (f->residual <= task->step.tolerance || f->failed > 0) return;
  info->kernel->solve[info->real](b, &task->step, values(buffer[1]), values(buffer[0]),
                                  values(buffer[2]), f);
  hg_phase_add(&times_of(task)->compute, hg_now() - start);
  hg_phase_add(&times_of(task)->cells,
               (f->iterations - before) * (double)(b->n[0] * b->n[1] * b->n[2]));
}

/* A piece's species lie one behind the other, those of a state a field apart. */
static void copy(const hg_adr_info *info, const hg_piece_cells *cells, double *state, double *piece,
                 bool pack)
{
  const int64_t count = cells->n[0] * cells->n[1] * cells->n[2];
  for (int s = 0; s < 2; s++)
    (pack
         ? hg_piece_pack(cells, sizeof *state, state + s * info->block.field, piece + s * count)
         : hg_piece_unpack(cells, sizeof *state, state + s * info->block.field, piece + s * count));
}

static void pack_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const double start = hg_now();
  for (int i = 0; i < task->info->out_count; i++)
    copy(task->info, &task->info->out[i], values(buffer[0]), values(buffer[1 + i]), true);
  hg_phase_add(&times_of(task)->pack, hg_now() - start);
}

static void unpack_cpu(void *buffer[], void *arg)
{
  const hg_adr_task *task = arg;
  const double start = hg_now();
  for (int i = 0; i < task->info->in_count; i++)
    copy(task->info, &task->info->in[i], values(buffer[0]), values(buffer[1 + i]), false);
  hg_phase_add(&times_of(task)->unpack, hg_now() - start);
}

#ifdef STARPU_SIMGRID
/* Memory bounds these tasks as it bounds a heat step, which moves 16 bytes a cell: an iteration of
 * BiCGSTAB moves 168 in single precision and twice that in double, a residual about 100, what
 * begins a step 112. */
static double cost(struct starpu_task *task, unsigned worker, double bytes)
{
  const hg_adr_info *info = ((const hg_adr_task *)task->cl_arg)->info;
  const double points = (double)(info->block.n[0] * info->block.n[1] * info->block.n[2]);
  return hg_cost_us(hg_platform_heat_time(hg_costs_device(worker), points, 1, 0) * bytes / 16,
                    false);
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

static double copy_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)task, (void)worker, (void)implementation;
  return hg_cost_us(1e-6, false);
}
#endif

/* Blocks of unlike size take unlike time. */
static uint32_t footprint(struct starpu_task *task)
{
  const hg_adr_info *info = ((const hg_adr_task *)task->cl_arg)->info;
  const int64_t key[] = {info->block.n[0], info->block.n[1], info->block.n[2], info->real};
  return starpu_hash_crc32c_be_n(key, sizeof key, 0);
}

static struct starpu_perfmodel begin_model = HG_COST_MODEL(
    "hetgrid_adr_begin", begin_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel residual_model = HG_COST_MODEL(
    "hetgrid_adr_residual", residual_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel solve_model = HG_COST_MODEL(
    "hetgrid_adr_solve", solve_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel copy_model = HG_COST_MODEL(
    "hetgrid_adr_copy", copy_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);

struct starpu_codelet hg_adr_begin_codelet = {.name = "adr_begin",
                                              .cpu_funcs = {begin_cpu},
                                              .nbuffers = 4,
                                              .modes = {STARPU_RW, STARPU_RW, STARPU_RW, STARPU_RW},
                                              .color = 0x7570b3,
                                              .model = &begin_model};
struct starpu_codelet hg_adr_residual_codelet = {
    .name = "adr_residual",
    .cpu_funcs = {residual_cpu},
    .nbuffers = 6,
    .modes = {STARPU_RW, STARPU_R, STARPU_R, STARPU_RW, STARPU_RW, STARPU_W},
    .color = 0xd95f02,
    .model = &residual_model};
struct starpu_codelet hg_adr_solve_codelet = {.name = "adr_solve",
                                              .cpu_funcs = {solve_cpu},
                                              .nbuffers = 4,
                                              .modes = {STARPU_RW, STARPU_R, STARPU_RW, STARPU_RW},
                                              .color = 0x1b9e77,
                                              .model = &solve_model};
struct starpu_codelet hg_adr_pack_codelet = {.name = "adr_pack",
                                             .cpu_funcs = {pack_cpu},
                                             .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                             .color = 0xe7298a,
                                             .model = &copy_model};
struct starpu_codelet hg_adr_unpack_codelet = {.name = "adr_unpack",
                                               .cpu_funcs = {unpack_cpu},
                                               .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                               .color = 0x66a61e,
                                               .model = &copy_model};
