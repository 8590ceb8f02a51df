/* SPDX-License-Identifier: MIT */
/* Energy: formulas by hand, counters and meters that are not there. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "energy/choice.h"
#include "energy/meterlog.h"
#include "energy/source.h"
#include "hetgrid.h"
#include "model/energy.h"
#include "model/power.h"
#include "tap.h"
#include "tests/energy/nvml.h"

static char root[64];

/* --- formulas --- */

static void runs_scale(void)
{
  const hg_cluster c = {.t1 = 1000, .sigma = .5, .watts = 99, .switch_watts = 16, .nodes_max = 16};
  hg_scaled r;
  tap_int(hg_cluster_run(&c, 4, &r), HG_OK, "a run on 4 nodes");
  tap_near(r.seconds, 500, 1e-9, "takes T1 / 4^.5");
  tap_near(r.e1, 1e5, 1e-9, "one node costs (P + P_switch / N_max) T1");
  tap_near(r.joules, 4 * (99 + 1) * 500, 1e-9, "four cost N (P + P_switch / N_max) T");
  tap_near(r.speedup, 2, 1e-12, "speedup N^sigma");
  tap_near(r.gain, .5, 1e-12, "gain N^(sigma - 1)");
  tap_int(hg_cluster_run(&c, 17, &r), HG_INVALID, "not on more nodes than there are");
  tap_int(hg_cluster_run(&c, .5, &r), HG_INVALID, "nor on half a one");
  tap_contains(hg_message(), "N is 0.5, must be in 1..16", "which is said");
  hg_cluster wrong = c;
  wrong.t1 = 0;
  tap_int(hg_cluster_run(&wrong, 4, &r), HG_INVALID, "T1 = 0 is refused");
  wrong = c;
  wrong.watts = NAN;
  tap_int(hg_cluster_run(&wrong, 4, &r), HG_INVALID, "and a power that is no number");
  wrong = c;
  wrong.sigma = 1.2;
  tap_int(hg_cluster_run(&wrong, 4, &r), HG_OK, "sigma above 1 is computed");
  tap_ok(!hg_is_scalable(1.2) && !hg_is_scalable(-.1) && hg_is_scalable(0) && hg_is_scalable(1),
         "and said to be outside the scalability area");
}

static void thresholds_are_found(void)
{
  double n;
  hg_threshold(8, .5, .8, &n);
  tap_near(n, pow(8, 1 / .3), 1e-9, "A gains 8 and loses N^-.3: equal at 8^(1/.3)");
  hg_threshold(4, .9, .8, &n);
  tap_ok(isnan(n), "none where it would be below one node");
  hg_threshold(4, .5, .5, &n);
  tap_ok(isnan(n), "none where both scale alike");
  hg_threshold(1e300, .5, .5 + 1e-3, &n);
  tap_ok(isinf(n), "infinite beyond the largest number");
  tap_int(hg_threshold(0, .1, .2, &n), HG_INVALID, "a gain of 0 is refused");
  tap_ok(hg_configuration(2, 3) == 1 && hg_configuration(.5, .5) == 3 &&
             hg_configuration(2, .5) == 2 && hg_configuration(1, 2) == 2,
         "three configurations, limits in the middle one");
}

static void lines_are_fitted(void)
{
  const double n[] = {1, 2, 4, 8}, exact[] = {100, 50, 25, 12.5}, noisy[] = {100, 55, 25, 12.5},
               same[] = {2, 2};
  hg_scaling f;
  tap_int(hg_scaling_fit(4, n, exact, &f), HG_OK, "an exact line");
  tap_ok(fabs(f.t1 - 100) < 1e-9 && fabs(f.sigma - 1) < 1e-12 && f.max_rel < 1e-12,
         "is found exactly");
  hg_scaling_fit(4, n, noisy, &f);
  tap_ok(f.sigma_error > 0 && f.t1_error > 0 && f.max_rel > .02, "noise gives errors (%g)",
         f.sigma_error);
  tap_int(hg_scaling_fit(2, same, exact, &f), HG_INVALID, "two points with one N are refused");
  tap_int(hg_scaling_fit(0, n, exact, &f), HG_INVALID, "as no points");
  const double negative[] = {1, -1};
  tap_int(hg_scaling_fit(2, n, negative, &f), HG_INVALID, "and a negative time");
}

