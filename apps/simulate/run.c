/* SPDX-License-Identifier: MIT */
/* Writes a machine's files, and runs programs on it. */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy/power.h"
#include "platform/simgrid.h"
#include "program/child.h"
#include "simulate.h"

extern char **environ;

hg_status simulate_open(hg_platform *platform, int first, int count, const char *devices, simulate_machine *m)
{
  char path[HG_PATH_MAX];
  const char *temporary = getenv("TMPDIR");
  *m = (simulate_machine){.platform = *platform};
  hg_status status = hg_platform_select(&m->platform, first, count ? count : m->platform.nodes - first, devices);
  snprintf(m->folder, sizeof m->folder, "%.4000s/hetgrid-simulate-XXXXXX", temporary ? temporary : "/tmp");
  if (status == HG_OK && !mkdtemp(m->folder)) {
    status = hg_fail(HG_IO, "%s: %s", m->folder, strerror(errno));
    *m->folder = '\0';
  }
  if (status == HG_OK) status = hg_platform_write_simgrid(&m->platform, m->platform.nodes, m->folder);
  snprintf(path, sizeof path, "%.4100s/this.platform", m->folder);
  if (status == HG_OK) status = hg_platform_write(path, &m->platform);
  if (status != HG_OK) simulate_close(m);
  return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
  (void)info;
  (void)kind;
  (void)at;
  return remove(path);
}

void simulate_close(simulate_machine *m)
{
  if (*m->folder) nftw(m->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  *m->folder = '\0';
  hg_platform_free(&m->platform);
}

/* Simulating programs are beside this one in the build tree. Installed, they are in a folder where nobody starts them
 * by hand: without SimGrid's launcher they crash. */
static hg_status find_program(const char *name, char path[HG_PATH_MAX])
{
  HG_TRY(hg_own_folder(path));
  char *end = path + strlen(path);
  const size_t room = (size_t)(path + HG_PATH_MAX - end);
  snprintf(end, room, "/%s", name);
  if (access(path, X_OK) == 0) return HG_OK;
  snprintf(end, room, "/../libexec/hetgrid/%s", name);
  if (access(path, X_OK) == 0) return HG_OK;
  return hg_fail(
      HG_UNSUPPORTED,
      "%s: missing; 'make simulation' in the build folder (make -C _build simulation) builds it with SimGrid", path);
}

static hg_status read_names(const simulate_machine *m, char *names, size_t size)
{
  char path[HG_PATH_MAX + 8];
  snprintf(path, sizeof path, "%s/names", m->folder);
  FILE *file = fopen(path, "re");
  size_t n = file ? fread(names, 1, size - 1, file) : 0;
  if (file) fclose(file);
  while (n > 0 && names[n - 1] == '\n') n--;
  names[n] = '\0';
  return n > 0 ? HG_OK : hg_fail(HG_IO, "%s: cannot be read", path);
}

/* Unsets the user's settings for StarPU: they are for this machine, not for the described one. */
static void forget_starpu(void)
{
  static const char prefix[] = "STARPU_";
  for (char **at = environ; *at;) {
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(*at, "="), *at);
    if (strncmp(name, prefix, sizeof prefix - 1) == 0 && unsetenv(name) == 0)
      at = environ;
    else
      at++;
  }
}

/* Sets what StarPU's simulation and the program need. The started program inherits it. */
static hg_status set_environment(const simulate_machine *m, const simulate_case *c)
{
  const size_t size = (size_t)m->platform.nodes * 12 + 64;
  char *names = malloc(size), path[HG_PATH_MAX + 32];
  if (!names) return hg_fail(HG_MEMORY, "no memory for the names of %d nodes", m->platform.nodes);
  hg_status status = read_names(m, names, size);
  forget_starpu();
  setenv("STARPU_MPI_HOSTNAMES", names, 1);
  free(names);
  setenv("STARPU_PERF_MODEL_DIR", m->folder, 1);
  setenv("STARPU_HOME", m->folder, 1);
  setenv("STARPU_SILENT", "1", 1);
  if (c->trace) setenv("HETGRID_TRACE", "profiling", 1);
  snprintf(path, sizeof path, "%s/this.platform", m->folder);
  setenv("HETGRID_PLATFORM", path, 1);
  return status;
}

