/* SPDX-License-Identifier: MIT */
#include "program/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "runtime/worker_usage.h"
#include "energy/power.h"
#include "program/counters.h"

/* The chosen counters and model, and the results of the last run. */
static struct {
  const hg_energy_choice *choice; /* NULL: nothing */
  hg_counters counters;
  bool modelled;
  char why[HG_COUNTERS_WHY]; /* why it is not modelled */
  hg_platform platform;
  int nodes, units;         /* of the platform, used by the run */
  int *unit;                /* [all_workers] */
  hg_unit_use *use;         /* [units] */
  hg_worker_energy *worker; /* [workers] of this rank */
  hg_energy_breakdown model;
  double seconds; /* rank 0's time, which all ranks use */
} e;

/* --- opening --- */

static hg_status make_room(const hg_session *s)
{
  e.units = hg_power_units(&e.platform, e.nodes);
  e.use = calloc((size_t)e.units + 1, sizeof *e.use);
  e.worker = calloc((size_t)s->workers + 1, sizeof *e.worker);
  if (!e.use || !e.worker) return hg_fail(HG_MEMORY, "no memory for %d processors", e.units);
  return HG_OK;
}

static hg_status match_workers(const hg_session *s)
{
  bool cuda[s->all_workers + 1];
  e.unit = calloc((size_t)s->all_workers + 1, sizeof *e.unit);
  if (!e.unit) return hg_fail(HG_MEMORY, "no memory for %d workers", s->all_workers);
  for (int i = 0; i < s->all_workers; i++) cuda[i] = s->kind[i] == HG_CUDA_WORKER;
  HG_TRY(hg_power_match(&e.platform, s->ranks, s->all_workers, s->worker_rank, cuda, e.unit, &e.nodes));
  return make_room(s);
}

static hg_status read_platform(const char *named)
{
  char path[HG_PATH_MAX];
  if (!*named) HG_TRY(hg_energy_machine(path));
  if (!*named && access(path, F_OK) != 0)
    return hg_fail(HG_UNSUPPORTED, "there is no %s; hetgrid-energy --measure writes it", path);
  return hg_platform_find(*named ? named : path, &e.platform);
}

/* Room for rank 0's platform on another rank. */
static hg_status make_platform(const hg_platform *first)
{
  e.platform = *first;
  e.platform.device = calloc((size_t)first->devices + 1, sizeof *first->device);
  e.platform.node = calloc((size_t)first->nodes + 1, sizeof *first->node);
  if (e.platform.device && e.platform.node) return HG_OK;
  e.platform.devices = 0;
  return hg_fail(HG_MEMORY, "no memory for platform %s", first->name);
}

/* Gives all ranks rank 0's platform, without speeds, as they add up the use of the same processors. Simulated ranks
 * have read the same file. */
static hg_status share_platform(const hg_session *s)
{
  hg_platform first = e.platform;
  if (hg_simulated) return HG_OK;
  hg_session_bcast(s, &first, sizeof first);
  HG_TRY(hg_session_agree(s, s->rank > 0 ? make_platform(&first) : HG_OK));
  hg_session_bcast(s, e.platform.device, (size_t)first.devices * sizeof *first.device);
  hg_session_bcast(s, e.platform.node, (size_t)first.nodes * sizeof *first.node);
  for (int i = 0; i < first.devices && s->rank > 0; i++)
    e.platform.device[i].heat = e.platform.device[i].update = (hg_speed_model){.kind = HG_SPEED_SATURATING};
  return HG_OK;
}

static hg_status open_platform(const hg_session *s, const char *named, const char *kernels)
{
  HG_TRY(hg_session_agree(s, s->rank == 0 || hg_simulated ? read_platform(named) : HG_OK));
  hg_status status = share_platform(s);
  hg_power_of_kernels(&e.platform, kernels);
  if (status == HG_OK) status = hg_session_agree(s, match_workers(s));
  if (status != HG_OK) hg_platform_free(&e.platform);
  return status;
}

/* Tells policies the powers of this rank's workers. */
static void tell_policy(const hg_session *s)
{
  double watts[s->workers + 1];
  for (int w = 0; w < s->workers; w++) watts[w] = hg_power_device(&e.platform, e.unit[s->first_worker + w])->full;
  hg_use_powers(s, watts);
}

