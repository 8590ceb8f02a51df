/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "base/locale.h"

enum { PARTS_MAX = 64 };

typedef struct share {
  hg_part *work;
  void *arg;
  int part, parts;
  pthread_t thread;
  bool begun;
} share;

static void *run(void *arg)
{
  HG_C_LOCALE;
  const share *s = arg;
  s->work(s->arg, s->part, s->parts);
  return NULL;
}

static int cores(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void hg_parallel(int most, hg_part *work, void *arg)
{
  share list[PARTS_MAX];
  int parts = cores();
  if (parts > most) parts = most > 1 ? most : 1;
  if (parts > PARTS_MAX) parts = PARTS_MAX;
  for (int i = 0; i < parts; i++) {
    list[i] = (share){.work = work, .arg = arg, .part = i, .parts = parts};
    list[i].begun = i > 0 && pthread_create(&list[i].thread, NULL, run, &list[i]) == 0;
  }
  for (int i = 0; i < parts; i++)
    if (!list[i].begun) run(&list[i]);
  for (int i = 0; i < parts; i++)
    if (list[i].begun) pthread_join(list[i].thread, NULL);
}
