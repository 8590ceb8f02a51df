/* SPDX-License-Identifier: MIT */
/* Platforms: reading, writing, selecting devices, and costs of tasks. */
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hetgrid.h"
#include "energy/energy_division.h"
#include "platform/simgrid.h"
#include "tap.h"

static const char text[] =
    "device core cpu heat=1e9 heat_start=1e-6 heat_item=1e-9 update=1e10 panel=5e9 panel_column=1e-6 "
    "solve_row=2e-6 adr=2e8 start=2e-6 full=9 "
    "full_adr=12 # slow\n"
    "\n"
    "device g cuda memory=3e9 to=6e9 from=5e9 latency=1e-5 heat=7e9 heat_memory=1e6 heat_rest=.5\n"
    "node 2*core*3,g\n"
    "node g*2\n"
    "network bandwidth=1e9 latency=1e-6 backbone=1e10\n";

static void is_read(void)
{
  hg_platform p;
  if (!tap_ok(hg_platform_parse(text, "here", ".", &p) == HG_OK, "a platform is read %s", hg_message())) return;
  tap_int(p.devices, 2, "devices");
  tap_int(p.nodes, 3, "nodes");
  tap_int(p.node[0].workers, 4, "processors of node 0");
  tap_int(p.node[0].gpus, 1, "GPUs among them");
  tap_ok(p.device[p.node[0].device[0]].cuda && !p.device[p.node[0].device[1]].cuda, "GPUs come first");
  tap_int(p.node[2].workers, 2, "processors of node 2");
  tap_near(p.bandwidth, 1e9, 0, "bandwidth");
  tap_near(p.backbone, 1e10, 0, "backbone");
  tap_near(hg_platform_heat_time(&p.device[0], 1e6, 10, 5e3), 2e-6 + 10 * (1e-6 + 1e-3) + 5e-6, 1e-12, "a heat task");
  tap_near(hg_platform_update_time(&p.device[0], 500, 2000, 128), 2e-6 + 1e6 * 2 * 128 / 1e10, 1e-12, "an update");
  tap_near(hg_platform_panel_time(&p.device[0], 128, 1e9), 2e-6 + .2 + 128e-6, 1e-12, "a panel");
  tap_near(hg_platform_solve_time(&p.device[0], 128), 256e-6, 1e-12, "a triangular solve");
  tap_near(hg_platform_adr_time(&p.device[0], 1e6, 84), 2e-6 + .5 / 200, 1e-12, "half an iteration of adr");
  tap_near(hg_platform_adr_time(&p.device[1], 1e3, 168), hg_platform_heat_time(&p.device[1], 1e3, 1, 0) * 10.5, 1e-12,
           "one without adr: its speed follows from heat's bytes/s");
  double small = hg_platform_heat_time(&p.device[1], 1e4, 1, 0) / 1e4,
         large = hg_platform_heat_time(&p.device[1], 1e8, 1, 0) / 1e8;
  tap_near(large / small, 2, .02, "the GPU is half as fast beyond its memory");
  char path[] = "/tmp/hetgrid-platform-XXXXXX";
  close(mkstemp(path));
  hg_platform again;
  tap_ok(hg_platform_write(path, &p) == HG_OK && hg_platform_read(path, &again) == HG_OK,
         "it is written and read again %s", hg_message());
  tap_ok(again.nodes == 3 && again.node[1].workers == 4 && again.device[1].heat.mem == 1e6 && again.latency == 1e-6 &&
             fabs(again.device[0].update.smax - p.device[0].update.smax) < 1e-3 && again.device[0].start == 2e-6 &&
             again.device[0].full == 9 && again.device[0].panel_column == 1e-6 && again.device[0].solve_row == 2e-6 &&
             again.device[0].adr == 2e8 && again.device[1].adr == 0 && again.device[0].full_of[HG_POWER_ADR] == 12 &&
             again.device[1].memory == 3e9,
         "as the same");
  unlink(path);
  hg_platform_free(&again);
  tap_ok(hg_platform_select(&p, 1, 2, "g") == HG_OK && p.nodes == 2 && p.node[0].workers == 1 && p.node[1].workers == 2,
         "nodes and devices are selected");
  tap_int(hg_platform_select(&p, 0, 1, "core"), HG_INVALID, "but not nothing");
  hg_platform_free(&p);
}

