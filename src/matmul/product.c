/* SPDX-License-Identifier: MIT */
#include "matmul/product.h"

#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/lu/lu_codelet.h"
#include "runtime/record.h"
#include "runtime/task_data.h"
#include "runtime/worker_usage.h"

enum { AHEAD = HG_MATMUL_AHEAD, TOGETHER = 32 /* most panels of a task */ };

/* Times a worker's tasks, which overlap: a GPU begins one before the previous one has ended. */
typedef struct watch {
  double end, busy; /* s */
} watch;

/* Of one worker. */
typedef struct pieces {
  starpu_data_handle_t a[AHEAD], b[AHEAD][TOGETHER]; /* NULL: none */
  bool owns_b;                                       /* otherwise b belongs to another worker */
  struct starpu_task *task[AHEAD];                   /* that uses them; waited for before their release; NULL: none */
  watch watch;
} pieces;

static struct starpu_codelet codelet;

void hg_matmul_prepare(void)
{
  hg_lu_prepare();
  hg_use_watch();
  codelet = hg_lu_products_codelet;
  codelet.name = "multiply";
}

static double seconds(const struct timespec *t)
{
  return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

/* Called on the worker after a task. */
static void note(void *arg)
{
  watch *w = arg;
  const struct starpu_profiling_task_info *info = starpu_task_get_current()->profiling_info;
  if (!info) return;
  const double start = seconds(&info->start_time), end = seconds(&info->end_time);
  w->busy += end - (start > w->end ? start : w->end);
  w->end = end;
}

/* Panels first .. end - 1 of the product, which one task of a worker adds. */
typedef struct span {
  int first, end, slot;
} span;

static hg_lu_task *make_argument(hg_matmul_part *p, bool fresh, int panels)
{
  hg_lu_task *argument = malloc(sizeof *argument);
  if (argument)
    *argument = (hg_lu_task){
        .is_float = p->problem->precision == HG_FLOAT, .fresh = fresh, .tiles = panels, .failure = &p->failure};
  return argument;
}

static bool list_buffers(const pieces *mine, const span *s, starpu_data_handle_t c, bool fresh,
                         struct starpu_task *task)
{
  const int panels = s->end - s->first;
  task->nbuffers = panels + 2;
  task->dyn_handles = malloc((size_t)task->nbuffers * sizeof *task->dyn_handles);
  task->dyn_modes = malloc((size_t)task->nbuffers * sizeof *task->dyn_modes);
  if (!task->dyn_handles || !task->dyn_modes) return false;
  for (int i = 0; i < task->nbuffers; i++) task->dyn_modes[i] = STARPU_R;
  for (int i = 0; i < panels; i++) task->dyn_handles[i] = mine->b[s->slot][i];
  task->dyn_handles[panels] = c;
  task->dyn_modes[panels] = fresh ? STARPU_W : STARPU_RW;
  task->dyn_handles[panels + 1] = mine->a[s->slot];
  return true;
}

static hg_status submit(const hg_matmul_run *run, int worker, pieces *mine, const span *s, double flops)
{
  const bool fresh = run->fresh && s->first == run->first;
  struct starpu_task *task = starpu_task_create();
  task->cl = &codelet;
  const bool listed = list_buffers(mine, s, run->part->piece[worker].handle, fresh, task);
  task->cl_arg = make_argument(run->part, fresh, s->end - s->first);
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
  const int error = listed && task->cl_arg ? starpu_task_submit(task) : -ENOMEM;
  if (error) {
    task->destroy = 0;
    starpu_task_destroy(task);
  } else {
    mine->task[s->slot] = task;
  }
  return hg_task_status(error, codelet.name);
}

/* A handle of values that tasks only read, so that it creates no dependencies. */
static starpu_data_handle_t make_piece(const hg_matmul_part *p, void *at, int64_t ld, int64_t rows, int64_t cols)
{
  starpu_data_handle_t handle = hg_matmul_register(p, at, ld, rows, cols);
  starpu_data_set_sequential_consistency_flag(handle, 0);
  return handle;
}

/* Starts a copy to a device at once: StarPU itself would start it only when the previous task has ended. */
static void send_piece(int worker, starpu_data_handle_t handle)
{
  const unsigned node = starpu_worker_get_memory_node((unsigned)worker);
  if (node != STARPU_MAIN_RAM) starpu_data_prefetch_on_node(handle, node, 1);
}

/* Waits until the tasks of a slot are done. */
static hg_status release_slot(pieces *piece, int workers, int slot)
{
  int error = 0;
  for (int w = 0; w < workers; w++) {
    if (piece[w].task[slot] && !error) error = starpu_task_wait(piece[w].task[slot]);
    piece[w].task[slot] = NULL;
  }
  for (int w = 0; w < workers; w++) {
    starpu_data_handle_t *b = piece[w].b[slot];
    if (piece[w].a[slot]) starpu_data_unregister_no_coherency(piece[w].a[slot]);
    for (int i = 0; i < TOGETHER && b[i] && piece[w].owns_b; i++) starpu_data_unregister_no_coherency(b[i]);
    piece[w].a[slot] = NULL;
    memset(b, 0, sizeof piece[w].b[slot]);
  }
  return hg_task_status(error, codelet.name);
}

/* An earlier worker with the same columns of B, or -1. */
static int with_same_columns(const hg_matmul_run *run, int worker)
{
  const hg_box *mine = &run->box[worker];
  int w = 0;
  while (!run->part->piece[w].handle || run->box[w].lo[0] != mine->lo[0] || run->box[w].hi[0] != mine->hi[0]) w++;
  return w < worker ? w : -1;
}

/* Makes handles of B's panels for a worker, or uses those of an earlier worker. */
static void make_b(const hg_matmul_run *run, pieces *piece, int worker, const span *s)
{
  const hg_matmul_part *p = run->part;
  const hg_box *box = &run->box[worker];
  const int same = with_same_columns(run, worker);
  piece[worker].owns_b = same < 0;
  for (int i = 0; i < s->end - s->first; i++) {
    const int depth = hg_matmul_depth(p->problem, s->first + i);
    starpu_data_handle_t *b = &piece[worker].b[s->slot][i];
    *b = same < 0 ? make_piece(p, hg_matmul_part_b(p, s->first + i, box->lo[0]), depth, depth,
                               hg_matmul_int(hg_box_extent(box, 0)))
                  : piece[same].b[s->slot][i];
    send_piece(worker, *b);
  }
}

static hg_status submit_panels(const hg_matmul_run *run, pieces *piece, const span *s)
{
  const hg_matmul_part *p = run->part;
  int64_t depth = 0;
  for (int panel = s->first; panel < s->end; panel++) depth += hg_matmul_depth(p->problem, panel);
  for (int w = 0; w < p->session->workers; w++) {
    const hg_box *box = &run->box[w];
    const int64_t rows = hg_matmul_int(hg_box_extent(box, 1)), cols = hg_matmul_int(hg_box_extent(box, 0));
    if (!p->piece[w].handle) continue;
    piece[w].a[s->slot] = make_piece(p, hg_matmul_part_a(p, s->first, box->lo[1]), p->lda, rows, depth);
    send_piece(w, piece[w].a[s->slot]);
    make_b(run, piece, w, s);
    HG_TRY(submit(run, w, &piece[w], s, 2. * (double)rows * (double)cols * (double)depth));
  }
  return HG_OK;
}

/* Panels per task: more than one where the submitting thread could not keep up with this many cores. Panels that come
 * from other ranks or go to a GPU are handled one by one. */
static int panels_together(const hg_matmul_run *run)
{
  const double SUBMITTED = 4e6; /* flop of a core in several times the time needed to submit a task */
  const hg_matmul_part *p = run->part;
  const hg_session *s = p->session;
  double cells = 1;
  int working = 0;
  for (int w = 0; w < s->workers; w++) {
    if (!p->piece[w].handle) continue;
    if (s->kind[s->first_worker + w] == HG_CUDA_WORKER) return 1;
    cells = fmax(cells, (double)hg_box_cells(&run->box[w]));
    working++;
  }
  const double panel = 2 * cells * hg_matmul_depth(p->problem, run->first);
  const int wanted = s->ranks > 1 || working == 0 ? 1 : (int)fmin(ceil(SUBMITTED * working / panel), TOGETHER);
  const int panels = run->end - run->first, tasks = (panels + wanted - 1) / wanted;
  return tasks > 0 ? (panels + tasks - 1) / tasks : 1;
}

/* Panels that are done, of all strips together. */
static void report(const hg_matmul_run *run, int strip, int panel)
{
  const int64_t panels = run->end - run->first;
  if (run->progress) run->progress(run->progress_arg, run->first + (strip * panels + panel - run->first) / run->strips);
}

static hg_status compute_strip(const hg_matmul_run *run, int strip, pieces *piece)
{
  const int workers = run->part->session->workers, together = panels_together(run);
  span s = {.first = run->first};
  for (int task = 0; s.first < run->end; task++, s.first = s.end) {
    s.slot = task % AHEAD;
    s.end = s.first + together < run->end ? s.first + together : run->end;
    for (int panel = s.first; panel < s.end && run->bring && strip == 0; panel++)
      HG_TRY(run->bring(run->bring_arg, panel));
    HG_TRY(release_slot(piece, workers, s.slot));
    if (task >= AHEAD) report(run, strip, s.first - (AHEAD - 1) * together);
    HG_TRY(submit_panels(run, piece, &s));
  }
  return HG_OK;
}

static hg_status release_all(pieces *piece, int workers)
{
  hg_status status = HG_OK;
  for (int slot = 0; slot < AHEAD; slot++) {
    const hg_status ended = release_slot(piece, workers, slot);
    if (status == HG_OK) status = ended;
  }
  return status;
}

static hg_status compute(const hg_matmul_run *run, pieces *piece)
{
  hg_matmul_part *p = run->part;
  const int workers = p->session->workers;
  hg_box box[workers + 1];
  hg_matmul_run cut = *run;
  hg_status status = HG_OK;
  cut.box = box;
  for (int strip = 0; strip < run->strips && status == HG_OK; strip++) {
    for (int w = 0; w < workers; w++) box[w] = hg_matmul_strip(&run->box[w], strip, run->strips);
    if (strip > 0) hg_matmul_part_retire(p);
    status = hg_matmul_part_hold(p, box);
    if (status == HG_OK) status = compute_strip(&cut, strip, piece);
    const hg_status ended = release_all(piece, workers);
    if (status == HG_OK) status = ended;
  }
  return status;
}

hg_status hg_matmul_compute(const hg_matmul_run *run)
{
  hg_matmul_part *p = run->part;
  const int workers = p->session->workers;
  pieces *piece = calloc((size_t)workers + 1, sizeof *piece);
  if (!piece) return hg_fail(HG_MEMORY, "no memory for %d workers", workers);
  const hg_status status = compute(run, piece);
  for (int w = 0; w < workers; w++) run->busy[w] = piece[w].watch.busy;
  free(piece);
  if (!run->goes_on || run->strips > 1 || status != HG_OK) hg_matmul_part_collect(p);
  const hg_status failed = hg_failure_take(&p->failure);
  return status == HG_OK ? failed : status;
}
