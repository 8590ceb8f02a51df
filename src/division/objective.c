/* SPDX-License-Identifier: MIT */
#include "division/objective.h"

#include <unistd.h>

#include "base/log.h"
#include "energy/choice.h"
#include "runtime/worker_usage.h"
#include "energy/energy_division.h"
#include "energy/power.h"

static hg_status read_powers(const char *named, hg_platform *p)
{
  char path[HG_PATH_MAX];
  if (named && *named) return hg_platform_find(named, p);
  HG_TRY(hg_energy_machine(path));
  if (access(path, F_OK) == 0) return hg_platform_read(path, p);
  return hg_fail(
      HG_IO,
      "--objective: the powers are unknown: pass --energy=modelled:FILE, or run hetgrid-energy --measure, which "
      "writes %s",
      path);
}

/* unit[w]: the platform's unit that is worker w. */
static hg_status choose(const hg_session *s, hg_criterion objective, const hg_platform *p, const double *speed,
                        bool *use)
{
  const int most = hg_power_units(p, p->nodes);
  bool cuda[s->all_workers + 1];
  int unit[s->all_workers + 1], nodes;
  double base, w[most + 1];
  hg_energy_division_unit energy[most + 1];
  for (int i = 0; i < s->all_workers; i++) cuda[i] = s->kind[i] == HG_CUDA_WORKER;
  HG_TRY(hg_power_match(p, s->ranks, s->all_workers, s->worker_rank, cuda, unit, &nodes));
  HG_TRY(hg_energy_division_of_platform(p, nodes, energy, &base));
  for (int i = 0; i < s->all_workers; i++) {
    energy[unit[i]].speed = speed[i];
    if (!hg_use_sleeps()) energy[unit[i]].idle = energy[unit[i]].wait; /* workers without tasks poll */
  }
  const hg_energy_division_machine machine = {hg_power_units(p, nodes), energy, base};
  HG_TRY(hg_energy_division_divide(&machine, 1, objective, w));
  int used = 0;
  for (int i = 0; i < s->all_workers; i++) used += use[i] = w[unit[i]] > 0;
  hg_log(HG_INFO, "--objective %s: using %d of %d workers", hg_criterion_names[objective], used, s->all_workers);
  return HG_OK;
}

hg_status hg_objective_use(const hg_session *s, hg_criterion objective, const char *powers, const char *kernels,
                           const double *speed, bool *use)
{
  hg_platform p;
  for (int i = 0; i < s->all_workers; i++) use[i] = speed[i] > 0;
  if (objective == HG_BY_TIME) return HG_OK;
  HG_TRY(read_powers(powers, &p));
  hg_power_of_kernels(&p, kernels);
  const hg_status status = choose(s, objective, &p, speed, use);
  hg_platform_free(&p);
  return status;
}
