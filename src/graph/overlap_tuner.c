/* SPDX-License-Identifier: MIT */
#include "graph/overlap_tuner.h"

#include <math.h>

enum { SETTLE = 2, TRIAL = 4 };

static const double LONG = 10e-3, /* s */
    PAYS = .95, CHANGED = .25;    /* shares of a round's time */

void hg_overlap_tuner_pause(hg_overlap_tuner *r)
{
  r->seen = 0;
  r->sum = 0;
}

static void change(hg_overlap_tuner *r, bool goes_on)
{
  r->goes_on = goes_on;
  hg_overlap_tuner_pause(r);
}

static void restart(hg_overlap_tuner *r)
{
  r->waiting = r->usual = 0;
  change(r, false);
}

static void try_going_on(hg_overlap_tuner *r, double waiting)
{
  if (waiting < LONG) return;
  r->waiting = waiting;
  change(r, true);
}

/* Both ways were tried: chooses the better one, and keeps its time for comparison with later rounds. */
static void decide(hg_overlap_tuner *r, double going_on)
{
  const bool pays = going_on < PAYS * r->waiting;
  r->usual = pays ? going_on : r->waiting;
  change(r, pays);
}

static void compare_with_usual(hg_overlap_tuner *r, double mean)
{
  if (r->waiting == 0)
    try_going_on(r, mean);
  else if (r->usual == 0)
    decide(r, mean);
  else if (fabs(mean / r->usual - 1) > CHANGED)
    restart(r);
}

void hg_overlap_tuner_next(hg_overlap_tuner *r, double now)
{
  const double took = now - r->begin;
  r->begin = now;
  if (r->seen++ < SETTLE) return;
  r->sum += took;
  if (r->seen < SETTLE + TRIAL) return;
  const double mean = r->sum / TRIAL;
  r->seen = SETTLE;
  r->sum = 0;
  compare_with_usual(r, mean);
}
