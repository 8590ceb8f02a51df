/* SPDX-License-Identifier: MIT */
/* Readers of traces, analyses and pictures of them. The input's first byte chooses the file. */
#include <unistd.h>

#include "fuzz.h"
#include "hetgrid.h"

static char folder[] = "/tmp/hetgrid-fuzz-XXXXXX";
enum { FILES = 8 };
static const char *const names[FILES] = {"tasks.rec", "data.rec",  "comms.rec", "paje.trace",
                                         "run.csv",   "tiles.csv", "ages.csv",  "flops.rec"};

static void put(const char *name, const void *bytes, size_t size)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  if (!f) return;
  fwrite(bytes, 1, size, f);
  fclose(f);
}

static const char tasks[] = "Name: a\nJobId: 0_1\nWorkerId: 0\nStartTime: 1\nEndTime: 2\nHandles: a b\nModes: RW R\n\n"
                            "Name: b\nJobId: 1_2\nDependsOn: 0_1\nWorkerId: 1\nSubmitTime: 1\nStartTime: 2\nEndTime: "
                            "3\nHandles: a\nModes: W\nMPIRank: 1\n";
static const char data[] = "Handle: a\nCoordinates: 1 2 3\n\nHandle: b\nMPIRank: 0\nCoordinates: 4\n";
static const char comms[] = "Src: 0\nDst: 1\nSendTime: 2\nRecvTime: 3\nSize: 8\nSendJobId: 0_1\nRecvJobId: 1_2\n";
static const char paje[] =
    "%EventDef PajeCreateContainer 7\n%Time date\n%Alias string\n%Type string\n%Name string\n%EndEventDef\n"
    "%EventDef PajeSetState 10\n%Time date\n%Container s\n%Type s\n%Value s\n%EndEventDef\n"
    "7 0 0_w0 W CPU0\n10 1 0_w0 WS Fi\n10 2 0_w0 WS B\n10 3 0_w0 WS I\n";
static const char run[] = "title,x\nplanned,0,1,8\n", tiles[] = "1,2,3,4,5,6\n4,0,0,1,1,1\n";
static const char ages[] = "0,9,4,70,5,1,1,0,0,0,0,2\n", flops[] = "JobId: 1_2\nFlops: 5\n";
static const char *const whole[FILES] = {tasks, data, comms, paje, run, tiles, ages, flops};

/* Pictures take a thousand times as long as everything else. */
static void draw(hg_trace_drawing *drawing, const hg_trace *t, const hg_trace_summary *s, FILE *out)
{
  static int64_t count;
  hg_canvas c;
  if (count++ % 400 > 1) return;
  if (hg_canvas_begin(&c) == HG_OK && drawing(&c, t, s) == HG_OK) hg_canvas_write(&c, out, "x.svg", 0, NULL);
  hg_canvas_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  static FILE *nowhere;
  if (!nowhere) {
    nowhere = fopen("/dev/null", "w");
    if (!mkdtemp(folder)) return 0;
  }
  if (size < 1 || !nowhere) return 0;
  for (int i = 0; i < FILES; i++) put(names[i], whole[i], strlen(whole[i]));
  put(names[bytes[0] % FILES], bytes + 1, size - 1);
  hg_trace t;
  hg_trace_summary s;
  if (hg_trace_read(folder, &t) == HG_OK) {
    if (hg_trace_summarise(&t, &s) == HG_OK) {
      hg_trace_summary_print(nowhere, &t, &s);
      hg_trace_summary_csv(nowhere, &t, &s);
      hg_trace_write_chrome(nowhere, &t, &s);
      draw(hg_trace_draw_gantt, &t, &s, nowhere);
      draw(hg_trace_draw_map, &t, &s, nowhere);
      hg_trace_compare(nowhere, &t, &s, &t, &s);
      hg_trace_summary_free(&s);
    }
    hg_trace_free(&t);
  }
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static uint8_t store[FILES][1024];
  fuzz_seed seeds[FILES];
  for (int i = 0; i < FILES; i++) {
    store[i][0] = (uint8_t)i;
    memcpy(store[i] + 1, whole[i], strlen(whole[i]));
    seeds[i] = (fuzz_seed){store[i], strlen(whole[i]) + 1};
  }
  int result = fuzz_main("the trace reader", "traces", seeds, FILES, 20000);
  for (int i = 0; i < FILES; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
  return result;
}
#endif
