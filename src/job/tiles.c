/* SPDX-License-Identifier: MIT */
/* Divides a job's grid into regions and tiles. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/log.h"
#include "base/integers.h"
#include "codelets/simulated_costs.h"
#include "codelets/heat/heat_kernels.h"
#include "job/run.h"
#include "placement/choose.h"
#include "runtime/worker_usage.h"
#include "speed/guess.h"
#include "speed/sample.h"

/* Calls the user's own division. */
static hg_status divide_by_user(void *arg, int parts, const double *speed, hg_box *box)
{
  const hg_run *r = arg;
  HG_PROGRAMS_LOCALE;
  hg_clear_message();
  const hg_status status = r->job->divide(r->job, parts, speed, box, r->job->arg);
  if (status != HG_OK && !*hg_message()) hg_fail(status, "%s: `divide` failed for %d parts", r->name, parts);
  return status;
}

/* A kernel for whole tiles also advances mirror images. If they do not evolve like the original, they must be copied
 * again before every step. */
static bool mirrors(const hg_run *r)
{
  const hg_update *u = r->job->update;
  bool any = false;
  if (!u->tile && !u->tile_cuda) return false;
  for (int i = 0; i < 2 * r->domain.dims; i++) any = any || r->domain.side[i / 2][i % 2] == HG_INSULATED;
  return any && !r->job->symmetric;
}

/* The choice depends on the machine; ranks on different ones must cut the same tiles. */
static int64_t agreed(const hg_session *session, int64_t mine)
{
  double least = -(double)mine;
  hg_session_max(session, &least);
  return (int64_t)-least;
}

/* The depth that rank 0's network file suggests: deeper blocks where messages are slow. */
static int depth_by_network(const hg_run *r, const hg_choice *choice, const hg_box *box)
{
  double depth = 1;
  if (r->networked)
    depth = hg_choose_depth_by_network(choice, hg_network_between(&r->network, true),
                                       hg_network_between(&r->network, false), r->session.all_workers, box);
  hg_session_max(&r->session, &depth);
  return (int)depth;
}

/* For small tiles that the user chose: margins of at most a quarter of a tile. */
static int depth_by_tile(const hg_run *r)
{
  int64_t depth = INT_MAX;
  for (int a = 0; a < r->domain.dims; a++) {
    const int64_t tile = r->options->grid.tile[a];
    if (tile > 0 && tile < r->domain.n[a]) depth = hg_min(depth, tile / 4 / r->domain.radius);
  }
  return (int)hg_max(depth, 1);
}

/* Least memory, in bytes, among GPUs that have no room for both states of their region; 0: all have room. */
static double short_memory(const hg_run *r, const hg_box *box)
{
  const hg_session *s = &r->session;
  double least = -INFINITY;
  for (int w = 0; w < s->workers; w++) {
    const double room = hg_use_gpu_room(w), cells = (double)hg_box_cells(&box[s->first_worker + w]);
    if (room > 0 && 2 * cells * (double)r->job->update->value_bytes > room) least = fmax(least, -room);
  }
  hg_session_max(s, &least);
  return least > -INFINITY ? -least : 0;
}

/* Steps that can be done in one task, without anything set from outside in between. */
static int64_t steps_in_one(const hg_run *r)
{
  return r->follows ? hg_min(r->job->steps, r->job->boundary_every) : r->job->steps;
}

/* Whether a GPU of any rank has a part. */
static bool on_gpus(const hg_session *s, const hg_box *box)
{
  bool any = false;
  for (int i = 0; i < s->all_workers; i++) any |= s->kind[i] == HG_CUDA_WORKER && hg_box_cells(&box[i]) > 0;
  return any;
}

/* At most as deep as there are steps. */
static int choose_depth(const hg_run *r, const hg_choice *choice, const hg_box *box)
{
  const hg_session *s = &r->session;
  const int wanted = (int)hg_min(r->options->grid.block, hg_max(steps_in_one(r), 1));
  if (!hg_run_is_stencil(r) || mirrors(r)) return 1;
  const int by_network = depth_by_network(r, choice, box),
            mine = choice->memory > 0 ? hg_choose_depth_by_bus(choice, s->all_workers, box)
                                      : hg_choose_depth(choice, on_gpus(s, box), s->all_workers, box),
            by_work = (int)agreed(s, mine);
  const int depth = wanted ? wanted : (int)hg_min(hg_max(by_work, by_network), depth_by_tile(r));
  const int64_t most = hg_tiling_max_depth(&r->domain);
  if (depth <= most) return depth;
  hg_log(HG_WARN, "--time-block: %d steps, but this grid allows %" PRId64, depth, most);
  return (int)most;
}

