/* SPDX-License-Identifier: MIT */
/* Sources of joules: counters of emulated sysfs trees and libraries, and logs of meters. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "energy/choice.h"
#include "energy/meterlog.h"
#include "energy/source.h"
#include "energy/sysfs.h"
#include "hetgrid.h"
#include "program/counters.h"
#include "tap.h"
#include "tests/energy/nvml.h"

static char root[64];

static void write_file(const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root, name);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *f = fopen(path, "w");
  fputs(text, f);
  fclose(f);
}

static void write_zone(const char *zone, const char *name, long long at, long long range)
{
  char path[128], text[64];
  snprintf(path, sizeof path, "class/powercap/%s/name", zone);
  write_file(path, name);
  snprintf(path, sizeof path, "class/powercap/%s/energy_uj", zone);
  snprintf(text, sizeof text, "%lld\n", at);
  write_file(path, text);
  snprintf(path, sizeof path, "class/powercap/%s/max_energy_range_uj", zone);
  snprintf(text, sizeof text, "%lld\n", range);
  if (range) write_file(path, text);
}

static void new_tree(const char *name)
{
  char path[128];
  snprintf(root, sizeof root, "/tmp/hetgrid-energy-%d/%s", (int)getpid(), name);
  snprintf(path, sizeof path, "%s", root);
  write_file("here", "");
  setenv("HETGRID_SYSFS", root, 1);
}

static void counters_are_whole_numbers(void)
{
  static const char *const wrong[] = {"", "12x\n", "1.5\n", "-3\n", "99999999999999999999999\n", "word\n"};
  uint64_t value;
  new_tree("numbers");
  write_file("counter", "18446744073709551615\n");
  tap_ok(hg_sysfs_int(root, "counter", &value) == HG_OK && value == UINT64_MAX, "64 bits are read");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_file("counter", wrong[i]);
    tap_ok(hg_sysfs_int(root, "counter", &value) != HG_OK, "refused: %s", hg_message());
  }
}

static void packages_are_read(void)
{
  hg_energy_source *s;
  double joules;
  char zone[32];
  new_tree("eight");
  for (int i = 0; i < 8; i++) {
    snprintf(zone, sizeof zone, "intel-rapl:%d", i);
    write_zone(zone, "package-0\n", 1000000 + i, 262143328850);
    snprintf(zone, sizeof zone, "intel-rapl:%d:0", i);
    write_zone(zone, "core\n", 5, 262143328850);
    snprintf(zone, sizeof zone, "intel-rapl:%d:1", i);
    write_zone(zone, "dram\n", 100, 65712999613);
  }
  write_zone("intel-rapl:8", "psys\n", 0, 262143328850);
  write_zone("intel-rapl-mmio:0", "package-0\n", 0, 262143328850);
  if (!tap_ok(hg_rapl_open(&s) == HG_OK, "powercap of 8 packages %s", hg_message())) return;
  tap_ok(strcmp(s->name, "rapl") == 0 && strcmp(s->coverage, "package+dram") == 0, "covers packages and memory");
  tap_int(s->begin(s), HG_OK, "a window begins");
  for (int i = 0; i < 8; i++) {
    snprintf(zone, sizeof zone, "intel-rapl:%d", i);
    write_zone(zone, "package-0\n", 3000000 + 2 * i, 262143328850);
    snprintf(zone, sizeof zone, "intel-rapl:%d:0", i);
    write_zone(zone, "core\n", 999999999, 262143328850);
    snprintf(zone, sizeof zone, "intel-rapl:%d:1", i);
    write_zone(zone, "dram\n", 350, 65712999613);
  }
  write_zone("intel-rapl:8", "psys\n", 777777777, 262143328850);
  write_zone("intel-rapl-mmio:0", "package-0\n", 777777777, 262143328850);
  tap_int(s->end(s, &joules), HG_OK, "and ends");
  tap_near(joules, (8 * 2000000 + 28 + 8 * 250) * 1e-6, 0, "packages and memory, nothing else, to the microjoule");
  s->close(s);
}

static void zones_know_their_limits(void)
{
  hg_energy_source *s;
  double joules = -1;
  new_tree("limits");
  write_zone("intel-rapl:0", "package-0\n", 1000, 262143328850);
  write_zone("intel-rapl:0:0", "dram\n", 0, 262143328850);
  write_file("class/powercap/intel-rapl:0/constraint_0_max_power_uw", "10000000\n");
  write_file("class/powercap/intel-rapl:0/constraint_1_power_limit_uw", "20000000\n");
  if (!tap_ok(hg_rapl_open(&s) == HG_OK, "a package with limits of 10 and 20 W %s", hg_message())) return;
  tap_ok(strcmp(s->coverage, "package") == 0, "memory that has never counted is not covered");
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 3000000, 262143328850);
  tap_ok(s->end(s, &joules) == HG_OK && fabs(joules - 2.999) < 1e-9, "may draw 3 J within a step of its counter");
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 103000000, 262143328850);
  tap_ok(s->end(s, &joules) == HG_RUNTIME, "... and not 100: %s", hg_message());
  s->close(s);
}

static void counters_wrap(void)
{
  hg_energy_source *s;
  double joules = -1;
  new_tree("wrap");
  write_zone("intel-rapl:0", "package-0\n", 262143328000, 262143328850);
  hg_rapl_open(&s);
  tap_ok(strcmp(s->coverage, "package") == 0, "without memory only the package is covered");
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 1150, 262143328850);
  s->end(s, &joules);
  tap_near(joules, 2000e-6, 0, "a counter that wraps continues at its range");
  const double start = hg_now();
  s->begin(s);
  hg_sleep(.02);
  tap_int(s->end(s, &joules), HG_RUNTIME, "a counter that does not change is no source");
  tap_contains(hg_message(), "stands still", "a window without change measures nothing");
  tap_ok(s->seconds >= .02 && s->seconds <= hg_now() - start, "... of %g s", s->seconds);
  write_zone("intel-rapl:0", "package-0\n", 200000000000, 262143328850);
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 199000000000, 262143328850);
  tap_int(s->end(s, &joules), HG_RUNTIME, "a counter that goes back a little was reset");
  tap_contains(hg_message(), "it was reset", "... and a message says so");
  tap_int(s->begin(s), HG_OK, "the next window");
  write_zone("intel-rapl:0", "package-0\n", 199000000005, 262143328850);
  tap_ok(s->end(s, &joules) == HG_OK, "is as good as ever %s", hg_message());
  write_zone("intel-rapl:0", "package-0\n", 200000000000, 262143328850);
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 10, 262143328850);
  tap_ok(s->end(s, &joules) == HG_RUNTIME, "62 kJ in no time are a reset, not a wrap: %s", hg_message());
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 1000000000, 262143328850);
  tap_ok(s->end(s, &joules) == HG_RUNTIME, "... nor does a counter jump forward: %s", hg_message());
  char path[256];
  s->begin(s);
  snprintf(path, sizeof path, "%s/class/powercap/intel-rapl:0/energy_uj", root);
  unlink(path);
  tap_int(s->end(s, &joules), HG_IO, "a counter that vanishes is an error");
  s->close(s);
  tap_int(hg_rapl_open(&s), HG_IO, "nor can it be opened");
  write_zone("intel-rapl:0", "package-0\n", 1, 0);
  snprintf(path, sizeof path, "%s/class/powercap/intel-rapl:0/max_energy_range_uj", root);
  unlink(path);
  tap_int(hg_rapl_open(&s), HG_OK, "without a range it can be read");
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 0, 0);
  tap_int(s->end(s, &joules), HG_RUNTIME, "but going back is always a reset");
  s->close(s);
  write_file("class/powercap/intel-rapl:0/energy_uj", "many\n");
  tap_int(hg_rapl_open(&s), HG_FORMAT, "text that is not a number is refused");
  write_file("class/powercap/intel-rapl:0/energy_uj", "12x\n");
  tap_int(hg_rapl_open(&s), HG_FORMAT, "... as is a number with text after it");
  write_file("class/powercap/intel-rapl:0/energy_uj", "-5\n");
  tap_int(hg_rapl_open(&s), HG_FORMAT, "... and one below 0");
  new_tree("empty");
  tap_int(hg_rapl_open(&s), HG_UNSUPPORTED, "no files, no source");
}

/* The kernel's counter of processor time replaces one of energy: the code is the same as for real packages. */
static void perf_events_are_read(void)
{
  hg_energy_source *s;
  double joules = 0;
  volatile double busy = 0;
  new_tree("perf");
  write_file("bus/event_source/devices/power/type", "1\n");
  write_file("bus/event_source/devices/power/cpumask", "0\n");
  write_file("bus/event_source/devices/power/events/energy-pkg", "event=0x00\n");
  write_file("bus/event_source/devices/power/events/energy-pkg.scale", "1e-9\n");
  if (hg_rapl_open(&s) != HG_OK) {
    tap_skip("perf events may not be opened here");
    return;
  }
  tap_ok(strcmp(s->coverage, "package") == 0, "perf events of a package");
  s->begin(s);
  const double start = hg_now();
  while (hg_now() < start + .05) busy += 1;
  tap_int(s->end(s, &joules), HG_OK, "are read");
  tap_ok(joules > .04 && joules < 10, "a clock that counts ns, scaled by 1e-9, gives seconds: %g", joules);
  tap_ok(s->seconds >= .05 && s->seconds <= hg_now() - start, "in a window of %g s", s->seconds);
  s->close(s);
  write_file("bus/event_source/devices/power/events/energy-pkg", "colour=blue\n");
  tap_ok(hg_rapl_open(&s) != HG_OK, "an event of unknown form is refused: %s", hg_message());
  write_file("bus/event_source/devices/power/events/energy-pkg", "event=0x00\n");
  write_file("bus/event_source/devices/power/cpumask", "x\n");
  tap_ok(hg_rapl_open(&s) != HG_OK, "... as is an invalid list of processors: %s", hg_message());
  write_file("bus/event_source/devices/power/cpumask", "-1\n");
  tap_ok(hg_rapl_open(&s) != HG_OK && strstr(hg_message(), "'-1' is not a list of processors"),
         "... or names one below 0: %s", hg_message());
}