static hg_status write_boxes(const simulate_machine *m, const simulate_case *c, double *predicted)
{
  char path[HG_PATH_MAX + 32];
  const int workers = hg_power_units(&m->platform, m->platform.nodes);
  hg_box *box = malloc((size_t)workers * sizeof *box);
  if (!box) return hg_fail(HG_MEMORY, "no memory for %d processors", workers);
  hg_status status = simulate_divide(&m->platform, c, box, predicted);
  snprintf(path, sizeof path, "%s/%.20s.csv", m->folder, c->partition);
  FILE *out = status == HG_OK ? fopen(path, "we") : NULL;
  if (status == HG_OK && !out) status = hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  for (int i = 0; i < workers && status == HG_OK; i++)
    fprintf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", box[i].lo[0], box[i].lo[1],
            hg_box_extent(&box[i], 0), hg_box_extent(&box[i], 1));
  if (out && fclose(out) != 0) status = hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  free(box);
  return status;
}

static void add_grid(hg_words *w, const simulate_machine *m, const simulate_case *c)
{
  hg_words_add(w, "--size");
  hg_words_add(w, "%" PRId64 ",%" PRId64, c->size[0], c->size[1]);
  hg_words_add(w, "%s", c->app->steps);
  hg_words_add(w, "%" PRId64, c->steps);
  hg_words_add(w, "--partition");
  hg_words_add(w, "%s/%.20s.csv", m->folder, c->partition);
  hg_words_add(w, "--phases=%s/phases.csv", m->folder);
  hg_words_add(w, "--warmup=1"); /* after it, tiles are on their devices */
  if (c->block) hg_words_add(w, "--time-block=%d", c->block);
}

static hg_status add_speeds(hg_words *w, int workers, const double *speed)
{
  char *list = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&list, &size);
  if (!out) return hg_fail(HG_MEMORY, "no memory for the speeds of %d workers", workers);
  for (int i = 0; i < workers; i++) fprintf(out, "%s%.9g", i ? "," : "", speed[i]);
  fclose(out);
  hg_words_add(w, "--speeds");
  hg_words_add(w, "%s", list);
  free(list);
  return HG_OK;
}

/* Gives every processor its own columns. */
static hg_status add_elimination(hg_words *w, const simulate_machine *m, const simulate_case *c, simulate_outcome *o)
{
  simulate_columns columns;
  HG_TRY(simulate_deal(&m->platform, c, &columns));
  hg_words_add(w, "--matrix");
  hg_words_add(w, "uniform:%" PRId64, c->size[0]);
  hg_words_add(w, "--factor-only");
  hg_words_add(w, "--phases=%s/phases.csv", m->folder);
  hg_words_add(w, "--nb=%d", columns.nb);
  o->nb = columns.nb;
  o->predicted = columns.predicted;
  const hg_status status = add_speeds(w, columns.workers, columns.share);
  free(columns.share);
  return status;
}

/* Slices of rows, or rectangles. */
static hg_status add_product(hg_words *w, const simulate_machine *m, const simulate_case *c, simulate_outcome *o)
{
  simulate_parts parts;
  HG_TRY(simulate_product(&m->platform, c, &parts));
  hg_words_add(w, "--size=%" PRId64, c->size[0]);
  hg_words_add(w, "--nb=%d", parts.nb);
  hg_words_add(w, "--phases=%s/phases.csv", m->folder);
  hg_words_add(w, "--layout=%s", parts.rows ? "rows" : "rectangles");
  if (!parts.rows) hg_words_add(w, "--partition=%s", c->partition);
  o->nb = parts.nb;
  o->predicted = parts.predicted;
  const hg_status status = add_speeds(w, parts.workers, parts.share);
  free(parts.share);
  return status;
}

/* For units of a batch, or of an iteration of adr. */
static hg_status speed_of(const simulate_case *c, const hg_device *device, int workers, double *speed)
{
  const double side = (double)c->size[0], even = side * side * side / workers;
  if (c->app->kind == PROGRAM_BATCH && device->batch <= 0)
    return hg_fail(HG_INVALID, "device %s: has no batch=WORK/S", device->name);
  *speed = strcmp(c->model, "even") == 0   ? 1
           : c->app->kind == PROGRAM_BATCH ? device->batch
                                           : even / hg_platform_adr_time(device, even, HG_PLATFORM_ADR_BYTES);
  return HG_OK;
}

/* A speed for each worker, or for none. */
static hg_status add_each_speed(hg_words *w, const hg_platform *p, const simulate_case *c)
{
  const int workers = hg_power_units(p, p->nodes);
  double *speed = malloc((size_t)workers * sizeof *speed);
  hg_status status = speed ? HG_OK : hg_fail(HG_MEMORY, "no memory for the speeds of %d nodes", p->nodes);
  for (int i = 0; i < workers && status == HG_OK; i++) status = speed_of(c, hg_power_device(p, i), workers, &speed[i]);
  if (status == HG_OK) status = add_speeds(w, workers, speed);
  free(speed);
  return status;
}