/* Opens the named platform file, else the one from hetgrid-energy --measure, if counters do not cover everything. */
static hg_status open_model(const hg_session *s, const char *kernels)
{
  const char *named = e.choice->modelled;
  const bool counted = e.counters.used[HG_RAPL] && (e.counters.used[HG_NVML] || s->cuda_workers == 0);
  if (!*named && (e.choice->named || counted)) return HG_OK;
  const hg_status status = open_platform(s, named, kernels);
  e.modelled = status == HG_OK;
  if (e.modelled) {
    hg_use_watch();
    tell_policy(s);
    return HG_OK;
  }
  snprintf(e.why, sizeof e.why, "%.290s", hg_message());
  return *named ? hg_fail(status, "--energy: modelled: %s", e.why) : HG_OK;
}

static hg_status open_energy(hg_run_context *l)
{
  const hg_counters *c = &e.counters;
  if (!l->options->energy.wanted) return HG_OK;
  e.choice = &l->options->energy;
  HG_TRY(hg_counters_open(l->session, e.choice, &e.counters));
  HG_TRY(open_model(l->session, l->kernels));
  if (!hg_counters_any(c) && !e.modelled)
    hg_log(HG_WARN, "--energy: no source of joules is available. rapl: %s. nvml: %s. modelled: %s", c->why[HG_RAPL],
           *c->why[HG_NVML] ? c->why[HG_NVML] : "no GPU runs", e.why);
  return HG_OK;
}

/* --- a run --- */

static void ask_busy(hg_run_context *l, double *seconds)
{
  if (l->program->busy)
    l->program->busy(l, seconds);
  else
    for (int w = 0; w < l->session->workers; w++) seconds[w] = l->use[w].busy;
}

static void begin_energy(hg_run_context *l)
{
  (void)l;
  hg_counters_begin(&e.counters);
}

/* The use of a worker's unit: without a task it waits for one, polling or asleep. */
static hg_unit_use use_of(double busy)
{
  hg_unit_use use = {.busy = busy};
  *(hg_use_sleeps() ? &use.idle : &use.wait) = e.seconds - busy;
  return use;
}

/* Models the uses of all ranks' workers; a unit without a worker is idle. */
static void model_run(hg_run_context *l)
{
  const hg_session *s = l->session;
  double busy[s->workers + 1], all_busy[e.units + 1];
  memset(all_busy, 0, sizeof all_busy);
  ask_busy(l, busy);
  for (int w = 0; w < s->workers; w++) {
    const int unit = e.unit[s->first_worker + w];
    all_busy[unit] = fmin(busy[w], e.seconds);
    const hg_unit_use use = use_of(all_busy[unit]);
    const double joules = hg_power_of_use(hg_power_device(&e.platform, unit), &use);
    e.worker[w] = (hg_worker_energy){use.busy, use.wait, use.idle, joules};
  }
  hg_session_sum_all(s, all_busy, e.units);
  for (int i = 0; i < e.units; i++) e.use[i] = (hg_unit_use){.idle = e.seconds};
  for (int i = 0; i < s->all_workers; i++) e.use[e.unit[i]] = use_of(all_busy[e.unit[i]]);
  e.model = hg_power_joules(&e.platform, e.nodes, e.seconds, e.use);
}

static void end_energy(hg_run_context *l)
{
  if (!e.choice) return;
  hg_counters_end(l->session, &e.counters);
  e.seconds = l->session->rank == 0 ? l->seconds : 0;
  hg_session_sum(l->session, &e.seconds);
  if (e.modelled) model_run(l);
}

/* --- what is said of it --- */

/* The modelled joules that counters do not cover: GPUs, or all except GPUs; NAN if there are none. Nothing is counted
 * twice. */
static double modelled_part(const char **what)
{
  const hg_energy_breakdown *m = &e.model;
  const bool *used = e.counters.used;
  *what = used[HG_RAPL] ? "gpu" : used[HG_NVML] ? "node+cpu" : "all";
  if (!e.modelled || used[HG_METER] || (used[HG_RAPL] && used[HG_NVML])) return NAN;
  if (used[HG_RAPL]) return m->gpu > 0 ? m->gpu : NAN;
  return m->base + m->network + m->cpu + (used[HG_NVML] ? 0 : m->gpu);
}