static void is_read_behind_a_mark(void)
{
  hg_platform p;
  if (!tap_ok(hg_platform_parse("\xef\xbb\xbf"
                                "device x cpu heat=1e9\r\nnode x*2\r\n",
                                "here", ".", &p) == HG_OK,
              "a file with a byte order mark and Windows' ends of lines is read %s", hg_message()))
    return;
  tap_int(p.node[0].workers, 2, "... as it is without");
  hg_platform_free(&p);
  tap_int(hg_platform_parse("device x cpu heat=1e9\nnode x*2 base=10\r base=20\n", "here", ".", &p), HG_FORMAT,
          "text after a carriage return within a line is read");
}

static void powers_are_those_of_units(void)
{
  hg_platform p;
  hg_energy_division_unit unit[4] = {{.full = -1}, {.full = -1}, {.full = -1}, {.full = -1}};
  double base = 0;
  const char *given = "device a cpu heat=1 full=9 wait=5 idle=2\ndevice b cpu heat=1 full=.7 wait=.4 idle=.1\n"
                      "node a,b base=30\nnode b base=20\nnetwork bandwidth=1e9 latency=1e-6 switch=5\n";
  if (!tap_ok(hg_platform_parse(given, "here", ".", &p) == HG_OK, "two nodes with powers %s", hg_message())) return;
  tap_ok(hg_energy_division_of_platform(&p, 2, unit, &base) == HG_OK && base == 55,
         "... draw %g W in addition to their processors", base);
  tap_ok(unit[0].full == 9 && unit[0].wait == 5 && unit[0].idle == 2 && unit[1].full == .7 && unit[2].idle == .1 &&
             unit[3].full == -1,
         "... which draw what their devices do, three in all");
  hg_platform_free(&p);
}

static int remove_one(const char *path, const struct stat *info, int what, struct FTW *place)
{
  (void)info;
  (void)what;
  (void)place;
  return remove(path);
}

/* The text of a file in a folder. */
static void read_from(const char *folder, const char *name, char *text_of_file, size_t room)
{
  char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *in = fopen(path, "r");
  text_of_file[in ? fread(text_of_file, 1, room - 1, in) : 0] = '\0';
  if (in) fclose(in);
}

static int count_of(const char *part, const char *whole)
{
  int count = 0;
  for (const char *at = whole; (at = strstr(at, part)); at++) count++;
  return count;
}

/* One GPU has a link to memory and back; two also have one to each other. */
static void nodes_are_written_for_simgrid(void)
{
  static char xml[1 << 16];
  char folder[] = "/tmp/hetgrid-simgrid-XXXXXX", path[sizeof folder + 16], names[100];
  hg_platform p;
  if (!mkdtemp(folder) || hg_platform_parse(text, "here", ".", &p) != HG_OK) return;
  snprintf(path, sizeof path, "%s/bus", folder);
  mkdir(path, 0700);
  for (int i = 0; i < p.devices; i++) strcpy(p.device[i].name, "a<b&\"c");
  tap_int(hg_platform_write_simgrid(&p, 3, folder), HG_OK, "three nodes with 1, 1 and 2 GPUs are written for SimGrid");
  read_from(folder, "platform.xml", xml, sizeof xml);
  tap_int(count_of("<route ", xml), 2 + 2 + 6, "... with all their routes");
  const size_t length = strlen(xml);
  tap_ok(length > 12 && strcmp(xml + length - 12, "</platform>\n") == 0 &&
             count_of("<AS ", xml) == count_of("</AS>", xml),
         "... the file is whole");
  tap_int(count_of("<link_ctn ", xml), 2 + 2 + 4 + 2 * 2, "... over one link to memory, over two to each other");
  tap_ok(count_of("<AS id=\"StarPU-MPI", xml) == 3 && count_of("-MAIN\"", xml) == 3, "... each in a zone of its own");
  tap_int(count_of("<prop id=\"memsize\" value=\"3000000000\"/>", xml), 4, "... GPUs with their memories");
  tap_int(count_of("value=\"a&#60;b&#38;&#34;c\"/>", xml), 4, "... and names of any characters");
  read_from(folder, "hosts", names, sizeof names);
  tap_ok(strcmp(names, "node-0\nnode-1\nnode-2\n") == 0, "... one process a node");
  read_from(folder, "names", names, sizeof names);
  tap_ok(strcmp(names, "kind0 kind0 kind2\n") == 0, "... whose kinds are known: %s", names);
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  hg_platform_free(&p);
}

