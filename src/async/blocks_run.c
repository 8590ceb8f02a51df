/* SPDX-License-Identifier: MIT */
#include "async/blocks_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "codelets/simulated_costs.h"
#include "runtime/record.h"
#include "runtime/task_data.h"

/* Per block: one that runs and the next one. */
enum { SWEEPS_SUBMITTED = 2 };

/* --- tasks ----------------------------------------------------------------------------------- */

typedef struct passage {
  hg_async_block *block;
  int vector;
  hg_happening what; /* of a departure */
  int64_t round;
  bool measured; /* the first buffer is a result */
} passage;

static void tell(hg_async *a, const hg_note *n)
{
  pthread_mutex_lock(&a->lock);
  a->note[a->notes++] = *n;
  pthread_mutex_unlock(&a->lock);
  hg_mailbox_ring(a->box);
}

/* Counts the age, in sweeps of this block, of the values taken. */
static void count_age(hg_async_block *b)
{
  bool updated = true;
  int64_t oldest = 0;
  for (int i = 0; i < b->in_count; i++) {
    hg_ages_count(&b->ages, b->age[i]);
    if (b->age[i] > oldest) oldest = b->age[i];
    updated = updated && b->taken[i] > b->counted[i];
  }
  b->ages.sweeps++;
  b->ages.stale += oldest > 0;
  if (oldest > b->stats.staleness) b->stats.staleness = oldest;
  b->all_updated = updated;
  for (int i = 0; i < b->in_count && updated; i++) b->counted[i] = b->taken[i];
}

static bool is_still(const hg_async *a)
{
  return a->how.kind == HG_DETECT_REST;
}

/* With detection of rest, values never sent count as version 1. */
static const void *newest(hg_async_block *b, int i)
{
  int64_t version;
  const void *values = hg_link_take(b->in[i].link, &version);
  if (is_still(b->async) && version == 0) version = 1;
  b->updated |= version > b->taken[i];
  b->age[i] = version > b->taken[i] ? 0 : b->age[i] + 1;
  b->taken[i] = version;
  return values;
}

static void arrive_cpu(void *buffer[], void *arg)
{
  const passage *p = arg;
  hg_async_block *b = p->block;
  if (p->vector == HG_RUNNING) b->updated = false;
  for (int i = 0; i < b->in_count; i++) {
    const void *values = p->vector == HG_RUNNING ? newest(b, i) : hg_link_frozen(b->in[i].link, p->round);
    memcpy((void *)STARPU_VECTOR_GET_PTR(buffer[i]), values, b->in[i].bytes);
  }
  if (p->vector == HG_RUNNING) count_age(b);
}

/* Version of another block's values that this block has: the oldest among their pieces. */
static int64_t used_of(const hg_async_block *b, int other)
{
  int64_t used = INT64_MAX;
  for (int i = 0; i < b->in_count; i++)
    if (b->in[i].other == other && b->taken[i] < used) used = b->taken[i];
  return used;
}

static uint64_t balance(const hg_async_block *b)
{
  uint64_t sum = 0;
  for (int i = 0; i < b->out_count; i++) sum += hg_detect_version(b->out[i].name, b->version);
  for (int i = 0; i < b->in_count; i++) sum -= hg_detect_version(b->in[i].name, b->taken[i]);
  return sum;
}

/* Whether neighbours must be told of a sweep: that it changed values, or used those that they sent. */
static bool is_worth_telling(hg_async_block *b, const hg_note *n)
{
  if (!is_still(b->async) || n->what != HG_SWEPT) return true;
  const bool changed = !(n->residual <= b->async->small);
  b->version += changed;
  return changed || b->updated;
}

static void publish(const hg_async_block *b, const hg_async_port *port)
{
  if (is_still(b->async))
    hg_link_publish_version(port->link, b->version, used_of(b, port->other));
  else
    hg_link_publish(port->link);
}

