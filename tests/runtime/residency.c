/* SPDX-License-Identifier: MIT */
/* What a policy keeps in a memory: how much data it requests there, what stays on a GPU, and what is released. */
#include <starpu.h>

#include "runtime/policy_state.h"
#include "schedulers/constants.h"
#include "schedulers/memory.h"
#include "schedulers/prefetch.h"
#include "schedulers/hetgrid_sched.h"

static struct starpu_codelet readers = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_R}, .model = &model};
static struct starpu_codelet updaters = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &model};

static void memories_are_claimed(void)
{
  static char bytes[400];
  starpu_data_handle_t handle;
  begin();
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)bytes, sizeof bytes, 1);
  hg_ready a = {.task = with_data(0, &readers, handle)}, b = {.task = with_data(1, &updaters, handle)};
  hg_memory *m = &policy.memory[STARPU_MAIN_RAM];
  tap_ok(hg_sched_reserve(&policy, 0, &a) && m->reserved == 0, "a memory without a limit has room");
  m->bytes = 1000;
  tap_ok(hg_sched_reserve(&policy, 0, &a) && m->reserved == 400, "requested data count");
  tap_ok(!hg_sched_reserve(&policy, 0, &b) && m->reserved == 400, "... up to 0.7 of the memory");
  hg_sched_release(&policy, 0, &a);
  m->reserved = 100;
  m->resident = 600;
  tap_ok(!hg_sched_reserve(&policy, 0, &b), "... and up to 0.9 of it together with resident data");
  m->resident = 300;
  tap_ok(hg_sched_reserve(&policy, 0, &b) && m->reserved == 500, "... within both limits they fit");
  hg_sched_release(&policy, 0, &b);
  m->bytes = 1e9;
  int asked = 0;
  while (asked < 2 * HG_AHEAD && hg_sched_reserve(&policy, 0, &b)) asked++;
  tap_int(asked, 12, "data of so many waiting tasks are requested at a time");
  while (asked < 2 * HG_AHEAD && hg_sched_reserve(&policy, 0, &a)) asked++;
  tap_int(asked, HG_AHEAD, "... and of more tasks that only read: other memories can have copies, too");
  for (; asked >= 12; asked--) hg_sched_release(&policy, 0, &b);
  tap_ok(hg_sched_reserve(&policy, 0, &b) && hg_sched_reserve(&policy, 1, &b),
         "... another one once a task is taken, and for each worker");
  int ids[STARPU_NMAXWORKERS];
  m->bytes = 1e18; /* a single worker has less than three tenths of it */
  w0->taken = w1->taken = 1;
  w1->begun = 1;
  tap_ok(hg_sched_blocked_on_memory(&policy, ids) == 1 && ids[0] == w0->id,
         "in a full memory a worker waits for room until its task begins");
  w0->taken = 0;
  tap_int(hg_sched_blocked_on_memory(&policy, ids), 0, "... if it has one");
  starpu_data_unregister(handle);
}

enum { TILES = 200, BYTES = 8 };

/* Number of tiles that stay in memories 1 and 2, to which all were dealt in turns; -1 if one is in the wrong memory. */
static int staying(starpu_data_handle_t *handle, unsigned memory)
{
  int count = 0;
  for (int i = 0; i < TILES; i++) {
    if (!hg_sched_is_resident(&policy, memory, handle[i])) continue;
    if (1 + i % 2 != (int)memory) return -1;
    count++;
  }
  return count;
}

static void what_stays_makes_room(void)
{
  static char bytes[TILES][BYTES];
  starpu_data_handle_t handle[TILES];
  begin();
  w0->node = 1;
  policy.largest = 10 * BYTES;
  for (int i = 0; i < TILES; i++) {
    starpu_vector_data_register(&handle[i], STARPU_MAIN_RAM, (uintptr_t)bytes[i], BYTES, 1);
    hg_map_set(&policy.resident, handle[i], 1 + i % 2);
    policy.memory[1 + i % 2].resident += BYTES;
  }
  w0->started = hg_sched_now() - 1e3;
  w0->mean_estimate = 1;
  w1->begun = 1;
  hg_sched_evict(&policy, 0);
  tap_int(staying(handle, 1), TILES / 2, "resident data stay while another worker runs, which may make room");
  w1->begun = 0;
  w0->mean_estimate = 1e3;
  hg_sched_evict(&policy, 0);
  tap_int(staying(handle, 1), TILES / 2, "... and if tasks take as long as this worker has waited");
  w0->mean_estimate = 1;
  hg_sched_evict(&policy, 0);
  tap_int(staying(handle, 1), TILES / 2 - 10, "... otherwise as much is evicted as a task needs");
  tap_ok(policy.memory[1].resident == BYTES * (TILES / 2 - 10), "... and no longer counts");
  policy.largest = 1e6;
  hg_sched_evict(&policy, 0);
  tap_int(staying(handle, 1), 0, "... or all");
  tap_int(staying(handle, 2), TILES / 2, "... but not from other memories");
  for (int i = 0; i < TILES; i++) starpu_data_unregister(handle[i]);
  hg_map_clear(&policy.resident);
}

/* How many of ten tiles of 10 MB still stay in a memory of 200 MB when a task begins there that reads `megabytes`; or
 * when one `ended` that read the first tile, which another reads if it is `wanted`. */
