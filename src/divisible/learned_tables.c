/* SPDX-License-Identifier: MIT */
/* What was learnt about a divisible job is stored as speed tables, one per worker and per rank, so that the next run
 * begins in balance. */
#include <stdio.h>

#include "divisible/passes.h"
#include "divisible/internal.h"
#include "base/data_folder.h"
#include "speed/speed.h"

static hg_status path_of(const hg_divisible_run *r, const char *what, int rank, unsigned worker, char path[HG_PATH_MAX])
{
  char key[sizeof r->name], file[160];
  hg_device_key(r->name, key, sizeof key);
  if (rank < 0)
    snprintf(file, sizeof file, "divisible-%s-of-%d-%s%u.csv", key, r->session->ranks, what, worker);
  else
    snprintf(file, sizeof file, "divisible-%s-of-%d-rank%d-%s%u.csv", key, r->session->ranks, rank, what, worker);
  return hg_file_in(r->job.models, file, path);
}

typedef hg_status model_visitor(const char *path, const hg_divisible_run *r, hg_partial_speed *model);

/* Visits this rank's models; rank 0 also stores those of the ranks. */
static hg_status visit(const hg_divisible_run *r, model_visitor *use)
{
  char path[HG_PATH_MAX];
  for (int i = 0; i < r->devices; i++) {
    hg_item_device *d = &r->device[i];
    HG_TRY(path_of(r, "worker", r->session->rank, d->worker, path));
    HG_TRY(use(path, r, &r->workers.speed[i]));
    if (!d->cuda) continue;
    HG_TRY(path_of(r, "kernel", r->session->rank, d->worker, path));
    HG_TRY(use(path, r, &d->known.kernel));
  }
  for (int rank = 0; rank < r->session->ranks && r->session->ranks > 1 && r->session->rank == 0; rank++) {
    HG_TRY(path_of(r, "rank", -1, (unsigned)rank, path));
    HG_TRY(use(path, r, &r->ranks.speed[rank]));
  }
  return HG_OK;
}

static hg_status read_model(const char *path, const hg_divisible_run *r, hg_partial_speed *model)
{
  (void)r;
  return hg_partial_read(path, model);
}

static hg_status write_model(const char *path, const hg_divisible_run *r, hg_partial_speed *model)
{
  char head[200];
  snprintf(head, sizeof head, "items of %s and the seconds they took\nw,c,time", r->name);
  return hg_partial_write(path, head, model);
}

static hg_status make_folder(const hg_divisible_run *r)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(r->job.models, "any", path));
  return hg_make_folders(path);
}

/* That the folder can be made is found out before anything is computed. */
static hg_status read_all(const hg_divisible_run *r)
{
  HG_TRY(make_folder(r));
  return visit(r, read_model);
}

hg_status hg_divisible_read_models(hg_divisible_run *r)
{
  const hg_session *s = r->session;
  if (!r->job.models) return HG_OK;
  HG_TRY(hg_session_agree(s, read_all(r)));
  if (s->ranks > 1) hg_session_bcast(s, r->ranks.speed, (size_t)s->ranks * sizeof *r->ranks.speed);
  return HG_OK;
}

static hg_status write_all(const hg_divisible_run *r)
{
  HG_TRY(make_folder(r));
  return visit(r, write_model);
}

hg_status hg_divisible_save(const hg_divisible_run *r)
{
  return r->job.models ? hg_session_agree(r->session, write_all(r)) : HG_OK;
}