static void leave_cpu(void *buffer[], void *arg)
{
  const passage *p = arg;
  hg_async_block *b = p->block;
  hg_note n = {.what = p->what, .block = b->number, .measured = p->measured};
  int next = 0;
  if (p->what == HG_SWEPT) n.all_updated = b->all_updated;
  if (p->measured) n.residual = b->async->work->residual((void *)STARPU_VARIABLE_GET_PTR(buffer[next++]));
  const bool told = is_worth_telling(b, &n);
  for (int i = 0; i < b->out_count && p->what != HG_MEASURED && told; i++) {
    const hg_async_port *port = &b->out[i];
    void *room = p->vector == HG_RUNNING ? hg_link_room(port->link) : hg_link_frozen_room(port->link);
    memcpy(room, (void *)STARPU_VECTOR_GET_PTR(buffer[next + i]), port->bytes);
    if (p->vector == HG_RUNNING)
      publish(b, port);
    else
      hg_link_publish_frozen(port->link, p->round);
  }
  n.version = b->version;
  n.balance = balance(b);
  tell(b->async, &n);
}

/* Cost of copying faces: a microsecond. */
#ifdef STARPU_SIMGRID
static double passage_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)task, (void)worker, (void)implementation;
  return hg_cost_us(1e-6, false);
}
#endif

static uint32_t footprint(struct starpu_task *task)
{
  const hg_async_block *b = ((const passage *)task->cl_arg)->block;
  const int64_t key[] = {b->in_count, b->out_count, b->in_count ? (int64_t)b->in[0].bytes : 0};
  return starpu_hash_crc32c_be_n(key, sizeof key, 0);
}

