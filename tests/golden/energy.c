/* SPDX-License-Identifier: MIT */
/* --golden: known results of the energy models. */
#include <math.h>

#include "apps/energy/energy.h"
#include "energy/cluster_energy.h"
#include "tests/golden/cases.h"
#include "tests/golden/paper_energy.h"

enum { NODES_MAX = 4096 };

/* A table of nodes: the columns that a case needs. */
typedef struct table {
  int nodes;
  double gpu[NODES_MAX], cpu[NODES_MAX], idle[NODES_MAX], switch_watts;
} table;

/* Table 1.1 of the paper: W of 16 nodes with a GeForce GTX 480, while the GPU computes and idle. */
static const double seed_gpu[] = {228, 228, 218, 228, 228, 218, 238, 238, 218, 228, 228, 238, 218, 228, 238, 249},
                    seed_idle[] = {146, 128, 133, 139, 139, 133, 152, 146, 133, 146, 133, 139, 139, 139, 159, 159};
enum { SEED_NODES = sizeof seed_gpu / sizeof *seed_gpu };

/* A list of 1..most numbers; other lengths are refused. */
static hg_status read_list(const json_t *object, const char *key, int most, double *out, int *count)
{
  const json_t *list = json_object_get(object, key);
  const size_t length = json_array_size(list);
  if (json_is_array(list) && (length < 1 || length > (size_t)most))
    return hg_fail(HG_INVALID, "%s has %zu numbers, must be 1..%d", key, length, most);
  return hg_golden_doubles(object, key, most, out, count);
}

/* A column of the table's nodes. */
static hg_status read_column(const json_t *nodes, const char *key, double *out)
{
  const json_t *node;
  size_t i;
  json_array_foreach(nodes, i, node) HG_TRY(hg_golden_double(node, key, &out[i]));
  return HG_OK;
}

static hg_status read_nodes(const hg_golden_case *c, const json_t **nodes, table *t)
{
  const json_t *json;
  HG_TRY(hg_golden_part(c->input, "table", JSON_OBJECT, &json));
  HG_TRY(hg_golden_part(json, "nodes", JSON_ARRAY, nodes));
  if (json_array_size(*nodes) > NODES_MAX)
    return hg_fail(HG_INVALID, "%zu nodes, must be at most %d", json_array_size(*nodes), NODES_MAX);
  t->nodes = (int)json_array_size(*nodes);
  return hg_golden_double_or(json, "p_switch_W", 0, &t->switch_watts);
}

/* Reads all columns, that of the CPUs by its name; the idle one only for synchronous runs. */
static hg_status read_table(const hg_golden_case *c, const char *cpus, bool waits, table *t)
{
  const json_t *nodes;
  char key[64];
  HG_TRY(read_nodes(c, &nodes, t));
  if (json_object_get(c->input, "cpu_column")) HG_TRY(hg_golden_text(c->input, "cpu_column", &cpus));
  snprintf(key, sizeof key, "pf_%.40s_W", cpus);
  HG_TRY(read_column(nodes, "pf_gpu_W", t->gpu));
  HG_TRY(read_column(nodes, key, t->cpu));
  return waits ? read_column(nodes, "p_idle_W", t->idle) : HG_OK;
}

static hg_status table_sums(hg_golden_case *c)
{
  static const char *const columns[][2] = {
      {"cpu1", "pf_cpu1_W"}, {"cpu2", "pf_cpu2_W"}, {"gpu", "pf_gpu_W"}, {"idle", "p_idle_W"}};
  static table t;
  const json_t *nodes;
  HG_TRY(read_nodes(c, &nodes, &t));
  for (int k = 0; k < 4; k++) {
    double sum = 0;
    HG_TRY(read_column(nodes, columns[k][1], t.cpu));
    for (int i = 0; i < t.nodes; i++) sum += t.cpu[i];
    hg_golden_put(c, columns[k][0], sum);
  }
  return HG_OK;
}

