/* SPDX-License-Identifier: MIT */
/* --golden: known results of the formulas, in microseconds. */
#include <string.h>

#include "apps/network/network.h"
#include "program/exit.h"
#include "tests/golden/cases.h"

enum { MESSAGES = 4096, ROWS = 4096, COLUMNS = 4 };

/* The tables that cases may name. */
static hg_status check_tables(const hg_golden_case *c)
{
  const char *name;
  HG_TRY(hg_golden_text(c->input, "tables", &name));
  return strcmp(name, "seed004") == 0 ? HG_OK : hg_fail(HG_UNSUPPORTED, "the tables '%s'", name);
}

static hg_status read_group(const hg_golden_case *c, int64_t *P, double *k)
{
  HG_TRY(hg_golden_int(c->input, "P", P));
  HG_TRY(hg_golden_double(c->input, "k", k));
  if (*P < 1 || *P > INT32_MAX) return hg_fail(HG_INVALID, "P is %lld, must be >= 1", (long long)*P);
  return HG_OK;
}

static hg_status param(hg_golden_case *c)
{
  const char *name;
  double k, value;
  HG_TRY(check_tables(c));
  HG_TRY(hg_golden_text(c->input, "name", &name));
  HG_TRY(hg_golden_double(c->input, "k", &k));
  HG_TRY(hg_mhloggp_parameter(name, k, &value));
  hg_golden_put(c, "value", value);
  return HG_OK;
}

static hg_status identity(hg_golden_case *c)
{
  hg_printed_message m = {0};
  HG_TRY(check_tables(c));
  HG_TRY(hg_golden_double(c->input, "k", &m.k));
  HG_TRY(hg_mhloggp_parameter("G", m.k, &m.G));
  HG_TRY(hg_mhloggp_parameter("o_scn", m.k, &m.o_s));
  HG_TRY(hg_mhloggp_parameter("o_rn", m.k, &m.o_r));
  HG_TRY(hg_mhloggp_parameter("l_nn", m.k, &m.l));
  hg_golden_put(c, "G_times_k", m.G * m.k);
  hg_golden_put(c, "o_scn_plus_l_plus_o_rn", m.o_s + m.l + m.o_r);
  hg_golden_put(c, "eq1_printed", hg_mhloggp_equation1(&m));
  return HG_OK;
}

/* Costs of a message for sender and receiver, section 3.1. */
typedef struct ends {
  double o_s, o_r, total; /**< us; total: o_s + l_nn + o_r */
} ends;

static hg_status add(const char *name, double k, double *sum)
{
  double value;
  HG_TRY(hg_mhloggp_parameter(name, k, &value));
  *sum += value;
  return HG_OK;
}

/* @param kind  CC, CG, GC or GG (from, to: CPU or GPU) @param first  the receiving GPU must be started first */
static hg_status ends_of(const char *kind, bool first, double k, ends *out)
{
  static const char *const kinds[] = {"CC", "CG", "GC", "GG", NULL};
  int i = 0;
  while (kinds[i] && strcmp(kinds[i], kind) != 0) i++;
  if (!kinds[i]) return hg_fail(HG_INVALID, "kind '%s', must be CC, CG, GC or GG", kind);
  ends e = {0};
  HG_TRY(add("o_scn", k, &e.o_s));
  HG_TRY(add("o_rn", k, &e.o_r));
  if (kind[0] == 'G') HG_TRY(add("o_sg", k, &e.o_s));
  if (kind[1] == 'G') HG_TRY(add("o_rd", k, &e.o_r));
  if (kind[1] == 'G' && first) HG_TRY(add("o_rgb", k, &e.o_r));
  HG_TRY(add("l_nn", k, &e.total));
  e.total += e.o_s + e.o_r;
  *out = e;
  return HG_OK;
}

static hg_status endpoint(hg_golden_case *c)
{
  const char *kind;
  double k;
  ends e = {0};
  HG_TRY(check_tables(c));
  HG_TRY(hg_golden_text(c->input, "kind", &kind));
  HG_TRY(hg_golden_double(c->input, "k", &k));
  HG_TRY(ends_of(kind, json_is_true(json_object_get(c->input, "first")), k, &e));
  hg_golden_put(c, "o_s", e.o_s);
  hg_golden_put(c, "o_r", e.o_r);
  hg_golden_put(c, "T_table", e.total);
  return HG_OK;
}

static hg_status read_message(const json_t *json, hg_printed_message *m)
{
  HG_TRY(hg_golden_double(json, "k", &m->k));
  HG_TRY(hg_golden_double(json, "G", &m->G));
  HG_TRY(hg_golden_double(json, "o_s", &m->o_s));
  HG_TRY(hg_golden_double(json, "o_r", &m->o_r));
  HG_TRY(hg_golden_double(json, "g_c", &m->g_c));
  return hg_golden_double(json, "l", &m->l);
}

static hg_status stream(hg_golden_case *c)
{
  static hg_printed_message message[MESSAGES];
  const json_t *list, *json;
  double L;
  size_t i;
  HG_TRY(hg_golden_part(c->input, "messages", JSON_ARRAY, &list));
  HG_TRY(hg_golden_double(c->input, "L", &L));
  const size_t count = json_array_size(list);
  if (count < 1 || count > MESSAGES) return hg_fail(HG_INVALID, "%zu messages, must be in 1..%d", count, MESSAGES);
  json_array_foreach(list, i, json) HG_TRY(read_message(json, &message[i]));
  hg_golden_put(c, "eq2_printed", hg_mhloggp_equation2((int)count, message));
  hg_golden_put(c, "loggp", hg_mhloggp_stream((int)count, message, L));
  return HG_OK;
}