static void gpus_are_read(void)
{
  hg_energy_source *s;
  double joules = -1;
  const char *const second[] = {"0000:02:00.0"}, *const none[] = {"0000:0a:00.0"};
  setenv("HETGRID_NVML", "tests/energy/.libs/nvml.so", 0);
  const char *library = getenv("HETGRID_NVML");
  void *fake = dlopen(library, RTLD_NOW);
  if (!tap_ok(fake != NULL, "the fake library is there: %s", library)) return;
  fake_nvml_energy_fn *energy = (fake_nvml_energy_fn *)dlsym(fake, "fake_nvml_set_energy");
  fake_nvml_power_fn *power = (fake_nvml_power_fn *)dlsym(fake, "fake_nvml_set_power");
  fake_nvml_error_fn *error = (fake_nvml_error_fn *)dlsym(fake, "fake_nvml_set_error");
  if (!tap_ok(hg_nvml_open(0, NULL, &s) == HG_OK, "all GPUs %s", hg_message())) return;
  energy(0, 1000), energy(1, 5000000000);
  s->begin(s);
  energy(0, 1500), energy(1, 5000000001);
  s->end(s, &joules);
  tap_near(joules, .501, 0, "millijoules of both");
  tap_ok(s->seconds >= 0 && s->seconds < 1e3, "in a window of %g s", s->seconds);
  s->begin(s);
  energy(0, 1600);
  tap_ok(s->end(s, &joules) == HG_RUNTIME, "a GPU whose counter does not change is no source: %s", hg_message());
  s->begin(s);
  energy(0, 1700), energy(1, 9000000000);
  tap_ok(s->end(s, &joules) == HG_RUNTIME, "nor is one that counts 4 MJ in no time: %s", hg_message());
  s->begin(s);
  energy(0, 1800), energy(1, 3);
  tap_int(s->end(s, &joules), HG_RUNTIME, "a counter that goes back was reset");
  s->begin(s);
  energy(0, 1900);
  error(1, 15);
  tap_int(s->end(s, &joules), HG_RUNTIME, "a GPU that vanishes midway is an error");
  tap_contains(hg_message(), "GPU is lost", "that the library names");
  error(1, 0);
  s->close(s);
  tap_int(hg_nvml_open(1, second, &s), HG_OK, "one GPU by its address on the bus");
  s->begin(s);
  energy(0, 99999), energy(1, 10);
  s->end(s, &joules);
  tap_near(joules, .007, 1e-15, "is that one");
  s->close(s);
  tap_int(hg_nvml_open(1, none, &s), HG_RUNTIME, "an address without a GPU is refused");
  setenv("FAKE_NVML_SAMPLED", "1", 1);
  power(0, 100000), power(1, 50000);
  tap_int(hg_nvml_open(0, NULL, &s), HG_OK, "GPUs that do not count energy");
  tap_ok(strcmp(s->name, "nvml-sampled") == 0, "are sampled");
  const double start = hg_now();
  s->begin(s);
  nanosleep(&(struct timespec){.tv_nsec = 220000000}, NULL);
  s->end(s, &joules);
  const double most = hg_now() - start;
  tap_ok(joules >= 150 * .22 && joules <= 150 * most * 1.000001, "150 W for .22 s and a little: %g J", joules);
  tap_near(joules / s->seconds, 150, 1e-9, "150 W over the window's own length, whatever the time of the queries");
  s->close(s);
  unsetenv("FAKE_NVML_SAMPLED");
  setenv("HETGRID_NVML", "/nowhere/libnvidia-ml.so", 1);
  tap_int(hg_nvml_open(0, NULL, &s), HG_UNSUPPORTED, "no library, no source");
}

