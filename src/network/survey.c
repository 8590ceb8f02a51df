/* SPDX-License-Identifier: MIT */
#include "network/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/sort.h"
#include "network/fit.h"

enum { PASSES = HG_SURVEY_PASSES, SEGMENTS = 8 };
#define ERROR .03      /* bound of the error of lines between sizes */
#define NARROW 1.02    /* sizes closer than this ratio are not refined */
#define FIRST_SHARE .5 /* share of the budget for the first pass, including refinement */

/* A size and the results of the passes. */
typedef struct station {
  double bytes;
  hg_samples pass[PASSES];
} station;

typedef struct survey {
  const hg_probe *probe;
  const hg_survey_plan *plan;
  const char *level;
  station *station; /* [most], by size */
  int stations, done;
} survey;

/* Finds a pass's samples of a size in the journal. */
static bool remembered(const survey *s, int pass, double bytes, hg_samples *out)
{
  char begin[HG_NETWORK_NAME + 64];
  const char *text = s->plan->journal ? s->plan->journal->text : NULL;
  snprintf(begin, sizeof begin, "\n%s,%d,%.17g,", s->level, pass, bytes);
  const char *at = text ? strstr(text, begin) : NULL;
  hg_samples r = {0};
  char end = 0;
  if (!at ||
      sscanf(at + strlen(begin), "%lf,%lf,%lf,%d,%d%c", &r.median, &r.low, &r.high, &r.count, &r.outliers, &end) != 6 ||
      end != '\n')
    return false;
  if (!(r.low > 0 && r.low <= r.median && r.median <= r.high) || !isfinite(r.high)) return false;
  *out = r;
  s->plan->journal->reused++;
  return true;
}

static hg_status remember(const survey *s, int pass, double bytes, const hg_samples *r)
{
  FILE *out = s->plan->journal ? s->plan->journal->out : NULL;
  if (!out) return HG_OK;
  fprintf(out, "%s,%d,%.17g,%.17g,%.17g,%.17g,%d,%d\n", s->level, pass, bytes, r->median, r->low, r->high, r->count,
          r->outliers);
  return fflush(out) == 0 ? HG_OK : hg_fail(HG_IO, "%s: cannot be written", s->plan->journal->path);
}

static hg_status visit(survey *s, int pass, station *at, double budget)
{
  if (s->plan->bar) hg_progress_update(s->plan->bar, s->done);
  s->done++;
  if (remembered(s, pass, at->bytes, &at->pass[pass])) return HG_OK;
  HG_TRY(hg_samples_take(s->probe, at->bytes, budget, &at->pass[pass]));
  return remember(s, pass, at->bytes, &at->pass[pass]);
}

/* Measures a size between others. */
static hg_status add_station(survey *s, double bytes, double budget)
{
  int at = s->stations;
  for (; at > 0 && s->station[at - 1].bytes > bytes; at--) s->station[at] = s->station[at - 1];
  s->station[at] = (station){.bytes = bytes};
  s->stations++;
  return visit(s, 0, &s->station[at], budget);
}

/* Sizes of the first pass: 0, 2^i up to max_bytes and, if that leaves a third of the room, 3 2^(i-1).
 * @return their number <= room */
static int survey_sizes(double max_bytes, int room, double *bytes)
{
  const bool two = 2 * log2(max_bytes) + 4 <= room * 2 / 3; /* leaves room for refinement */
  int count = 0;
  bytes[count++] = 0;
  for (double size = 1; size <= max_bytes && count + 3 < room; size *= 2) {
    bytes[count++] = size;
    if (two && size > 1 && size * 1.5 <= max_bytes) bytes[count++] = size * 1.5;
  }
  if (bytes[count - 1] < max_bytes) bytes[count++] = floor(max_bytes);
  return count;
}

/* Fisher-Yates shuffle. */
static void shuffle(uint64_t seed, int count, int *order)
{
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    const int j = (int)(hg_random_bits(seed, (uint64_t)i) % (uint64_t)(i + 1)), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}

