/* SPDX-License-Identifier: MIT */
/* hetgrid-calibrate --platform: describes this machine for hetgrid-simulate. Each number has a comment with its
 * origin; anything unknown gets a comment and a warning. */
#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate.h"

/* The parts of a platform file, by program. */
typedef enum part { HEAT, ELIMINATION, PRICER, PARTS } part;
const char *const calibrate_described[] = {"heat", "elimination", "pricer", NULL};
static const char *const source[PARTS] = {"heat_table: ", "update_table: ", "batch: the largest work of "};

/* A description being written. */
typedef struct description {
  const calibrate_options *o;
  hg_topology machine;
  hg_network network; /* if there is one */
  bool has_network;
  size_t files;    /* number of network files that could be meant */
  hg_timing start; /* of a task; 0 s: not measured yet */
  FILE *text, *node;
  int described; /* number of processors */
} description;

/* Processors of one kind. */
typedef struct kind {
  char name[HG_PLATFORM_NAME]; /* in the file */
  int gpu, count;
  calibration as[PARTS];          /* how the tables were measured */
  char table[PARTS][HG_PATH_MAX]; /* "": there is none */
  char adr[HG_PATH_MAX];          /* table of adr in single precision, which a file need not have */
} kind;

/* Writes a comment to the file and logs it as a warning. */
__attribute__((format(printf, 2, 3))) static void remark(const description *d, const char *format, ...)
{
  char line[2 * HG_PATH_MAX];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  fprintf(d->text, "# %s\n", line);
  hg_log(HG_WARN, "--platform: %s", line);
}

/* Blanks separate names in the file. */
static hg_status check_name(const char *path)
{
  if (!strpbrk(path, " \t#")) return HG_OK;
  return hg_fail(HG_INVALID, "--platform: '%s': file names in a platform file must not contain blanks or #", path);
}

/* The table measured with all cores busy if there is one, else with one core. */
static hg_status find_table(const char *app, hg_precision precision, int gpu, int cores, calibration *c,
                            char table[HG_PATH_MAX])
{
  for (int together = cores; together > 0; together = together > 1 ? 1 : 0) {
    char path[HG_PATH_MAX];
    calibrate_make(app, precision, gpu, c);
    calibrate_share(c, together);
    HG_TRY(hg_table_path(c->app, c->kernel, hg_precision_names[c->precision], c->device, path));
    char *whole = realpath(path, NULL);
    snprintf(table, HG_PATH_MAX, "%s", whole ? whole : "");
    free(whole);
    if (*table) return check_name(table);
  }
  return HG_OK;
}

static const char *worker_option(const kind *k, char text[32])
{
  if (k->gpu == CALIBRATE_CPU) return "cpu";
  snprintf(text, 32, "cuda:%d", k->gpu);
  return text;
}

static void say_table(const description *d, const kind *k, part p)
{
  char workers[32];
  if (*k->table[p])
    fprintf(d->text, "#   %s%s\n", source[p], k->table[p]);
  else
    remark(d, "not measured: %s of %s: there is no table; hetgrid-calibrate --app %s --workers %s",
           calibrate_described[p], k->name, calibrate_described[p], worker_option(k, workers));
}

/* Cores share caches and memory, so a table of a single core is too fast. */
static void say_alone(const description *d, const kind *k)
{
  char list[64] = "";
  int alone = 0;
  for (part p = HEAT; p < PARTS; p++) {
    if (!*k->table[p] || k->as[p].cores == k->count) continue;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", alone++ ? ", " : "", calibrate_described[p]);
  }
  if (k->gpu != CALIBRATE_CPU || alone == 0) return;
  remark(d,
         "not measured: %s while %d cores are busy, the tables are of a single core; hetgrid-calibrate --app %s "
         "--workers cpu --cores %d",
         list, k->count, alone == 1 ? list : "all", k->count);
}

/* Units per second at the largest work measured. */
static hg_status largest_speed(const char *path, double *speed)
{
  hg_speed_table t;
  HG_TRY(hg_speed_table_read(path, &t));
  *speed = t.w[t.nw - 1] / t.time[(t.nw - 1) * t.nc];
  hg_speed_table_free(&t);
  return HG_OK;
}

