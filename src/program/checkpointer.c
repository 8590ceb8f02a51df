/* SPDX-License-Identifier: MIT */
#include "program/checkpointer.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "program/exit.h"

hg_checkpointer hg_checkpointer_begin(const hg_grid_options *o)
{
  return (hg_checkpointer){.options = o, .saved = hg_now()};
}

bool hg_checkpointer_is_time(hg_checkpointer *s, const hg_session *session, int64_t done, bool last)
{
  const hg_grid_options *o = s->options;
  if (!o->checkpoint) return false;
  double seen[2] = {hg_now() - s->saved, hg_noted_signal()};
  for (int i = 0; i < 2; i++) hg_session_max(session, &seen[i]);
  s->signal = (int)seen[1];
  const bool late = o->checkpoint_minutes > 0 && seen[0] >= 60 * o->checkpoint_minutes;
  const bool due = o->checkpoint_every > 0 && done % o->checkpoint_every == 0;
  const bool now = last || late || due || s->signal;
  if (now) s->saved = hg_now();
  return now;
}

hg_status hg_checkpointer_tolerate(hg_checkpointer *s, hg_status status, int64_t done, bool last)
{
  s->unsaved = HG_OK;
  if (status != HG_IO || (last && s->signal)) return status;
  hg_log(HG_WARN, "no checkpoint after step %" PRId64 ": %s; the run continues", done, hg_message());
  if (last) s->unsaved = status;
  return HG_OK;
}

hg_status hg_checkpointer_end(const hg_checkpointer *s, int64_t done)
{
  if (!s->signal) return HG_OK;
  hg_note_signal(s->signal);
  return hg_fail(HG_RUNTIME, "ended by signal %d (%s) after step %" PRId64 "; rerun with --restart %s to continue",
                 s->signal, strsignal(s->signal), done, s->options->checkpoint);
}

hg_status hg_checkpointer_finish(const hg_checkpointer *s)
{
  if (s->unsaved == HG_OK) return HG_OK;
  return hg_fail(s->unsaved, "%s: could not be written at the end; the results are complete", s->options->checkpoint);
}
