/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and in which order waiting tasks reuse it. Data are prefetched only as far as they fit
 * together; more would evict what was just transferred. Where not all fit, the next task is the one that misses the
 * fewest bytes (as in Gonthier, Marchal, Thibault, Memory-aware scheduling of tasks sharing data on multiple GPUs with
 * dynamic runtime systems, IPDPS 2022). */
#include <math.h>

#include "schedulers/constants.h"
#include "schedulers/hints.h"
#include "schedulers/memory.h"

void hg_sched_find_memories(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) {
    const unsigned node = p->worker[w].node;
    const starpu_ssize_t bytes = starpu_node_get_kind(node) == STARPU_CPU_RAM ? -1 : starpu_memory_get_total(node);
    p->memory[node].bytes = bytes > 0 ? (double)bytes : 0;
  }
  p->memories_known = true;
}

bool hg_sched_is_full(const hg_policy *p, unsigned memory)
{
  const double bytes = p->memory[memory].bytes;
  return bytes > 0 && (double)starpu_memory_get_available(memory) < (1 - HG_SHARE) * bytes;
}

int hg_sched_blocked_on_memory(const hg_policy *p, int *ids)
{
  int count = 0;
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].taken > 0 && p->worker[w].begun <= 0 && hg_sched_is_full(p, p->worker[w].node))
      ids[count++] = p->worker[w].id;
  return count;
}

/* A GPU whose tasks wait for data finishes when its link does, not when the tasks of its queue have run one after the
 * other. Data that a task updates count as soon as the task is queued; data that it only reads count if they are
 * requested at once, since other tasks may read them, too. Transfers count with the time they take alone. All
 * transfers to main memory count as if they shared one link. */
void hg_sched_reserve_link(hg_policy *p, int w, double seconds)
{
  double *busy = &p->memory[p->worker[w].node].busy;
  *busy = fmax(*busy, hg_sched_now()) + seconds;
}

/* --- resident data ---
 * Which data stay in a memory that cannot hold all. StarPU evicts the least recently used. Where tasks go through
 * their data cyclically, as sweeps and factorisations do, that is what is needed next, and nothing is ever reused.
 * What is needed last should go (Belady, IBM Systems Journal 5(2), 1966): in a cycle, the data just used. So once a
 * memory is nearly full, the first data that tasks update there stay as long as a known task will use them; all others
 * pass through the remaining room and are written back meanwhile. StarPU's only means for this is write-through: it
 * evicts nothing from a memory that data are written through to, which costs nothing where they already are, and it
 * evicts at once what was written through to main memory. */
bool hg_sched_is_resident(const hg_policy *p, unsigned memory, starpu_data_handle_t handle)
{
  return memory != STARPU_MAIN_RAM && hg_map_find(&p->resident, handle) == (int)memory;
}

enum { ELSEWHERE = -2 }; /* a known task that no worker runs writes the data: they stay nowhere until then */

/* memory: main memory: the data pass through; -1: neither. */
static void set_kept(hg_policy *p, starpu_data_handle_t handle, int memory)
{
  const int before = hg_map_find(&p->resident, handle);
  const double bytes = (double)starpu_data_get_size(handle);
  if (before == memory) return;
  if (before > STARPU_MAIN_RAM) p->memory[before].resident -= bytes;
  if (memory == -1)
    hg_map_forget(&p->resident, handle);
  else if (!hg_map_set(&p->resident, handle, memory))
    memory = -1;
  if (memory > STARPU_MAIN_RAM) p->memory[memory].resident += bytes;
  starpu_data_set_wt_mask(handle, memory < 0 ? 0 : 1U << memory);
}

/* Releases resident data until at most `bytes` stay. Removing an entry moves another into its slot. */
static void let_go(hg_policy *p, unsigned memory, double bytes)
{
  for (int s = 0; s < p->resident.slots && p->memory[memory].resident > bytes; s++)
    while (p->memory[memory].resident > bytes && p->resident.slot[s].key && p->resident.slot[s].value == (int)memory)
      set_kept(p, (starpu_data_handle_t)(uintptr_t)p->resident.slot[s].key, -1);
}

