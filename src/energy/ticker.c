/* SPDX-License-Identifier: MIT */
#include "energy/ticker.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/locale.h"

static struct timespec later(double seconds)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  const double whole = floor(seconds);
  t.tv_sec += (time_t)whole;
  t.tv_nsec += (long)((seconds - whole) * 1e9);
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

static void *run(void *arg)
{
  hg_ticker *t = arg;
  hg_locale_take();
  pthread_mutex_lock(&t->lock);
  struct timespec next = later(t->period);
  while (!t->stop) {
    if (pthread_cond_timedwait(&t->wake, &t->lock, &next) == 0) continue;
    t->tick(t->arg);
    next = later(t->period);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

hg_status hg_ticker_start(hg_ticker *t, double period, void (*tick)(void *arg), void *arg)
{
  pthread_condattr_t clock;
  *t = (hg_ticker){.period = period, .tick = tick, .arg = arg};
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->wake, &clock);
  pthread_condattr_destroy(&clock);
  const int error = pthread_create(&t->thread, NULL, run, t);
  t->running = error == 0;
  return error ? hg_fail(HG_RUNTIME, "the thread that reads counters cannot be started: %s", strerror(error)) : HG_OK;
}

void hg_ticker_stop(hg_ticker *t)
{
  if (!t->running) return;
  pthread_mutex_lock(&t->lock);
  t->stop = true;
  pthread_cond_signal(&t->wake);
  pthread_mutex_unlock(&t->lock);
  pthread_join(t->thread, NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->lock);
  t->running = false;
}