static hg_status bcast_select(hg_golden_case *c)
{
  int64_t P, k;
  hg_network_choice choice;
  HG_TRY(hg_golden_int(c->input, "P", &P));
  HG_TRY(hg_golden_int(c->input, "k", &k));
  if (P < 1 || P > HG_GROUP_MOST)
    return hg_fail(HG_INVALID, "P is %lld, must be in 1..%d", (long long)P, HG_GROUP_MOST);
  HG_TRY(hg_network_choose(NULL, &(hg_rank_layout){.ranks = (int)P}, k, &choice));
  hg_golden_put_text(c, "algorithm", hg_broadcast_names[choice.algorithm]);
  return HG_OK;
}

static hg_status bcast(hg_golden_case *c)
{
  const char *algorithm;
  int64_t P;
  double k, a, b, time;
  HG_TRY(hg_golden_text(c->input, "algorithm", &algorithm));
  HG_TRY(read_group(c, &P, &k));
  HG_TRY(hg_golden_double(c->input, "alpha_us", &a));
  HG_TRY(hg_golden_double(c->input, "beta_us_per_B", &b));
  HG_TRY(hg_mhloggp_broadcast_time(algorithm, (int)P, k, a, b, &time));
  hg_golden_put(c, "T_us", time);
  return HG_OK;
}

/* The ring formula of section 3.2 with l_nn read per byte and o = o_scn + o_rn. */
static hg_status ring_as_printed(int P, double k, double *out)
{
  double o = 0, G = 0, l = 0;
  HG_TRY(add("o_scn", k, &o));
  HG_TRY(add("o_rn", k, &o));
  HG_TRY(add("G", k, &G));
  HG_TRY(add("l_nn", k, &l));
  return hg_mhloggp_broadcast_time("ring", P, k, o, k > 0 ? G + l / k : G, out);
}

static hg_status bcast_printed(hg_golden_case *c)
{
  int64_t P;
  double k, time;
  HG_TRY(check_tables(c));
  HG_TRY(read_group(c, &P, &k));
  HG_TRY(ring_as_printed((int)P, k, &time));
  hg_golden_put(c, "ring_us", time);
  return HG_OK;
}

/* A row [s, PRTT(1,0,s), PRTT(n,0,s), PRTT(n,d,s)]. */
static hg_status read_row(const json_t *json, double d, hg_network_train *t)
{
  double value[COLUMNS];
  if (json_array_size(json) != COLUMNS) return hg_fail(HG_FORMAT, "a row of 'rows' must be 4 numbers");
  for (size_t i = 0; i < COLUMNS; i++) {
    const json_t *number = json_array_get(json, i);
    if (!json_is_number(number)) return hg_fail(HG_FORMAT, "a row of 'rows' must be 4 numbers");
    value[i] = json_number_value(number);
  }
  *t = (hg_network_train){value[0], value[1], value[2], value[3], d};
  return HG_OK;
}

static hg_status recover(hg_golden_case *c)
{
  static hg_network_train row[ROWS];
  const json_t *list, *json;
  int64_t n;
  double d;
  size_t i;
  hg_loggp p;
  HG_TRY(hg_golden_int(c->input, "n", &n));
  HG_TRY(hg_golden_double(c->input, "d", &d));
  HG_TRY(hg_golden_part(c->input, "rows", JSON_ARRAY, &list));
  if (json_array_size(list) > ROWS || n > INT32_MAX)
    return hg_fail(HG_INVALID, "%zu rows of %lld messages, must be at most %d and 2^31", json_array_size(list),
                   (long long)n, ROWS);
  json_array_foreach(list, i, json) HG_TRY(read_row(json, d, &row[i]));
  HG_TRY(hg_loggp_recover(n < 2 ? 1 : (int)n, (int)json_array_size(list), row, &p));
  hg_golden_put(c, "L", p.L);
  hg_golden_put(c, "o", p.o);
  hg_golden_put(c, "g", p.g);
  hg_golden_put(c, "G", p.G);
  return HG_OK;
}

static hg_status table4(hg_golden_case *c)
{
  static double n[ROWS], total[ROWS];
  int count, totals;
  double start, rate;
  HG_TRY(hg_golden_doubles(c->input, "n", ROWS, n, &count));
  HG_TRY(hg_golden_doubles(c->input, "total_us", ROWS, total, &totals));
  if (count != totals) return hg_fail(HG_INVALID, "%d sizes and %d times, must be equally many", count, totals);
  HG_TRY(hg_mhloggp_fit(count, n, total, &start, &rate));
  hg_golden_put(c, "T0_us", start);
  hg_golden_put(c, "GFLOPs", rate * 1e-3);
  return HG_OK;
}

int network_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {{"param", param},
                                         {"identity", identity},
                                         {"endpoint", endpoint},
                                         {"stream", stream},
                                         {"bcast_select", bcast_select},
                                         {"bcast", bcast},
                                         {"bcast_printed", bcast_printed},
                                         {"recover", recover},
                                         {"table4", table4},
                                         {NULL, NULL}};
  return hg_program_end(hg_golden_run(path, kinds));
}
