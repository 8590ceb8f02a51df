/* SPDX-License-Identifier: MIT */
/* A policy's queries of StarPU's models, and its cache of the answers. */
#include <math.h>

#include "runtime/policy_state.h"
#include "schedulers/costs.h"
#include "schedulers/model_cache.h"
#include "schedulers/workers.h"

enum { VECTORS = 3, MATRICES = 2 };

static starpu_data_handle_t vector[VECTORS], matrix[MATRICES]; /* 10, 10, 20; 4 x 8, 8 x 4 */
static double values[32];
static int asked;
static bool refused; /* to worker 1 */

static double counted(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned implementation)
{
  (void)task, (void)arch, (void)implementation;
  asked++;
  return 5e6;
}

static int may(unsigned worker, struct starpu_task *task, unsigned implementation)
{
  (void)task, (void)implementation;
  return worker == 0 || !refused;
}

static size_t own_size(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned implementation)
{
  (void)task, (void)arch, (void)implementation;
  return 7;
}

static struct starpu_perfmodel by_call = {.type = STARPU_PER_ARCH,
                                          .arch_cost_function = counted,
                                          .symbol = "hetgrid_calls"},
                               history = {.type = STARPU_HISTORY_BASED, .symbol = "hetgrid_history"},
                               sized = {.type = STARPU_HISTORY_BASED, .symbol = "hetgrid_sized"};
static struct starpu_codelet plain = {.cpu_funcs = {nothing}, .model = &by_call},
                             choosy = {.cpu_funcs = {nothing}, .model = &by_call, .can_execute = may},
                             known = {.cpu_funcs = {nothing}, .model = &history, .nbuffers = 1, .modes = {STARPU_R}},
                             other = {.cpu_funcs = {nothing}, .model = &history, .nbuffers = 1, .modes = {STARPU_R}},
                             loose = {.cpu_funcs = {nothing},
                                      .nbuffers = 2,
                                      .model = &history,
                                      .modes = {STARPU_R, STARPU_R | STARPU_NOFOOTPRINT}},
                             by_size = {.cpu_funcs = {nothing}, .model = &sized, .nbuffers = 1, .modes = {STARPU_R}};

static struct starpu_task *task_of(int i, struct starpu_codelet *cl, starpu_data_handle_t data)
{
  task(i, 1, 2);
  tasks[i].cl = cl;
  tasks[i].handles[0] = data;
  return &tasks[i];
}

/* Enough measurements of `us` for StarPU to use them. */
static void measured(struct starpu_codelet *cl, starpu_data_handle_t data, double us)
{
  for (int i = 0; i < 40; i++)
    starpu_perfmodel_update_history(cl->model, task_of(0, cl, data),
                                    starpu_worker_get_perf_archtype(0, STARPU_NMAX_SCHED_CTXS), 0, 0, us);
}

static void begin_data(void)
{
  static const unsigned size[VECTORS] = {10, 10, 20};
  for (int i = 0; i < VECTORS; i++)
    starpu_vector_data_register(&vector[i], STARPU_MAIN_RAM, (uintptr_t)values, size[i], sizeof *values);
  for (unsigned i = 0; i < MATRICES; i++)
    starpu_matrix_data_register(&matrix[i], STARPU_MAIN_RAM, (uintptr_t)values, 4 << i, 4 << i, 8 >> i, sizeof *values);
}

static void end_data(void)
{
  for (int i = 0; i < VECTORS; i++) starpu_data_unregister(vector[i]);
  for (int i = 0; i < MATRICES; i++) starpu_data_unregister(matrix[i]);
}