static struct starpu_perfmodel arrive_model =
    HG_COST_MODEL("hetgrid_arrive", passage_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_perfmodel leave_model =
    HG_COST_MODEL("hetgrid_leave", passage_cost, .type = STARPU_HISTORY_BASED, .footprint = footprint);
static struct starpu_codelet arrive_codelet = {.name = "arrive",
                                               .cpu_funcs = {arrive_cpu},
                                               .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                               .color = 0x66a61e,
                                               .model = &arrive_model};
static struct starpu_codelet leave_codelet = {.name = "leave",
                                              .cpu_funcs = {leave_cpu},
                                              .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                              .color = 0x1b9e77,
                                              .model = &leave_model};

static hg_status insert(hg_async *a, struct starpu_codelet *codelet, const hg_task_data *d, const passage *p)
{
  passage *task = malloc(sizeof *task);
  if (!task) return hg_fail(HG_MEMORY, "no memory for a task");
  *task = *p;
  const int error = starpu_task_insert(codelet, STARPU_DATA_MODE_ARRAY, d->list, d->count, STARPU_CL_ARGS, task,
                                       sizeof *task, STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE,
                                       hg_record_number(), STARPU_TASK_WORKERIDS,
                                       hg_task_allowed_words(a->session, codelet, false), a->session->allowed, 0);
  return hg_task_status(error, codelet->name);
}

/* Arrivals of running values wait for the previous departure, so that they take the newest ones. */
static hg_status submit_arrival(hg_async_block *b, int vector, int64_t round)
{
  hg_task_data d = {.list = b->async->descr};
  for (int i = 0; i < b->in_count; i++) hg_task_add(&d, b->in[i].handle[vector], STARPU_W);
  if (vector == HG_RUNNING) hg_task_add(&d, b->order, STARPU_RW);
  return insert(b->async, &arrive_codelet, &d, &(passage){.block = b, .vector = vector, .round = round});
}

static hg_status submit_departure(hg_async_block *b, hg_happening what, int64_t round, bool measured)
{
  const int vector = what == HG_SWEPT ? HG_RUNNING : HG_FROZEN;
  hg_task_data d = {.list = b->async->descr};
  if (measured) hg_task_add(&d, b->result[vector], STARPU_R);
  for (int i = 0; i < b->out_count && what != HG_MEASURED; i++) hg_task_add(&d, b->out[i].handle[vector], STARPU_R);
  if (vector == HG_RUNNING) hg_task_add(&d, b->order, STARPU_RW);
  return insert(b->async, &leave_codelet, &d,
                &(passage){.block = b, .vector = vector, .what = what, .round = round, .measured = measured});
}

/* --- what a block does next ------------------------------------------------------------------ */

static bool has_news(const hg_async_block *b)
{
  for (int i = 0; i < b->in_count; i++)
    if (hg_link_has_news(b->in[i].link)) return true;
  return false;
}

static bool has_all_frozen(const hg_async_block *b, int64_t round)
{
  for (int i = 0; i < b->in_count; i++)
    if (!hg_link_frozen(b->in[i].link, round)) return false;
  return true;
}

static hg_status sweep(hg_async_block *b)
{
  hg_async *a = b->async;
  bool measured = false;
  starpu_iteration_push((unsigned long)b->submitted++);
  b->sweeping++;
  HG_TRY(submit_arrival(b, HG_RUNNING, 0));
  HG_TRY(a->work->sweep(a->self, b->number, &measured));
  HG_TRY(submit_departure(b, HG_SWEPT, 0, measured));
  starpu_iteration_pop();
  return HG_OK;
}

static hg_status freeze(hg_async_block *b, int64_t round)
{
  hg_async *a = b->async;
  b->freezing = round;
  HG_TRY(a->work->freeze(a->self, b->number));
  return submit_departure(b, HG_FROZE, round, false);
}

static hg_status measure(hg_async_block *b, int64_t round)
{
  hg_async *a = b->async;
  b->measuring = round;
  HG_TRY(submit_arrival(b, HG_FROZEN, round));
  HG_TRY(a->work->measure(a->self, b->number));
  return submit_departure(b, HG_MEASURED, round, true);
}

static void give_up(hg_async_block *b)
{
  if (!b->has_given_up) hg_detect_give_up(b->async->detect, b->number);
  b->has_given_up = true;
}

/* Whether each neighbour has sent something newer, or has used this block's current values without changing its own. */
static bool is_answered(const hg_async_block *b)
{
  for (int i = 0; i < b->in_count; i++)
    if (!hg_link_has_news(b->in[i].link) && hg_link_answered(b->in[i].link) < b->sent) return false;
  return true;
}

/* A converged block rests until there is news; with detection of rest, any block rests until it is answered. In these
 * cases only one sweep is submitted at a time, since the next may not be needed. */
static hg_status keep_sweeping(hg_async_block *b)
{
  const hg_async *a = b->async;
  const bool rests = !a->options->eager, converged = rests && hg_detect_is_converged(a->detect, b->number);
  const int wanted = converged || (rests && is_still(a)) ? 1 : SWEEPS_SUBMITTED;
  if (b->has_given_up) return HG_OK;
  if (b->submitted >= a->options->sweeps && b->sweeping == 0) give_up(b);
  if (converged && b->sweeping == 0 && !has_news(b)) return HG_OK;
  if (rests && is_still(a) && (b->sweeping > 0 || !is_answered(b))) return HG_OK;
  while (b->sweeping < wanted && b->submitted < a->options->sweeps) HG_TRY(sweep(b));
  return HG_OK;
}

static hg_status act(hg_async_block *b)
{
  const hg_detect_order *order = hg_detect_order_now(b->async->detect);
  if (order->round > b->freezing) HG_TRY(freeze(b, order->round));
  if (b->frozen > b->measuring && has_all_frozen(b, b->frozen)) HG_TRY(measure(b, b->frozen));
  return keep_sweeping(b);
}

/* --- the submitting thread ------------------------------------------------------------------- */

static void take_in(hg_async *a, const hg_note *n)
{
  hg_async_block *b = &a->block[n->block];
  if (n->what == HG_FROZE) b->frozen = b->freezing;
  if (n->what == HG_MEASURED) hg_detect_measured(a->detect, n->block, b->measuring, n->residual);
  if (n->what != HG_SWEPT) return;
  b->sweeping--;
  b->sent = n->version;
  b->stats.sweeps++;
  a->swept++;
  if (!n->measured) return;
  hg_detect_balance(a->detect, n->block, n->residual, n->balance);
  hg_detect_sweep(a->detect, n->block, n->residual <= a->small, n->all_updated, hg_now());
  if (a->options->hopeless > 0 && !(n->residual <= a->options->hopeless)) give_up(b);
}

static bool read_notes(hg_async *a)
{
  pthread_mutex_lock(&a->lock);
  hg_note *list = a->note;
  const int count = a->notes;
  a->note = a->read;
  a->read = list;
  a->notes = 0;
  pthread_mutex_unlock(&a->lock);
  for (int i = 0; i < count; i++) take_in(a, &list[i]);
  return count > 0;
}

static bool receive_all(hg_async *a)
{
  bool updated = false;
  int64_t version;
  for (int i = 0; i < a->children; i++)
    if (hg_link_has_news(a->below[i].reports)) {
      hg_detect_receive_report(a->detect, i, hg_link_take(a->below[i].reports, &version));
      updated = true;
    }
  if (a->above.orders && hg_link_has_news(a->above.orders)) {
    hg_detect_receive_order(a->detect, hg_link_take(a->above.orders, &version));
    updated = true;
  }
  return updated;
}

static void send_report(hg_async *a)
{
  const hg_detect_report *report = hg_detect_report_now(a->detect);
  if (a->above.reports && memcmp(report, &a->sent, sizeof a->sent) != 0) {
    memcpy(hg_link_room(a->above.reports), report, sizeof *report);
    hg_link_publish(a->above.reports);
  }
  a->sent = *report;
  for (int i = 0; i < a->children; i++) {
    const hg_detect_order order = hg_detect_order_for(a->detect, i);
    if (memcmp(&order, &a->passed[i], sizeof order) == 0) continue;
    a->passed[i] = order;
    memcpy(hg_link_room(a->below[i].orders), &order, sizeof order);
    hg_link_publish(a->below[i].orders);
  }
}

void hg_async_forget(hg_async *a)
{
  for (int i = 0; i < a->blocks; i++) a->block[i].ages = (hg_block_ages){0};
}

void hg_async_begin(hg_async *a)
{
  hg_mailbox_begin(a->box);
  a->swept = 0;
  a->notes = 0;
  memset(&a->sent, 0, sizeof a->sent);
  memset(a->passed, 0, sizeof a->passed);
  for (int i = 0; i < a->blocks; i++) {
    hg_async_block *b = &a->block[i];
    const size_t bytes = (size_t)b->in_count * sizeof *b->age;
    b->stats = (hg_async_stats){0};
    b->submitted = b->freezing = b->frozen = b->measuring = 0;
    b->has_given_up = b->all_updated = b->updated = false;
    b->version = b->sent = 1;
    memset(b->taken, 0, bytes);
    memset(b->counted, 0, bytes);
    memset(b->age, 0, bytes);
  }
}

static hg_status go_round(hg_async *a, bool *busy)
{
  *busy = hg_mailbox_turn(a->box);
  *busy = read_notes(a) || *busy;
  *busy = receive_all(a) || *busy;
  for (int i = 0; i < a->blocks; i++) HG_TRY(act(&a->block[i]));
  send_report(a);
  if (a->work->report && *busy) a->work->report(a->self, a->swept);
  return HG_OK;
}

/* A rank that cannot continue ends all ranks, since the others may wait for messages that it will not send. */
void hg_async_run(hg_async *a, const hg_async_options *options, hg_async_end *end)
{
  a->options = options;
  a->how = options->detection;
  if (a->how.kind == HG_DETECT_EXACT && a->work->still) a->how.kind = HG_DETECT_REST;
  a->small = hg_detection_criterion(a->how, options->tolerance);
  hg_detect_begin(a->detect, a->how, options->tolerance, a->session->ranks);
  while (!hg_detect_order_now(a->detect)->stop) {
    bool busy;
    const hg_status status = go_round(a, &busy);
    if (status != HG_OK) hg_session_abort(a->session, status);
    if (!busy) hg_mailbox_backoff(a->box);
  }
  send_report(a);
  starpu_task_wait_for_all();
  hg_mailbox_end(a->box);
  read_notes(a);
  const hg_detect_order *order = hg_detect_order_now(a->detect);
  *end = (hg_async_end){order->residual, order->settled, order->decided};
}