/* Relative error of the line between the neighbours of size i at that size; 0 if it is within the noise. */
static double miss(const survey *s, int i)
{
  const station *a = &s->station[i - 1], *b = a + 1, *c = b + 1;
  const double t = b->pass[0].median,
               line = a->pass[0].median +
                      (c->pass[0].median - a->pass[0].median) * ((b->bytes - a->bytes) / (c->bytes - a->bytes)),
               off = fabs(line / t - 1);
  return off > (b->pass[0].high - b->pass[0].low) / t ? off : 0;
}

/* Whether there is a size between a and b worth measuring. */
static bool wide(const station *a, const station *b)
{
  return b->bytes - a->bytes >= 2 && b->bytes > NARROW * a->bytes;
}

/* The wider interval beside the size with the largest error; returns its first size, -1: none. */
static int worst_interval(const survey *s)
{
  int worst = -1;
  double most = ERROR;
  for (int i = 1; i + 1 < s->stations; i++) {
    const double off = miss(s, i);
    if (off <= most) continue;
    for (int j = i - 1; j <= i; j++)
      if (wide(&s->station[j], &s->station[j + 1])) worst = j, most = off;
  }
  return worst;
}

static hg_status first_pass(survey *s, double end)
{
  const int room = s->plan->most;
  double size[room];
  const int sizes = survey_sizes(s->plan->max_bytes, room, size);
  int order[sizes];
  const double each = s->plan->budget * FIRST_SHARE / 2 / sizes;
  shuffle(s->plan->seed, sizes, order);
  for (int i = 0; i < sizes; i++) HG_TRY(add_station(s, size[order[i]], each));
  for (int at = worst_interval(s); at >= 0 && s->stations < room && hg_now() < end; at = worst_interval(s))
    HG_TRY(add_station(s, floor((s->station[at].bytes + s->station[at + 1].bytes) / 2), each));
  return HG_OK;
}

/* Pauses between passes: the machine may behave differently later, since hypervisors migrate processors. */
static void rest(double seconds)
{
  const struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  if (seconds > 0) nanosleep(&time, NULL);
}

static hg_status other_pass(survey *s, int pass, double seconds)
{
  int order[s->stations];
  shuffle(s->plan->seed + (uint64_t)pass, s->stations, order);
  for (int i = 0; i < s->stations; i++) HG_TRY(visit(s, pass, &s->station[order[i]], seconds / s->stations));
  return HG_OK;
}