/* Writes a speed measured now. */
static hg_status write_rate(const description *d, const kind *k, const char *key, double work, hg_timing time,
                            FILE *line)
{
  if (time.seconds < 0)
    return hg_fail(HG_MEMORY, "--platform: %s of %s: no memory, or the device failed", key, k->name);
  fprintf(line, " %s=%.4g", key, work / time.seconds);
  if (!time.agreed) remark(d, "unreliable: %s of %s: its runs never agreed; is the machine busy?", key, k->name);
  return HG_OK;
}

static hg_status write_panel(const description *d, const kind *k, FILE *line)
{
  const calibration *c = &k->as[ELIMINATION];
  double flops, elements;
  fprintf(d->text, "#   panel, moves: measured now, on %d rows, %d columns eliminated, %d at a time\n",
          CALIBRATE_PANEL_ROWS, HG_PLATFORM_DEPTH, c->cores);
  fprintf(line, " update_table=%s", k->table[ELIMINATION]);
  const hg_timing panel = calibrate_panel(c, &flops), swap = calibrate_swap(c, &elements);
  HG_TRY(write_rate(d, k, "panel", flops, panel, line));
  return write_rate(d, k, "moves", elements, swap, line);
}

/* Measured once for all processors. */
static void measure_start(description *d)
{
  if (hg_task_cost(&d->start) != HG_OK) {
    d->start = CALIBRATE_FAILED;
    remark(d, "not measured: start: %s", hg_message());
    return;
  }
  fprintf(d->text, "# start: measured now, empty tasks, one after the other, on cores\n");
  if (!d->start.agreed) remark(d, "unreliable: start: its runs never agreed; is the machine busy?");
}

static hg_status write_adr(const description *d, const kind *k, FILE *line)
{
  double blocks;
  if (!*k->adr) return HG_OK;
  fprintf(d->text, "#   adr: the largest block of %s\n", k->adr);
  HG_TRY(largest_speed(k->adr, &blocks));
  fprintf(line, " adr=%.4g", blocks * CALIBRATE_ADR_ITERATIONS);
  return HG_OK;
}

static hg_status write_speeds(description *d, const kind *k, FILE *line)
{
  double batch;
  for (part p = HEAT; p < PARTS; p++) say_table(d, k, p);
  say_alone(d, k);
  if (*k->table[HEAT]) fprintf(line, " heat_table=%s", k->table[HEAT]);
  if (*k->table[ELIMINATION]) HG_TRY(write_panel(d, k, line));
  if (*k->table[PRICER]) {
    HG_TRY(largest_speed(k->table[PRICER], &batch));
    fprintf(line, " batch=%.4g", batch);
  }
  HG_TRY(write_adr(d, k, line));
  if (d->start.seconds == 0) measure_start(d);
  if (d->start.seconds > 0) fprintf(line, " start=%.3g", d->start.seconds);
  return HG_OK;
}

static hg_status write_bus(const description *d, FILE *line)
{
  calibrate_bus_times bus;
  HG_TRY(calibrate_bus(&bus));
  fprintf(d->text, "#   to, from, latency: measured now, pinned memory and the first GPU\n");
  fprintf(line, " to=%.4g from=%.4g latency=%.3g", bus.to, bus.from, bus.latency);
  return HG_OK;
}

static hg_status write_gpu(const description *d, const kind *k, FILE *line)
{
  char bus[HG_BUS_NAME];
  hg_gpu_bus(k->gpu, bus, sizeof bus);
  const double link = *bus ? hg_topology_link(bus) : 0;
  if (link > 0)
    fprintf(d->text, "#   bandwidth of its link according to hwloc: %.4g bytes/s\n", link);
  else
    fprintf(d->text, "#   its link: not known to hwloc\n");
  fprintf(d->text, "#   memory: free now, by its driver\n");
  fprintf(line, " memory=%.4g", (double)hg_gpu_memory(k->gpu));
  if (!d->has_network || !hg_network_level_find(&d->network, "h2d") || !hg_network_level_find(&d->network, "d2h"))
    return write_bus(d, line);
  fprintf(d->text, "#   bus: levels h2d and d2h of the network file\n");
  fprintf(line, " bus=%s", d->network.path);
  return HG_OK;
}

