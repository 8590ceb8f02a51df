/* SPDX-License-Identifier: MIT */
/* The record of passes, and its picture for few and many workers, no items, and GPUs. */
#include "divisible/pass_log.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tap.h"

/* Worker w does w + 1 items/s; the last one, a GPU, ten times as many in two streams. */
static hg_status add(hg_passes *p, int number, int64_t share)
{
  hg_pass *pass;
  HG_TRY(hg_passes_next(p, &pass));
  HG_TRY(hg_allocate("chunks", ((size_t)p->workers + 1) * sizeof *pass->chunk, (void **)&pass->chunk));
  pass->number = number;
  pass->state = "learning";
  pass->chunks = share > 0 ? p->workers + 1 : 0;
  for (int w = 0; w < p->workers; w++) {
    const double speed = (w + 1) * (p->cuda[w] ? 10 : 1), items = (double)share;
    pass->worker[w] = (hg_pass_worker){.items = items, .seconds = items / speed};
    hg_pass_know(&(hg_partial_speed){.count = share > 0, .point = {{items, speed, 1}}}, &pass->worker[w]);
    pass->chunk[w] = (hg_pass_chunk){w, items, 0, items / speed, items / speed};
    pass->seconds = items;
  }
  hg_pass_chunk *last = &pass->chunk[p->workers - 1];
  last[1] = (hg_pass_chunk){p->workers - 1, 1, last->end, last->end * 1.5, last->end * 2};
  return HG_OK;
}

static hg_status make(int workers, int passes, int64_t share, hg_passes *p)
{
  HG_TRY(hg_passes_begin(workers, p));
  p->cuda[workers - 1] = true;
  for (int w = 0; w < workers; w++) snprintf(p->name[w], HG_PASSES_NAME, "%s %d", p->cuda[w] ? "CUDA" : "CPU", w);
  for (int i = 1; i <= passes; i++) HG_TRY(add(p, i, share));
  return HG_OK;
}

static long size_of(const char *path)
{
  FILE *in = fopen(path, "r");
  if (!in) return -1;
  fseek(in, 0, SEEK_END);
  const long size = ftell(in);
  fclose(in);
  return size;
}

static void is_drawn(int workers, int passes, int64_t share, const char *what)
{
  char path[200];
  hg_passes p;
  hg_status status = make(workers, passes, share, &p);
  snprintf(path, sizeof path, "%s/hetgrid-passes-%d-%d.png", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", workers,
           (int)share);
  if (status == HG_OK) status = hg_passes_draw(path, "test", share * workers, &p);
  const long size = size_of(path);
  tap_ok(status == HG_OK && size > 5000, "%s are drawn: %ld bytes %s", what, size, status ? hg_message() : "");
  remove(path);
  hg_passes_end(&p);
}

static void the_first_and_the_last_are_kept(void)
{
  hg_passes p;
  tap_ok(make(2, 20, 4, &p) == HG_OK, "20 passes");
  tap_int(p.count, HG_PASSES_KEPT, "are not all kept");
  tap_int(p.pass[0].number, 1, "the first one is");
  tap_int(p.pass[HG_PASSES_KEPT - 2].number, HG_PASSES_KEPT - 1, "those after it are");
  tap_int(p.pass[HG_PASSES_KEPT - 1].number, 20, "the last one is");
  tap_ok(p.pass[0].worker[1].at[0] == 4 && p.pass[0].worker[1].speed[0] == 20, "with what was known");
  hg_passes_end(&p);
}

int main(void)
{
  the_first_and_the_last_are_kept();
  is_drawn(2, 3, 10, "a CPU and a GPU");
  is_drawn(1, 1, 1, "one worker and one item");
  is_drawn(40, 2, 100, "40 workers");
  is_drawn(3, 1, 0, "passes without items");
  return tap_done();
}