/* Twice the highest power limit may occur for a moment. */
static void gpus_know_their_limits(void)
{
  const struct {
    const char *limit;
    unsigned watts;
    bool taken;
  } list[] = {{"0", 1900, true}, {"300", 500, true}, {"300", 1900, false}};
  hg_energy_source *s;
  double joules = 0;
  void *fake = dlopen("tests/energy/.libs/nvml.so", RTLD_NOW);
  if (!fake) return;
  fake_nvml_power_fn *power = (fake_nvml_power_fn *)dlsym(fake, "fake_nvml_set_power");
  setenv("HETGRID_NVML", "tests/energy/.libs/nvml.so", 1);
  setenv("FAKE_NVML_SAMPLED", "1", 1);
  setenv("FAKE_NVML_GPUS", "1", 1);
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    setenv("FAKE_NVML_LIMIT", list[i].limit, 1);
    power(0, list[i].watts * 1000);
    if (hg_nvml_open(0, NULL, &s) != HG_OK) return;
    s->begin(s);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    const bool taken = s->end(s, &joules) == HG_OK;
    tap_ok(taken == list[i].taken, "%u W of a GPU whose limit is %s W (0: not known) are %s: %s", list[i].watts,
           list[i].limit, list[i].taken ? "measured" : "refused", taken ? "measured" : hg_message());
    s->close(s);
  }
  unsetenv("FAKE_NVML_LIMIT");
  unsetenv("FAKE_NVML_GPUS");
  unsetenv("FAKE_NVML_SAMPLED");
}

