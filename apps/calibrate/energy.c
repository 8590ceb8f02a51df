/* SPDX-License-Identifier: MIT */
/* --energy: the power of workers while they run a program's kernels, which differs between kernels. A counter is read
 * around the machine at rest and around all cores (or a GPU) at work, in turns; the difference is the workers' power.
 * It is stored in the file of hetgrid-energy --measure, with the power under that program's mixed load, as
 * full_KERNELS:
 *
 *   device core cpu full=9 wait=8 idle=0   becomes   device core cpu full=9 wait=8 idle=0 full_heat=7.5
 *
 * --energy and the energy models of the codelets use it from there, for every size of task. StarPU's own models, by
 * starpu_energy_start, are only for the sizes that were run, need PAPI for processors, and measure all power of a
 * package, including other cores and programs. */
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "calibrate.h"
#include "energy/choice.h"
#include "platform/platform.h"

enum { REPEATS = 3, SIDE = 512, GPU_SIDE = 4096, LINE = 4096 };

#define VISIBLE .005 /* of the power at rest: smaller differences are noise */

/* What is measured, and its results. */
typedef struct powers {
  calibration c;
  calibrate_watch watch;
  int units;                     /* cores at work; 1 GPU */
  double rest, work;             /* W, means of the repeats */
  double least, most;            /* W at work minus W at rest */
  char path[HG_PATH_MAX];        /* of the file of the machine's powers */
  char device[HG_PLATFORM_NAME]; /* in that file */
  double wait, idle;             /* W, from that file */
} powers;

/* The first device of this kind in the file. */
static hg_status find_device(powers *p)
{
  hg_platform file;
  const bool cuda = p->c.gpu != CALIBRATE_CPU;
  HG_TRY(hg_energy_machine(p->path));
  if (access(p->path, F_OK) != 0)
    return hg_fail(HG_IO,
                   "--energy: there is no %s with the idle power of the machine; hetgrid-energy --measure writes it",
                   p->path);
  HG_TRY(hg_platform_read(p->path, &file));
  for (int i = 0; i < file.devices && !*p->device; i++)
    if (file.device[i].cuda == cuda && file.device[i].full > 0) {
      memcpy(p->device, file.device[i].name, sizeof p->device);
      p->wait = file.device[i].wait;
      p->idle = file.device[i].idle;
    }
  hg_platform_free(&file);
  return *p->device ? HG_OK
                    : hg_fail(HG_INVALID, "%s: has no device with the powers of a %s", p->path,
                              cuda ? "GPU" : "processor core");
}

static hg_status measure_rest(powers *p, double *watts)
{
  calibrate_watch *w = &p->watch;
  double joules = 0;
  hg_sleep(fmin(w->warm, .1));
  HG_TRY(w->source->begin(w->source));
  hg_sleep(w->seconds);
  HG_TRY(w->source->end(w->source, &joules));
  *watts = joules / w->source->seconds;
  return HG_OK;
}

static hg_status measure_work(powers *p, double *watts)
{
  calibrate_watch_work(&p->watch);
  const hg_timing run = p->c.seconds(&p->c, p->c.gpu == CALIBRATE_CPU ? SIDE : GPU_SIDE);
  calibrate_watch_work(NULL);
  HG_TRY(p->watch.status);
  if (!(run.seconds > 0)) return hg_fail(HG_RUNTIME, "--energy: %s: no memory, or the device failed", p->c.app);
  *watts = p->watch.watts;
  return HG_OK;
}

static hg_status measure_all(powers *p)
{
  p->least = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double rest = 0, work = 0;
    HG_TRY(measure_rest(p, &rest));
    HG_TRY(measure_work(p, &work));
    p->rest += rest / REPEATS;
    p->work += work / REPEATS;
    p->least = fmin(p->least, work - rest);
    p->most = fmax(p->most, work - rest);
  }
  if (p->least > VISIBLE * p->rest) return HG_OK;
  return hg_fail(HG_RUNTIME,
                 "--energy: the counter does not show the work of %s: %.4g W at rest, %.4g W at work, spread %.2g W",
                 p->c.app, p->rest, p->work, p->most - p->least);
}

