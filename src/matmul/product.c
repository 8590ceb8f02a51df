/* SPDX-License-Identifier: MIT */
#include "matmul/product.h"

#include <starpu.h>
#include <stdlib.h>

#include "codelets/lu/lu_codelet.h"
#include "runtime/record.h"
#include "runtime/task_data.h"
#include "runtime/worker_usage.h"

/* Panels submitted ahead of the one that is computed: those of later ones arrive meanwhile. */
enum { AHEAD = 4 };

/* A worker's tasks, which follow each other: a GPU begins one before the last has ended. */
typedef struct watch {
  double end, busy; /* s */
} watch;

/* Of one worker. */
typedef struct pieces {
  starpu_data_handle_t a[AHEAD], b[AHEAD]; /* NULL: none */
  bool owns_b;                             /* else b is another worker's */
  struct starpu_task *task[AHEAD];         /* that uses them, waited for before they go; NULL: none */
  watch watch;
} pieces;

static struct starpu_codelet codelet;

void hg_matmul_prepare(void)
{
  hg_lu_prepare();
  hg_use_watch();
  codelet = hg_lu_update_codelet;
  codelet.name = "multiply";
}

static double seconds(const struct timespec *t)
{
  return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

/* On the worker, after a task. */
static void note(void *arg)
{
  watch *w = arg;
  const struct starpu_profiling_task_info *info = starpu_task_get_current()->profiling_info;
  if (!info) return;
  const double start = seconds(&info->start_time), end = seconds(&info->end_time);
  w->busy += end - (start > w->end ? start : w->end);
  w->end = end;
}

static hg_lu_task *make_argument(hg_matmul_part *p, bool fresh)
{
  hg_lu_task *argument = malloc(sizeof *argument);
  if (argument)
    *argument = (hg_lu_task){.is_float = p->problem->precision == HG_FLOAT,
                             .reverse = true,
                             .fresh = fresh,
                             .tiles = 1,
                             .failure = &p->failure};
  return argument;
}

static hg_status submit(const hg_matmul_run *run, int worker, pieces *mine, int panel, double flops)
{
  const bool fresh = run->fresh && panel == run->first;
  const int slot = panel % AHEAD;
  struct starpu_task *task = starpu_task_create();
  task->cl = &codelet;
  task->handles[0] = mine->b[slot];
  task->handles[1] = run->part->piece[worker].handle;
  task->handles[2] = mine->a[slot];
  task->modes[0] = task->modes[2] = STARPU_R;
  task->modes[1] = fresh ? STARPU_W : STARPU_RW;
  task->nbuffers = 3;
  task->cl_arg = make_argument(run->part, fresh);
  task->cl_arg_size = sizeof(hg_lu_task);
  task->cl_arg_free = 1;
  task->execute_on_a_specific_worker = 1;
  task->workerid = (unsigned)worker;
  task->flops = flops;
  task->detach = 0;
  task->epilogue_callback_func = note;
  task->epilogue_callback_arg = &mine->watch;
  task->callback_func = hg_record_task();
  task->callback_arg = hg_record_number();
  const int error = task->cl_arg ? starpu_task_submit(task) : -ENOMEM;
  if (error) {
    task->destroy = 0;
    starpu_task_destroy(task);
  } else {
    mine->task[slot] = task;
  }
  return hg_task_status(error, codelet.name);
}

/* Values that tasks only read: no task waits for another one by them. */
static starpu_data_handle_t make_piece(const hg_matmul_part *p, void *at, int64_t ld, int64_t rows, int64_t cols)
{
  starpu_data_handle_t handle = hg_matmul_register(p, at, ld, rows, cols);
  starpu_data_set_sequential_consistency_flag(handle, 0);
  return handle;
}

/* On its way to a device at once: StarPU itself would send it only when the task before has ended. */
static void send_piece(int worker, starpu_data_handle_t handle)
{
  const unsigned node = starpu_worker_get_memory_node((unsigned)worker);
  if (node != STARPU_MAIN_RAM) starpu_data_prefetch_on_node(handle, node, 1);
}

/* Waits until the panel in a slot is done. */
static hg_status release_slot(pieces *piece, int workers, int slot)
{
  int error = 0;
  for (int w = 0; w < workers; w++) {
    if (piece[w].task[slot] && !error) error = starpu_task_wait(piece[w].task[slot]);
    piece[w].task[slot] = NULL;
  }
  for (int w = 0; w < workers; w++) {
    if (piece[w].a[slot]) starpu_data_unregister_no_coherency(piece[w].a[slot]);
    if (piece[w].b[slot] && piece[w].owns_b) starpu_data_unregister_no_coherency(piece[w].b[slot]);
    piece[w].a[slot] = piece[w].b[slot] = NULL;
  }
  return hg_task_status(error, codelet.name);
}

/* A worker before this one whose columns of B are the same, or -1. */
static int with_same_columns(const hg_matmul_run *run, int worker)
{
  const hg_box *mine = &run->box[worker];
  int w = 0;
  while (!run->part->piece[w].handle || run->box[w].lo[0] != mine->lo[0] || run->box[w].hi[0] != mine->hi[0]) w++;
  return w < worker ? w : -1;
}

static hg_status submit_panel(const hg_matmul_run *run, pieces *piece, int panel)
{
  const hg_matmul_part *p = run->part;
  const int depth = hg_matmul_depth(p->problem, panel), slot = panel % AHEAD;
  for (int w = 0; w < p->session->workers; w++) {
    const hg_box *box = &run->box[w];
    const int64_t rows = hg_matmul_int(hg_box_extent(box, 1)), cols = hg_matmul_int(hg_box_extent(box, 0));
    if (!p->piece[w].handle) continue;
    const int same = with_same_columns(run, w);
    piece[w].owns_b = same < 0;
    piece[w].a[slot] = make_piece(p, hg_matmul_part_a(p, panel, box->lo[1]), p->lda, rows, depth);
    piece[w].b[slot] =
        same < 0 ? make_piece(p, hg_matmul_part_b(p, panel, box->lo[0]), depth, depth, cols) : piece[same].b[slot];
    send_piece(w, piece[w].a[slot]);
    send_piece(w, piece[w].b[slot]);
    HG_TRY(submit(run, w, &piece[w], panel, 2. * (double)rows * (double)cols * depth));
  }
  return HG_OK;
}

static hg_status compute(const hg_matmul_run *run, pieces *piece)
{
  const int workers = run->part->session->workers;
  for (int panel = run->first; panel < run->end; panel++) {
    if (run->bring) HG_TRY(run->bring(run->bring_arg, panel));
    HG_TRY(release_slot(piece, workers, panel % AHEAD));
    if (run->progress && panel >= AHEAD) run->progress(run->progress_arg, panel - AHEAD + 1);
    HG_TRY(submit_panel(run, piece, panel));
  }
  return HG_OK;
}

hg_status hg_matmul_compute(const hg_matmul_run *run)
{
  hg_matmul_part *p = run->part;
  const int workers = p->session->workers;
  pieces *piece = calloc((size_t)workers + 1, sizeof *piece);
  if (!piece) return hg_fail(HG_MEMORY, "no memory for %d workers", workers);
  hg_status status = hg_matmul_part_hold(p, run->box);
  if (status == HG_OK) status = compute(run, piece);
  for (int slot = 0; slot < AHEAD; slot++) {
    const hg_status ended = release_slot(piece, workers, slot);
    if (status == HG_OK) status = ended;
  }
  for (int w = 0; w < workers; w++) run->busy[w] = piece[w].watch.busy;
  free(piece);
  if (!run->goes_on || status != HG_OK) hg_matmul_part_collect(p);
  const hg_status failed = hg_failure_take(&p->failure);
  return status == HG_OK ? failed : status;
}