/* A rank of a run with so many GPU workers, all of them on other ranks. */
static hg_status open_nvml(int cuda_workers, hg_counters *c)
{
  const hg_session s = {.ranks = 1, .cuda_workers = cuda_workers};
  return hg_counters_open(&s, &(hg_energy_choice){.nvml = true, .named = true}, c);
}

static void ranks_read_their_gpus(void)
{
  hg_counters c;
  setenv("HETGRID_NVML", "tests/energy/.libs/nvml.so", 1);
  if (!tap_ok(open_nvml(0, &c) == HG_OK && c.source[HG_NVML] && strcmp(hg_counters_name(&c, HG_NVML), "nvml") == 0,
              "if no rank uses GPUs the first rank of a machine reads all %s", c.why[HG_NVML]))
    return;
  c.source[HG_NVML]->shortest = .25;
  tap_ok(hg_counters_are_coarse(&c, .249) && !hg_counters_are_coarse(&c, .25),
         "a run is as long as the counter needs, or too short for it");
  hg_counters_close(&c);
  tap_ok(open_nvml(1, &c) == HG_OK && c.used[HG_NVML] && !c.source[HG_NVML],
         "if one rank uses one, the others read none");
  hg_counters_close(&c);
}

/* --- meters --- */

static void log_gives(const char *text, double begin, double end, double joules, const char *what)
{
  hg_meterlog log;
  double j = -1;
  hg_status status = hg_meterlog_parse(text, strlen(text), "log", &log);
  if (status == HG_OK) {
    status = hg_meterlog_joules(&log, "log", begin, end, &j);
    hg_meterlog_free(&log);
  }
  tap_ok(status == HG_OK && fabs(j - joules) < 1e-6, "%s: %.9g J, expected %.9g %s", what, j, joules,
         status == HG_OK ? "" : hg_message());
}

