/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

const char *const hg_progress_names[] = {"auto", "on", "off", NULL};

void hg_progress_begin(hg_progress *bar, hg_progress_mode mode, const char *label, int64_t total)
{
  const bool on = mode == HG_PROGRESS_ON || (mode == HG_PROGRESS_AUTO && isatty(STDERR_FILENO));
  *bar = (hg_progress){.on = on && total > 0, .label = label, .total = total, .start = hg_now()};
}

void hg_progress_update(hg_progress *bar, int64_t done)
{
  enum { WIDTH = 40 };
  double now = hg_now();
  bar->done = done;
  if (!bar->on || (now - bar->last < 0.1 && done < bar->total)) return;
  bar->last = now;
  double share = (double)done / (double)bar->total;
  int filled = (int)(share * WIDTH);
  double left = share > 0 ? (now - bar->start) * (1 - share) / share : 0;
  char line[WIDTH + 1];
  memset(line, '.', WIDTH);
  memset(line, '#', (size_t)(filled < 0 ? 0 : filled > WIDTH ? WIDTH : filled));
  line[WIDTH] = 0;
  fprintf(stderr, "\r%s [%s] %3.0f %%, %.0f s left \033[K", bar->label, line, 100 * share, left);
  fflush(stderr);
}

void hg_progress_end(hg_progress *bar)
{
  if (bar->on) fprintf(stderr, "\r\033[K");
  bar->on = false;
}
