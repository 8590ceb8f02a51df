/* SPDX-License-Identifier: MIT */
/* The speeds learnt in a run are kept as speed tables, one per worker, so that the next run of the same job on as many
 * ranks starts balanced. The times are those of the run's own tasks. They include what a table of the kernel alone
 * does not: margins computed twice, cores and memory shared by ranks, and MPI's threads. */
#include <stdio.h>

#include "division/balance_monitor.h"
#include "job/run.h"
#include "base/data_folder.h"

/* A worker is identified by its rank and its number there. */
static hg_status path_of(const hg_run *r, int worker, char path[HG_PATH_MAX])
{
  const hg_session *s = &r->session;
  char key[64], file[160];
  int first = worker;
  while (first > 0 && s->worker_rank[first - 1] == s->worker_rank[worker]) first--;
  hg_device_key(r->name, key, sizeof key);
  snprintf(file, sizeof file, "%s-%lld-bytes-rank%d-of-%d-worker%d.csv", key, (long long)r->job->update->value_bytes,
           s->worker_rank[worker], s->ranks, worker - first);
  return hg_file_in(r->options->grid.models, file, path);
}

/* Creates the folder now: if that fails, it does before anything is computed. */
static hg_status read_all(hg_run *r)
{
  char path[HG_PATH_MAX];
  for (int i = 0; i < r->session.all_workers; i++) {
    HG_TRY(path_of(r, i, path));
    if (i == 0) HG_TRY(hg_make_folders(path));
    HG_TRY(hg_partial_read(path, &r->balance.monitor.speed[i]));
  }
  return HG_OK;
}

hg_status hg_run_read_models(hg_run *r)
{
  const hg_session *s = &r->session;
  hg_partial_speed *speed = r->balance.monitor.speed;
  if (!r->options->grid.models) return HG_OK;
  HG_TRY(hg_session_agree(s, s->rank == 0 ? read_all(r) : HG_OK));
  hg_session_bcast(s, speed, (size_t)s->all_workers * sizeof *speed);
  for (int i = 0; i < s->all_workers; i++) r->learnt |= speed[i].count > 0;
  return HG_OK;
}

static hg_status write_all(const hg_run *r)
{
  char path[HG_PATH_MAX], head[200];
  for (int i = 0; i < r->session.all_workers; i++) {
    snprintf(head, sizeof head, "%.100s: cells, items (not separated), seconds per step, of worker %d of all in runs",
             r->name, i);
    HG_TRY(path_of(r, i, path));
    HG_TRY(hg_partial_write(path, head, &r->balance.monitor.speed[i]));
  }
  return HG_OK;
}

hg_status hg_run_write_models(hg_run *r)
{
  if (!r->options->grid.models) return HG_OK;
  hg_balance_learn(&r->balance, r->graph);
  return hg_session_agree(&r->session, r->session.rank == 0 ? write_all(r) : HG_OK);
}