static void log_refused(const char *text, const char *part)
{
  hg_meterlog log;
  const hg_status status = hg_meterlog_parse(text, strlen(text), "log", &log);
  if (status == HG_OK) hg_meterlog_free(&log);
  tap_ok(status == HG_FORMAT && strstr(hg_message(), part), "refused: %s", status == HG_OK ? text : hg_message());
}

static void meters_are_read(void)
{
  setenv("TZ", "UTC", 1);
  tzset();
  log_gives("time,watts\n0,100\n10,100\n", 2, 5, 300, "a constant power");
  log_gives("\xef\xbb\xbf"
            "time,a,b\r\n0,100,1\r\n10,100,3\r\n",
            0, 10, 1020, "a mark, CRLF, two nodes");
  log_gives("# a remark\n10,100\n\n0,0\n20,100\n", 5, 15, 375 + 500, "samples in any order, interpolated");
  log_gives("0,100\n5,100\n5,200\n10,200\n", 0, 10, 1500, "equal times are a step");
  log_gives("1970-01-01T00:00:00Z,50\n1970-01-01T01:00:10+01:00,50\n1970-01-01 00:00:20.5,50\n", 1, 20, 950,
            "times by ISO 8601, with a zone or without");
  log_gives("0,5\n10,5\n20", 1, 10, 45, "a line that is still being written is left out");
  log_refused("time,watts\n0,100\n1,100,5\n", "log:3:1: 3 values, must be 2; decimals follow a point, not a comma");
  log_refused("0,-5\n", "log:1:5: -5 W, must be >= 0");
  log_refused("0,many\n", "log:1:3: 'many' is not a finite number");
  log_refused("2026-13-01T00:00:00Z,1\n", "log:1:1: is not a time");
  log_refused("2026-02-30T00:00:00Z,1\n", "log:1:1: is not a time");
  log_gives("2024-02-29T00:00:00Z,5\n2024-03-01T00:00:00Z,5\n", 1709164800, 1709164810, 50, "a leap day");
  log_refused("0;5\n", "0 columns of watts");
  log_refused("0,nan\n", "not a finite number");
  hg_meterlog log;
  double j;
  hg_meterlog_parse("0,5\n10,5\n", 9, "log", &log);
  tap_int(hg_meterlog_joules(&log, "log", 5, 11, &j), HG_INVALID, "a window after the samples is refused");
  tap_contains(hg_message(), "log: the window is 5..11 s, must be within the samples at 0..10 s", "with both ranges");
  tap_int(hg_meterlog_joules(&log, "log", 1796045870, 1796045871.25, &j), HG_INVALID, "... and so is one of today");
  tap_contains(hg_message(), "the window is 1796045870..1796045871.25 s,", "to a fraction of a second");
  hg_meterlog_free(&log);
}

static time_t set; /* s by which the time of day is set forward */

int clock_gettime(clockid_t clock, struct timespec *t)
{
  const long failed = syscall(SYS_clock_gettime, clock, t);
  if (clock == CLOCK_REALTIME) t->tv_sec += set;
  return (int)failed;
}

