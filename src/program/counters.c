/* SPDX-License-Identifier: MIT */
#include "program/counters.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "runtime/worker_usage.h"

static const char *const names[HG_COUNTERS] = {"rapl", "nvml", "meter"};

/* A number that identifies the machine among all ranks. */
static double machine_number(void)
{
  char text[512] = "";
  uint64_t hash = HG_HASH_START;
  FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "re");
  gethostname(text, 255);
  hg_hash_mix(&hash, text, strlen(text));
  if (boot && fgets(text, sizeof text, boot)) hg_hash_mix(&hash, text, strlen(text));
  if (boot) fclose(boot);
  return (double)(hash >> 12);
}

/* Numbers of all ranks' machines. */
static void find_machines(const hg_session *s, double *machine)
{
  memset(machine, 0, (size_t)s->ranks * sizeof *machine);
  machine[s->rank] = machine_number();
  hg_session_sum_all(s, machine, s->ranks);
}

/* Whether no rank before `i` is on its machine. */
static bool is_first(const double *machine, int i)
{
  bool first = true;
  for (int j = 0; j < i; j++) first &= machine[j] != machine[i];
  return first;
}

/* A number for a PCI address; 0 for "". */
static double bus_number(const char *bus)
{
  unsigned domain = 0, number = 0, device = 0;
  if (sscanf(bus, "%x:%x:%x", &domain, &number, &device) != 3) return 0;
  return 1 + (double)device + 256. * ((double)number + 256. * (double)domain);
}

/* The GPUs of this rank's workers that no lower rank on the same machine has. @param[out] name  [workers] */
static int own_gpus(const hg_session *s, const double *machine, char (*bus)[HG_BUS_NAME], const char **name)
{
  double number[s->all_workers + 1];
  int count = 0;
  memset(number, 0, sizeof number);
  hg_use_gpus(s, bus);
  for (int w = 0; w < s->workers; w++) number[s->first_worker + w] = bus_number(bus[w]);
  hg_session_sum_all(s, number, s->all_workers);
  for (int w = 0; w < s->workers; w++) {
    bool mine = *bus[w] != '\0';
    for (int i = 0; i < s->first_worker + w; i++)
      mine &= number[i] != number[s->first_worker + w] || machine[s->worker_rank[i]] != machine[s->rank];
    if (mine) name[count++] = bus[w];
  }
  return count;
}

/* Arguments for opening a source. */
typedef struct request {
  const hg_session *session;
  const hg_energy_choice *choice;
  const double *machine; /* [ranks] */
} request;

static hg_status open_source(const request *r, int kind, int gpus, const char *const *gpu, hg_energy_source **out)
{
  int machines = 0;
  for (int i = 0; i < r->session->ranks; i++) machines += is_first(r->machine, i);
  if (hg_simulated) return hg_fail(HG_UNSUPPORTED, "counters do not measure virtual time");
  if (kind == HG_RAPL) return hg_rapl_open(out);
  if (kind == HG_NVML) return hg_nvml_open(gpus, gpu, out);
  return hg_meter_open(r->choice->meter, r->choice->meter_offset, machines, out);
}

/* A source is used if it exists wherever it is needed: a meter on rank 0; packages on the first rank of each machine;
 * GPUs on the ranks that use them, or all GPUs on the first ranks if none is used. */
static hg_status use_source(const request *r, int kind, hg_counters *c)
{
  const hg_session *s = r->session;
  char bus[s->workers + 1][HG_BUS_NAME];
  const char *gpu[s->workers + 1];
  const bool by_gpus = kind == HG_NVML && s->cuda_workers > 0;
  const int gpus = by_gpus ? own_gpus(s, r->machine, bus, gpu) : 0;
  const bool asked = by_gpus ? gpus > 0 : kind == HG_METER ? s->rank == 0 : is_first(r->machine, s->rank);
  const hg_status mine = asked ? open_source(r, kind, gpus, gpu, &c->source[kind]) : HG_OK;
  const hg_status all = hg_session_agree(s, mine);
  c->used[kind] = all == HG_OK;
  if (c->used[kind]) return HG_OK;
  snprintf(c->why[kind], HG_COUNTERS_WHY, "%.290s", hg_message());
  if (c->source[kind]) c->source[kind]->close(c->source[kind]);
  c->source[kind] = NULL;
  return r->choice->named ? hg_fail(all, "--energy: %s: %s", names[kind], c->why[kind]) : HG_OK;
}

hg_status hg_counters_open(const hg_session *s, const hg_energy_choice *choice, hg_counters *c)
{
  double machine[s->ranks];
  const request r = {s, choice, machine};
  *c = (hg_counters){.named = choice->named};
  find_machines(s, machine);
  if (choice->rapl) HG_TRY(use_source(&r, HG_RAPL, c));
  if (choice->nvml && (choice->named || s->cuda_workers > 0)) HG_TRY(use_source(&r, HG_NVML, c));
  return *choice->meter ? use_source(&r, HG_METER, c) : HG_OK;
}

/* Keeps the first failure. */
static void note_failure(hg_counters *c, int kind)
{
  if (!c->failed) snprintf(c->failure, sizeof c->failure, "--energy: %s: %.400s", names[kind], hg_message());
  c->failed = true;
}

void hg_counters_begin(hg_counters *c)
{
  c->failed = false;
  for (int k = 0; k < HG_COUNTERS; k++)
    if (c->source[k] && c->source[k]->begin(c->source[k]) != HG_OK) note_failure(c, k);
}

void hg_counters_end(const hg_session *s, hg_counters *c)
{
  for (int k = 0; k < HG_COUNTERS; k++) {
    c->joules[k] = 0;
    if (c->source[k] && !c->failed && c->source[k]->end(c->source[k], &c->joules[k]) != HG_OK) note_failure(c, k);
  }
  if (!hg_counters_any(c)) return;
  const hg_status mine = c->failed ? hg_fail(HG_RUNTIME, "%s", c->failure) : HG_OK;
  c->failed = hg_session_agree(s, mine) != HG_OK;
  hg_session_sum_all(s, c->joules, HG_COUNTERS);
  if (!c->failed) return;
  snprintf(c->failure, sizeof c->failure, "%.500s", hg_message());
  if (!c->named) hg_log(HG_WARN, "%s; this run reports no joules", c->failure);
}

void hg_counters_close(hg_counters *c)
{
  for (int k = 0; k < HG_COUNTERS; k++) {
    if (c->source[k]) c->source[k]->close(c->source[k]);
    c->source[k] = NULL;
  }
}

bool hg_counters_any(const hg_counters *c)
{
  return c->used[HG_RAPL] || c->used[HG_NVML] || c->used[HG_METER];
}

bool hg_counters_are_coarse(const hg_counters *c, double seconds)
{
  bool coarse = false;
  for (int k = 0; k < HG_COUNTERS; k++) coarse |= c->source[k] && seconds < c->source[k]->shortest;
  return coarse;
}

/* Rank 0 may not have opened NVML: only ranks that use GPUs do. */
const char *hg_counters_name(const hg_counters *c, int kind)
{
  return c->source[kind] ? c->source[kind]->name : names[kind];
}

const char *hg_counters_coverage(const hg_counters *c, int kind)
{
  return c->source[kind] ? c->source[kind]->coverage : "gpu";
}
