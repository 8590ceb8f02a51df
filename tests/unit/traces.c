/* SPDX-License-Identifier: MIT */
/* Reading and explaining traces: a small run with known answers, and wrong files. */
#include <stdlib.h>
#include <unistd.h>

#include "hetgrid.h"
#include "tap.h"

static char folder[] = "/tmp/hetgrid-traces-XXXXXX";

static void put(const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (f) fputs(text, f);
  if (f) fclose(f);
}

static void drop(const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  unlink(path);
}

/* ms:        10        20        30        40
 *  0:CPU0  [A 10..20]           [D 30..40]
 *  1:CPU0            [C 22..29]                  A -> message -> C -> D; B is alone; D waits for C across the ranks
 *  0:CPU1  [B 10..13]                                                                                          */
static const char tasks[] =
    "Name: a\nJobId: 0_1\nWorkerId: 0\nSubmitTime: 10.0\nStartTime: 10.0\nEndTime: 20.0\nGFlop: 0.5\nIteration: 0\n"
    "Handles: aa bb\nModes: RW R\nMPIRank: 0\n\n"
    "Name: b\nJobId: 0_2\nWorkerId: 1\nSubmitTime: 10.5\nStartTime: 10.0\nEndTime: 13.0\nHandles: bb\nModes: "
    "W\nMPIRank: 0\n\n"
    "JobId: 0_3\nDependsOn: 0_1 0_1\nMPIRank: 0\n\n"
    "JobId: 1_7\nMPIRank: 1\n\n"
    "Name: c\nJobId: 1_8\nDependsOn: 1_7\nWorkerId: 0\nSubmitTime: 11.0\nStartTime: 22.0\nEndTime: 29.0\n"
    "Handles: aa\nModes: RW\nMPIRank: 1\n\n"
    "JobId: 0_9\nMPIRank: 0\n\n\n"
    "Name: a\nJobId: 0_10\nDependsOn: 0_9\nWorkerId: 0\nSubmitTime: 12.0\nStartTime: 30.0\nEndTime: 40.0\nMPIRank: 0\n";
static const char comms[] =
    "Src: 0\nDst: 1\nSendTime: 20.0\nRecvTime: 22.0\nSendJobId: 0_3\nRecvJobId: 1_7\nSize: 800\n\n"
    "Src: 1\nDst: 0\nSendTime: 29.0\nRecvTime: 30.0\nSendJobId: 1_8\nRecvJobId: 0_9\nSize: 200\n";
static const char data[] = "Handle: aa\nMPIRank: 0\nCoordinates: 4 0\n\nHandle: bb\nMPIRank: 0\nCoordinates: 0 0\n\n"
                           "Handle: aa\nMPIRank: 1\nCoordinates: 4 0\n";
static const char paje[] =
    "%EventDef PajeCreateContainer 7\n%\tTime date\n%\tAlias string\n%\tType string\n%\tContainer string\n"
    "%\tName string\n%EndEventDef\n%EventDef PajeSetState 10\n%\tTime date\n%\tContainer string\n%\tType string\n"
    "%\tValue string\n%EndEventDef\n%EventDef PajeDefineEntityValue 6\n%\tAlias string\n%\tType string\n%\tName "
    "string\n"
    "%\tColor color\n%EndEventDef\n%EventDef PajeStartLink 18\n%\tTime date\n%\tType string\n%\tContainer string\n"
    "%\tValue string\n%\tStartContainer string\n%\tKey string\n%EndEventDef\n%EventDef PajeEndLink 19\n%\tTime date\n"
    "%\tType string\n%\tContainer string\n%\tValue string\n%\tEndContainer string\n%\tKey string\n%EndEventDef\n"
    "6 a WS a \"1.0 0.5 0\"\n7 0 0_w0 W 0_t1 0_CPU0\n7 0 0_w1 W 0_t2 \"0_CPU1\"\n7 0 0_w2 W 0_t3 0_CUDA0\n"
    "10 10.0 0_w0 WS a\n10 20.0 0_w0 WS Fi\n10 24.0 0_w0 WS B\n10 25.0 0_w0 WS I\n10 30 0_w0 WS a\n10 40 0_w0 WS I\n"
    "18 21 F 0_p 5000 0_mm0 com_3\n19 23 F 0_p 5000 0_mm1 com_3\n";

static void one_memory_has_no_transfers(void)
{
  hg_trace t;
  hg_trace_summary s;
  char uncopied[sizeof paje];
  snprintf(uncopied, sizeof uncopied, "%.*s", (int)(strstr(paje, "18 21 F") - paje), paje);
  put("paje.trace", uncopied);
  if (!tap_ok(hg_trace_read(folder, &t) == HG_OK && hg_trace_summarise(&t, &s) == HG_OK, "a run without copies"))
    return;
  tap_near(s.worker[0].transfer, 0, 0, "... waits for no other memory");
  tap_near(s.worker[0].overhead, .005, 1e-12, "... but for the runtime");
  hg_trace_summary_free(&s);
  hg_trace_free(&t);
  put("paje.trace", paje);
}