static void workers_alike_are_asked_once(void)
{
  static hg_model_estimate m;
  begin();
  asked = 0;
  hg_sched_ask_models(&policy, task_of(0, &plain, NULL), &m);
  tap_ok(asked == 1 && m.seconds[0] == 5 && m.seconds[1] == 5, "of equal workers one is asked (%d)", asked);
  hg_sched_ask_models(&policy, task_of(0, &choosy, NULL), &m);
  tap_ok(asked == 2 && m.seconds[1] == 5, "... also if the program restricts the task's workers (%d)", asked);
  refused = true;
  hg_sched_ask_models(&policy, task_of(0, &choosy, NULL), &m);
  tap_ok(m.seconds[0] == 5 && isinf(m.seconds[1]), "... who are not all of them (%g, %g)", m.seconds[0], m.seconds[1]);
  refused = false;
  hg_sched_ask_models(&policy, task(0, 1, 2), &m);
  tap_ok(m.seconds[0] == 1 && m.seconds[1] == 2, "... unless each has its own model (%g, %g)", m.seconds[0],
         m.seconds[1]);
  w1->member = false;
  hg_sched_ask_models(&policy, task_of(0, &plain, NULL), &m);
  tap_ok(m.seconds[0] == 5 && isinf(m.seconds[1]), "a worker that has left cannot run a task (%g, %g)", m.seconds[0],
         m.seconds[1]);
  w1->member = true;
  w0->member = false;
  hg_sched_ask_models(&policy, task_of(0, &plain, NULL), &m);
  tap_ok(isinf(m.seconds[0]) && m.seconds[1] == 5, "... and the others still can (%g, %g)", m.seconds[0], m.seconds[1]);
}

static bool alike(struct starpu_task *a, struct starpu_task *b)
{
  return hg_sched_shape(a) == hg_sched_shape(b);
}

static void shapes_tell_tasks_apart(void)
{
  begin();
  tap_ok(alike(task_of(0, &known, vector[0]), task_of(1, &known, vector[1])), "data of equal size: one shape");
  tap_ok(!alike(task_of(0, &known, vector[0]), task_of(1, &known, vector[2])), "... of unequal size: two");
  tap_ok(!alike(task_of(0, &known, matrix[0]), task_of(1, &known, matrix[1])), "... 4 x 8 and 8 x 4: two");
  tap_ok(!alike(task_of(0, &known, vector[0]), task_of(1, &other, vector[0])), "another codelet: another shape");
  struct starpu_codelet local = known;
  const uint64_t before = hg_sched_shape(task_of(0, &local, vector[0]));
  local.cpu_funcs[1] = nothing;
  tap_ok(hg_sched_shape(&tasks[0]) != before, "... or one in its place, with other implementations");
  local = (struct starpu_codelet){.cpu_funcs = {nothing}, .model = &sized, .nbuffers = 1, .modes = {STARPU_R}};
  tap_ok(hg_sched_shape(&tasks[0]) != before, "... or with another model");
  task_of(0, &known, vector[0]);
  task_of(1, &known, vector[0])->where = STARPU_CPU | STARPU_CUDA;
  tap_ok(!alike(&tasks[0], &tasks[1]), "... another place to run");
  for (int i = 0; i < 2; i++) task_of(i, &loose, vector[0])->handles[1] = vector[1 + i];
  tap_ok(alike(&tasks[0], &tasks[1]), "data with STARPU_NOFOOTPRINT do not count");
  loose.can_execute = may;
  tap_ok(hg_sched_shape(&tasks[0]) == 0, "a task whose workers the program restricts has none");
  tap_ok(hg_sched_shape(task_of(0, &plain, NULL)) == 0, "... nor has one whose times a function of the program gives");
}

static uint64_t shape_of(struct starpu_codelet *cl, starpu_data_handle_t data)
{
  return hg_sched_shape(task_of(0, cl, data));
}

/* Whether the answer about a task is cached. */
static bool kept(struct starpu_task *t, hg_model_estimate *m, uint64_t as)
{
  hg_sched_ask_models(&policy, t, m);
  hg_sched_store_model(&policy, t, as, m);
  return hg_sched_lookup_model(&policy, as, false, m);
}

