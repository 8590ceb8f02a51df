/* SPDX-License-Identifier: MIT
 * Slower time. A thread that has used t seconds of a core sleeps (stretch - 1) t at the next point where threads meet
 * (a mutex is locked or unlocked, or CUDA is called). So each thread takes 1 / stretch of a core, and as many threads
 * as the node has cores can run on few. */
#include "node.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int clock_function(clockid_t, struct timespec *);
typedef int sleep_function(clockid_t, int, const struct timespec *, struct timespec *);
typedef int mutex_function(pthread_mutex_t *);
typedef void *specific_function(pthread_key_t);
typedef int timed_function(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static clock_function *real_clock;
static sleep_function *real_sleep;
static timed_function *real_timedwait;
static mutex_function *real_lock, *real_unlock, *real_trylock;

static const int64_t SECOND = 1000000000; /* ns */
static int64_t worth = 40000;             /* ns; smaller debts are kept */
static double stretch = 1;
static double owed = 0; /* s that a thread sleeps per second of work */
static int64_t origin_monotonic, origin_real;
static atomic_bool begun;
static bool counts_locks;
static double jitter; /* share of the meeting points at which a thread sleeps */
static atomic_llong late_sum, slept_sum, behind_sum, behind_count; /* real ns */

static __thread struct {
  bool known, own, main;
  int64_t seen, cpu; /* time of the last look at the clock, and the thread's processor time then */
  int64_t debt;      /* ns still to be slept */
  int looks;         /* calls of pthread_getspecific since the last meeting point */
  int64_t told[2];   /* latest times read by the thread, ns since the origins of the monotonic and the real clock */
} self;

static int64_t read_clock(clockid_t id)
{
  struct timespec t;
  real_clock(id, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

__attribute__((constructor)) static void set_up(void)
{
  real_clock = (clock_function *)dlsym(RTLD_NEXT, "clock_gettime");
  real_sleep = (sleep_function *)dlsym(RTLD_NEXT, "clock_nanosleep");
  real_timedwait = (timed_function *)dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  origin_monotonic = read_clock(CLOCK_MONOTONIC);
  origin_real = read_clock(CLOCK_REALTIME);
  stretch = node_setting("NODE_STRETCH", 32);
  jitter = node_setting("NODE_JITTER", 0);
  counts_locks = node_setting("NODE_LOCKS", 0) != 0;
  owed = fmax(0, stretch / node_value("core", "clock", 1) - 1);
  worth = (int64_t)(node_setting("NODE_GRAIN", 4e-6) * stretch * 1e9);
}

static void sleep_until(int64_t time)
{
  const struct timespec t = {time / SECOND, time % SECOND};
  while (real_sleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

static void note_late(int64_t slept, int64_t late)
{
  atomic_fetch_add(&slept_sum, slept);
  atomic_fetch_add(&late_sum, late);
}

/* Sleeps as long as the thread owes; if a sleep lasts too long, the thread owes less next time. */
static void pay(int64_t now)
{
  const int64_t deadline = now + self.debt;
  sleep_until(deadline);
  const int64_t late = read_clock(CLOCK_MONOTONIC) - deadline;
  atomic_fetch_add(&behind_sum, late);
  atomic_fetch_add(&behind_count, 1);
  self.debt = -late;
  self.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
  self.seen = deadline + late;
}

static const double SHORT = 4; /* times `worth` */

/* ns to sleep for the processor time since the last look. */
static int64_t worked(void)
{
  return (int64_t)((double)(read_clock(CLOCK_THREAD_CPUTIME_ID) - self.cpu) * owed);
}

/* ns to sleep after `passed` ns: a thread seen just now has worked since then; otherwise it may have waited. */
static int64_t earned(double passed)
{
  return passed < SHORT * (double)worth ? (int64_t)passed : worked();
}

static void charge(void)
{
  if (!real_clock || self.own) return;
  const int64_t now = read_clock(CLOCK_MONOTONIC);
  if (!self.known) {
    self.known = true;
    prctl(PR_SET_TIMERSLACK, 1);
    self.seen = now;
    self.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
    return;
  }
  const double passed = (double)(now - self.seen) * owed;
  if (passed + (double)self.debt < (double)worth) return;
  self.debt += earned(passed);
  self.seen = now;
  if (self.debt >= worth)
    pay(now);
  else
    self.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Sleeps at random, so that threads meet in other orders than on a quiet machine. */
static void disturb(void)
{
  const uint32_t LONGEST = 1 << 18; /* ns */
  static __thread uint64_t state;
  if (!state) state = (uint64_t)read_clock(CLOCK_MONOTONIC) ^ (uintptr_t)&state;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  if ((double)(state >> 11) * 0x1p-53 >= jitter) return;
  sleep_until(read_clock(CLOCK_MONOTONIC) + (int64_t)(state % LONGEST));
}

/* The program's first thread is not timed before it submits a task with known time. */
static void meet(void)
{
  if (!self.known) self.main = getpid() == gettid();
  if (self.main && !atomic_load_explicit(&begun, memory_order_relaxed)) return;
  self.looks = 0;
  if (jitter > 0) disturb();
  charge();
}

/* A worker that waits for data spins: it only asks for its own identity again and again. On the node spinning takes
 * the time of the wait; here it would keep cores from other threads. */
static void spin(void)
{
  self.looks = 0;
  self.debt = worth;
  pay(read_clock(CLOCK_MONOTONIC));
  self.debt = 0;
}

void node_begin(void)
{
  if (!atomic_exchange(&begun, true)) self.known = false, self.debt = 0;
}

void node_own_work(bool begins)
{
  if (begins) charge();
  self.own = begins;
  if (!begins) self.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void node_spend(double seconds)
{
  self.debt += (int64_t)(seconds * stretch * 1e9);
  meet();
}

static int64_t of_node(int64_t real)
{
  return (int64_t)((double)real / stretch);
}

double node_now(void)
{
  return (double)(read_clock(CLOCK_MONOTONIC) - origin_monotonic) / stretch * 1e-9;
}

void node_sleep_until(double time)
{
  const int64_t begin = read_clock(CLOCK_MONOTONIC);
  const int64_t wanted = origin_monotonic + (int64_t)(time * stretch * 1e9);
  const int64_t deadline = wanted + self.debt; /* includes what the thread owes */
  if (deadline <= begin) {
    self.debt = deadline - begin;
    return;
  }
  sleep_until(deadline);
  const int64_t late = read_clock(CLOCK_MONOTONIC) - deadline;
  note_late(deadline - begin, late);
  self.debt = -late;
  self.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
  self.seen = deadline + late;
}

/* ns that the thread still has to sleep for its work so far; its own clock includes them. */
static int64_t unpaid(int64_t now)
{
  if (!self.known || self.own || (self.main && !atomic_load_explicit(&begun, memory_order_relaxed))) return 0;
  const int64_t sum = self.debt + earned((double)(now - self.seen) * owed);
  return sum > 0 ? sum : 0;
}

/* A thread's debt is an estimate until it is paid; nevertheless its clock never goes back. */
static int64_t told(bool real, int64_t passed)
{
  int64_t *last = &self.told[real];
  if (passed > *last) *last = passed;
  return *last;
}

/* The origin of a clock that shows the node's time; 0 for other clocks. */
static int64_t origin_of(clockid_t id)
{
  if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) return origin_real;
  if (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME)
    return origin_monotonic;
  return 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
  if (!real_clock) real_clock = (clock_function *)dlsym(RTLD_NEXT, "clock_gettime");
  const int64_t origin = origin_of(id);
  if (!origin) return real_clock(id, t);
  const int64_t passed = read_clock(origin == origin_real ? CLOCK_REALTIME : CLOCK_MONOTONIC) - origin;
  const int64_t time = origin + told(origin == origin_real, of_node(passed + unpaid(read_clock(CLOCK_MONOTONIC))));
  t->tv_sec = time / SECOND;
  t->tv_nsec = time % SECOND;
  return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  t->tv_sec = now.tv_sec;
  t->tv_usec = now.tv_nsec / 1000;
  return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
  (void)left;
  charge();
  node_sleep_until(node_now() + (double)wanted->tv_sec + 1e-9 * (double)wanted->tv_nsec);
  return 0;
}

int usleep(useconds_t us)
{
  charge();
  node_sleep_until(node_now() + 1e-6 * us);
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict t)
{
  const int64_t time = t->tv_sec * SECOND + t->tv_nsec;
  const int64_t origin =
      time > 1000000000 * SECOND ? origin_real : origin_monotonic; /* a condition's clock is one of these */
  const int64_t real = origin + (int64_t)((double)(time - origin) * stretch);
  const struct timespec deadline = {real / SECOND, real % SECOND};
  return real_timedwait(c, m, &deadline);
}

/* How long threads waited for which mutex, if NODE_LOCKS is set. */
typedef struct {
  _Atomic(const void *) mutex;
  atomic_llong taken, waited, total, longest; /* count, count, real ns, ns */
  atomic_llong of_devices;                    /* ns waited by drivers of GPUs */
} lock_record;
enum { LOCKS = 4096 };
static lock_record records[LOCKS];

static __thread struct {
  const void *mutex;
  int64_t since;
} wanted;

static lock_record *record_of(const void *m)
{
  size_t at = ((uintptr_t)m >> 4) * 2654435761u % LOCKS;
  for (int i = 0; i < LOCKS; i++, at = (at + 1) % LOCKS) {
    const void *there = NULL;
    if (atomic_load(&records[at].mutex) == m || atomic_compare_exchange_strong(&records[at].mutex, &there, m) ||
        there == m)
      return &records[at];
  }
  return &records[0];
}

/* Recognises StarPU's threads by their names. */
static bool drives_device(void)
{
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  return strncmp(name, "CUDA", 4) == 0;
}

static void note_wanted(const void *m)
{
  if (counts_locks && wanted.mutex != m) wanted.mutex = m, wanted.since = read_clock(CLOCK_MONOTONIC);
}

static void note_taken(const void *m)
{
  if (!counts_locks) return;
  lock_record *r = record_of(m);
  atomic_fetch_add(&r->taken, 1);
  if (wanted.mutex != m) return;
  const int64_t waited = read_clock(CLOCK_MONOTONIC) - wanted.since;
  wanted.mutex = NULL;
  atomic_fetch_add(&r->waited, 1);
  atomic_fetch_add(&r->total, waited);
  if (drives_device()) atomic_fetch_add(&r->of_devices, waited);
  if (waited > atomic_load(&r->longest)) atomic_store(&r->longest, waited);
}

static void say_locks(void)
{
  enum { SAID = 4 };
  for (int i = 0; counts_locks && i < SAID; i++) {
    lock_record *most = &records[0];
    for (int at = 0; at < LOCKS; at++)
      if (atomic_load(&records[at].total) > atomic_load(&most->total)) most = &records[at];
    fprintf(stderr,
            "node: mutex %p: taken %lld times, waited for %lld times, %.3f s in all (GPUs' drivers %.3f), %.1f us "
            "on average, %.0f at most\n",
            most->mutex, most->taken, most->waited, 1e-9 * (double)most->total / stretch,
            1e-9 * (double)most->of_devices / stretch,
            1e-3 * (double)most->total / stretch / fmax((double)most->waited, 1),
            1e-3 * (double)most->longest / stretch);
    atomic_store(&most->total, 0);
  }
}

/* The library may be called before it is set up. */
static mutex_function *found(mutex_function **f, const char *name)
{
  if (!*f) *f = (mutex_function *)dlsym(RTLD_NEXT, name);
  return *f;
}

int node_lock(pthread_mutex_t *m)
{
  return found(&real_lock, "pthread_mutex_lock")(m);
}

int node_unlock(pthread_mutex_t *m)
{
  return found(&real_unlock, "pthread_mutex_unlock")(m);
}

int pthread_mutex_trylock(pthread_mutex_t *m)
{
  meet();
  const int status = found(&real_trylock, "pthread_mutex_trylock")(m);
  if (status == 0)
    note_taken(m);
  else
    note_wanted(m);
  return status;
}

int pthread_mutex_lock(pthread_mutex_t *m)
{
  if (pthread_mutex_trylock(m) == 0) return 0;
  const int status = node_lock(m);
  if (self.known) self.seen = read_clock(CLOCK_MONOTONIC);
  note_taken(m);
  return status;
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
  meet();
  return node_unlock(m);
}

int sched_yield(void)
{
  meet();
  return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
  const int MANY = 64; /* calls between two meeting points */
  static specific_function *real;
  if (!real) real = (specific_function *)dlsym(RTLD_NEXT, "pthread_getspecific");
  if (self.known && !self.own && ++self.looks > MANY) spin();
  return real(key);
}

__attribute__((destructor)) static void say_lateness(void)
{
  const double MOST = 6; /* us */
  const double late = (double)atomic_load(&late_sum), slept = (double)atomic_load(&slept_sum);
  const double behind = (double)atomic_load(&behind_sum) / fmax((double)atomic_load(&behind_count), 1) / stretch;
  say_locks();
  if (slept <= 0 || node_setting("NODE_REPORT", 0) == 0) return;
  fprintf(stderr, "node: stretch %g; tasks ended late by %.2f %%, threads continued %.1f us late%s", stretch,
          100 * late / slept, 1e-3 * behind, 1e-3 * behind > MOST ? ": DISTURBED, do not use these times" : "");
  fprintf(stderr, "; memory of GPUs was freed %d times\n", node_freed());
}