/* Independent units. */
static hg_status add_batch(hg_words *w, const simulate_machine *m, const simulate_case *c)
{
  hg_words_add(w, "%s", c->app->steps);
  hg_words_add(w, "%" PRId64, c->size[0] * c->size[1]);
  hg_words_add(w, "--phases=%s/phases.csv", m->folder);
  return add_each_speed(w, &m->platform, c);
}

static hg_status add_cube(hg_words *w, const simulate_machine *m, const simulate_case *c)
{
  hg_words_add(w, "--size=%" PRId64, c->size[0]);
  hg_words_add(w, "%s", c->app->steps);
  hg_words_add(w, "%" PRId64, c->steps);
  hg_words_add(w, "--phases=%s/phases.csv", m->folder);
  return add_each_speed(w, &m->platform, c);
}

static bool has_powers(const hg_platform *p)
{
  bool known = true;
  for (int n = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++) known &= p->device[p->node[n].device[i]].full > 0;
  return known;
}

/* Measured messages as piecewise linear; else by bandwidth and latency. */
static void add_network(hg_words *w, const hg_platform *p)
{
  char latency[1024], bandwidth[1024];
  if (p->segments == 0) {
    hg_words_add(w, "--cfg=network/model:CM02");
    hg_words_add(w, "--cfg=network/bandwidth-factor:1");
    hg_words_add(w, "--cfg=network/latency-factor:1");
    return;
  }
  hg_platform_factors(p, sizeof latency, latency, bandwidth);
  hg_words_add(w, "--cfg=network/model:SMPI");
  hg_words_add(w, "--cfg=smpi/lat-factor:%s", latency);
  hg_words_add(w, "--cfg=smpi/bw-factor:%s", bandwidth);
  hg_words_add(w, "--cfg=smpi/os:0:0:0");
  hg_words_add(w, "--cfg=smpi/ois:0:0:0");
  hg_words_add(w, "--cfg=smpi/or:0:0:0");
}

static hg_status make_command(const simulate_machine *m, const simulate_case *c, simulate_outcome *o, hg_words *w)
{
  char name[100], program[HG_PATH_MAX];
  snprintf(name, sizeof name, "hetgrid-%s-sim", c->app->name);
  HG_TRY(find_program(name, program));
  hg_words_add(w, "smpirun");
  hg_words_add(w, "-platform");
  hg_words_add(w, "%s/platform.xml", m->folder);
  hg_words_add(w, "-hostfile");
  hg_words_add(w, "%s/hosts", m->folder);
  hg_words_add(w, "-np");
  hg_words_add(w, "%d", m->platform.nodes);
  hg_words_add(w, "%s", program);
  if (c->app->kind == PROGRAM_GRID)
    add_grid(w, m, c);
  else if (c->app->kind == PROGRAM_BATCH)
    HG_TRY(add_batch(w, m, c));
  else if (c->app->kind == PROGRAM_PRODUCT)
    HG_TRY(add_product(w, m, c, o));
  else if (c->app->kind == PROGRAM_CUBE)
    HG_TRY(add_cube(w, m, c));
  else
    HG_TRY(add_elimination(w, m, c, o));
  if (c->app->kind == PROGRAM_CUBE) hg_words_add(w, "--inner-precision=%s", c->single ? "float" : "double");
  if (c->single && c->app->kind != PROGRAM_CUBE) hg_words_add(w, "--precision=float");
  hg_words_add(w, "--sched=%s", c->sched);
  if (has_powers(&m->platform)) hg_words_add(w, "--energy=modelled:%s/this.platform", m->folder);
  if (c->trace) hg_words_add(w, "--trace=%s", c->trace);
  hg_words_add(w, "--csv");
  /* for SimGrid: ranks do not share variables, host time does not count, bandwidths and latencies are those of the
   * file */
  static const char *const simgrid[] = {"smpi/privatization:yes",
                                        "smpi/simulate-computation:no",
                                        "contexts/stack-size:8192",
                                        "network/weight-S:0",
                                        "network/crosstraffic:0",
                                        "network/TCP-gamma:-1",
                                        "smpi/shared-malloc-blocksize:134217728"};
  for (size_t i = 0; i < sizeof simgrid / sizeof *simgrid; i++) hg_words_add(w, "--cfg=%s", simgrid[i]);
  add_network(w, &m->platform);
  hg_words_add(w, "--log=root.thresh:error");
  return hg_words_check(w);
}