static void answers_are_kept(void)
{
  static hg_model_estimate m;
  begin();
  measured(&known, vector[0], 3e6);
  const uint64_t known_shape = shape_of(&known, vector[1]), last = known_shape + 4;
  tap_ok(kept(task_of(0, &known, vector[0]), &m, known_shape) && m.seconds[0] == 3, "a measured time (%g s) is cached",
         m.seconds[0]);
  measured(&known, vector[0], 4e6);
  int tasks_since = 0;
  while (hg_sched_lookup_model(&policy, known_shape, true, &m) && m.seconds[1] == 3) tasks_since++;
  tap_int(tasks_since, 32, "... for 32 tasks of its shape, and then asked again");
  tap_ok(kept(&tasks[0], &m, known_shape) && m.seconds[0] > 3, "... which may be longer by now (%g s)", m.seconds[0]);
  tap_ok(!hg_sched_lookup_model(&policy, known_shape + 1, false, &m), "... not for another shape");
  tap_ok(!kept(task_of(0, &known, vector[2]), &m, known_shape + 2) && isnan(m.seconds[0]),
         "what is not known yet is asked again");
  tap_ok(kept(task_of(0, &plain, NULL), &m, last) && m.seconds[0] == 5, "a function's answer is cached for its task");
  m.implementation[1] = 2;
  hg_sched_store_model(&policy, &tasks[0], last, &m);
  m = (hg_model_estimate){.workers = 0};
  tap_ok(hg_sched_lookup_model(&policy, last, false, &m) && m.workers == 2 && m.implementation[1] == 2,
         "... with its implementation");
  hg_sched_count_workers(&policy);
  tap_ok(!hg_sched_lookup_model(&policy, last, false, &m), "... until workers come or go");
  hg_sched_ask_models(&policy, &tasks[0], &m);
  hg_sched_count_workers(&policy);
  hg_sched_store_model(&policy, &tasks[0], last, &m);
  tap_ok(!hg_sched_lookup_model(&policy, last, false, &m), "... also between the answer and its storage");
}

static void models_with_sizes_of_their_own_are_asked(void)
{
  static hg_model_estimate m;
  begin();
  measured(&by_size, vector[0], 3e6);
  tap_ok(kept(task_of(0, &by_size, vector[0]), &m, 1), "a model by sizes of data");
  starpu_perfmodel_set_per_devices_size_base(&sized, 0, own_size, STARPU_CPU_WORKER, 0, 1, -1);
  begin();
  tap_ok(!kept(task_of(0, &by_size, vector[0]), &m, 1),
         "... and is asked each time if it has a size function of its own");
}

/* Expected s of a task of so many flops on worker 0, if models know nothing of its kind. */
static double expected_of(double flops)
{
  task_of(0, &known, vector[2])->flops = flops;
  return hg_sched_expected(&policy, &(hg_ready){.task = &tasks[0]}, 0);
}

static void took(double flops, double seconds)
{
  task_of(0, &known, vector[2])->flops = flops;
  hg_sched_measured(&policy, &tasks[0], 0, 0, seconds);
}

static void unknown_times_go_by_flops(void)
{
  begin();
  tap_near(expected_of(1e9), 1e-3, 0, "without GPUs all unknown tasks are equal");
  took(1e9, .5);
  tap_near(expected_of(4e9), 2, 1e-9, "one of .5 s: four times the flops take four times as long");
  tap_near(expected_of(0), .5, 1e-9, "... or equally long if their flops are unknown");
  tap_near(hg_sched_guess(2e10, false, 1), 2, 1e-12, "with a GPU a core is assumed to do 10 GFLOP/s");
  tap_near(hg_sched_guess(2e10, true, 1), 2.02e-3, 1e-12, "... and the GPU 10 TFLOP/s, and 20 us more");
  tap_near(hg_sched_guess(0, false, 1), 1e-3, 0, "... unless flops are not known");
}

int main(void)
{
  setenv("STARPU_CALIBRATE", "2", 1);
  if (!begin_runtime()) return 77;
  begin_data();
  workers_alike_are_asked_once();
  shapes_tell_tasks_apart();
  answers_are_kept();
  models_with_sizes_of_their_own_are_asked();
  unknown_times_go_by_flops();
  end_data();
  starpu_shutdown();
  return tap_done();
}