static hg_status alpha_node(hg_golden_case *c)
{
  static table t;
  double alpha[NODES_MAX];
  HG_TRY(read_table(c, "cpu1", false, &t));
  for (int i = 0; i < t.nodes; i++) HG_TRY(alpha_limit(t.gpu[i], t.cpu[i], &alpha[i]));
  hg_golden_put_doubles(c, "alpha", t.nodes, alpha);
  return HG_OK;
}

/* The ratio of two runs' mean powers. */
static hg_status put_alpha(hg_golden_case *c, const activities *a, const activities *b)
{
  double watts_a, watts_b, alpha;
  HG_TRY(mean_power(a, &watts_a));
  HG_TRY(mean_power(b, &watts_b));
  HG_TRY(alpha_limit(watts_a, watts_b, &alpha));
  hg_golden_put(c, "alpha", alpha);
  return HG_OK;
}

static hg_status alpha_async(hg_golden_case *c)
{
  static table t;
  HG_TRY(read_table(c, "cpu2", false, &t));
  const activity gpu = {1, t.gpu}, cpu = {1, t.cpu};
  const activities a = {t.nodes, 1, &gpu, NULL, t.switch_watts, false},
                   b = {t.nodes, 1, &cpu, NULL, t.switch_watts, false};
  return put_alpha(c, &a, &b);
}

/* Synchronous runs: GPUs at full power for the share beta_gpu, CPUs alone for beta_cpuo if it is given. */
static hg_status alpha_waiting(hg_golden_case *c, int count, bool as_printed)
{
  static table t;
  activity gpu[] = {{0, t.gpu}, {0, t.cpu}}, cpu = {0, t.cpu};
  HG_TRY(read_table(c, "cpu1", true, &t));
  HG_TRY(hg_golden_double(c->input, "beta_gpu", &gpu[0].share));
  HG_TRY(hg_golden_double(c->input, "beta_cpu", &cpu.share));
  if (count == 2) HG_TRY(hg_golden_double(c->input, "beta_cpuo", &gpu[1].share));
  const activities a = {t.nodes, count, gpu, t.idle, t.switch_watts, as_printed},
                   b = {t.nodes, 1, &cpu, t.idle, t.switch_watts, false};
  return put_alpha(c, &a, &b);
}

static hg_status alpha_sync(hg_golden_case *c)
{
  return alpha_waiting(c, 1, false);
}

static hg_status alpha_three(hg_golden_case *c)
{
  return alpha_waiting(c, 2, json_is_false(json_object_get(c->input, "strict")));
}

static hg_status bias(hg_golden_case *c)
{
  double estimate[NODES_MAX], observed[NODES_MAX], mean = 0, least = INFINITY, most = 0, ratio;
  int count, observations;
  HG_TRY(read_list(c->input, "estimate", NODES_MAX, estimate, &count));
  HG_TRY(read_list(c->input, "observed", NODES_MAX, observed, &observations));
  if (count != observations) return hg_fail(HG_INVALID, "%d estimates of %d observations", count, observations);
  for (int i = 0; i < count; i++) {
    HG_TRY(alpha_limit(estimate[i], observed[i], &ratio));
    mean += ratio / count;
    least = fmin(least, ratio);
    most = fmax(most, ratio);
  }
  hg_golden_put(c, "mean_ratio", mean);
  hg_golden_put(c, "min_ratio", least);
  hg_golden_put(c, "max_ratio", most);
  return HG_OK;
}

/* One of two clusters: full and waiting powers, the share beta of computing, and the time. */
typedef struct side {
  double full[NODES_MAX], wait[NODES_MAX], beta, switch_watts, seconds, watts;
} side;

