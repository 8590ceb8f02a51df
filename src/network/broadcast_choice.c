/* SPDX-License-Identifier: MIT */
/* Chooses the algorithm of a broadcast: by MPICH's rule or by prediction. */
#include <inttypes.h>
#include <math.h>

#include "network/predict.h"

static bool power_of_two(int ranks)
{
  return (ranks & (ranks - 1)) == 0;
}

static hg_broadcast_algorithm by_rule(int ranks, int64_t bytes)
{
  enum { SHORT = 12288, LONG = 524288, FEW = 8 };
  if (bytes < SHORT || ranks < FEW) return HG_BROADCAST_BINOMIAL;
  return bytes < LONG && power_of_two(ranks) ? HG_BROADCAST_DOUBLING : HG_BROADCAST_RING;
}

static hg_status try_one(const hg_network *n, const hg_rank_layout *g, hg_broadcast_algorithm a, int64_t bytes,
                         int64_t segment, hg_network_choice *c)
{
  double seconds;
  HG_TRY(hg_network_broadcast(n, g, a, bytes, segment, &seconds));
  if (seconds >= c->candidate[a]) return HG_OK; /* false for the first candidate: NAN */
  c->candidate[a] = seconds;
  c->candidate_segment[a] = segment;
  return HG_OK;
}

/* Tries segments of powers of two, not so small that there are thousands of them, and a single segment. */
static hg_status try_chain(const hg_network *n, const hg_rank_layout *g, int64_t bytes, hg_network_choice *c)
{
  enum { SMALLEST = 1 << 10, LARGEST = 1 << 24, SEGMENTS = 1024 };
  HG_TRY(try_one(n, g, HG_BROADCAST_CHAIN, bytes, 0, c));
  for (int64_t segment = SMALLEST; segment < bytes && segment <= LARGEST; segment *= 2)
    if (bytes / segment <= SEGMENTS) HG_TRY(try_one(n, g, HG_BROADCAST_CHAIN, bytes, segment, c));
  return HG_OK;
}

/* Takes the best; the binomial tree unless another is better. */
static void take_best(hg_network_choice *c)
{
  c->algorithm = HG_BROADCAST_BINOMIAL;
  for (int a = 0; a < HG_BROADCASTS; a++)
    if (c->candidate[a] < c->candidate[c->algorithm]) c->algorithm = (hg_broadcast_algorithm)a;
  c->seconds = c->candidate[c->algorithm];
  c->segment = c->candidate_segment[c->algorithm];
}

hg_status hg_network_choose(const hg_network *n, const hg_rank_layout *g, int64_t bytes, hg_network_choice *out)
{
  if (g->ranks < 1 || g->ranks > HG_GROUP_MOST || bytes < 0)
    return hg_fail(HG_INVALID, "a broadcast of %" PRId64 " bytes among %d ranks, must be >= 0 bytes among 1..%d ranks",
                   bytes, g->ranks, HG_GROUP_MOST);
  hg_network_choice c = {.algorithm = by_rule(g->ranks, bytes), .seconds = NAN};
  for (int a = 0; a < HG_BROADCASTS; a++) c.candidate[a] = NAN;
  if (n) {
    for (int a = 0; a < HG_BROADCASTS; a++) {
      if (a == HG_BROADCAST_CHAIN)
        HG_TRY(try_chain(n, g, bytes, &c));
      else if (a != HG_BROADCAST_DOUBLING || power_of_two(g->ranks))
        HG_TRY(try_one(n, g, (hg_broadcast_algorithm)a, bytes, 0, &c));
    }
    take_best(&c);
  }
  *out = c;
  return HG_OK;
}

/* A rule: from so many bytes on, the algorithm with that number in Open MPI. */
typedef struct rule {
  int64_t bytes, segment;
  int number;
} rule;

enum { RULES = 64 };

static hg_status list_rules(const hg_network *n, const hg_rank_layout *g, rule *list, int *count)
{
  static const int number[HG_BROADCASTS] = {1, 6, 3, 8, 9};
  *count = 0;
  for (int64_t bytes = 1; bytes <= INT64_C(1) << 30; bytes *= 2) {
    hg_network_choice c;
    HG_TRY(hg_network_choose(n, g, bytes, &c));
    const rule now = {bytes == 1 ? 0 : bytes, c.segment, number[c.algorithm]},
               *last = *count > 0 ? &list[*count - 1] : NULL;
    if (!last || last->number != now.number || last->segment != now.segment) list[(*count)++] = now;
  }
  return HG_OK;
}

static hg_status print_rules(FILE *out, const hg_network *n, const hg_rank_layout *g)
{
  enum { COLLECTIVES = 1, BROADCAST = 7 };
  fprintf(out, "%d # collectives\n%d # broadcast\n%d # sizes of communicators\n", COLLECTIVES, BROADCAST, g->ranks - 1);
  for (int ranks = 2; ranks <= g->ranks; ranks++) {
    const hg_rank_layout some = {ranks, g->per_node};
    rule list[RULES];
    int count;
    HG_TRY(list_rules(n, &some, list, &count));
    fprintf(out, "%d # ranks\n%d # rules: bytes, algorithm, fan-out, segment\n", ranks, count);
    for (int i = 0; i < count; i++)
      fprintf(out, "%" PRId64 " %d 0 %" PRId64 "\n", list[i].bytes, list[i].number, list[i].segment);
  }
  return HG_OK;
}

hg_status hg_network_write_rules(const char *path, const hg_network *n, const hg_rank_layout *g)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  if (g->ranks < 2) return hg_fail(HG_INVALID, "rules for %d ranks, must be >= 2", g->ranks);
  HG_TRY(hg_file_begin(path, temporary, &out));
  return hg_file_end(out, temporary, path, print_rules(out, n, g));
}