static bool one_runs(const hg_policy *p)
{
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].begun > 0) return true;
  return false;
}

/* StarPU 1.4 does not find all free memory: its allocator loses pieces that are freed alone
 * (scripts/patches/starpu-1.4-freed-pieces.patch). So the room beside resident data may never suffice. */
void hg_sched_evict(hg_policy *p, int w)
{
  const double LONG = 32; /* tasks */
  const unsigned memory = p->worker[w].node;
  const hg_sched_worker *m = &p->worker[w];
  if (one_runs(p) || hg_sched_now() - m->started < LONG * m->mean_estimate) return;
  let_go(p, memory, p->memory[memory].resident - p->largest);
}

void hg_sched_let_go_unwanted(hg_policy *p, struct starpu_task *task)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task) && p->resident.used > 0; b++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!hg_task_graph_wants(&p->graph, handle, -1)) set_kept(p, handle, -1);
  }
}

/* Data written in one memory are written through to where they stay as soon as there is room, and until then no task
 * may write them. So data stay only where the next task that writes them runs. StarPU itself writes data whose parts
 * it puts together or takes apart, and parts inherit the mask. */
void hg_sched_let_go_for(hg_policy *p, struct starpu_task *task)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task) && p->limited > 0; b++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_W)) continue;
    set_kept(p, handle, hg_task_graph_wants(&p->graph, handle, -1) ? ELSEWHERE : -1);
    starpu_data_set_wt_mask(handle, 0);
  }
}

static bool is_updated(struct starpu_task *task, unsigned buffer)
{
  return (STARPU_TASK_GET_MODE(task, buffer) & STARPU_RW) == STARPU_RW;
}

/* Bytes that a task updates, or does not update. */
static double bytes_of(struct starpu_task *task, bool updated)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if (is_updated(task, b) == updated) bytes += (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, b));
  return bytes;
}

double hg_sched_bytes_beside(const hg_policy *p, unsigned memory, struct starpu_task *task)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if (!hg_sched_is_resident(p, memory, STARPU_TASK_GET_HANDLE(task, b)))
      bytes += (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, b));
  return bytes;
}

/* Whether data may become resident: a few tasks must still fit beside them. */
static bool has_room(const hg_policy *p, unsigned memory, double bytes)
{
  const hg_memory *m = &p->memory[memory];
  return m->resident + bytes <= HG_SHARE * m->bytes && m->resident + bytes + HG_IN_FLIGHT * p->largest <= m->bytes;
}

/* Where data that a task updates are kept from now on. Data of a chain are used again at once, so they do not pass
 * through. */
static int place_of(const hg_policy *p, unsigned memory, bool full, starpu_data_handle_t handle, int n)
{
  if (!hg_task_graph_wants(&p->graph, handle, n)) return -1;
  if (hg_sched_is_resident(p, memory, handle)) return (int)memory;
  if (!full) return -1;
  if (has_room(p, memory, (double)starpu_data_get_size(handle))) return (int)memory;
  return n >= 0 && p->graph.node[n].chained ? -1 : STARPU_MAIN_RAM;
}

/* A GPU that waits for its task's data takes no other task, so nothing would make room for them later: resident data go
 * first. StarPU allocates small data in chunks. */
void hg_sched_make_resident(hg_policy *p, int w, struct starpu_task *task, int n)
{
  const double MOST_READ = .5, CHUNK = 32 << 20;
  const unsigned memory = p->worker[w].node;
  if (p->limited == 0 || memory >= HG_SCHED_MASK) return;
  const double updated = bytes_of(task, true), other = bytes_of(task, false);
  p->largest = fmax(p->largest, updated + other);
  if (p->memory[memory].bytes > 0)
    let_go(p, memory, p->memory[memory].bytes - hg_sched_bytes_beside(p, memory, task) - CHUNK);
  const bool reads = other > MOST_READ * updated, full = hg_sched_is_full(p, memory);
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (is_updated(task, b) && hg_map_find(&p->resident, handle) != ELSEWHERE)
      set_kept(p, handle, reads ? -1 : place_of(p, memory, full, handle, n));
  }
}