static hg_status read_side(const hg_golden_case *c, const char *name, side *s)
{
  const json_t *json;
  int nodes, waiting;
  HG_TRY(hg_golden_part(c->input, name, JSON_OBJECT, &json));
  HG_TRY(read_list(json, "pf_W", NODES_MAX, s->full, &nodes));
  HG_TRY(hg_golden_double_or(json, "beta", 1, &s->beta));
  HG_TRY(hg_golden_double_or(json, "p_switch_W", 0, &s->switch_watts));
  HG_TRY(hg_golden_double(json, "T_s", &s->seconds));
  if (!(s->seconds > 0)) return hg_fail(HG_INVALID, "T of %s is %g, must be > 0", name, s->seconds);
  const bool waits = json_object_get(json, "p_idle_W") != NULL;
  if (waits) HG_TRY(read_list(json, "p_idle_W", NODES_MAX, s->wait, &waiting));
  if (waits && waiting != nodes) return hg_fail(HG_INVALID, "%s has %d idle powers for %d nodes", name, waiting, nodes);
  const activity full = {s->beta, s->full};
  const activities run = {nodes, 1, &full, waits ? s->wait : NULL, s->switch_watts, false};
  return mean_power(&run, &s->watts);
}

static void put_winner(hg_golden_case *c, const char *key, hg_criterion by, const char *a, const double ta,
                       const double ea, const char *b, double tb, double eb)
{
  const int better = hg_compare(hg_criterion_value(by, ta, ea), hg_criterion_value(by, tb, eb));
  hg_golden_put_text(c, key, better < 0 ? a : better > 0 ? b : "equal");
}

static hg_status cluster_pair(hg_golden_case *c)
{
  static side a, b;
  double limit;
  HG_TRY(read_side(c, "A", &a));
  HG_TRY(read_side(c, "B", &b));
  HG_TRY(alpha_limit(a.watts, b.watts, &limit));
  const double ea = a.watts * a.seconds, eb = b.watts * b.seconds;
  hg_golden_put(c, "E_A_J", ea);
  hg_golden_put(c, "E_B_J", eb);
  hg_golden_put(c, "alpha_limit", limit);
  hg_golden_put(c, "alpha", b.seconds / a.seconds);
  put_winner(c, "faster", HG_BY_TIME, "A", a.seconds, ea, "B", b.seconds, eb);
  put_winner(c, "greener", HG_BY_ENERGY, "A", a.seconds, ea, "B", b.seconds, eb);
  put_winner(c, "edp", HG_BY_EDP, "A", a.seconds, ea, "B", b.seconds, eb);
  put_winner(c, "ed2p", HG_BY_ED2P, "A", a.seconds, ea, "B", b.seconds, eb);
  return HG_OK;
}

/* Reads T1_NAME_s, sigma_NAME and P1_NAME_W of a cluster, computes its run and puts the results by name. */
static hg_status read_cluster(hg_golden_case *c, const char *name, cluster *k, scaled *run)
{
  const struct {
    const char *format;
    double *to;
  } input[] = {{"T1_%s_s", &k->t1}, {"sigma_%s", &k->sigma}, {"P1_%s_W", &k->watts}};
  double nodes;
  char key[32];
  for (int i = 0; i < 3; i++) {
    snprintf(key, sizeof key, input[i].format, name);
    HG_TRY(hg_golden_double(c->input, key, input[i].to));
  }
  HG_TRY(hg_golden_double_or(c->input, "p_switch_W", 0, &k->switch_watts));
  HG_TRY(hg_golden_double(c->input, "N", &nodes));
  HG_TRY(hg_golden_double_or(c->input, "N_max", nodes, &k->nodes_max));
  HG_TRY(cluster_run(k, nodes, run));
  const struct {
    const char *format;
    double value;
  } output[] = {{"E1_%s_J", run->e1},
                {"T_%s_s", run->seconds},
                {"E_%s_J", run->joules},
                {"SU1_%s", run->speedup},
                {"EG1_%s", run->gain}};
  for (int i = 0; i < 5; i++) {
    snprintf(key, sizeof key, output[i].format, name);
    hg_golden_put(c, key, output[i].value);
  }
  return HG_OK;
}

