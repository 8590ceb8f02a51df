/* SPDX-License-Identifier: MIT */
#include "graph/rounds.h"

#include <math.h>

enum { SETTLE = 2, TRIAL = 4 };

static const double LONG = 10e-3, /* s */
    PAYS = .95, CHANGED = .25;    /* of a round's time */

void hg_rounds_pause(hg_rounds *r)
{
  r->seen = 0;
  r->sum = 0;
}

static void change(hg_rounds *r, bool goes_on)
{
  r->goes_on = goes_on;
  hg_rounds_pause(r);
}

static void begin_anew(hg_rounds *r)
{
  r->waiting = r->usual = 0;
  change(r, false);
}

static void try_going_on(hg_rounds *r, double waiting)
{
  if (waiting < LONG) return;
  r->waiting = waiting;
  change(r, true);
}

/* Both ways were tried: the rounds to come are compared with those of the better one. */
static void decide(hg_rounds *r, double going_on)
{
  const bool pays = going_on < PAYS * r->waiting;
  r->usual = pays ? going_on : r->waiting;
  change(r, pays);
}

static void judge(hg_rounds *r, double mean)
{
  if (r->waiting == 0)
    try_going_on(r, mean);
  else if (r->usual == 0)
    decide(r, mean);
  else if (fabs(mean / r->usual - 1) > CHANGED)
    begin_anew(r);
}

void hg_rounds_next(hg_rounds *r, double now)
{
  const double took = now - r->begin;
  r->begin = now;
  if (r->seen++ < SETTLE) return;
  r->sum += took;
  if (r->seen < SETTLE + TRIAL) return;
  const double mean = r->sum / TRIAL;
  r->seen = SETTLE;
  r->sum = 0;
  judge(r, mean);
}