/* Runs the command with its output in two files in the machine's folder. */
static hg_status start(const simulate_machine *m, hg_words *w)
{
  char out[HG_PATH_MAX + 8], err[HG_PATH_MAX + 8];
  int status = 0;
  snprintf(out, sizeof out, "%s/out", m->folder);
  snprintf(err, sizeof err, "%s/err", m->folder);
  FILE *to = fopen(out, "we"), *said = fopen(err, "we");
  hg_status started = to && said ? HG_OK : hg_fail(HG_IO, "%s: %s", to ? err : out, strerror(errno));
  if (started == HG_OK) started = hg_child_run(w->word, to, said, &status);
  if (started == HG_UNSUPPORTED) started = hg_fail(HG_UNSUPPORTED, "%s (Debian: libsimgrid-dev)", hg_message());
  if (to) fclose(to);
  if (said) fclose(said);
  return started == HG_OK && status != 0 ? HG_RUNTIME : started;
}

/* Finds the first line that names an error, skipping StarPU's remark on threads, which is always there. */
static hg_status explain(const simulate_machine *m)
{
  char path[HG_PATH_MAX + 8], line[512], said[512] = "";
  snprintf(path, sizeof path, "%s/err", m->folder);
  FILE *err = fopen(path, "re");
  while (err && fgets(line, sizeof line, err))
    if (!strstr(line, "MPI_Init_thread")) {
      snprintf(said, sizeof said, "%.*s", (int)strcspn(line, "\n"), line);
      break;
    }
  if (err) fclose(err);
  if (strstr(said, "Deadlock"))
    return hg_fail(HG_RUNTIME,
                   "the simulation failed: StarPU waits forever, for example because tiles do not fit into a GPU's "
                   "memory (memory= in the platform file)");
  return hg_fail(HG_RUNTIME, "the simulation failed: %s", *said ? said : "there is no message");
}

/* Passes the rows of a file in the machine's folder to `take`. @return their number */
static int each_row(const simulate_machine *m, const char *name, void (*take)(const hg_csv_row *r, simulate_outcome *o),
                    simulate_outcome *o)
{
  char path[HG_PATH_MAX + 32];
  hg_csv_row r;
  int rows = 0;
  snprintf(path, sizeof path, "%s/%s", m->folder, name);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  if (fgets(r.names, sizeof r.names, file))
    for (; fgets(r.values, sizeof r.values, file); rows++) take(&r, o);
  fclose(file);
  return rows;
}

/* Takes the phases of each worker of the first node. */
static void take_phases(const hg_csv_row *r, simulate_outcome *o)
{
  const double worker = hg_csv_number(r, "worker");
  if (hg_csv_number(r, "rank") == 0 && worker >= 0 && worker < HG_PLATFORM_WORKERS)
    o->worker[(int)worker] = (simulate_phases){.communicate = hg_csv_number(r, "communicate"),
                                               .dynamic = hg_csv_number(r, "dynamic"),
                                               .compute = hg_csv_number(r, "compute"),
                                               .idle = hg_csv_number(r, "idle")};
}

static void take_run(const hg_csv_row *r, simulate_outcome *o)
{
  o->joules = hg_csv_number(r, "joules");
  o->edp = hg_csv_number(r, "edp");
  o->seconds = hg_csv_number(r, "seconds");
  o->rate = o->rate_scale * hg_csv_number(r, o->rate_column);
  o->bytes = hg_csv_number(r, "halo_bytes");
  o->imbalance = hg_csv_number(r, "imbalance");
  hg_csv_text(r, "sched", o->sched, sizeof o->sched);
}

static hg_status read_outcome(const simulate_machine *m, const simulate_case *c, simulate_outcome *o)
{
  o->rate_column = c->app->rate;
  o->rate_scale = c->app->scale;
  each_row(m, "phases.csv", take_phases, o);
  if (each_row(m, "out", take_run, o) == 0) return explain(m);
  if (!*o->sched) snprintf(o->sched, sizeof o->sched, "%s", c->sched); /* the row has none */
  return HG_OK;
}

hg_status simulate_run(const simulate_machine *m, const simulate_case *c, simulate_outcome *o)
{
  hg_words w = {.word = NULL};
  *o = (simulate_outcome){.predicted = NAN};
  HG_TRY(set_environment(m, c));
  if (c->app->kind == PROGRAM_GRID) HG_TRY(write_boxes(m, c, &o->predicted));
  hg_status status = make_command(m, c, o, &w);
  if (status == HG_OK) status = start(m, &w);
  hg_words_free(&w);
  if (status == HG_RUNTIME) return explain(m);
  HG_TRY(status);
  return read_outcome(m, c, o);
}