static void powers_are_means(void)
{
  const double full[] = {200, 220}, wait[] = {100, 110}, less[] = {90, 110}, share[] = {.5, 1.1},
               unit[] = {10, 20};
  hg_activity a[] = {{.5, full}, {.25, wait}};
  double watts, joules, beta;
  hg_mean_power(&(hg_activities){2, 1, a, wait, 30, false}, &watts);
  tap_near(watts, .5 * 420 + .5 * 210 + 30, 1e-9,
           "a synchronous run: b full + (1 - b) wait + switch");
  hg_mean_power(&(hg_activities){2, 2, a, wait, 30, false}, &watts);
  tap_near(watts, .5 * 420 + .25 * 210 + .25 * 210 + 30, 1e-9, "three activities");
  tap_int(hg_mean_power(&(hg_activities){2, 1, a, NULL, 0, false}, &watts), HG_INVALID,
          "time without a power is refused");
  const hg_activity low = {.5, less};
  tap_int(hg_mean_power(&(hg_activities){2, 1, &low, wait, 0, false}, &watts), HG_INVALID,
          "waiting above full is refused");
  a[1].share = .75;
  tap_int(hg_mean_power(&(hg_activities){2, 2, a, wait, 0, false}, &watts), HG_INVALID,
          "shares above 1 are refused");
  tap_int(hg_mean_power(&(hg_activities){2, 2, a, wait, 0, true}, &watts), HG_OK,
          "unless they are to be taken as printed");
  tap_int(hg_node_energy(10, 50, 1, share, unit, &joules), HG_OK, "a node's energy");
  tap_near(joules, 10 * (50 + 5), 1e-12, "is T (P_I + beta P)");
  tap_int(hg_node_energy(10, 50, 2, share, unit, &joules), HG_INVALID, "beta above 1 is refused");
  tap_int(hg_decay_correction(0, &beta), HG_INVALID, "an unused GPU has no correction");
  hg_decay_correction(.602, &beta);
  tap_near(beta, .801, 1e-12, "(1.48)");
  tap_ok(hg_criterion_value(HG_BY_ED2P, 3, 5) == 45 && hg_criterion_value(HG_BY_EDP, 3, 5) == 15 &&
             hg_criterion_value(HG_BY_ENERGY, 3, 5) == 5 &&
             hg_criterion_value(HG_BY_TIME, 3, 5) == 3,
         "four criteria");
}

static void samples_are_integrated(void)
{
  hg_sample s[] = {{0, 100}, {2, 100}, {2, 200}, {4, 200}, {3, 200}};
  double j;
  hg_samples_sort(5, s);
  tap_ok(s[1].watts == 100 && s[2].watts == 200 && s[4].time == 4,
         "samples are sorted, steps stay");
  hg_trapezoid(5, s, 0, 4, &j);
  tap_near(j, 600, 1e-12, "a step");
  hg_trapezoid(5, s, 1, 2.5, &j);
  tap_near(j, 200, 1e-12, "ends between samples");
  hg_sample ramp[] = {{0, 0}, {10, 100}};
  hg_trapezoid(2, ramp, 2, 4, &j);
  tap_near(j, 60, 1e-12, "ends are interpolated");
  tap_int(hg_trapezoid(2, ramp, 3, 3, &j), HG_OK, "a window of length 0");
  tap_near(j, 0, 0, "has no joules");
  tap_int(hg_trapezoid(2, ramp, -1, 3, &j), HG_INVALID,
          "a window that begins before the samples is refused");
  tap_contains(hg_message(), "-1..3 s, the samples reach from 0 to 10", "with both ranges");
  tap_int(hg_trapezoid(0, ramp, 0, 0, &j), HG_INVALID, "as one without samples");
}

static void platforms_have_powers(void)
{
  static const char text[] = "device core cpu full=10 wait=8\ndevice g cuda full=100 idle=5\n"
                             "node 2*core*2,g base=50\nnetwork bandwidth=1 switch=7\n";
  const int rank[] = {0, 0, 1};
  const bool cuda[] = {true, false, false};
  int unit[3], nodes;
  hg_platform p;
  tap_int(hg_platform_parse(text, "here", ".", &p), HG_OK, "a platform with powers alone is read");
  tap_ok(p.device[1].wait == 5 && p.device[0].wait == 8 && p.node[1].base == 50 &&
             p.switch_watts == 7,
         "with its powers");
  tap_int(hg_power_match(&p, 2, 3, rank, cuda, unit, &nodes), HG_OK,
          "its processors are found for three workers");
  tap_ok(nodes == 2 && unit[0] == 0 && unit[1] == 1 && unit[2] == 4,
         "a GPU, a core, a core of the other node");
  hg_unit_use use[6] = {{2, 2, 0}, {1, 3, 0}, {0, 0, 4}, {0, 0, 4}, {4, 0, 0}, {0, 0, 4}};
  const hg_modelled m = hg_power_joules(&p, nodes, 4, use);
  tap_near(m.base, 400, 1e-12, "base of both nodes");
  tap_near(m.network, 28, 1e-12, "the switch");
  tap_near(m.gpu, 2 * 100 + 2 * 5 + 4 * 5, 1e-12, "GPUs, the unused one idle");
  tap_near(m.cpu, 10 + 3 * 8 + 40, 1e-12,
           "cores: busy and waiting; unused ones draw nothing of their own");
  const int crowd[] = {0, 0, 0};
  const bool cores[] = {false, false, false};
  tap_int(hg_power_match(&p, 1, 3, crowd, cores, unit, &nodes), HG_INVALID,
          "three workers on two cores are refused");
  tap_contains(hg_message(), "too few processor cores for the workers of rank 0", "by name");
  tap_int(hg_power_match(&p, 3, 3, rank, cuda, unit, &nodes), HG_INVALID,
          "and three ranks on two nodes");
  hg_platform_free(&p);
  tap_int(hg_platform_parse("device a cpu full=3 wait=4\nnode a\n", "f", ".", &p), HG_FORMAT,
          "waiting above full");
  tap_contains(hg_message(), "f:1: device a: full=3 wait=4 idle=0 W, must be full >= wait >= idle",
               "is refused by line");
  tap_int(hg_platform_parse("device a cpu full=3\nnode a base=-1\n", "f", ".", &p), HG_INVALID,
          "as a negative base");
}

