/* SPDX-License-Identifier: MIT
 * Tasks that take their time without computing. A task's time comes from StarPU's performance models of the node
 * (NODE_MODELS, by symbol and footprint; other sizes by their flops or bytes) or from the rates in the node's file.
 * Codelets unknown to both run unchanged. */
#include <cuda_runtime_api.h>
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/divisible/items_codelet.h"
#include "node.h"

enum { CORE, GPU, KINDS, ENTRIES = 64, CODELETS = 256, NAME = 96 };

typedef struct {
  uint32_t footprint;
  double size, flops, mean, deviation; /* bytes, s */
} entry;

/* Models and rates of a kind of task. */
typedef struct {
  char name[NAME];
  int count[KINDS];
  entry entries[KINDS][ENTRIES];
  double rate[KINDS], start[KINDS]; /* flop/s or bytes/s, s; 0: unknown */
  double load;                      /* extra s of its first kernel on a GPU, if that is of no library; 0: unknown */
  bool warm;
} task_kind;

static task_kind *kinds[CODELETS];
static struct starpu_codelet *codelets[CODELETS];
static task_kind *kind_of_codelet[CODELETS];
static atomic_int codelet_count;
static int kind_count;
static bool warm;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double noise = 1;
static bool same; /* all sizes take as long as the measured one, so that small data can represent large ones */
static __thread unsigned long seed;

static task_kind *kind_named(const char *name)
{
  for (int i = 0; i < kind_count; i++)
    if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
  if (kind_count == CODELETS) return NULL;
  task_kind *k = calloc(1, sizeof *k);
  snprintf(k->name, NAME, "%s", name);
  return kinds[kind_count++] = k;
}

/* The entries of one processor's model: the first core's, the first GPU's. */
static void read_entries(FILE *f, task_kind *k, int arch)
{
  char line[512];
  entry e;
  while (fgets(line, sizeof line, f) && line[0] != '\n') {
    if (sscanf(line, "%x %lf %lf %lf %lf", &e.footprint, &e.size, &e.flops, &e.mean, &e.deviation) != 5) continue;
    e.mean *= 1e-6;
    e.deviation *= 1e-6;
    if (arch < KINDS && k->count[arch] < ENTRIES && e.mean > 0) k->entries[arch][k->count[arch]++] = e;
  }
}

static void read_model(const char *path, const char *name)
{
  FILE *f = fopen(path, "r");
  char line[512];
  int arch = KINDS;
  if (!f) return;
  task_kind *k = kind_named(name);
  while (k && fgets(line, sizeof line, f)) {
    if (strncmp(line, "# device type", 13) == 0 && fgets(line, sizeof line, f)) arch = atoi(line);
    if (strncmp(line, "# hash", 6) == 0) read_entries(f, k, arch);
  }
  fclose(f);
}

static void read_models(const char *folder)
{
  DIR *d = opendir(folder);
  char path[4096], name[NAME];
  for (const struct dirent *e; d && (e = readdir(d));) {
    const char *host = strrchr(e->d_name, '.');
    if (!host || host == e->d_name) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    snprintf(name, sizeof name, "%.*s", (int)(host - e->d_name), e->d_name);
    read_model(path, name);
  }
  if (d) closedir(d);
}

static void read_loads(void)
{
  char name[NAME];
  double seconds;
  size_t place = 0;
  for (const char *line; (line = node_line("load", &place));) {
    task_kind *k = sscanf(line, "%95s %lf", name, &seconds) == 2 ? kind_named(name) : NULL;
    if (k) k->load = seconds;
  }
}

static void read_rates(void)
{
  char name[NAME];
  double v[4];
  size_t place = 0;
  for (const char *line; (line = node_line("task", &place));) {
    if (sscanf(line, "%95s core %lf %lf gpu %lf %lf", name, v, v + 1, v + 2, v + 3) != 5) continue;
    task_kind *k = kind_named(name);
    if (!k) return;
    k->rate[CORE] = v[0], k->start[CORE] = v[1], k->rate[GPU] = v[2], k->start[GPU] = v[3];
  }
}

__attribute__((constructor)) static void set_up(void)
{
  if (getenv("NODE_MODELS")) read_models(getenv("NODE_MODELS"));
  read_rates();
  read_loads();
  noise = node_setting("NODE_NOISE", 1);
  same = node_setting("NODE_SAME", 0) != 0;
}

/* Uniform in -1.5 to 1.5 standard deviations; the same in each run of a thread. */
static double draw(void)
{
  if (!seed)
    seed = 88172645463325252UL +
           7919 * (unsigned long)(starpu_worker_get_id() + 1 + 100 * (int)node_setting("NODE_SEED", 0));
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return ((double)(seed >> 11) * 0x1p-53 - .5) * 3;
}

static double flops_of(const struct starpu_task *task, const entry *e, double size)
{
  return task->flops > 0 && e->flops > 0 ? task->flops / e->flops : pow(size / e->size, 1.5);
}

/* bytes by which models distinguish tasks */
static double size_of(struct starpu_task *task)
{
  double size = 0;
  for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); i++)
    if (!(STARPU_TASK_GET_MODE(task, i) & STARPU_NOFOOTPRINT))
      size += (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, i));
  return size;
}

/* s of a task on a core or a GPU. Other sizes than the measured one scale with the flops, or with their power of 2/3 on
 * a GPU that a task does not fill. */