static hg_status basic_model(hg_golden_case *c)
{
  cluster gpu, cpu;
  scaled a, b;
  double by_time, by_energy;
  HG_TRY(read_cluster(c, "gpu", &gpu, &a));
  HG_TRY(read_cluster(c, "cpu", &cpu, &b));
  HG_TRY(hg_threshold(cpu.t1 / gpu.t1, gpu.sigma, cpu.sigma, &by_time));
  HG_TRY(hg_threshold(b.e1 / a.e1, gpu.sigma, cpu.sigma, &by_energy));
  hg_golden_put(c, "SU2", b.seconds / a.seconds);
  hg_golden_put(c, "EG2", b.joules / a.joules);
  hg_golden_put(c, "N_T", by_time);
  hg_golden_put(c, "N_E", by_energy);
  hg_golden_put(c, "configuration", hg_configuration(b.seconds / a.seconds, b.joules / a.joules));
  json_object_set_new(c->got, "in_domain", json_boolean(hg_is_scalable(gpu.sigma) && hg_is_scalable(cpu.sigma)));
  return HG_OK;
}

/* Pairs of numbers [[a, b], ..]. */
static hg_status read_pairs(const json_t *input, const char *key, int *count, double *a, double *b)
{
  const json_t *list, *pair;
  size_t i;
  HG_TRY(hg_golden_part(input, key, JSON_ARRAY, &list));
  if (json_array_size(list) > NODES_MAX)
    return hg_fail(HG_INVALID, "%zu %s, must be at most %d", json_array_size(list), key, NODES_MAX);
  *count = (int)json_array_size(list);
  json_array_foreach(list, i, pair)
  {
    if (json_array_size(pair) != 2 || !json_is_number(json_array_get(pair, 0)) ||
        !json_is_number(json_array_get(pair, 1)))
      return hg_fail(HG_FORMAT, "%s[%zu] is not a pair of numbers", key, i);
    a[i] = json_number_value(json_array_get(pair, 0));
    b[i] = json_number_value(json_array_get(pair, 1));
  }
  return HG_OK;
}

static hg_status fit(hg_golden_case *c)
{
  double nodes[NODES_MAX], seconds[NODES_MAX];
  hg_scaling f;
  int count;
  HG_TRY(read_pairs(c->input, "points", &count, nodes, seconds));
  HG_TRY(hg_scaling_fit(count, nodes, seconds, &f));
  hg_golden_put(c, "T1", f.t1);
  hg_golden_put(c, "sigma", f.sigma);
  hg_golden_put(c, "max_rel", f.max_rel);
  json_object_set_new(c->got, "in_domain", json_boolean(hg_is_scalable(f.sigma)));
  return HG_OK;
}

static hg_status threshold(hg_golden_case *c)
{
  double gain, sigma_a, sigma_b, nodes;
  HG_TRY(hg_golden_double(c->input, "gain1", &gain));
  HG_TRY(hg_golden_double(c->input, "sigma_A", &sigma_a));
  HG_TRY(hg_golden_double(c->input, "sigma_B", &sigma_b));
  HG_TRY(hg_threshold(gain, sigma_a, sigma_b, &nodes));
  hg_golden_put(c, "N", nodes);
  return HG_OK;
}

static hg_status node_complete(hg_golden_case *c)
{
  double seconds, base, joules, share[NODES_MAX], watts[NODES_MAX];
  int units;
  HG_TRY(hg_golden_double(c->input, "T_s", &seconds));
  HG_TRY(hg_golden_double(c->input, "p_idle_W", &base));
  HG_TRY(read_pairs(c->input, "units", &units, share, watts));
  HG_TRY(node_energy(seconds, base, units, share, watts, &joules));
  hg_golden_put(c, "E_J", joules);
  return HG_OK;
}

/* A node whose GPU computes for the share beta and its CPU for the rest, relative to the CPU alone (1.46). */
static hg_status node_beta(hg_golden_case *c)
{
  double gpu, cpu, measured, beta, watts, alpha;
  HG_TRY(hg_golden_double(c->input, "pf_gpu_W", &gpu));
  HG_TRY(hg_golden_double(c->input, "pf_cpu_W", &cpu));
  if (json_object_get(c->input, "beta_measured")) {
    HG_TRY(hg_golden_double(c->input, "beta_measured", &measured));
    HG_TRY(hg_decay_correction(measured, &beta));
  } else {
    HG_TRY(hg_golden_double(c->input, "beta", &beta));
  }
  const activity both[] = {{beta, &gpu}, {1 - beta, &cpu}};
  HG_TRY(mean_power(&(activities){1, 2, both, NULL, 0, false}, &watts));
  HG_TRY(alpha_limit(watts, cpu, &alpha));
  hg_golden_put(c, "beta", beta);
  hg_golden_put(c, "alpha", alpha);
  return HG_OK;
}