/* Network files: their head, a level of messages between nodes with times in one or two pieces, and both directions of
 * a bus. */
#define HEAD                                                                                                           \
  "{\"schema\": 1, \"host\": \"h\", \"date\": \"2026-11-21\", \"mpi\": \"m\", \"transport\": \"t\", "                  \
  "\"binding\": \"b\", \"other_load\": 0, \"oversubscribed\": false, \"gpu_start\": null, \"levels\": ["
#define SAMPLES "\"samples\": [9, 9, 9], \"outliers\": [0, 0, 0], \"pass_gap\": [0, 0, 0], "
#define TIMES(t) "\"seconds\": " t ", \"low\": " t ", \"high\": " t ", "
#define WAY(from, to) "\"from\": \"" from "\", \"to\": \"" to "\", \"pairs\": 1, \"bytes\": [0, 1000, 2000], "
#define NO_MORE "\"concurrent\": [], \"trains\": null}"
static const char messages[] = HEAD "{\"name\": \"network\", " WAY("cpu", "cpu") TIMES("[4e-6, 6e-6, 8e-6]") SAMPLES
    "\"segments\": [%s], " NO_MORE "]}";
static const char ways[] = HEAD "{\"name\": \"h2d\", " WAY("cpu", "gpu") TIMES("[4e-6, 6e-6, 8e-6]") SAMPLES
    "\"segments\": [{\"from\": 0, \"latency\": 4e-6, \"per_byte\": 2e-9}], " NO_MORE ", "
    "{\"name\": \"d2h\", " WAY("gpu", "cpu") TIMES("[2e-6, 3e-6, 4e-6]") SAMPLES
    "\"segments\": [{\"from\": 0, \"latency\": 2e-6, \"per_byte\": 1e-9}], " NO_MORE "]}";
static const char one[] = "{\"from\": 0, \"latency\": 4e-6, \"per_byte\": 2e-9}",
                  two[] = "{\"from\": 0, \"latency\": 4e-6, \"per_byte\": 0}, "
                          "{\"from\": 1000, \"latency\": 2e-6, \"per_byte\": 4e-9}";

static void factors_are(const char *segments, const char *latency, const char *bandwidth)
{
  hg_platform p;
  char path[] = "/tmp/hetgrid-messages-XXXXXX", line[200], got[2][200];
  FILE *out = fdopen(mkstemp(path), "w");
  fprintf(out, messages, segments);
  fclose(out);
  snprintf(line, sizeof line, "device x cpu heat=1\nnode 2*x\nnode 2*x\nnetwork file=%s level=network\n", path);
  if (!tap_ok(hg_platform_parse(line, "here", ".", &p) == HG_OK, "measured messages are read %s", hg_message())) return;
  tap_near(p.latency, 4e-6, 1e-18, "... with the latency from one node to another");
  hg_platform_factors(&p, sizeof got[0], got[0], got[1]);
  tap_ok(strcmp(got[0], latency) == 0, "... times of its parts: %s", got[0]);
  tap_ok(strcmp(got[1], bandwidth) == 0, "... and of its bandwidth: %s", got[1]);
  unlink(path);
  hg_platform_free(&p);
}

