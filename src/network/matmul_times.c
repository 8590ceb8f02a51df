/* SPDX-License-Identifier: MIT */
/* The time of a master-worker matrix product, message by message. Example: 2 workers, T = 3 us, overhead 1 us,
 * computing takes 10 us: the parts of A leave at 0 and 1 us, B (linear) at 2 and 3 us. B arrives at 5 and 6 us, and
 * the results leave at 15 and 16 us: 19 us in all. */
#include <math.h>

#include "network/schedule.h"

/* Copies between a worker's host and its GPU, s; all 0 without one. */
typedef struct copies {
  double start, part, whole, result;
} copies;

static hg_status list_copies(const hg_network *n, bool nodes, double part, double whole, copies *out)
{
  hg_network_ends in, all, back;
  HG_TRY(hg_network_message(n, false, true, nodes, true, part, &in));
  HG_TRY(hg_network_message(n, false, true, nodes, false, whole, &all));
  HG_TRY(hg_network_message(n, true, false, nodes, false, part, &back));
  *out = (copies){in.start, in.in, all.in, back.out};
  return HG_OK;
}

/* Bytes of a worker's rows of A, and of C. */
static int64_t part_of(const hg_schedule *s, int64_t side, int worker)
{
  return 8 * side * hg_broadcast_part(side, s->ranks - 1, worker - 1);
}

static void send_parts(hg_schedule *s, int64_t side)
{
  for (int w = 1; w < s->ranks; w++) s->data[w] = hg_schedule_send(s, 0, w, part_of(s, side, w));
}

/* Receives in the order of workers. @return arrival of the last result */
static double receive_results(hg_schedule *s, int64_t side)
{
  double last = 0;
  for (int w = 1; w < s->ranks; w++) last = fmax(last, hg_schedule_send(s, w, 0, part_of(s, side, w)));
  return last;
}

/* @return when the last worker has B and its own messages have left */
static double finish_broadcast(hg_schedule *s)
{
  double last = 0;
  for (int w = 1; w < s->ranks; w++) last = fmax(last, s->data[w] = fmax(s->data[w], s->out[w]));
  return last;
}

hg_status hg_network_matmul(const hg_network *n, const hg_rank_layout *g, int64_t side, double seconds, bool gpu,
                            hg_matmul *out)
{
  const int64_t whole = 8 * side * side;
  const bool nodes = g->per_node > 0 && g->per_node < g->ranks;
  hg_network_choice choice;
  hg_schedule s;
  copies c = {0};
  if (g->ranks < 2) return hg_fail(HG_INVALID, "a master without workers, must be >= 2 ranks");
  if (gpu) HG_TRY(list_copies(n, nodes, (double)whole / (g->ranks - 1), (double)whole, &c));
  HG_TRY(hg_network_choose(n, g, whole, &choice));
  HG_TRY(hg_schedule_make(n, g, &s));
  send_parts(&s, side);
  const double sent = s.out[0];
  hg_schedule_broadcast(&s, choice.algorithm, whole, choice.segment);
  const double there = finish_broadcast(&s);
  for (int w = 1; w < s.ranks; w++) s.data[w] += seconds;
  const double all = receive_results(&s, side);
  hg_schedule_free(&s);
  *out = (hg_matmul){.start = c.start,
                     .send = sent + c.part,
                     .broadcast = there - sent + c.whole,
                     .compute = seconds,
                     .receive = all - seconds - there + c.result,
                     .total = all + c.start + c.part + c.whole + c.result};
  return HG_OK;
}