static void a_small_run(void)
{
  hg_trace t;
  hg_trace_summary s;
  put("tasks.rec", tasks);
  put("comms.rec", comms);
  put("data.rec", data);
  put("paje.trace", paje);
  put("run.csv", "title,a run\nplanned,0,1,900\n");
  put("tiles.csv", "x,y,z,columns,rows,layers\n0,0,0,4,6,1\n4,0,0,2,6,1\n");
  put("ages.csv", "block,sweeps,stale,oldest,age0,..\n0,9,4,70,5,1,1,0,0,0,0,2\n2,1,0,0,1,0,0,0,0,0,0,0\n"
                  "1,8,0,0,8,0,0,0,0,0,0\n1,3,0,0,3,0,0,0,0,0,0,0\n");
  put("flops.rec", "JobId: 1_8\nFlops: 123456789\n\nJobId: 1_9\nFlops: 5\n");
  if (!tap_ok(hg_trace_read(folder, &t) == HG_OK && hg_trace_summarise(&t, &s) == HG_OK, "a run of 4 tasks is read %s",
              hg_message()))
    return;
  tap_int(s.tasks, 4, "tasks that ran");
  tap_int(t.blocks, 2, "blocks that did not wait; a line out of order and one that is cut off are left out");
  tap_ok(t.blocks == 2 && t.ages[0].oldest == 70 && t.ages[0].age[HG_AGES - 1] == 2 && t.ages[1].sweeps == 3,
         "how old what they read was");
  tap_int(t.workers, 4, "workers, one of them idle");
  tap_ok(t.workers == 4 && strcmp(t.worker[2].name, "CUDA0") == 0 && t.worker[3].rank == 1,
         "workers by rank and number");
  tap_near(s.seconds, .030, 1e-12, "seconds from the first submission to the last end");
  tap_near(s.worker[0].busy, .020, 1e-12, "worker 0 busy");
  tap_near(s.worker[0].transfer, .004, 1e-12, "worker 0 fetching");
  tap_near(s.worker[0].overhead, .001, 1e-12, "worker 0 overhead");
  tap_near(s.worker[0].idle, .005, 1e-12, "worker 0 idle");
  tap_near(s.imbalance, .020 / (.030 / 4), 1e-9, "imbalance");
  tap_near(s.longest_chain, .027, 1e-12, "longest chain: a, c and a again");
  tap_int(s.chain_tasks, 3, "tasks in it");
  tap_near(s.path_tasks, .027, 1e-12, "they delayed the end");
  tap_near(s.path_waits, .003, 1e-12, "with the messages between them");
  tap_near(s.path_kind[0], .020, 1e-12, "a's part of that");
  tap_int(s.links, 3, "links");
  tap_ok(s.links == 3 && s.link[0].network && s.link[0].bytes == 800 && s.link[0].planned == 900 &&
             isnan(s.link[1].planned),
         "bytes from rank 0 to 1, and the plan");
  tap_ok(s.links == 3 && !s.link[2].network && s.link[2].bytes == 5000 && s.link[2].to == 1, "bytes to memory node 1");
  tap_int(t.kind[0].colour, 0xff8000, "colour of a");
  tap_near(t.kind[0].colour == 0xff8000 ? s.kind[0].flops : 0, 5e8, 1, "its flops");
  tap_near(s.kind[2].flops, 123456789, 0, "those of c, which were known only afterwards");
  tap_int(t.tiles, 2, "tiles, one of them on both ranks");
  tap_ok(t.tiles == 2 && t.tile[0].extent[0] == 4 && t.tile[1].at[0] == 4 && t.tile[1].extent[0] == 2, "their extents");
  double *seconds;
  if (hg_trace_tile_times(&t, &seconds) == HG_OK) {
    tap_near(seconds[1 * t.workers + 0], .010, 1e-12, "tile 4,0 written by rank 0");
    tap_near(seconds[1 * t.workers + 3], .007, 1e-12, "and by rank 1");
    free(seconds);
  }
  tap_ok(s.waits > 0 && s.wait[0].worker == 2 && s.wait[0].next < 0, "the longest wait is that of the idle worker");
  bool found = false;
  for (int i = 0; i < s.waits; i++)
    found |= s.wait[i].worker == 3 && s.wait[i].reason == HG_TRACE_ON_MESSAGE && s.wait[i].cause >= 0 &&
             t.task[s.wait[i].cause].job == 1;
  tap_ok(found, "rank 1 waited for the message after job 1");
  hg_trace_summary_free(&s);
  hg_trace_free(&t);
}