static double seconds_of(struct starpu_task *task, const task_kind *k, int arch)
{
  const double FULL = 25e12; /* flop/s */
  if (k->count[arch] == 0) return k->rate[arch] > 0 ? k->start[arch] + task->flops / k->rate[arch] : 0;
  struct starpu_perfmodel_arch *a = starpu_worker_get_perf_archtype(starpu_worker_get_id(), task->sched_ctx);
  const uint32_t footprint = starpu_task_footprint(task->cl->model, task, a, starpu_task_get_implementation(task));
  const entry *e = &k->entries[arch][0];
  for (int i = 0; i < k->count[arch]; i++)
    if (k->entries[arch][i].footprint == footprint) {
      e = &k->entries[arch][i];
      return fmax(.2 * e->mean, e->mean + noise * e->deviation * draw());
    }
  if (same) return fmax(.2 * e->mean, e->mean + noise * e->deviation * draw());
  const double more = flops_of(task, e, size_of(task));
  const bool fills = arch == CORE || e->flops / e->mean > FULL || (e->flops == 0 && strstr(k->name, "gemm"));
  return e->mean * (fills ? more : pow(more, 2. / 3)) * (1 + noise * e->deviation / e->mean * draw());
}

static const task_kind *kind_of(const struct starpu_codelet *cl)
{
  const int count = atomic_load(&codelet_count);
  for (int i = 0; i < count; i++)
    if (codelets[i] == cl) return kind_of_codelet[i];
  return NULL;
}

/* Takes the time of a part of the current task. */
static void on_core(double part)
{
  const double begin = node_now();
  node_own_work(true);
  struct starpu_task *task = starpu_task_get_current();
  const double seconds = seconds_of(task, kind_of(task->cl), CORE);
  node_own_work(false);
  node_sleep_until(begin + part * seconds);
}

/* additional s of the first kernel of a library, and of its kind */
static double cold_start(task_kind *k)
{
  node_lock(&mutex);
  const bool own = k->load > 0 && node.cold_kind > 0;
  const double first = own || warm ? 0 : node.cold, kind = own ? k->load : node.cold_kind,
               seconds = first + (k->warm ? 0 : kind);
  if (!own) warm = true;
  k->warm = true;
  node_unlock(&mutex);
  return seconds;
}

/* The thread that drives the device waits while a kernel is loaded. */
static void on_gpu(double part)
{
  node_own_work(true);
  struct starpu_task *task = starpu_task_get_current();
  task_kind *k = (task_kind *)(uintptr_t)kind_of(task->cl);
  const double seconds = seconds_of(task, k, GPU), cold = cold_start(k);
  cudaStream_t stream = starpu_cuda_get_local_stream();
  node_own_work(false);
  if (cold > 0) node_sleep_until(node_now() + cold);
  node_kernel(part * seconds, stream);
  if (!(task->cl->cuda_flags[starpu_task_get_implementation(task)] & STARPU_CUDA_ASYNC)) cudaStreamSynchronize(stream);
}

static void task_on_core(void *buffers[], void *arguments)
{
  (void)buffers;
  (void)arguments;
  on_core(1);
}

static void task_on_gpu(void *buffers[], void *arguments)
{
  (void)buffers;
  (void)arguments;
  on_gpu(1);
}

/* Part of a divisible job's task, which may call its function for each item. */
static double part_of_task(const hg_items *items)
{
  const hg_item_chunk *chunk = starpu_task_get_current()->cl_arg;
  return (double)items->count / (double)chunk->items.count;
}

static hg_status items_on_core(const hg_items *items)
{
  on_core(part_of_task(items));
  return HG_OK;
}

static hg_status items_on_gpu(const hg_items *items)
{
  on_gpu(part_of_task(items));
  return HG_OK;
}

static bool known(const task_kind *k, int arch)
{
  return k->count[arch] > 0 || k->rate[arch] > 0;
}

/* A divisible job's codelet is kept, since it records when kernels begin and end; its functions are replaced. */
static void prepare_items(const struct starpu_task *task, const task_kind *k)
{
  hg_divisible *job = (hg_divisible *)(uintptr_t)((const hg_item_chunk *)task->cl_arg)->job;
  if (known(k, CORE)) job->cpu = items_on_core;
  if (job->cuda && known(k, GPU)) job->cuda = items_on_gpu;
}

static void prepare_functions(struct starpu_codelet *cl, const task_kind *k)
{
  for (int i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
    if (cl->cpu_funcs[i] && known(k, CORE)) cl->cpu_funcs[i] = task_on_core;
    if (cl->cuda_funcs[i] && known(k, GPU)) cl->cuda_funcs[i] = task_on_gpu;
  }
}

/* Replaces the functions of a codelet seen for the first time by ones that sleep. */
static void prepare(const struct starpu_task *task)
{
  struct starpu_codelet *cl = task->cl;
  const char *name = cl->model && cl->model->symbol ? cl->model->symbol : cl->name;
  if (!name || kind_of(cl) || cl->where == STARPU_NOWHERE) return;
  task_kind *k = NULL;
  for (int i = 0; i < kind_count; i++)
    if (strcmp(kinds[i]->name, name) == 0) k = kinds[i];
  const int n = atomic_load(&codelet_count);
  if (!k || n == CODELETS) return;
  if (strncmp(name, "hetgrid_items_", strlen("hetgrid_items_")) == 0)
    prepare_items(task, k);
  else
    prepare_functions(cl, k);
  codelets[n] = cl;
  kind_of_codelet[n] = k;
  atomic_store(&codelet_count, n + 1);
}

int _starpu_task_submit(struct starpu_task *task, int nodeps);
int _starpu_task_submit(struct starpu_task *task, int nodeps)
{
  static int (*submit)(struct starpu_task *, int);
  if (!submit) submit = (int (*)(struct starpu_task *, int))dlsym(RTLD_NEXT, "_starpu_task_submit");
  if (task->cl && !kind_of(task->cl)) {
    node_lock(&mutex);
    prepare(task);
    node_unlock(&mutex);
  }
  if (task->cl && kind_of(task->cl)) node_begin();
  return submit(task, nodeps);
}