static hg_status read_seed_nodes(const hg_golden_case *c, table *t)
{
  double id[SEED_NODES];
  HG_TRY(read_list(c->input, "nodes", SEED_NODES, id, &t->nodes));
  for (int i = 0; i < t->nodes; i++) {
    if (!(id[i] >= 1 && id[i] <= SEED_NODES && id[i] == floor(id[i])))
      return hg_fail(HG_INVALID, "node %g, must be in 1..%d", id[i], SEED_NODES);
    t->gpu[i] = seed_gpu[(int)id[i] - 1];
    t->idle[i] = seed_idle[(int)id[i] - 1];
  }
  return HG_OK;
}

static hg_status modes(hg_golden_case *c)
{
  static table t;
  double beta, ts, ta, sync, async, limit;
  HG_TRY(read_seed_nodes(c, &t));
  HG_TRY(hg_golden_double(c->input, "beta_gpu_sync", &beta));
  HG_TRY(hg_golden_double(c->input, "p_switch_W", &t.switch_watts));
  HG_TRY(hg_golden_double(c->input, "T_sync_s", &ts));
  HG_TRY(hg_golden_double(c->input, "T_async_s", &ta));
  if (!(ts > 0 && ta > 0)) return hg_fail(HG_INVALID, "T is %g, must be > 0", fmin(ts, ta));
  const activity always = {1, t.gpu}, often = {beta, t.gpu};
  HG_TRY(mean_power(&(activities){t.nodes, 1, &always, NULL, t.switch_watts, false}, &async));
  HG_TRY(mean_power(&(activities){t.nodes, 1, &often, t.idle, t.switch_watts, false}, &sync));
  HG_TRY(alpha_limit(async, sync, &limit));
  hg_golden_put(c, "alpha_limit", limit);
  hg_golden_put(c, "alpha", ts / ta);
  for (int by = 0; hg_criterion_names[by]; by++)
    put_winner(c, hg_criterion_names[by], (hg_criterion)by, "sync", ts, sync * ts, "async", ta, async * ta);
  return HG_OK;
}

static hg_status trapezoid(hg_golden_case *c)
{
  static double time[NODES_MAX], watts[NODES_MAX];
  static hg_sample sample[NODES_MAX];
  double begin, end, joules;
  int count;
  HG_TRY(read_pairs(c->input, "samples", &count, time, watts));
  HG_TRY(hg_golden_double(c->input, "t0_s", &begin));
  HG_TRY(hg_golden_double(c->input, "t1_s", &end));
  for (int i = 0; i < count; i++) sample[i] = (hg_sample){time[i], watts[i]};
  HG_TRY(hg_samples_sort(count, sample));
  HG_TRY(hg_trapezoid(count, sample, begin, end, &joules));
  hg_golden_put(c, "E_J", joules);
  hg_golden_put(c, "P_mean_W", end > begin ? joules / (end - begin) : 0);
  return HG_OK;
}

hg_status energy_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {{"table_sums", table_sums},
                                         {"alpha_node", alpha_node},
                                         {"alpha_async", alpha_async},
                                         {"alpha_sync", alpha_sync},
                                         {"alpha_three", alpha_three},
                                         {"bias", bias},
                                         {"cluster_pair", cluster_pair},
                                         {"basic_model", basic_model},
                                         {"fit", fit},
                                         {"threshold", threshold},
                                         {"node_complete", node_complete},
                                         {"node_beta", node_beta},
                                         {"modes", modes},
                                         {"trapezoid", trapezoid},
                                         {NULL, NULL}};
  return hg_golden_run(path, kinds);
}