/* --- the file --- */

static bool is_device(const char *line, const char *name)
{
  char first[LINE], second[LINE];
  size_t size = strlen(line);
  return sscanf(hg_text_begin(line, &size), "%s %s", first, second) == 2 && strcmp(first, "device") == 0 &&
         strcmp(second, name) == 0;
}

/* Removes " KEY=" and its value from a line. */
static void drop(char *line, const char *key)
{
  char *at = strstr(line, key);
  if (!at) return;
  const char *rest = at + strlen(key);
  rest += strcspn(rest, " \t#\r\n");
  memmove(at, rest, strlen(rest) + 1);
}

static void write_line(FILE *out, const powers *p, double watts, char *line)
{
  char key[64], date[32];
  const time_t now = time(NULL);
  snprintf(key, sizeof key, " full_%s=", p->c.app);
  drop(line, key);
  strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
  const int end = (int)strcspn(line, "#\r\n");
  fprintf(out, "#%s%.6g of %s: measured %s by %s (%s), spread %.2g %%\n", key, watts, p->device, date,
          p->watch.source->name, p->watch.source->coverage, 100 * (p->most - p->least) / (p->work - p->rest));
  fprintf(out, "%.*s%s%.6g%s", end, line, key, watts, line + end);
}

/* Whether a line is an earlier result for the same kernels, to be replaced. */
static bool is_stale(const char *line, const powers *p)
{
  char start[128], of[128];
  snprintf(start, sizeof start, "# full_%s=", p->c.app);
  snprintf(of, sizeof of, " of %s: measured", p->device);
  return strncmp(line, start, strlen(start)) == 0 && strstr(line, of);
}

static hg_status keep(const powers *p, double watts)
{
  char line[LINE], part[HG_PATH_MAX];
  FILE *out, *in = fopen(p->path, "r");
  if (!in) return hg_fail(HG_IO, "%s: cannot be read", p->path);
  hg_status status = hg_file_begin(p->path, part, &out);
  if (status == HG_OK) {
    while (fgets(line, sizeof line, in)) {
      if (is_device(line, p->device))
        write_line(out, p, watts, line);
      else if (!is_stale(line, p))
        fputs(line, out);
    }
    status = hg_file_end(out, part, p->path, HG_OK);
  }
  fclose(in);
  return status;
}

/* A power at work below that of waiting can only be noise. */
static hg_status conclude(const powers *p, const calibrate_options *o)
{
  const double watts = (p->work - p->rest) / p->units + p->idle;
  if (watts < p->wait)
    hg_log(HG_WARN,
           "%s: %.4g W at work is less than the %.4g W when waiting, which is used instead; measure both "
           "again",
           p->device, watts, p->wait);
  HG_TRY(keep(p, fmax(watts, p->wait)));
  if (!o->quiet)
    printf("%s: full_%s=%.4g W of %s, by %s, spread %.2g %%\n", p->path, p->c.app, fmax(watts, p->wait), p->device,
           p->watch.source->name, 100 * (p->most - p->least) / (p->work - p->rest));
  return HG_OK;
}

hg_status calibrate_energy(const calibration *c, const calibrate_options *o)
{
  enum { WINDOWS = 3 * REPEATS };
  const double longest = 10, warmest = 3, window = fmin(longest, o->budget / WINDOWS);
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  powers p = {.c = *c, .watch = {.warm = fmin(warmest, window), .seconds = window}, .units = 1};
  if (c->gpu == CALIBRATE_CPU) p.units = p.c.cores = (int)fmin((double)cores, HG_PLATFORM_WORKERS);
  HG_TRY(find_device(&p));
  HG_TRY(hg_energy_open("--energy", o->source, c->gpu != CALIBRATE_CPU, 0, &p.watch.source));
  if (window < p.watch.source->shortest)
    hg_log(HG_WARN, "--energy: windows of %.2g s are short for %s; a larger --budget makes them longer", window,
           p.watch.source->name);
  hg_status status = measure_all(&p);
  if (status == HG_OK) status = conclude(&p, o);
  p.watch.source->close(p.watch.source);
  return status;
}
