/* SPDX-License-Identifier: MIT */
#include "runtime/task_overhead.h"

#include <starpu.h>

#include "base/clock.h"
#include "runtime/session.h"

static void nothing(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
}

static struct starpu_codelet empty = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "empty"};

/* Runs a chain of tasks that modify one value; it cannot start while the submitter holds the value. */
static hg_status run_chain(void *arg, double *seconds)
{
  enum { TASKS = 5000 };
  starpu_data_handle_t value = *(starpu_data_handle_t *)arg;
  int error = starpu_data_acquire(value, STARPU_RW);
  for (int i = 0; i < TASKS && !error; i++) error = starpu_task_insert(&empty, STARPU_RW, value, 0);
  const double start = hg_now();
  starpu_data_release(value);
  starpu_task_wait_for_all();
  *seconds = (hg_now() - start) / TASKS;
  return error ? hg_fail(HG_RUNTIME, "StarPU refused empty tasks: error %d", error) : HG_OK;
}

static hg_status measure(hg_timing *out)
{
  double number = 0;
  starpu_data_handle_t value;
  starpu_variable_data_register(&value, STARPU_MAIN_RAM, (uintptr_t)&number, sizeof number);
  const hg_status status = hg_measure_runs(run_chain, &value, out);
  starpu_data_unregister(value);
  return status;
}

hg_status hg_task_cost(hg_timing *out)
{
  hg_session session = {.rank = 0};
  hg_status status = hg_session_join(NULL, &session);
  if (status == HG_OK) status = hg_session_open(&(hg_session_options){.sched = NULL}, &session);
  if (status == HG_OK) status = measure(out);
  hg_session_close(&session);
  return status;
}
