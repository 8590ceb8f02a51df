/* SPDX-License-Identifier: MIT */
/* A job's values as bytes: checkpoints. The values are copied, since the next steps overwrite them. A thread of each
 * rank writes that rank's copy while these steps are computed. The threads agree among themselves, without the rest of
 * their ranks, so a checkpoint is complete as soon as the slowest thread is. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/memory.h"
#include "job/snapshot_copy.h"
#include "job/value_rows.h"
#include "result/checkpoint.h"

struct hg_saving {
  hg_session session; /* of the threads */
  int64_t *offset;    /* offsets in the copy, or NULL */
  int64_t total;      /* bytes of all values */
  hg_shared_file file;
  hg_checkpoint checkpoint;
  hg_copy copy;          /* of this rank's values */
  int64_t nonfinite;     /* byte of the first value that is not finite, or -1 */
  bool pending, running; /* pending: its outcome was not asked for yet; running: a thread writes it */
  pthread_t thread;
  hg_status status; /* of the last checkpoint, */
  char text[1024];  /* and its message */
};

/* Lists the bytes before each value if sizes differ; *total is that of all values. */
static hg_status list_offsets(const hg_run *r, int64_t **offset, int64_t *total)
{
  const int64_t units = hg_run_units(r), size = r->job->update->value_bytes;
  *offset = NULL;
  *total = units * size;
  if (!r->job->length) return HG_OK;
  HG_TRY(hg_allocate("the sizes of all values", ((size_t)units + 1) * sizeof **offset, (void **)offset));
  for (int64_t i = 0; i < units; i++) (*offset)[i + 1] = (*offset)[i] + hg_run_length(r, i) * size;
  *total = (*offset)[units];
  return HG_OK;
}

/* --- one checkpoint ---------------------------------------------------------------------------------------------- */

/* Checks that values are finite, if their elements are known to be real numbers: a run whose values are lost must not
 * replace an earlier checkpoint. */
static void look_at(struct hg_saving *s, int64_t at, int64_t bytes, const void *values)
{
  const hg_update *u = s->copy.run->job->update;
  const bool is_float = u->value_type == 'f';
  if (s->nonfinite >= 0 || (u->value_type != 'd' && !is_float)) return;
  const int64_t first = hg_first_nonfinite(is_float, values, bytes / u->value_bytes);
  if (first >= 0) s->nonfinite = at + first * u->value_bytes;
}

static int64_t unit_at(const struct hg_saving *s, int64_t byte)
{
  int64_t id = 0;
  if (!s->copy.offset) return byte / s->copy.run->job->update->value_bytes;
  while (s->copy.offset[id + 1] <= byte) id++;
  return id;
}

static hg_status status_of(const struct hg_saving *s, hg_status put)
{
  if (put != HG_OK || s->nonfinite < 0) return put;
  return hg_run_nonfinite(s->copy.run, unit_at(s, s->nonfinite), s->checkpoint.step, s->file.path);
}

static void put_row(void *arg, int64_t id, int64_t count, const char *values)
{
  struct hg_saving *s = arg;
  const int64_t at = hg_copy_at(&s->copy, id), bytes = hg_copy_at(&s->copy, id + count) - at;
  look_at(s, at, bytes, values);
  hg_shared_put(&s->file, at, values, (size_t)bytes);
}

static hg_status put_tile(void *arg, const hg_tile_view *t)
{
  const struct hg_saving *s = arg;
  hg_run_each_row(s->copy.run, t, put_row, arg);
  return HG_OK;
}

static void keep_status(struct hg_saving *s, hg_status status)
{
  s->status = status;
  s->text[0] = 0;
  if (status != HG_OK) strncat(s->text, hg_message(), sizeof s->text - 1);
}

/* Runs in a thread of its own. */
static void *write_copy(void *saving)
{
  HG_C_LOCALE;
  struct hg_saving *s = saving;
  s->file.session = &s->session;
  for (int64_t i = 0; i < s->copy.count; i++) {
    const hg_stretch *part = &s->copy.stretch[i];
    look_at(s, part->at, part->bytes, s->copy.values + part->from);
    hg_shared_put_past_cache(&s->file, part->at, s->copy.values + part->from, (size_t)part->bytes);
  }
  keep_status(s, hg_checkpoint_end(&s->file, &s->checkpoint, status_of(s, HG_OK)));
  return NULL;
}

/* The thread gets no signals: they are for the program's own thread. If it cannot be created, the copy is written at
 * once. */