static int staying_beside(uint32_t megabytes, bool wanted, bool ended)
{
  enum { MANY = 10, MB = 1000000 };
  static char byte;
  starpu_data_handle_t tile[MANY], other;
  int count = 0;
  begin();
  w0->node = 1;
  policy.limited = 1;
  policy.memory[1].bytes = 200e6;
  for (int i = 0; i < MANY; i++) {
    starpu_vector_data_register(&tile[i], STARPU_MAIN_RAM, (uintptr_t)&byte, 10 * MB, 1);
    hg_map_set(&policy.resident, tile[i], 1);
    policy.memory[1].resident += 10 * MB;
  }
  starpu_vector_data_register(&other, STARPU_MAIN_RAM, (uintptr_t)&byte, megabytes * MB, 1);
  for (int i = 0; i < 2; i++) with_data(i, &readers, ended ? tile[0] : other);
  if (wanted) hg_sched_submitted(&policy, &tasks[1], &(hg_model_estimate){.workers = 1, .seconds = {1}});
  if (ended)
    hg_sched_let_go_unwanted(&policy, &tasks[0]);
  else
    hg_sched_make_resident(&policy, 0, &tasks[0], -1);
  for (int i = 0; i < MANY; i++) count += hg_sched_is_resident(&policy, 1, tile[i]);
  if (policy.memory[1].resident != 10. * MB * count) count = -1;
  for (int i = 0; i < MANY; i++) starpu_data_unregister(tile[i]);
  starpu_data_unregister(other);
  hg_task_graph_free(&policy.graph);
  hg_map_clear(&policy.resident);
  return count;
}

/* Whether data that pass through a GPU's memory are still known to do so when a core begins a task. */
static void cores_release_nothing(void)
{
  static char byte[2];
  starpu_data_handle_t data[2];
  begin();
  policy.limited = 1;
  for (int i = 0; i < 2; i++) starpu_vector_data_register(&data[i], STARPU_MAIN_RAM, (uintptr_t)&byte[i], 1, 1);
  hg_map_set(&policy.resident, data[0], STARPU_MAIN_RAM);
  hg_sched_make_resident(&policy, 0, with_data(0, &readers, data[1]), -1);
  tap_int(hg_map_find(&policy.resident, data[0]), STARPU_MAIN_RAM, "a core's task releases no data");
  for (int i = 0; i < 2; i++) starpu_data_unregister(data[i]);
  hg_map_clear(&policy.resident);
}

static void what_stays_leaves_room_for_what_runs(void)
{
  tap_int(staying_beside(60, false, false), 10, "100 MB stay beside a task of 60 in a memory of 200");
  tap_int(staying_beside(100, false, false), 6, "... not beside one of 100, with StarPU's chunk of 32 MiB");
  tap_int(staying_beside(300, false, false), 0, "... and nothing beside one that has no room at all");
  tap_int(staying_beside(1, true, true), 10, "what a task has read stays if another will read it");
  tap_int(staying_beside(1, false, true), 9, "... and does not if it was the last");
}

/* Whether data that a task updates stay in a nearly full memory if the task also reads so many bytes and another task
 * will update the data; `elsewhere`: a task that no worker runs writes them, too. */
static bool stays_beside(uint32_t read, bool elsewhere)
{
  static struct starpu_codelet both = {
      .cpu_funcs = {nothing}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}, .model = &model};
  static char updated[100], other[100];
  starpu_data_handle_t handle[2];
  begin();
  w0->node = 1;
  policy.limited = 1;
  policy.memory[1].bytes = 1e6;
  starpu_vector_data_register(&handle[0], STARPU_MAIN_RAM, (uintptr_t)updated, sizeof updated, 1);
  starpu_vector_data_register(&handle[1], STARPU_MAIN_RAM, (uintptr_t)other, read, 1);
  int node = -1;
  for (int i = 0; i < 2; i++) {
    task(i, 1, 1)->cl = &both;
    for (int b = 0; b < 2; b++) tasks[i].handles[b] = handle[b];
    const int n = hg_sched_submitted(&policy, &tasks[i], &(hg_model_estimate){.workers = 1, .seconds = {1}});
    if (i == 0) node = n;
  }
  hg_sched_make_resident(&policy, 0, &tasks[0], node);
  if (elsewhere) {
    hg_sched_let_go_for(&policy, &tasks[1]);
    tap_ok(!hg_sched_is_resident(&policy, 1, handle[0]) && policy.memory[1].resident == 0, "... which lets them go");
    hg_sched_make_resident(&policy, 0, &tasks[0], node);
  }
  const bool stays = hg_sched_is_resident(&policy, 1, handle[0]);
  hg_task_graph_free(&policy.graph);
  hg_map_clear(&policy.resident);
  for (int i = 0; i < 2; i++) starpu_data_unregister(handle[i]);
  return stays;
}

static void what_is_updated_stays(void)
{
  tap_ok(stays_beside(50, false), "data that a task updates stay if it reads half as much besides");
  tap_ok(!stays_beside(51, false), "... not if it reads more, which needs the room");
  tap_ok(!stays_beside(50, true), "... nor before a task that StarPU itself runs somewhere writes it");
}

int main(void)
{
  if (!begin_runtime()) return 77;
  memories_are_claimed();
  what_stays_makes_room();
  what_stays_leaves_room_for_what_runs();
  cores_release_nothing();
  what_is_updated_stays();
  starpu_shutdown();
  return tap_done();
}
