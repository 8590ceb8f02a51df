/* SPDX-License-Identifier: MIT */
#include "traces/report.h"

#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "traces/build.h"
#include "traces/draw.h"
#include "traces/paje_write.h"

hg_status hg_trace_write(const char *path, hg_trace_writer *write, const hg_trace *t, const hg_trace_summary *s)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_file_begin(path, temporary, &out));
  return hg_file_end(out, temporary, path, write(out, t, s));
}

static hg_status write_text(FILE *out, const hg_trace *trace, const hg_trace_summary *summary)
{
  hg_trace_summary_print(out, trace, summary);
  return HG_OK;
}

static hg_status write_csv(FILE *out, const hg_trace *trace, const hg_trace_summary *summary)
{
  hg_trace_summary_csv(out, trace, summary);
  return HG_OK;
}

static hg_status write_file(const char *folder, const char *name, hg_trace_writer *write, const hg_trace *t,
                            const hg_trace_summary *s)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(folder, name, path));
  return hg_trace_write(path, write, t, s);
}

static hg_status draw_file(const char *folder, const char *name, hg_trace_drawing *drawing, const hg_trace *t,
                           const hg_trace_summary *s)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(folder, name, path));
  return hg_trace_draw(path, drawing, t, s);
}

/* StarPU writes one where it has FxT. */
static hg_status write_paje(const char *folder, const hg_trace *t, const hg_trace_summary *s)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(folder, "paje.trace", path));
  return access(path, F_OK) == 0 ? HG_OK : hg_trace_write(path, hg_trace_write_paje, t, s);
}

hg_status hg_trace_report(const char *folder)
{
  hg_trace trace;
  hg_trace_summary summary;
  const hg_status read = hg_trace_read(folder, &trace);
  if (read == HG_INVALID) {
    hg_log(HG_WARN, "%s: there is no report", hg_message());
    hg_clear_message();
    return HG_OK;
  }
  HG_TRY(read);
  hg_status status = hg_trace_summarise(&trace, &summary);
  if (status == HG_OK) {
    status = write_file(folder, "summary.txt", write_text, &trace, &summary);
    if (status == HG_OK) status = write_file(folder, "summary.csv", write_csv, &trace, &summary);
    if (status == HG_OK) status = draw_file(folder, "gantt.svg", hg_trace_draw_gantt, &trace, &summary);
    if (status == HG_OK && trace.written_count)
      status = draw_file(folder, "map.svg", hg_trace_draw_map, &trace, &summary);
    if (status == HG_OK) status = write_paje(folder, &trace, &summary);
    hg_trace_summary_free(&summary);
  }
  hg_trace_free(&trace);
  return status;
}