static void buses_are_read(void)
{
  hg_platform p;
  char path[] = "/tmp/hetgrid-bus-XXXXXX", line[200];
  FILE *out = fdopen(mkstemp(path), "w");
  fputs(ways, out);
  fclose(out);
  snprintf(line, sizeof line, "device g cuda heat=1 bus=%s\nnode g\n", path);
  if (!tap_ok(hg_platform_parse(line, "here", ".", &p) == HG_OK, "a measured bus is read %s", hg_message())) return;
  tap_near(p.device[0].to, 5e8, 1, "... bytes a second to the GPU");
  tap_near(p.device[0].from, 1e9, 1, "... and from it");
  tap_near(p.device[0].latency, 3e-6, 1e-12, "... the mean of both ways' latencies");
  unlink(path);
  hg_platform_free(&p);
}

/* A platform's text of so many bytes, most of it a comment. */
static hg_status read_long(long bytes)
{
  static const char line[] = "device x cpu heat=1\nnode x\n#";
  char path[] = "/tmp/hetgrid-platform-XXXXXX";
  FILE *out = fdopen(mkstemp(path), "w");
  for (long i = 0; i < bytes; i++) fputc(i < (long)sizeof line - 1 ? line[i] : 'x', out);
  fclose(out);
  hg_platform p;
  const hg_status status = hg_platform_read(path, &p);
  if (status == HG_OK) hg_platform_free(&p);
  unlink(path);
  return status;
}

static void long_files(void)
{
  tap_int(read_long(1 << 20), HG_OK, "a file of 1 MiB is read");
  tap_ok(read_long((1 << 20) + 1) == HG_FORMAT && strstr(hg_message(), "longer than 1048576 bytes"),
         "one of a byte more is not: %s", hg_message());
}

static void refused(const char *wrong, const char *part)
{
  hg_platform p;
  hg_status status = hg_platform_parse(wrong, "file", ".", &p);
  if (status == HG_OK) hg_platform_free(&p);
  tap_ok(status != HG_OK && strstr(hg_message(), part), "refused: %s", hg_message());
}

int main(void)
{
  is_read();
  powers_are_those_of_units();
  nodes_are_written_for_simgrid();
  factors_are(one, "0:1", "0:1");
  factors_are(two, "0:1;1000:0.5", "0:1000000;1000:0.5");
  buses_are_read();
  long_files();
  is_read_behind_a_mark();
  refused("", "describes no node");
  refused("machine x\n", "file:1: must begin with");
  refused("device x cpu\nnode x\n", "file:1: has neither heat nor update");
  refused("device x cpu heat=1 update=1\nnode x\n", "file:1: has no panel");
  refused("device x cuda heat=1\nnode x\n", "file:1: needs to= and from=");
  refused("device x cpu heat=1 heat\nnode x\n", "file:1: must be KEY=VALUE");
  refused("device x cpu heat=1 colour=2\nnode x\n", "file:1: unknown key 'colour'");
  refused("device x cpu heat=1 heat=2\nnode x\n", "file:1: is given twice: 'heat'");
  refused("device x cpu heat=1\nnode 2*x base=1 base=1\n", "file:2: is given twice: 'base'");
  refused("device x cpu heat=1\nnode 2*x\nnetwork bandwidth=1e9\nnetwork bandwidth=1e8\n",
          "file:4: is given twice: 'bandwidth'");
  refused("device x cpu heat=1\nnode 2*x\nnetwork latency=1e-6\nnetwork file=none.json\n",
          "file:4: file=FILE excludes 'latency'");
  refused("device x cpu heat=nan\nnode x\n", "file:1: heat");
  refused("device x cpu heat=1\ndevice x cpu heat=1\n", "file:2: two devices");
  refused("device x cpu heat=1\nnode x*65\n", "64");
  refused("device x cpu heat=1\nnode x*40,x*40\n", "file:2: more than 64");
  refused("device x cpu heat=1\nnode 9999*x\n", "4096");
  refused("device x cpu heat=1\nnode 2*x\n", "no network bandwidth");
  refused("device x cpu heat_table=none.csv\nnode x\n", "none.csv");
  return tap_done();
}
