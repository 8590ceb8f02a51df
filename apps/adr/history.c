/* SPDX-License-Identifier: MIT */
/* The history of hetgrid-adr: one line per step, kept in memory, and written completely before each checkpoint and at
 * the end. So it has lines for all steps that a checkpoint includes, even if the run was killed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adr.h"
#include "base/log.h"

static const char head[] = "step,time,sweeps,residual\n";

enum { LINE = 200 };

/* Opens an existing history; NULL: there is none, or the file is empty. */
static hg_status open_former(const char *path, FILE **in)
{
  char line[LINE];
  *in = NULL;
  if (access(path, F_OK) != 0) return HG_OK;
  HG_TRY(hg_file_open(path, in));
  const bool empty = !fgets(line, sizeof line, *in);
  if (!empty && strcmp(line, head) == 0) return HG_OK;
  fclose(*in);
  *in = NULL;
  return empty ? HG_OK : hg_fail(HG_INVALID, "--history: %s exists and is not a history, so it is not replaced", path);
}

hg_status adr_history_check(const adr_options *o)
{
  FILE *file;
  if (!o->history) return HG_OK;
  HG_TRY(open_former(o->history, &file));
  if (file) fclose(file);
  return HG_OK;
}

/* Whether this is the line of a step after step `before`. */
static bool is_line(const adr *a, const char *line, int64_t before, int64_t *step)
{
  int64_t sweeps;
  double time, residual;
  char end;
  if (sscanf(line, "%" SCNd64 ",%lf,%" SCNd64 ",%lf%c", step, &time, &sweeps, &residual, &end) != 5) return false;
  const double wanted = hg_adr_time(&a->options.settings, *step);
  return end == '\n' && *step > before && (*step > a->first || fabs(time - wanted) <= 1e-9 * wanted);
}

/* Copies the lines up to the checkpoint's step. */
static hg_status take_lines(adr *a, FILE *in)
{
  char line[LINE];
  int64_t step = 0, lines = 0;
  while (in && fgets(line, sizeof line, in)) {
    if (!is_line(a, line, step, &step))
      return hg_fail(HG_INVALID,
                     "--history: %s:%" PRId64
                     ": must be a line of this problem, with a later step than the previous line",
                     a->options.history, lines + 2);
    if (step > a->first) break;
    fputs(line, a->history);
    lines++;
  }
  if (lines < a->first)
    hg_log(HG_WARN, "--history: %s has lines for %" PRId64 " of the %" PRId64 " earlier steps; the others are lost",
           a->options.history, lines, a->first);
  return HG_OK;
}

hg_status adr_history_open(adr *a)
{
  FILE *former = NULL;
  if (!a->options.history || a->session.rank != 0) return HG_OK;
  a->history = open_memstream(&a->lines, &a->bytes);
  if (!a->history) return hg_fail(HG_MEMORY, "no memory for the history");
  fputs(head, a->history);
  if (a->first == 0) return HG_OK;
  HG_TRY(open_former(a->options.history, &former));
  const hg_status status = take_lines(a, former);
  if (former) fclose(former);
  return status;
}

void adr_history_note(const adr *a, int64_t sweeps_before)
{
  const hg_adr_stats t = hg_adr_graph_stats(a->graph);
  if (a->history)
    fprintf(a->history, "%" PRId64 ",%.17g,%" PRId64 ",%.6g\n", a->done, hg_adr_time(&a->options.settings, a->done),
            t.sweeps - sweeps_before, t.residual);
}

hg_status adr_history_write(const adr *a)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  if (!a->history) return HG_OK;
  if (fflush(a->history) != 0 || ferror(a->history)) return hg_fail(HG_MEMORY, "no memory for the history");
  HG_TRY(hg_file_begin(a->options.history, temporary, &out));
  fwrite(a->lines, 1, a->bytes, out);
  return hg_file_end(out, temporary, a->options.history, HG_OK);
}

void adr_history_close(adr *a)
{
  if (a->history) fclose(a->history);
  free(a->lines);
}