static void write_behind(struct hg_saving *s)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  s->running = pthread_create(&s->thread, NULL, write_copy, s) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!s->running) write_copy(s);
}

static hg_status write_first(hg_run *r, struct hg_saving *s)
{
  const hg_status put = s->file.everywhere ? hg_run_visit(r, put_tile, s) : hg_run_send_tiles(r, put_tile, s);
  return hg_checkpoint_end(&s->file, &s->checkpoint, status_of(s, put));
}

/* --- of a run ---------------------------------------------------------------------------------------------------- */

static hg_status begin_saving(hg_run *r)
{
  struct hg_saving *s = calloc(1, sizeof *s);
  hg_status status = s ? HG_OK : hg_fail(HG_MEMORY, "no memory for a checkpoint");
  if (s) status = list_offsets(r, &s->offset, &s->total);
  status = hg_session_agree(&r->session, status);
  if (status != HG_OK) {
    if (s) free(s->offset);
    free(s);
    return status;
  }
  s->copy = (hg_copy){.run = r, .offset = s->offset};
  hg_session_dup(&r->session, &s->session);
  r->saving = s;
  return HG_OK;
}

/* Keeps the parameters, which `dynamic` may have changed. */
static void keep_parameters(const hg_run *r, hg_checkpoint *c, void *parameters)
{
  c->parameters = parameters;
  c->parameter_bytes = r->job->dynamic ? r->job->parameter_bytes : 0;
}

hg_status hg_run_saved(hg_run *r, int64_t *step)
{
  struct hg_saving *s = r->saving;
  if (!s || !s->pending) return HG_OK;
  hg_session_pause(&r->session); /* leaves the cores of waiting workers to the thread */
  if (s->running) pthread_join(s->thread, NULL);
  hg_session_resume(&r->session);
  s->running = s->pending = false;
  if (step) *step = s->checkpoint.step;
  return s->status == HG_OK ? HG_OK : hg_fail(s->status, "%s", s->text);
}

hg_status hg_run_checkpoint(hg_run *r, const char *path)
{
  if (!r->saving) HG_TRY(begin_saving(r));
  struct hg_saving *s = r->saving;
  HG_TRY(hg_run_saved(r, NULL));
  hg_run_metadata(r, &r->metadata);
  s->checkpoint = hg_checkpoint_of(r->problem);
  s->checkpoint.step = r->done;
  s->checkpoint.bytes = s->total;
  s->checkpoint.metadata = &r->metadata;
  s->checkpoint.looked = (hg_looked){.reduction = r->reduced == r->done ? r->reduction : NAN,
                                     .half = r->half,
                                     .half_since = r->half_since,
                                     .converged = r->converged,
                                     .stalled = r->stalled};
  keep_parameters(r, &s->checkpoint, r->job->parameters);
  s->nonfinite = -1;
  HG_TRY(hg_checkpoint_begin(&r->session, path, &s->checkpoint, &s->file));
  double lacks = !s->file.everywhere || !hg_copy_make_room(&s->copy);
  hg_session_max(&r->session, &lacks);
  if (lacks > 0) return write_first(r, s);
  const hg_status copied = hg_session_agree(&r->session, hg_copy_take(&s->copy, r));
  if (copied != HG_OK) return hg_checkpoint_end(&s->file, &s->checkpoint, copied);
  s->pending = true;
  write_behind(s);
  return HG_OK;
}

void hg_run_stop_saving(hg_run *r)
{
  struct hg_saving *s = r->saving;
  if (!s) return;
  hg_run_saved(r, NULL);
  hg_session_free_dup(&s->session);
  hg_copy_drop(&s->copy);
  free(s->offset);
  free(s);
  r->saving = NULL;
}

hg_status hg_run_restore(hg_run *r, const char *path)
{
  hg_checkpoint c = hg_checkpoint_of(r->problem);
  keep_parameters(r, &c, r->parameters);
  HG_TRY(hg_session_agree(&r->session, list_offsets(r, &r->initial.offset, &c.bytes)));
  HG_TRY(hg_checkpoint_open(&r->session, path, &c, &r->initial.stored));
  if (c.step > r->job->steps)
    return hg_fail(HG_INVALID, "--steps: %" PRId64 " steps, but %s holds the values after %" PRId64, r->job->steps,
                   path, c.step);
  r->first = c.step;
  r->restored = c.looked;
  return HG_OK;
}