/* Asynchronous tiles are whole regions, whose margins are one step deep however many steps a task does. */
static hg_status cut_for_relaxation(hg_run *r, const hg_box *box, int depth, hg_tiling *out)
{
  const hg_session *s = &r->session;
  int64_t tile[s->all_workers][3];
  for (int i = 0; i < s->all_workers; i++)
    for (int a = 0; a < 3; a++) {
      const int64_t wanted = r->options->grid.tile[a], extent = hg_box_extent(&box[i], a);
      tile[i][a] = wanted ? wanted : extent > 0 ? extent : 1;
    }
  r->relax = *r->options->relax;
  if (r->relax.inner == 0) r->relax.inner = depth;
  return hg_tiling_make(&r->domain, s->all_workers, box, s->worker_rank, 1, (const int64_t(*)[3])tile, out);
}

static hg_choice choice_of(const hg_run *r)
{
  const hg_update *u = r->job->update;
  return (hg_choice){&r->domain, u->value_bytes, steps_in_one(r), u->independent, {u->depth[0], u->depth[1]}, 0};
}

/* Enlarges tiles that the user made so small that the overhead of tasks would exceed their computation. */
static void widen(const hg_run *r, const hg_box *region, int depth, int64_t tile[3], bool *warned)
{
  const int64_t *wanted = r->options->grid.tile;
  if (!wanted[0] || !hg_choose_wider(region, depth, tile) || *warned) return;
  hg_log(HG_WARN,
         "--tile: the overhead of tasks exceeds the time that tiles of %" PRId64 " x %" PRId64 " x %" PRId64
         " cells compute in %d steps; enlarged to %" PRId64 " x %" PRId64 " x %" PRId64,
         wanted[0], hg_max(wanted[1], 1), hg_max(wanted[2], 1), depth, tile[0], tile[1], tile[2]);
  *warned = true;
}

/* Tells why an update by points is slower than it might be. */
static void tell_way(const hg_run *r)
{
  const hg_update *u = r->job->update;
  if (hg_run_is_stencil(r) && !u->tile && !u->lanes[HG_LANES_BASELINE])
    hg_log(HG_INFO,
           "%s: computed row by row without SIMD lanes, which need a radius of at most 3 (in 3-D 1) and "
           "values of at most 8 words",
           u->name);
}

static hg_status cut(hg_run *r, const hg_box *box, hg_tiling *out)
{
  const hg_session *s = &r->session;
  hg_choice choice = choice_of(r);
  choice.memory = short_memory(r, box);
  const int depth = choose_depth(r, &choice, box);
  tell_way(r);
  if (r->options->relax) return cut_for_relaxation(r, box, depth, out);
  int64_t tile[s->all_workers][3];
  bool warned = false;
  for (int i = 0; i < s->all_workers; i++) {
    hg_choose_tile(&choice, &box[i], s->kind[i] == HG_CUDA_WORKER, depth, tile[i]);
    if (r->domain.dims == 1 && !hg_simulated) tile[i][0] = agreed(s, tile[i][0]); /* by the cache */
    for (int a = 0; a < 3; a++)
      if (r->options->grid.tile[a]) tile[i][a] = r->options->grid.tile[a];
    if (hg_run_is_stencil(r) && s->kind[i] != HG_CUDA_WORKER) widen(r, &box[i], depth, tile[i], &warned);
  }
  return hg_tiling_make(&r->domain, s->all_workers, box, s->worker_rank, depth, (const int64_t(*)[3])tile, out);
}

/* Tables are named after the update (jacobi uses heat's) and its kernel. A stencil without a kernel of its own borrows
 * the tables of its class, which are heat's: a few operations on each of a few neighbouring values (thesis 7.3.2).
 * Only the ratio of workers' speeds matters. */
static void name_tables(const hg_run *r, hg_division *d)
{
  const hg_update *u = r->job->update;
  if (u->radius == 0 && !u->independent) return;
  d->app = u->kernel ? u->name : "heat";
  d->kernel = u->kernel ? u->kernel : hg_heat_kernel_find("auto")->name;
  d->precision = u->value_type && u->value_bytes <= 4 ? "float" : "double";
}

/* Whether tables tell how long the job takes: borrowed ones only tell the ratio of speeds. */
static bool own_tables(const hg_run *r)
{
  const char *named = r->options->grid.division.tables;
  return r->job->update->kernel || (named && *named);
}

bool hg_run_has_shares(const hg_run *r)
{
  const hg_job *j = r->job;
  return j->divide || hg_file_has_ending(j->partition, ".csv") || r->options->grid.division.speeds > 0;
}

/* Whether the user specified how to divide the grid. */
static bool division_is_said(const hg_run *r)
{
  const hg_grid_options *g = &r->options->grid;
  return hg_run_has_shares(r) || r->job->rebalance > 0 || g->division.tables || g->division.objective != HG_BY_TIME ||
         g->models || g->block > 0 || g->tile[0] > 0 || r->options->relax;
}

