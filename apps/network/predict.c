/* SPDX-License-Identifier: MIT */
/* What --predict and --tables print. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "network.h"

static bool between_nodes(const network_options *o)
{
  return o->group.per_node > 0 && o->group.per_node < o->group.ranks;
}

static bool is_beyond(const hg_network *n, bool nodes, double bytes)
{
  const hg_network_level *l = hg_network_between(n, nodes);
  return l && hg_network_beyond(l, bytes);
}

static const char *mark(bool extrapolated)
{
  return extrapolated ? "  extrapolated" : "";
}

static hg_status predict_message(const network_options *o, const hg_network *n, double bytes)
{
  const bool nodes = between_nodes(o);
  double low, high;
  hg_network_ends e;
  HG_TRY(hg_network_message(n, o->from_gpu, o->to_gpu, nodes, o->first, bytes, &e));
  hg_network_interval(hg_network_between(n, nodes), bytes, &low, &high);
  if (o->csv)
    printf("%.0f,%.9g,%.9g,%.9g,%.9g,%.0f,%d\n", bytes, e.sum, low - e.wire + e.sum, high - e.wire + e.sum, e.pipelined,
           e.block, e.beyond);
  else
    printf("%14.0f B %12.4g us  (%.4g .. %.4g)  in blocks of %.0f B %.4g us%s\n", bytes, e.sum * 1e6,
           (low - e.wire + e.sum) * 1e6, (high - e.wire + e.sum) * 1e6, e.block, e.pipelined * 1e6, mark(e.beyond));
  return HG_OK;
}

static hg_status predict_stream(const network_options *o, const hg_network *n, double bytes)
{
  const hg_network_level *l = hg_network_between(n, between_nodes(o));
  if (!l) return hg_fail(HG_UNSUPPORTED, "%s: has no level between ranks", n->path);
  const double time = hg_network_stream(l, o->messages, bytes);
  const bool beyond = hg_network_beyond(l, bytes);
  if (o->csv)
    printf("%.0f,%d,%.9g,%d\n", bytes, o->messages, time, beyond);
  else
    printf("%14.0f B x %d %12.4g us%s\n", bytes, o->messages, time * 1e6, mark(beyond));
  return HG_OK;
}

static hg_status predict_broadcast(const network_options *o, const hg_network *n, int64_t bytes)
{
  hg_network_choice c;
  HG_TRY(hg_network_choose(n, &o->group, bytes, &c));
  const bool beyond = is_beyond(n, between_nodes(o), (double)bytes);
  if (o->csv)
    printf("%" PRId64 ",%d,%s,%" PRId64 ",%.9g,%d\n", bytes, o->group.ranks, hg_broadcast_names[c.algorithm], c.segment,
           c.seconds, beyond);
  else {
    printf("%14" PRId64 " B %12.4g us  %s", bytes, c.seconds * 1e6, hg_broadcast_names[c.algorithm]);
    if (c.segment > 0) printf(" in segments of %" PRId64 " B", c.segment);
    for (int a = 0; a < HG_BROADCASTS; a++)
      if (!isnan(c.candidate[a])) printf("%s%s %.4g", a ? ", " : "  (", hg_broadcast_names[a], c.candidate[a] * 1e6);
    printf(")%s\n", mark(beyond));
  }
  return HG_OK;
}

hg_status network_compute(const network_options *o, double n, double flops, double *seconds)
{
  char *end;
  double rate;
  if (!o->compute)
    return hg_fail(HG_INVALID,
                   "--compute: the speed of a worker is missing: FLOP/S, or a speed table (the paper's formulas omit "
                   "computation and are off by a factor of 2 to 5)");
  strtod(o->compute, &end);
  if (*end == '\0') {
    HG_TRY(hg_parse_double(o->compute, "--compute", 1, 1e21, &rate));
    *seconds = flops / rate;
    return HG_OK;
  }
  hg_speed_model m = {.kind = HG_SPEED_TABLE};
  HG_TRY(hg_speed_table_read(o->compute, &m.table));
  *seconds = hg_speed_time(&m, n * n, 0) * flops / (2. * HG_PLATFORM_DEPTH * n * n);
  hg_speed_table_free(&m.table);
  return HG_OK;
}

static hg_status predict_matmul(const network_options *o, const hg_network *n, int64_t side)
{
  const double s = (double)side;
  double seconds;
  hg_matmul m;
  HG_TRY(network_compute(o, s, 2 * s * s * s / fmax(o->group.ranks - 1, 1), &seconds));
  HG_TRY(hg_network_matmul(n, &o->group, side, seconds, o->to_gpu, &m));
  const bool beyond = is_beyond(n, between_nodes(o), 8 * s * s); /* B, which all workers get */
  printf(o->csv ? "%" PRId64 ",%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,"
                : "n %8" PRId64 ", %d workers: start %.4g, parts %.4g, broadcast %.4g, computation %.4g, results %.4g, "
                  "total %.4g s",
         side, o->group.ranks - 1, m.start, m.send, m.broadcast, m.compute, m.receive, m.total);
  puts(o->csv ? beyond ? "1" : "0" : mark(beyond));
  return HG_OK;
}

hg_status network_predict(const network_options *o, const hg_network *n)
{
  static const char *const head[] = {"bytes,seconds,low,high,pipelined,block,extrapolated",
                                     "bytes,messages,seconds,extrapolated",
                                     "bytes,ranks,algorithm,segment,seconds,extrapolated",
                                     "n,workers,start,parts,broadcast,compute,results,total,extrapolated"};
  if (o->csv)
    puts(head[o->operation]);
  else
    printf("predicted by %s\n", n->path);
  for (int i = 0; i < o->sizes && o->operation != NETWORK_MATMUL; i++) {
    if (o->operation == NETWORK_P2P) HG_TRY(predict_message(o, n, (double)o->bytes[i]));
    if (o->operation == NETWORK_STREAM) HG_TRY(predict_stream(o, n, (double)o->bytes[i]));
    if (o->operation == NETWORK_BCAST) HG_TRY(predict_broadcast(o, n, o->bytes[i]));
  }
  for (int i = 0; i < o->sides && o->operation == NETWORK_MATMUL; i++) HG_TRY(predict_matmul(o, n, o->side[i]));
  return HG_OK;
}