static void refused(const char *text, hg_status status, const char *part, const char *name)
{
  hg_trace t;
  put("tasks.rec", text);
  hg_status got = hg_trace_read(folder, &t);
  if (got == HG_OK) hg_trace_free(&t);
  tap_int(got, status, name);
  tap_contains(hg_message(), part, "... with its place");
}

static void wrong_files(void)
{
  drop("comms.rec");
  drop("paje.trace");
  drop("flops.rec");
  refused("Name: x\nJobId: none\n", HG_FORMAT, "tasks.rec:", "a job without number");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 2\nEndTime: 1\n", HG_FORMAT, "EndTime 1 is before StartTime 2",
          "a task that ends before it begins");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 1\nEndTime: 2", HG_FORMAT, "truncated", "a file that is cut off");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 0x10\nEndTime: 20\n", HG_FORMAT, "StartTime '0x10'", "base 16");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 1x\nEndTime: 2\n", HG_FORMAT, "StartTime '1x'", "half a number");
  refused("Name: x\nJobId: 1\nStartTime: soon\n", HG_FORMAT, "StartTime 'soon'", "an invalid time");
  refused("no colon here\n", HG_FORMAT, "'Key: value'", "a line without a key");
  refused("", HG_INVALID, "no task", "an empty file");
  refused("Name: x\nJobId: 1\nDependsOn: 2\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n\nJobId: 2\nDependsOn: 1\n", HG_OK,
          "", "tasks on a cycle are no reason to fail");
  refused("\xef\xbb\xbfName: x\r\nJobId: 1\r\nWorkerId: 0\r\nStartTime: 1\r\nEndTime: 2\r\n\r\n", HG_OK, "",
          "a byte order mark and Windows' ends of lines");
  put("run.csv", "origin,1");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n", HG_FORMAT,
          "run.csv:1: the last line has no line feed", "notes that are cut off");
  drop("run.csv");
  put("paje.trace", "%EventDef PajeSetState 10\n%\tTime date\n%EndEventDef\n10 3.25\n10 3.5");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n", HG_FORMAT,
          "paje.trace:5: the last line has no line feed", "states that are cut off");
  put("paje.trace", "%EventDef PajeSetState 10\n%\tTime date\n%\tContainer string\n%EndEventDef\n10 3\n");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n", HG_FORMAT, "paje.trace:5: has 1 of 2",
          "half an event");
  put("paje.trace", "%EventDef PajeDefineEntityValue 6\n%\tAlias string\n%\tType string\n%\tName string\n%\tColor "
                    "color\n%EndEventDef\n6\t\tWS\t\t\"0.1 0.4 0.5\" \n6\t_1\tCtx1\t\t\"1 0 1\" \n");
  refused("Name: \nJobId: 1\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n", HG_OK, "", "a codelet whose name is empty");
  drop("paje.trace");
  put("flops.rec", "JobId: 1\nFlops: -3\n");
  refused("Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n", HG_FORMAT, "flops.rec:3", "negative flops");
  drop("flops.rec");
  drop("tasks.rec");
  hg_trace t;
  tap_int(hg_trace_read(folder, &t), HG_IO, "a folder without tasks");
}

/* 0, 1, 2..3, 4..7, .., 64 and more. */
static void ages_have_classes(void)
{
  static const int64_t age[] = {0, 1, 2, 3, 4, 7, 8, 63, 64, 1000000};
  hg_block_ages a = {0};
  for (size_t i = 0; i < sizeof age / sizeof *age; i++) hg_ages_count(&a, age[i]);
  tap_ok(a.age[0] == 1 && a.age[1] == 1 && a.age[2] == 2 && a.age[3] == 2 && a.age[4] == 1 && a.age[6] == 1 &&
             a.age[7] == 2,
         "ages fall into their classes: %g %g %g %g %g %g %g %g", a.age[0], a.age[1], a.age[2], a.age[3], a.age[4],
         a.age[5], a.age[6], a.age[7]);
  tap_near(a.oldest, 1e6, 0, "the largest is kept");
}

int main(void)
{
  ages_have_classes();
  if (!mkdtemp(folder)) return 99;
  a_small_run();
  one_memory_has_no_transfers();
  wrong_files();
  static const char *const files[] = {"tasks.rec", "comms.rec", "data.rec", "paje.trace",
                                      "run.csv",   "tiles.csv", "ages.csv", "flops.rec"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) drop(files[i]);
  rmdir(folder);
  return tap_done();
}