/* Builds the line separately, since comments precede it. */
static hg_status write_kind(description *d, const kind *k)
{
  char *keys_of = NULL;
  size_t size;
  FILE *line = open_memstream(&keys_of, &size);
  if (!line) return hg_fail(HG_MEMORY, "--platform: no memory");
  fprintf(d->text, "# %s: %s\n", k->name, k->as[HEAT].device);
  hg_status status = k->gpu == CALIBRATE_CPU ? HG_OK : write_gpu(d, k, line);
  if (status == HG_OK) status = write_speeds(d, k, line);
  fclose(line);
  if (status == HG_OK) {
    fprintf(d->text, "device %s %s%s\n", k->name, k->gpu == CALIBRATE_CPU ? "cpu" : "cuda", keys_of);
    fprintf(d->node, "%s%s*%d", d->described ? "," : "", k->name, k->count);
    d->described += k->count;
  }
  free(keys_of);
  return status;
}

/* Leaves out processors without any table. */
static hg_status describe_kind(description *d, kind *k)
{
  const int cores = k->gpu == CALIBRATE_CPU ? k->count : 1;
  int found = 0;
  for (part p = HEAT; p < PARTS; p++) {
    HG_TRY(find_table(calibrate_described[p], HG_DOUBLE, k->gpu, cores, &k->as[p], k->table[p]));
    found += *k->table[p] != '\0';
  }
  HG_TRY(find_table("adr", HG_FLOAT, k->gpu, cores, &(calibration){.cores = 1}, k->adr));
  if (found > 0) return write_kind(d, k);
  char workers[32];
  remark(d, "left out: %s (%s): there is no table; hetgrid-calibrate --app all --workers %s", k->name,
         k->as[HEAT].device, worker_option(k, workers));
  return HG_OK;
}

/* GPUs of the same model are a kind, named after the first of them. */
static hg_status describe_gpus(description *d, int gpus)
{
  char model[gpus + 1][HG_MODEL_NAME];
  for (int i = 0; i < gpus; i++) hg_gpu_model(i, model[i], sizeof model[i]);
  for (int i = 0; i < gpus; i++) {
    kind k = {.gpu = i};
    bool first = true;
    for (int j = 0; j < gpus; j++) {
      k.count += strcmp(model[i], model[j]) == 0;
      first = first && (j >= i || strcmp(model[i], model[j]) != 0);
    }
    snprintf(k.name, sizeof k.name, "gpu%d", i);
    if (first) HG_TRY(describe_kind(d, &k));
  }
  return HG_OK;
}

/* One core drives each GPU; the others compute. */
static hg_status describe_cores(description *d, int gpus)
{
  kind k = {.name = "core", .gpu = CALIBRATE_CPU, .count = d->machine.cores - gpus};
  const int room = HG_PLATFORM_WORKERS - d->described;
  if (k.count > room) {
    remark(d, "not measured: %d of %d cores: a node has at most %d processors", k.count - room, k.count,
           HG_PLATFORM_WORKERS);
    k.count = room;
  }
  if (k.count < 1) return HG_OK;
  if (gpus > 0) fprintf(d->text, "# cores that drive GPUs: %d\n", gpus);
  if (d->machine.core_kinds > 1)
    remark(d, "not distinguished: %d different kinds of cores: the tables are of whichever core ran",
           d->machine.core_kinds);
  return describe_kind(d, &k);
}

int calibrate_platform_cores(void)
{
  hg_topology machine;
  const int gpus = hg_gpu_count(), room = HG_PLATFORM_WORKERS - gpus;
  if (hg_topology_read(&machine) != HG_OK) return 1;
  return machine.cores - gpus < room ? machine.cores - gpus : room;
}

static void write_head(const description *d)
{
  const hg_topology *m = &d->machine;
  char host[256] = "", date[32];
  const time_t now = time(NULL);
  struct tm day;
  gethostname(host, sizeof host - 1);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &day));
  fprintf(d->text, "# %s, by hetgrid-calibrate --platform (%s) on %s\n", host, HG_VERSION, date);
  fprintf(d->text, "# hwloc: packages %d, NUMA nodes %d, cores %d, hardware threads %d, main memory %.4g bytes\n",
          m->packages, m->numa_nodes, m->cores, m->threads, (double)m->memory);
  for (int level = 1; level <= HG_CACHE_LEVELS; level++) {
    const hg_cache *c = &m->cache[level];
    if (c->count > 0)
      fprintf(d->text, "# hwloc: L%d caches %d, of %" PRId64 " KiB, for %d core%s each\n", level, c->count,
              c->bytes / 1024, c->cores, c->cores == 1 ? "" : "s");
  }
}