/* A log of a time long before and long after a run in which the clock is set. */
static void a_clock_is_set(const char *path)
{
  static const char *const part[] = {"set back by 100 s", "set forward by 100 s"};
  hg_energy_source *s;
  double joules;
  FILE *f = fopen(path, "w");
  fprintf(f, "%lld,40\n%lld,40\n", (long long)time(NULL) - 1000, (long long)time(NULL) + 1000);
  fclose(f);
  hg_meter_open(path, 0, 1, &s);
  for (int i = 0; i < 2; i++) {
    s->begin(s);
    set += i ? 100 : -100;
    tap_int(s->end(s, &joules), HG_RUNTIME, "no joules where the clock was set during the run");
    tap_contains(hg_message(), part[i], "... as the message says");
  }
  s->close(s);
}

static void a_meter_is_waited_for(void)
{
  char path[128], line[256];
  hg_energy_source *s;
  double joules = -1;
  struct timespec now;
  snprintf(path, sizeof path, "/tmp/hetgrid-energy-%d/meter.csv", (int)getpid());
  FILE *f = fopen(path, "w");
  clock_gettime(CLOCK_REALTIME, &now);
  fprintf(f, "time,watts\n%lld,40\n", (long long)now.tv_sec - 5);
  fflush(f);
  tap_int(hg_meter_open(path, 0, 2, &s), HG_INVALID, "one column per node: one for two nodes is refused");
  tap_int(hg_meter_open(path, 0, 1, &s), HG_OK, "a meter of one node");
  s->begin(s);
  const double start = hg_now();
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  snprintf(line, sizeof line, "sleep .3; echo %lld,40 >> %s", (long long)now.tv_sec + 100, path);
  FILE *later = popen(line, "r");
  const hg_status status = s->end(s, &joules);
  const double most = hg_now() - start;
  pclose(later);
  tap_ok(status == HG_OK && joules >= .02 * 40 && joules <= most * 40, "40 W for .02 s and a little: %g J %s", joules,
         status == HG_OK ? "" : hg_message());
  tap_near(joules / s->seconds, 40, 1e-3, "... over the window's own length");
  s->close(s);
  for (int i = 0; i < 2; i++) {
    f = freopen(path, "w", f);
    fprintf(f, "time,watts\n%lld,%s\n%lld,%s\n", (long long)now.tv_sec - 5, i ? "300000" : "0",
            (long long)now.tv_sec + 100, i ? "300000" : "0");
    fflush(f);
    hg_meter_open(path, 0, 1, &s);
    s->begin(s);
    hg_sleep(.2 * i);
    tap_ok(s->end(s, &joules) == HG_RUNTIME, "a meter of %s is not one of a node: %s", i ? "300 kW" : "nothing",
           hg_message());
    s->close(s);
  }
  tap_int(hg_meter_open(path, -1e6, 1, &s), HG_OK, "a meter with a wrong clock");
  fclose(f);
  s->close(s);
  a_clock_is_set(path);
}

static void sources_are_chosen(void)
{
  hg_energy_choice c = {.wanted = false};
  tap_ok(hg_energy_choose(NULL, &c) == HG_OK && c.wanted && c.rapl && c.nvml && !c.named, "without names all counters");
  c = (hg_energy_choice){.wanted = false};
  tap_ok(hg_energy_choose("rapl,modelled:a.platform", &c) == HG_OK && c.rapl && !c.nvml && c.named &&
             strcmp(c.modelled, "a.platform") == 0,
         "a counter and a model");
  static const char *const wrong[] = {"", "foo", "rapl,", "meter", "meter:", "meter:a,rapl", "modelled", "raplx"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    c = (hg_energy_choice){.wanted = false};
    tap_ok(hg_energy_choose(wrong[i], &c) == HG_INVALID, "refused: '%s': %s", wrong[i], hg_message());
  }
}

int main(void)
{
  counters_are_whole_numbers();
  packages_are_read();
  zones_know_their_limits();
  counters_wrap();
  perf_events_are_read();
  gpus_are_read();
  gpus_know_their_limits();
  ranks_read_their_gpus();
  meters_are_read();
  a_meter_is_waited_for();
  sources_are_chosen();
  char remove[128];
  snprintf(remove, sizeof remove, "rm -rf /tmp/hetgrid-energy-%d", (int)getpid());
  return system(remove) == 0 ? tap_done() : 1;
}
