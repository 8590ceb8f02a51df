/* SPDX-License-Identifier: MIT */
#include "bench/simulated_tasks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "schedulers/hetgrid_sched.h"

enum { GPUS_MAX = 16 };

/* A task's work; the argument of its codelet. */
typedef struct work {
  int kernel;
  double us; /* on a core of speed 1 */
  bool begun;
  unsigned number;
} work;

static int arguments;
static char **argument;
int n;
double us, kb, ratio, sigma, gpu_ratio[32];
static double gpu_speed[GPUS_MAX], slow_cores;
static int gpus, slow_worker;
static double wrong, wrong_gpu, wrong_cpu; /* factors of the models' errors */
static double began, slow_from, slow_by;   /* us */
static bool prio, coords;
static unsigned submitted;
static void *memory; /* shared by all data, since nothing is computed */
static uint64_t state = UINT64_C(88172645463325252);

static const char *text_of(const char *key)
{
  const size_t length = strlen(key);
  for (int i = 3; i < arguments; i++)
    if (strncmp(argument[i], key, length) == 0 && argument[i][length] == '=') return argument[i] + length + 1;
  return NULL;
}

double key(const char *name, double standard)
{
  const char *text = text_of(name);
  return text ? atof(text) : standard;
}

/* xorshift (Marsaglia, Journal of Statistical Software 8(14), 2003), in [0, 1) */
double uniform(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

double lognormal(double spread)
{
  const double u = uniform() + 1e-12, v = uniform();
  return exp(spread * sqrt(-2 * log(u)) * cos(2 * 3.14159265358979 * v));
}

/* The time of a task that has begun; before, the time by the models. */
static double cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  const work *w = task->cl_arg;
  const bool gpu = starpu_worker_get_type((int)worker) != STARPU_CPU_WORKER;
  const int device = starpu_worker_get_devid((int)worker);
  double time = w->us;
  (void)implementation;
  if (gpu)
    time = fmax(time / (gpu_ratio[w->kernel] * gpu_speed[device % gpus]), 1);
  else if (device >= (int)starpu_cpu_worker_get_count() / 2)
    time /= slow_cores;
  if (!w->begun) return time * (gpu ? wrong_gpu : wrong_cpu);
  if (wrong > 0) time *= pow(1 + wrong, (w->number * 2654435761u >> 8 & 0xffff) / 65535.0 * 2 - 1);
  const bool slower = (int)worker == slow_worker && slow_from >= 0 && starpu_timing_now() - began > slow_from;
  return slower ? time * slow_by : time;
}

static void begins(void *arg)
{
  ((work *)arg)->begun = true;
}

static void never(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_WORKER, .worker_cost_function = cost, .symbol = "simulated"};
struct starpu_codelet anywhere = {.cpu_funcs = {never},
                                  .cuda_funcs = {never},
                                  .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                  .model = &model,
                                  .name = "any"},
                      on_cores = {.cpu_funcs = {never},
                                  .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                  .model = &model,
                                  .name = "core"},
                      on_gpus = {
                          .cuda_funcs = {never}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .model = &model, .name = "gpu"};

handle data_at(double kilobytes, int x, int y, int z)
{
  handle h;
  starpu_vector_data_register(&h, STARPU_MAIN_RAM, (uintptr_t)memory, (uint32_t)fmax(kilobytes * 128, 1), 8);
  if (coords && x >= 0 && z >= 0) starpu_data_set_coordinates(h, 3, x, y, z);
  if (coords && x >= 0 && z < 0) starpu_data_set_coordinates(h, 2, x, y);
  return h;
}

handle *data(int count, double kilobytes)
{
  handle *h = calloc((size_t)count, sizeof *h);
  for (int i = 0; i < count; i++) h[i] = data_at(kilobytes, -1, 0, 0);
  return h;
}

handle *data_grid(int rows, int columns, double kilobytes)
{
  handle *h = calloc((size_t)rows * (size_t)columns, sizeof *h);
  for (int i = 0; i < rows * columns; i++) h[i] = data_at(kilobytes, i / columns, i % columns, -1);
  return h;
}

void add(draft *d, handle h, enum starpu_data_access_mode mode)
{
  d->data[d->count] = h;
  d->mode[d->count++] = mode;
}

struct starpu_task *task_of(struct starpu_codelet *codelet, int kernel, double time, const draft *d)
{
  struct starpu_task *task = starpu_task_create();
  work *w = malloc(sizeof *w);
  *w = (work){kernel, time, false, ++submitted};
  task->cl = codelet;
  task->cl_arg = w;
  task->cl_arg_size = sizeof *w;
  task->nbuffers = d->count;
  if (d->count > STARPU_NMAXBUFS) {
    task->dyn_handles = malloc((size_t)d->count * sizeof *task->dyn_handles);
    task->dyn_modes = malloc((size_t)d->count * sizeof *task->dyn_modes);
  }
  for (int i = 0; i < d->count; i++) {
    STARPU_TASK_SET_HANDLE(task, d->data[i], i);
    STARPU_TASK_SET_MODE(task, d->mode[i], i);
  }
  task->prologue_callback_pop_func = begins;
  task->prologue_callback_pop_arg = w;
  return task;
}

void submit(struct starpu_codelet *codelet, int kernel, double time, int priority, const draft *d)
{
  struct starpu_task *task = task_of(codelet, kernel, time, d);
  if (prio) task->priority = priority;
  if (starpu_task_submit(task) != 0) exit(3);
}

void update(int kernel, double time, int priority, handle rw, handle a, handle b)
{
  draft d = {.count = 0};
  if (a) add(&d, a, STARPU_R);
  if (b) add(&d, b, STARPU_R);
  add(&d, rw, STARPU_RW);
  submit(&anywhere, kernel, time, priority, &d);
}

static void read_speeds(const char *text)
{
  for (int k = 0; k < 32; k++) gpu_ratio[k] = 1;
  while (text && gpus < GPUS_MAX) {
    gpu_speed[gpus++] = atof(text);
    text = strchr(text, ':');
    if (text) text++;
  }
  if (gpus == 0) gpu_speed[gpus++] = 1;
}

void read_arguments(int count, char **text)
{
  arguments = count;
  argument = text;
  read_speeds(text_of("g"));
  n = (int)key("n", 16);
  us = key("us", 10000);
  kb = key("kb", 4096);
  ratio = key("ratio", 20);
  sigma = key("sigma", 0);
  slow_cores = key("cs2", 1);
  wrong = key("wrong", 0);
  wrong_gpu = key("wrongg", 1);
  wrong_cpu = key("wrongcpu", 1);
  slow_worker = (int)key("sloww", -1);
  slow_from = key("slowat", -1) * 1e3;
  slow_by = key("slowby", 2);
  prio = key("prio", 0) != 0;
  coords = key("coords", 0) != 0;
  state += UINT64_C(1000003) * (uint64_t)key("seed", 1);
  for (int i = 0; i < 20; i++) uniform();
}

bool start(const char *policy)
{
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy = hg_sched_find(policy);
  if (!conf.sched_policy) conf.sched_policy_name = policy;
  if (starpu_init(&conf) != 0) return false;
  starpu_malloc_flags(&memory, (size_t)1 << 30, STARPU_MALLOC_PINNED | STARPU_MALLOC_SIMULATION_FOLDED);
  began = starpu_timing_now();
  return true;
}

double elapsed(void)
{
  return (starpu_timing_now() - began) * 1e-3;
}