static void write_network(const description *d)
{
  const hg_network_level *between = d->has_network ? hg_network_between(&d->network, true) : NULL;
  if (between)
    fprintf(d->text, "# messages by hetgrid-network\nnetwork file=%s level=%s\n", d->network.path, between->name);
  else if (d->has_network)
    remark(d, "not measured: messages between nodes: %s has no level for them", d->network.path);
  else if (d->files > 1)
    remark(d, "not measured: messages between nodes: there are %zu files for this host, name one with --network",
           d->files);
  else
    remark(d, "not measured: messages between nodes: there is no file; mpirun -n 2 hetgrid-network");
}

static hg_status no_tables(void)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_table_file("", path));
  return hg_fail(HG_IO, "--platform: %s has no speed table of this machine; run hetgrid-calibrate --app all once",
                 path);
}

/* The file that hetgrid-network wrote for this host, if there is only one. */
static hg_status find_network(description *d, char path[HG_PATH_MAX])
{
  char host[HG_NETWORK_TEXT] = "", key[HG_NETWORK_TEXT], name[2 * HG_NETWORK_TEXT], pattern[HG_PATH_MAX];
  glob_t found = {.gl_pathc = 0};
  gethostname(host, sizeof host - 1);
  hg_device_key(host, key, sizeof key);
  snprintf(name, sizeof name, "network-%s-*.json", key);
  HG_TRY(hg_table_file(name, pattern));
  const bool any = glob(pattern, 0, NULL, &found) == 0;
  snprintf(path, HG_PATH_MAX, "%s", any && found.gl_pathc == 1 ? found.gl_pathv[0] : "");
  d->files = found.gl_pathc;
  globfree(&found);
  return HG_OK;
}

static hg_status open_network(description *d)
{
  char path[HG_PATH_MAX] = "";
  if (!d->o->network && !getenv("HETGRID_NETWORK")) HG_TRY(find_network(d, path));
  HG_TRY(hg_network_open(*path ? path : d->o->network, &d->network, &d->has_network));
  if (!d->has_network) return HG_OK;
  char *whole = realpath(d->network.path, NULL);
  if (whole) snprintf(d->network.path, sizeof d->network.path, "%s", whole);
  free(whole);
  return check_name(d->network.path);
}

static hg_status describe(description *d)
{
  const int gpus = hg_gpu_count();
  HG_TRY(hg_topology_read(&d->machine));
  write_head(d);
  HG_TRY(open_network(d));
  HG_TRY(describe_gpus(d, gpus));
  HG_TRY(describe_cores(d, gpus));
  if (d->described == 0) return no_tables();
  remark(d, "not measured: powers (full, wait, idle, base), see docs/ENERGY.md");
  fflush(d->node);
  return HG_OK;
}

/* The complete text is parsed like any description before the user gets it. */
static hg_status write_text(const char *path, const char *text, FILE *out)
{
  hg_platform p;
  HG_TRY(hg_platform_parse(text, path, ".", &p));
  hg_platform_free(&p);
  fputs(text, out);
  return HG_OK;
}

hg_status calibrate_platform(const calibrate_options *o, const char *path, FILE *out)
{
  description d = {.o = o};
  char *text = NULL, *node = NULL;
  size_t size, length;
  d.text = open_memstream(&text, &size);
  d.node = open_memstream(&node, &length);
  hg_status status = d.text && d.node ? describe(&d) : hg_fail(HG_MEMORY, "--platform: no memory");
  if (status == HG_OK) {
    fprintf(d.text, "node %s\n", node);
    write_network(&d);
  }
  if (d.node) fclose(d.node);
  if (d.text) fclose(d.text);
  if (status == HG_OK) status = write_text(path, text, out);
  if (d.has_network) hg_network_free(&d.network);
  free(text);
  free(node);
  return status;
}