static double median_of(int count, double *sorted)
{
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static hg_network_point join_passes(const station *at, int passes)
{
  hg_network_point p = {.bytes = at->bytes, .low = INFINITY};
  double median[PASSES];
  for (int i = 0; i < passes; i++) {
    median[i] = at->pass[i].median;
    p.low = fmin(p.low, at->pass[i].low);
    p.high = fmax(p.high, at->pass[i].high);
    p.samples += at->pass[i].count;
    p.outliers += at->pass[i].outliers;
  }
  qsort(median, (size_t)passes, sizeof *median, hg_by_value);
  p.seconds = median_of(passes, median);
  p.pass_gap = (median[passes - 1] - median[0]) / p.seconds;
  return p;
}

static hg_status to_level(const survey *s, int passes, hg_network_level *out)
{
  hg_network_point *point = calloc((size_t)s->stations, sizeof *point);
  if (!point) return hg_fail(HG_MEMORY, "no memory for %d points", s->stations);
  for (int i = 0; i < s->stations; i++) point[i] = join_passes(&s->station[i], passes);
  free(out->point);
  out->point = point;
  out->points = s->stations;
  return hg_network_fit(out, SEGMENTS);
}

hg_status hg_network_survey(const hg_probe *probe, const hg_survey_plan *plan, hg_network_level *out)
{
  if (plan->passes < 2 || plan->passes > PASSES || plan->most < 4 || !(plan->max_bytes >= 1))
    return hg_fail(HG_INVALID, "%d passes over %d sizes up to %g bytes, must be 2..%d passes, >= 4 sizes and >= 1 byte",
                   plan->passes, plan->most, plan->max_bytes, PASSES);
  survey s = {
      .probe = probe, .plan = plan, .level = out->name, .station = calloc((size_t)plan->most + 1, sizeof *s.station)};
  if (!s.station) return hg_fail(HG_MEMORY, "no memory for %d sizes", plan->most);
  const double start = hg_now();
  hg_status status = first_pass(&s, start + plan->budget * FIRST_SHARE);
  for (int pass = 1; pass < plan->passes && status == HG_OK; pass++) {
    rest(plan->pause);
    status = other_pass(&s, pass, plan->budget * (1 - FIRST_SHARE) / (plan->passes - 1));
  }
  if (status == HG_OK) status = to_level(&s, plan->passes, out);
  free(s.station);
  return status;
}

hg_samples hg_samples_describe(int count, double *seconds)
{
  double off[count];
  qsort(seconds, (size_t)count, sizeof *seconds, hg_by_value);
  hg_samples r = {.count = count,
                  .median = median_of(count, seconds),
                  .low = seconds[(count - 1) / 4],
                  .high = seconds[count - 1 - (count - 1) / 4]};
  for (int i = 0; i < count; i++) off[i] = fabs(seconds[i] - r.median);
  qsort(off, (size_t)count, sizeof *off, hg_by_value);
  const double limit = 5 * median_of(count, off);
  for (int i = 0; i < count; i++) r.outliers += fabs(seconds[i] - r.median) > limit;
  const int reach = (int)ceil(.98 * sqrt(count)), lo = (count - 1) / 2 - reach, hi = count / 2 + reach;
  r.half_width = lo < 0 || hi >= count ? INFINITY : (seconds[hi] - seconds[lo]) / 2 / r.median;
  return r;
}

hg_status hg_samples_take(const hg_probe *probe, double bytes, double budget, hg_samples *out)
{
  enum { MOST = 2000, LEAST = 9 };
  const double enough = .025, start = hg_now();
  double seconds[MOST];
  int count = 0;
  for (int more = LEAST; more > 0;) {
    HG_TRY(probe->times(probe->arg, bytes, more, seconds + count));
    for (int i = count; i < count + more; i++)
      if (!(seconds[i] > 0) || !isfinite(seconds[i]))
        return hg_fail(HG_RUNTIME, "a message of %.0f bytes took %g s, must be > 0", bytes, seconds[i]);
    count += more;
    *out = hg_samples_describe(count, seconds);
    const double spent = hg_now() - start;
    const bool done = out->half_width <= enough && spent >= budget / 4;
    more = done || spent >= budget ? 0 : count < MOST - count ? count : MOST - count;
    if (more > 0 && spent + spent / count * more > budget) more = (int)((budget - spent) / (spent / count)) + 1;
    if (more > MOST - count) more = MOST - count;
  }
  return HG_OK;
}

/* Reads a journal if it begins with `head`, else returns NULL. */
static char *read_journal(FILE *in, const char *head)
{
  enum { MOST_TEXT = 1 << 22 };
  char *text = malloc(MOST_TEXT + 1);
  const size_t size = text ? fread(text, 1, MOST_TEXT, in) : 0, length = strlen(head);
  if (text) text[size] = '\0';
  if (text && strncmp(text, head, length) == 0 && text[length] == '\n') return text;
  free(text);
  return NULL;
}

hg_status hg_journal_open(const char *file, const char *head, hg_journal *j)
{
  *j = (hg_journal){.reused = 0};
  if (snprintf(j->path, sizeof j->path, "%s.part", file) >= (int)sizeof j->path)
    return hg_fail(HG_INVALID, "%.60s...: the name is too long", file);
  HG_TRY(hg_file_append(j->path, &j->out));
  j->text = read_journal(j->out, head);
  const bool good =
      fseek(j->out, 0, SEEK_END) == 0 &&
      (j->text ? fputc('\n', j->out) != EOF : ftruncate(fileno(j->out), 0) == 0 && fprintf(j->out, "%s\n", head) > 0);
  if (good && fflush(j->out) == 0) return HG_OK;
  hg_journal_close(j, false);
  return hg_fail(HG_IO, "%s: cannot be written", j->path);
}

void hg_journal_close(hg_journal *j, bool done)
{
  if (j->out) fclose(j->out);
  free(j->text);
  if (done) remove(j->path);
  j->out = NULL;
  j->text = NULL;
}
