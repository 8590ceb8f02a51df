/* SPDX-License-Identifier: MIT */
/* Makes chosen CPU workers slow, so that any machine becomes heterogeneous. It is a StarPU profiling tool
 * (STARPU_PROF_TOOL names the library). While a task runs on a dragged worker, a timer interrupts it repeatedly; for
 * each second of processor time of the task, the interrupts spin for factor - 1 seconds. So the program measures its
 * tasks as it would on a slower core, whatever the kernel.
 *
 *   HG_DRAG       [RANK.]WORKER=FACTOR[,..]; FACTOR in 1..1000; RANK: MPI rank, default all
 *   HG_DRAG_THEN  the same, used from task HG_DRAG_AFTER of this process on
 *
 * Ill-formed values end the program, to prevent unintended measurements. */
#include <pthread.h>
#include <signal.h>
#include <starpu.h>
#include <starpu_profiling_tool.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 256, SLICE = 20000 /* ns between interrupts */ };

typedef struct plan {
  double factor[WORKERS]; /* 0: not dragged */
} plan;

static plan drag, then;
static long after = -1;
static atomic_long begun;

static _Thread_local timer_t timer;
static _Thread_local bool has_timer;
static _Thread_local volatile double factor; /* of the task that runs here; 0: none */
static _Thread_local volatile double last;   /* s of processor time, when it last ran freely */

static double processor_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void refuse(const char *name, const char *text)
{
  fprintf(stderr, "drag: %s: '%s', must be [RANK.]WORKER=FACTOR[,..]\n", name, text);
  _Exit(2);
}

static int own_rank(void)
{
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  return rank ? atoi(rank) : 0;
}

static void parse(const char *name, plan *p)
{
  const char *text = getenv(name), *at = text;
  while (at && *at) {
    char *end;
    long rank = own_rank(), worker = strtol(at, &end, 10);
    if (end == at) refuse(name, text);
    if (*end == '.') {
      rank = worker;
      at = end + 1;
      worker = strtol(at, &end, 10);
      if (end == at) refuse(name, text);
    }
    if (*end != '=' || worker < 0 || worker >= WORKERS) refuse(name, text);
    at = end + 1;
    const double value = strtod(at, &end);
    if (end == at || !(value >= 1 && value <= 1000) || (*end && *end != ',')) refuse(name, text);
    if (rank == own_rank()) p->factor[worker] = value;
    at = *end ? end + 1 : end;
  }
}

static void set_timer(void)
{
  timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = SLICE}, NULL);
}

/* Spins for the processor time that the task has had since the last spin. */
static void pay(double times)
{
  const double now = processor_time(), until = now + (times - 1) * (now - last);
  while (processor_time() < until) {
  }
  last = processor_time();
}

static void interrupt(int signal)
{
  (void)signal;
  if (factor <= 0) return;
  pay(factor);
  set_timer();
}

static void make_timer(void)
{
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
    perror("drag: timer_create");
    _Exit(2);
  }
  has_timer = true;
}

static void begin_task(struct starpu_prof_tool_info *info, union starpu_prof_tool_event_info *event,
                       struct starpu_prof_tool_api_info *api)
{
  (void)info, (void)event, (void)api;
  const int id = starpu_worker_get_id(); /* the task's own field says who was asked for */
  const long number = atomic_fetch_add(&begun, 1);
  const plan *p = after >= 0 && number >= after ? &then : &drag;
  if (id < 0 || id >= WORKERS || p->factor[id] <= 1) return;
  if (!has_timer) make_timer();
  last = processor_time();
  factor = p->factor[id];
  set_timer();
}

static void end_task(struct starpu_prof_tool_info *info, union starpu_prof_tool_event_info *event,
                     struct starpu_prof_tool_api_info *api)
{
  (void)info, (void)event, (void)api;
  const double times = factor;
  factor = 0; /* a pending interrupt does not spin */
  if (times > 0) pay(times);
}

void starpu_prof_tool_library_register(starpu_prof_tool_entry_register_func reg,
                                       starpu_prof_tool_entry_register_func unreg);
void starpu_prof_tool_library_register(starpu_prof_tool_entry_register_func reg,
                                       starpu_prof_tool_entry_register_func unreg)
{
  (void)unreg;
  parse("HG_DRAG", &drag);
  parse("HG_DRAG_THEN", &then);
  if (getenv("HG_DRAG_AFTER")) after = atol(getenv("HG_DRAG_AFTER"));
  sigaction(SIGRTMIN + 3, &(struct sigaction){.sa_handler = interrupt, .sa_flags = SA_RESTART}, NULL);
  reg(starpu_prof_tool_event_start_cpu_exec, begin_task, starpu_prof_tool_command_reg);
  reg(starpu_prof_tool_event_end_cpu_exec, end_task, starpu_prof_tool_command_reg);
}