/* --- counters --- */

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

static void packages_are_read(void)
{
  hg_source *s;
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
  tap_ok(strcmp(s->name, "rapl") == 0 && strcmp(s->coverage, "package+dram") == 0,
         "covers packages and memory");
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
  tap_near(joules, (8 * 2000000 + 28 + 8 * 250) * 1e-6, 0,
           "packages and memory, nothing else, to the microjoule");
  s->close(s);
}

static void counters_wrap(void)
{
  hg_source *s;
  double joules = -1;
  new_tree("wrap");
  write_zone("intel-rapl:0", "package-0\n", 262143328000, 262143328850);
  hg_rapl_open(&s);
  tap_ok(strcmp(s->coverage, "package") == 0, "without memory only the package is covered");
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 1150, 262143328850);
  s->end(s, &joules);
  tap_near(joules, 2000e-6, 0, "a counter that wraps goes on at its range");
  s->begin(s);
  s->end(s, &joules);
  tap_near(joules, 0, 0, "a window without change");
  write_zone("intel-rapl:0", "package-0\n", 200000000000, 262143328850);
  s->begin(s);
  write_zone("intel-rapl:0", "package-0\n", 199000000000, 262143328850);
  tap_int(s->end(s, &joules), HG_RUNTIME, "a counter that goes back a little was reset");
  tap_contains(hg_message(), "it was reset", "and that is said");
  tap_int(s->begin(s), HG_OK, "the next window");
  tap_int(s->end(s, &joules), HG_OK, "is as good as ever");
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
  tap_int(hg_rapl_open(&s), HG_FORMAT, "what is no number is refused");
  new_tree("empty");
  tap_int(hg_rapl_open(&s), HG_UNSUPPORTED, "no files, no source");
}

/* The kernel's own counter of processor time stands for one of energy: the code is that of real
 * packages. */
static void perf_events_are_read(void)
{
  hg_source *s;
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
  tap_ok(joules > .04 && joules < 10, "a clock that counts ns, scaled by 1e-9, gives seconds: %g",
         joules);
  s->close(s);
  write_file("bus/event_source/devices/power/events/energy-pkg", "colour=blue\n");
  tap_ok(hg_rapl_open(&s) != HG_OK, "an event of unknown form is refused: %s", hg_message());
  write_file("bus/event_source/devices/power/events/energy-pkg", "event=0x00\n");
  write_file("bus/event_source/devices/power/cpumask", "x\n");
  tap_ok(hg_rapl_open(&s) != HG_OK, "as a list of processors that is none: %s", hg_message());
}

static void gpus_are_read(void)
{
  hg_source *s;
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
  s->begin(s);
  energy(1, 3);
  tap_int(s->end(s, &joules), HG_RUNTIME, "a counter that goes back was reset");
  s->begin(s);
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
  tap_ok(joules >= 150 * .22 && joules <= 150 * most * 1.000001,
         "150 W for .22 s and a little: %g J", joules);
  s->close(s);
  unsetenv("FAKE_NVML_SAMPLED");
  setenv("HETGRID_NVML", "/nowhere/libnvidia-ml.so", 1);
  tap_int(hg_nvml_open(0, NULL, &s), HG_UNSUPPORTED, "no library, no source");
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
  tap_ok(status == HG_OK && fabs(j - joules) < 1e-6, "%s: %.9g J, expected %.9g %s", what, j,
         joules, status == HG_OK ? "" : hg_message());
}

static void log_refused(const char *text, const char *part)
{
  hg_meterlog log;
  const hg_status status = hg_meterlog_parse(text, strlen(text), "log", &log);
  if (status == HG_OK) hg_meterlog_free(&log);
  tap_ok(status == HG_FORMAT && strstr(hg_message(), part), "refused: %s",
         status == HG_OK ? text : hg_message());
}