/* Whether cores finish before GPUs are warm, if the user did not specify who computes what. */
static bool cores_win(const hg_run *r)
{
  const double STENCIL = .5; /* share of the flop/s of a matrix product */
  static bool loaded;        /* GPUs are warm from an earlier job */
  const hg_session *s = &r->session;
  const hg_job *j = r->job;
  const hg_prospect p = {.what = r->name,
                         .flops = j->flops * (double)hg_run_units(r) * (double)j->steps,
                         .core = STENCIL * hg_guess_core(hg_max(j->update->value_bytes, 4)),
                         .gpus = s->cuda_workers,
                         .cores = s->cpu_workers,
                         .runs = r->options->runs > 0 ? r->options->runs : 1,
                         .cold = r->options->warm || loaded ? 0 : HG_COLD_KERNELS};
  bool gpus = true, cores = true;
  if (!hg_simulated && p.gpus > 0 && p.cores > 0 && p.flops > 0 && !division_is_said(r)) {
    (void)hg_choose_sides(&p, NULL, NULL, &gpus, &cores); /* without samples nothing fails */
    gpus = agreed(s, gpus);
  }
  loaded |= gpus && p.gpus > 0;
  return !gpus;
}

/* Whether GPUs cannot run the update, or should not. */
static bool only_cores(const hg_run *r)
{
  return r->cores_alone || (!hg_simulated && !hg_update_runs_on_cuda(r->job->update));
}

/* A small grid without a specified division goes to one core. */
static bool stays_whole(const hg_run *r)
{
  const hg_session *s = &r->session;
  const hg_choice choice = choice_of(r);
  const bool on_cores = only_cores(r) || s->cuda_workers == 0,
             can = s->ranks == 1 && on_cores && hg_run_is_stencil(r) && !mirrors(r) && !hg_simulated;
  return can && !division_is_said(r) && hg_choose_alone(&choice, s->cpu_workers);
}

static void leave_whole(const hg_run *r, hg_box *box)
{
  const hg_session *s = &r->session;
  int first = 0;
  while (s->kind[first] != HG_CPU_WORKER) first++;
  for (int i = 0; i < s->all_workers; i++) box[i] = (hg_box){{0}, {0}};
  for (int a = 0; a < 3; a++) box[first].hi[a] = r->domain.n[a];
}

/* Cells that a step computes again per cell on a border: half the block's depth, since the margin shrinks to nothing
 * by the last step of a block. */
static double computed_again(const hg_run *r)
{
  const hg_choice choice = choice_of(r);
  const int slow = r->domain.dims - 1;
  hg_box band = {{0, 0, 0}, {r->domain.n[0], r->domain.n[1], r->domain.n[2]}};
  if (!hg_run_is_stencil(r) || mirrors(r) || r->options->relax) return 0;
  band.hi[slow] = hg_max(band.hi[slow] / r->session.all_workers, 1);
  const int wanted = r->options->grid.block,
            depth = wanted ? wanted : hg_choose_depth(&choice, !only_cores(r) && r->session.cuda_workers > 0, 1, &band);
  return (depth - 1) / 2. * r->domain.radius;
}

hg_status hg_run_tiling(hg_run *r, const hg_speed_model *measured, hg_tiling **out)
{
  const hg_session *s = &r->session;
  hg_division division = r->options->grid.division;
  hg_box box[s->all_workers];
  if (!measured) r->cores_alone = hg_update_runs_on_cuda(r->job->update) && cores_win(r);
  division.partition = r->job->partition;
  division.block = r->options->grid.block;
  division.again = computed_again(r);
  division.network = r->networked ? &r->network : NULL;
  division.item_bytes = (double)r->job->update->value_bytes;
  for (int a = 0; a < 3; a++) division.periodic[a] = r->domain.side[a][0] == HG_PERIODIC;
  division.cpus_only = only_cores(r);
  division.cores_alone = r->cores_alone;
  name_tables(r, &division);
  r->predicted = 0;
  if (own_tables(r)) division.predicted = &r->predicted;
  if (r->job->divide) {
    division.divide = divide_by_user;
    division.arg = r;
  }
  if (stays_whole(r))
    leave_whole(r, box);
  else
    HG_TRY(hg_divide(s, r->domain.dims, r->domain.n, &division, measured, box));
  if (r->options->least == 0) HG_TRY(hg_division_bind(&r->session, &division, box));
  hg_tiling *tiling = calloc(1, sizeof *tiling);
  hg_status status = tiling ? cut(r, box, tiling) : hg_fail(HG_MEMORY, "no memory for tiles");
  status = hg_session_agree(s, status);
  if (status != HG_OK)
    free(tiling);
  else
    *out = tiling;
  return status;
}