/* NAN if it is not known. */
static double total(void)
{
  const char *what;
  const double modelled = modelled_part(&what);
  double sum = isnan(modelled) ? 0 : modelled;
  if (!e.choice || e.counters.failed || (!hg_counters_any(&e.counters) && isnan(modelled))) return NAN;
  for (int k = 0; k < HG_COUNTERS; k++) sum += e.counters.joules[k];
  return sum;
}

/* "rapl", "rapl+nvml", "modelled", "mixed"; followed by " short" for runs that counters hardly resolve. */
static void name_sources(char out[HG_COLUMN_TEXT])
{
  const char *what;
  const bool modelled = !isnan(modelled_part(&what)), counted = hg_counters_any(&e.counters);
  int at = modelled ? snprintf(out, HG_COLUMN_TEXT, counted ? "mixed" : "modelled") : 0;
  for (int k = 0; k < HG_COUNTERS && !modelled; k++)
    if (e.counters.used[k])
      at += snprintf(out + at, (size_t)(HG_COLUMN_TEXT - at), "%s%s", at ? "+" : "", hg_counters_name(&e.counters, k));
  if (hg_counters_are_coarse(&e.counters, e.seconds)) snprintf(out + at, (size_t)(HG_COLUMN_TEXT - at), " short");
}

static void add_columns(const hg_run_context *l, hg_columns *row)
{
  static const char *const names[] = {"joules", "joules_source", "watts", "edp"};
  char sources[HG_COLUMN_TEXT] = "";
  const double joules = total();
  if (!e.choice) return;
  for (int i = 0; i < 4 && isnan(joules); i++) hg_column_text(row, names[i], "");
  if (isnan(joules)) return;
  name_sources(sources);
  hg_column_double(row, names[0], "%.9g", joules);
  hg_column_text(row, names[1], sources);
  hg_column_double(row, names[2], "%.6g", l->seconds > 0 ? joules / l->seconds : 0);
  hg_column_double(row, names[3], "%.9g", joules * l->seconds);
}

static void print_parts(void)
{
  const hg_counters *c = &e.counters;
  const char *what, *comma = "";
  const double modelled = modelled_part(&what);
  for (int k = 0; k < HG_COUNTERS; k++)
    if (c->used[k]) {
      printf("%s%s %s %.4g", comma, hg_counters_name(c, k), hg_counters_coverage(c, k), c->joules[k]);
      comma = ", ";
    }
  if (isnan(modelled)) return;
  printf("%smodelled %s %.4g", comma, what, modelled);
  if (*e.choice->modelled) printf(" by %s", e.choice->modelled);
}

static void print_energy(const hg_run_context *l)
{
  const double joules = total();
  if (isnan(joules)) return;
  printf("  energy     %.4g J (", joules);
  print_parts();
  printf("), %.4g W", l->seconds > 0 ? joules / l->seconds : 0);
  if (l->work > 0) printf(", %.4g nJ per %s", joules / l->work * 1e9, l->work_unit);
  puts(hg_counters_are_coarse(&e.counters, e.seconds) ? "; too short for its counters" : "");
}

const hg_worker_energy *hg_energy_of_workers(void)
{
  return e.modelled ? e.worker : NULL;
}

static hg_status finish_energy(hg_run_context *l)
{
  (void)l;
  hg_counters_close(&e.counters);
  return HG_OK;
}

/* The failure of a named source fails the program; the results are complete. */
static hg_status close_energy(hg_run_context *l, int ranks)
{
  (void)l;
  (void)ranks;
  if (!e.choice || !e.counters.failed || !e.choice->named) return HG_OK;
  return hg_fail(HG_RUNTIME, "%s; this run reports no joules", e.counters.failure);
}

const hg_observer hg_energy_observer = {.open = open_energy,
                                        .begin = begin_energy,
                                        .end = end_energy,
                                        .columns = add_columns,
                                        .text = print_energy,
                                        .finish = finish_energy,
                                        .close = close_energy};