static void meters_are_read(void)
{
  setenv("TZ", "UTC", 1);
  tzset();
  log_gives("time,watts\n0,100\n10,100\n", 2, 5, 300, "a constant power");
  log_gives("\xef\xbb\xbf"
            "time,a,b\r\n0,100,1\r\n10,100,3\r\n",
            0, 10, 1020, "a mark, CRLF, two nodes");
  log_gives("# a remark\n10,100\n\n0,0\n20,100\n", 5, 15, 375 + 500,
            "samples in any order, interpolated");
  log_gives("0,100\n5,100\n5,200\n10,200\n", 0, 10, 1500, "equal times are a step");
  log_gives("1970-01-01T00:00:00Z,50\n1970-01-01T01:00:10+01:00,50\n1970-01-01 00:00:20.5,50\n", 1,
            20, 950, "times by ISO 8601, with a zone or without");
  log_gives("0,5\n10,5\n20", 1, 10, 45, "a line that is still being written is left out");
  log_refused("time,watts\n0,100\n1,100,5\n",
              "log:3:1: 3 values, must be 2; decimals follow a point, not a comma");
  log_refused("0,-5\n", "log:1:5: -5 W, must be >= 0");
  log_refused("0,many\n", "log:1:3: 'many' is not a finite number");
  log_refused("2026-13-01T00:00:00Z,1\n", "log:1:1: is no time");
  log_refused("0;5\n", "0 columns of watts");
  log_refused("0,nan\n", "not a finite number");
  hg_meterlog log;
  double j;
  hg_meterlog_parse("0,5\n10,5\n", 9, "log", &log);
  tap_int(hg_meterlog_joules(&log, "log", 5, 11, &j), HG_INVALID,
          "a window behind the samples is refused");
  tap_contains(hg_message(), "log: the window is 5..11 s, the samples reach from 0 to 10 s",
               "with both ranges");
  hg_meterlog_free(&log);
}

static void a_meter_is_waited_for(void)
{
  char path[128], line[256];
  hg_source *s;
  double joules = -1;
  struct timespec now;
  snprintf(path, sizeof path, "/tmp/hetgrid-energy-%d/meter.csv", (int)getpid());
  FILE *f = fopen(path, "w");
  clock_gettime(CLOCK_REALTIME, &now);
  fprintf(f, "time,watts\n%lld,40\n", (long long)now.tv_sec - 5);
  fflush(f);
  tap_int(hg_meter_open(path, 0, 2, &s), HG_INVALID, "a column a node: one for two is refused");
  tap_int(hg_meter_open(path, 0, 1, &s), HG_OK, "a meter of one node");
  s->begin(s);
  const double start = hg_now();
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  snprintf(line, sizeof line, "sleep .3; echo %lld,40 >> %s", (long long)now.tv_sec + 100, path);
  FILE *later = popen(line, "r");
  const hg_status status = s->end(s, &joules);
  const double most = hg_now() - start;
  pclose(later);
  tap_ok(status == HG_OK && joules >= .02 * 40 && joules <= most * 40,
         "40 W for .02 s and a little: %g J %s", joules, status == HG_OK ? "" : hg_message());
  s->close(s);
  tap_int(hg_meter_open(path, -1e6, 1, &s), HG_OK, "a meter whose clock is elsewhere");
  fclose(f);
  s->close(s);
}

static void sources_are_chosen(void)
{
  hg_energy_choice c = {.wanted = false};
  tap_ok(hg_energy_choose(NULL, &c) == HG_OK && c.wanted && c.rapl && c.nvml && !c.named,
         "without names all counters");
  c = (hg_energy_choice){.wanted = false};
  tap_ok(hg_energy_choose("rapl,modelled:a.platform", &c) == HG_OK && c.rapl && !c.nvml &&
             c.named && strcmp(c.modelled, "a.platform") == 0,
         "a counter and a model");
  static const char *const wrong[] = {"",       "foo",          "rapl,",    "meter",
                                      "meter:", "meter:a,rapl", "modelled", "raplx"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    c = (hg_energy_choice){.wanted = false};
    tap_ok(hg_energy_choose(wrong[i], &c) == HG_INVALID, "refused: '%s': %s", wrong[i],
           hg_message());
  }
}

int main(void)
{
  runs_scale();
  thresholds_are_found();
  lines_are_fitted();
  powers_are_means();
  samples_are_integrated();
  platforms_have_powers();
  packages_are_read();
  counters_wrap();
  perf_events_are_read();
  gpus_are_read();
  meters_are_read();
  a_meter_is_waited_for();
  sources_are_chosen();
  char remove[128];
  snprintf(remove, sizeof remove, "rm -rf /tmp/hetgrid-energy-%d", (int)getpid());
  return system(remove) == 0 ? tap_done() : 1;
}
