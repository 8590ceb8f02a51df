/* SPDX-License-Identifier: MIT */
/* An application that sets the user's locale, as GUI programs do: locale main [OPTIONS] | loop FILE | pieces FOLDER.
 * Its own functions must run with that locale, and it must be in effect afterwards. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>

#include <hetgrid/divisible.h>
#include <locale.h>
#include <stdio.h>

typedef struct rates {
  double rate;
} rates;

static const hg_parameter list[] = {HG_PARAMETER(rates, rate, 0, 10, "of change, in 1/step"), {0}};
static char expected[8];
static int elsewhere; /* calls of own functions that found another locale */

static void look(void)
{
  elsewhere += strcmp(localeconv()->decimal_point, expected) != 0;
}

static void set_locale(const char *name)
{
  if (!setlocale(LC_ALL, name)) fprintf(stderr, "there is no locale '%s'\n", name);
  snprintf(expected, sizeof expected, "%s", localeconv()->decimal_point);
}

HG_UPDATE(average)
{
  const rates *p = (const rates *)hg_parameters(u);
  return p->rate * (hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1)) / 4;
}

HG_QUANTITY(size)
{
  return fabs(hg_value_after(u));
}

static hg_status init(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)arg;
  look();
  *(double *)value = isnan(input->number) ? (double)cell->id / 7 : input->number + .25;
  return HG_OK;
}

static hg_status dynamic(hg_run *run, int64_t step, void *arg)
{
  const int64_t id = step;
  double value;
  (void)arg;
  look();
  const hg_status status = hg_values_get(run, 1, &id, &value, sizeof value);
  look(); /* whether calls restore the locale */
  return status;
}

static bool finished(hg_run *run, int64_t steps, double reduction, void *arg)
{
  (void)run, (void)steps, (void)reduction, (void)arg;
  look();
  return false;
}

static double number(const void *value, int64_t length, void *arg)
{
  (void)length, (void)arg;
  look();
  return *(const double *)value + .5;
}

static hg_status divide(const hg_job *job, int parts, const double *speed, hg_box *box, void *arg)
{
  (void)speed, (void)arg;
  look();
  for (int i = 0; i < parts; i++)
    box[i] = (hg_box){{0, job->size[1] * i / parts, 0}, {job->size[0], job->size[1] * (i + 1) / parts, 1}};
  return HG_OK;
}

static rates own = {.rate = .875};

static hg_job job_of(void)
{
  return (hg_job){.size = {12, 10, 1},
                  .update = &average,
                  .init = init,
                  .steps = 8,
                  .dynamic = dynamic,
                  .dynamic_every = 2,
                  .finished = finished,
                  .quantity = &size,
                  .check_every = 4,
                  .number = number,
                  .divide = divide,
                  .parameters = &own,
                  .parameter_bytes = sizeof own,
                  .parameter = list};
}

/* The locale changes between the calls of the interface. */
static int loop(const char *file)
{
  hg_run *run;
  hg_job job = job_of();
  job.boundary = "west=fixed=2.5,east=insulated,north=fixed=-.125,south=insulated";
  job.output = file;
  set_locale("C");
  hg_status status = hg_start(&job, &run);
  look();
  for (int i = 0; i < 4 && status == HG_OK; i++) {
    set_locale(i % 2 ? "C" : "");
    status = hg_advance(run, 2);
    look();
  }
  set_locale("");
  if (status == HG_OK) status = hg_finish(run);
  if (status != HG_OK) fprintf(stderr, "%s\n", hg_message());
  return status != HG_OK;
}

static hg_status work(const hg_items *jobs)
{
  double *x = jobs->array[0];
  for (int64_t i = 0; i < jobs->count; i++)
    for (int k = 0; k < 2000; k++) x[i] = x[i] / 2 + 1;
  return HG_OK;
}

static int pieces(const char *models)
{
  static double x[1000];
  hg_divisible_run *run;
  const hg_divisible job = {.grid = {1000},
                            .arrays = 1,
                            .array = {{x, 8, .access = HG_ITEM_UPDATE}},
                            .cpu = work,
                            .agglomerative = true,
                            .models = models};
  set_locale("");
  hg_status status = hg_divisible_open(&job, &run);
  for (int i = 0; i < 5 && status == HG_OK; i++) status = hg_divisible_pass(run);
  if (status == HG_OK) status = hg_divisible_close(run);
  look();
  if (status != HG_OK) fprintf(stderr, "%s\n", hg_message());
  return status != HG_OK;
}

static int whole_program(int argc, char **argv)
{
  const hg_job job = job_of();
  set_locale("");
  const int result = hg_main(argc, argv, &job);
  look();
  return result;
}

int main(int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "";
  const int result = strcmp(way, "loop") == 0     ? loop(argv[2])
                     : strcmp(way, "pieces") == 0 ? pieces(argv[2])
                                                  : whole_program(argc - 1, argv + 1);
  if (elsewhere > 0) fprintf(stderr, "%d times another locale than the program's\n", elsewhere);
  return result ? result : elsewhere > 0 ? 9 : 0;
}
