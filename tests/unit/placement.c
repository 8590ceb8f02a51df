/* SPDX-License-Identifier: MIT */
/* FPMC against its starting points, on nodes with links; the time of a division step by step. */
#include <stdlib.h>

#include "partition/metrics.h"
#include "placement/follow.h"
#include "placement/fpmc.h"
#include "random_models.h"

static void balances_have_names(void)
{
  hg_balance balance;
  for (int i = 0; hg_balance_names[i]; i++)
    tap_ok(hg_balance_parse(hg_balance_names[i], &balance) && balance == (hg_balance)i, "%s", hg_balance_names[i]);
  tap_ok(!hg_balance_parse("fast", &balance), "no other name is one");
}

static void fpmc_is_never_worse(void)
{
  uint64_t state = 4;
  int worse = 0, uncovered = 0, different = 0, systems = 150, balanced = 0, evaluations = 0;
  for (int round = 0; round < systems; round++) {
    int parts = (int)tap_between(&state, 1, 8);
    const int64_t n[3] = {tap_between(&state, 20, 200), tap_between(&state, 20, 200), 1};
    hg_speed_model m[8];
    hg_box box[8], again[8];
    hg_fpmc_result r, s;
    for (int i = 0; i < parts; i++) {
      m[i] = random_model(&state, (double)(n[0] * n[1]) / parts);
      m[i].tc *= 10;
    }
    uncovered += hg_fpmc(2, n, &(hg_machine){.parts = parts, .model = m}, "nphp", box, &r) != HG_OK ||
                 hg_partition_check_cover(parts, box, n) != HG_OK;
    hg_fpmc(2, n, &(hg_machine){.parts = parts, .model = m}, "nphp", again, &s);
    different += memcmp(box, again, (size_t)parts * sizeof *box) != 0 || r.makespan != s.makespan;
    for (hg_balance b = HG_BALANCE_EVEN; b <= HG_BALANCE_FPM; b++) {
      hg_divide_by_model(b, 2, n, &(hg_machine){.parts = parts, .model = m}, "nphp", again, &s);
      worse += r.makespan > s.makespan * (1 + 1e-12);
    }
    balanced += r.imbalance <= 1.05;
    evaluations += r.evaluations;
  }
  tap_ok(uncovered == 0 && different == 0, "fpmc covers the grid once, always in the same way (%d, %d not)", uncovered,
         different);
  tap_int(worse, 0, "fpmc is never worse than even, cpm and fpm");
  tap_ok(balanced * 10 >= systems * 9, "its times agree within 5 %% in %d of %d systems (%d evaluations each)",
         balanced, systems, evaluations / systems);
}

/* Equal processors with costs for their borders: auto's partition matters more than the shares. */
static void fpmc_by_auto_is_never_worse(void)
{
  uint64_t state = 14;
  int worse = 0, failed = 0, systems = 120;
  double most = 0;
  for (int round = 0; round < systems; round++) {
    const int parts = (int)tap_between(&state, 1, 14);
    const int64_t n[3] = {tap_between(&state, 4, 24), tap_between(&state, 4, 24), tap_between(&state, 4, 24)};
    const hg_speed_model one = {.smax = exp(uniform(&state, 0, 6)), .tc = exp(uniform(&state, -6, 3))};
    hg_speed_model m[14];
    hg_box box[14];
    hg_fpmc_result r, s;
    for (int i = 0; i < parts; i++) m[i] = one;
    failed += hg_fpmc(3, n, &(hg_machine){.parts = parts, .model = m}, NULL, box, &r) != HG_OK;
    for (hg_balance b = HG_BALANCE_EVEN; b <= HG_BALANCE_FPM; b++) {
      failed += hg_divide_by_model(b, 3, n, &(hg_machine){.parts = parts, .model = m}, "auto", box, &s) != HG_OK;
      worse += r.makespan > s.makespan * (1 + 1e-12);
      most = fmax(most, r.makespan / s.makespan - 1);
    }
  }
  tap_ok(worse == 0 && failed == 0, "by auto too, in %d systems of equal processors (at most %.4f worse)", systems,
         most);
}

/* GPUs and cores in nodes with links of any speed. */
static hg_machine random_machine(uint64_t *state, int64_t cells, hg_speed_model *m, int *node)
{
  const int nodes = (int)tap_between(state, 1, 4), each = (int)tap_between(state, 1, 3);
  const double step = (double)cells / 1e3;
  for (int i = 0; i < nodes * each; i++) {
    m[i] = (hg_speed_model){.smax = exp(uniform(state, 5, 8)), .tc = step * exp(uniform(state, -12, -6))};
    node[i] = i / each;
  }
  return (hg_machine){.parts = nodes * each,
                      .model = m,
                      .levels = 1,
                      .group = {node},
                      .wire = {{.latency = step * exp(uniform(state, -9, 0)), .bandwidth = exp(uniform(state, -2, 7))}},
                      .item_bytes = 8,
                      .block = (int)tap_between(state, 1, 10)};
}

/* The time of all cells on one processor. */
static double alone(const hg_machine *m, int64_t cells)
{
  double best = INFINITY;
  for (int i = 0; i < m->parts; i++) best = fmin(best, hg_speed_time(&m->model[i], (double)cells, 0));
  return best;
}

static void fpmc_knows_nodes(void)
{
  static const char *const names[] = {"nphp", "nodes", "rows", "auto"};
  uint64_t state = 24;
  int worse = 0, failed = 0, better = 0, systems = 100;
  for (int round = 0; round < systems; round++) {
    const int64_t n[3] = {tap_between(&state, 20, 200), tap_between(&state, 20, 200), 1};
    hg_speed_model m[12];
    int node[12];
    const hg_machine machine = random_machine(&state, n[0] * n[1], m, node);
    hg_box box[12];
    hg_fpmc_result r, s;
    double simple = alone(&machine, n[0] * n[1]);
    failed +=
        hg_fpmc(2, n, &machine, NULL, box, &r) != HG_OK || hg_partition_check_cover(machine.parts, box, n) != HG_OK;
    for (hg_balance b = HG_BALANCE_EVEN; b <= HG_BALANCE_FPM; b++)
      for (int k = 0; k < 4; k++) {
        failed += hg_divide_by_model(b, 2, n, &machine, names[k], box, &s) != HG_OK;
        simple = fmin(simple, s.makespan);
      }
    worse += r.makespan > simple * (1 + 1e-12);
    better += r.makespan < .99 * simple;
  }
  tap_ok(failed == 0 && worse == 0,
         "on nodes with links fpmc never takes longer than even, cpm and fpm, flat or by nodes, or one processor "
         "alone: %d of %d systems (by 1 %% less in %d)",
         worse, systems, better);
}

/* The example of machine.c. */
static void a_link_is_shared_by_its_node(void)
{
  const int64_t n[3] = {4, 4, 1};
  const hg_speed_model m[4] = {{.smax = 1}, {.smax = 1}, {.smax = 1}, {.smax = 1}};
  const int node[] = {0, 0, 1, 1};
  hg_machine machine = {
      .parts = 4, .model = m, .levels = 1, .group = {node}, .wire = {{.latency = .5, .bandwidth = 8}}, .item_bytes = 8};
  hg_box box[4];
  hg_fpmc_result r;
  hg_divide_by_model(HG_BALANCE_EVEN, 2, n, &machine, "rows", box, &r);
  tap_near(r.makespan, 9, 1e-12, "rows of two nodes: 4 s of cells, two messages, 4 items over the link");
  machine.block = 5;
  hg_divide_by_model(HG_BALANCE_EVEN, 2, (const int64_t[3]){4, 40, 1}, &machine, "rows", box, &r);
  tap_near(r.makespan, 44.2, 1e-12, "... ten times as many cells in blocks of 5 steps: a fifth of the messages");
  machine.block = 1;
  machine.wire[0].bandwidth = 0;
  hg_divide_by_model(HG_BALANCE_EVEN, 2, n, &machine, "rows", box, &r);
  tap_near(r.makespan, 4, 1e-12, "... without cost over a free link");
}

/* Cells that take 2 and 4 s, and messages of 5 s: a round trip takes 2 + 5 + 4 + 5 s, for two steps. */
static void who_is_done_early_sends_early(void)
{
  const hg_speed_model m[] = {{.smax = 4}, {.smax = 2}};
  const int node[] = {0, 1};
  const hg_box box[] = {{{0, 0, 0}, {4, 2, 1}}, {{0, 2, 0}, {4, 4, 1}}};
  const hg_machine machine = {
      .parts = 2, .model = m, .levels = 1, .group = {node}, .wire = {{.latency = .5, .bandwidth = 8}}, .item_bytes = 8};
  double seconds = 0;
  tap_ok(hg_machine_follow(&machine, 2, box, &seconds) == HG_OK, "a division is followed");
  tap_near(seconds, 8, 1e-9, "a processor that is done early sends early");
}

/* Rows on three nodes at 1 cell/s, 4 items each way: the middle one has two messages of 0.5 s in each direction. */
static void messages_share_a_link(void)
{
  const hg_speed_model m[] = {{.smax = 1}, {.smax = 1}, {.smax = 1}};
  const int node[] = {0, 1, 2};
  const hg_box box[] = {{{0, 0, 0}, {4, 1, 1}}, {{0, 1, 0}, {4, 2, 1}}, {{0, 2, 0}, {4, 3, 1}}};
  const hg_machine machine = {
      .parts = 3, .model = m, .levels = 1, .group = {node}, .wire = {{.bandwidth = 8}}, .item_bytes = 1};
  double seconds = 0;
  hg_machine_follow(&machine, 2, box, &seconds);
  tap_near(seconds, 5, 1e-9, "two messages on a link take twice as long");
}

/* Rows on two nodes with a periodic boundary, too: 8 items each way. */
static void ends_that_meet_exchange(void)
{
  const hg_speed_model m[] = {{.smax = 1}, {.smax = 1}};
  const int node[] = {0, 1};
  const hg_box box[] = {{{0, 0, 0}, {4, 1, 1}}, {{0, 1, 0}, {4, 2, 1}}};
  hg_machine machine = {
      .parts = 2, .model = m, .levels = 1, .group = {node}, .wire = {{.bandwidth = 8}}, .item_bytes = 1};
  double seconds = 0;
  hg_machine_follow(&machine, 2, box, &seconds);
  tap_near(seconds, 4.5, 1e-9, "a message of four items");
  machine.periodic[1] = true;
  hg_machine_follow(&machine, 2, box, &seconds);
  tap_near(seconds, 5, 1e-9, "... of eight with a periodic boundary");
}

/* Two GPUs of a node with 4 s of cells each; a copy takes 2 latencies of 1 s and 0.1 s for each of 4 items, and waits
 * for the other one. */
static void copies_between_two_gpus_take_turns(void)
{
  const hg_speed_model m[] = {{.smax = 1}, {.smax = 1}};
  const hg_gpu_port port[] = {{1, .1, .1}, {1, .1, .1}};
  const int node[] = {0, 0};
  const hg_box box[] = {{{0, 0, 0}, {4, 1, 1}}, {{0, 1, 0}, {4, 2, 1}}};
  hg_machine machine = {.parts = 2, .model = m, .levels = 1, .group = {node}, .port = port, .item_bytes = 8};
  double seconds = 0;
  hg_machine_follow(&machine, 2, box, &seconds);
  tap_near(seconds, 8.8, 1e-9, "copies between two GPUs take turns");
  machine.steps = 1;
  hg_machine_follow(&machine, 2, box, &seconds);
  tap_near(seconds, 8.8, 1e-9, "a run of one step has one exchange");
}

static void thousands_are_divided_in_seconds(void)
{
  enum { NODES = 25000, EACH = 4, PARTS = NODES * EACH };
  const int64_t n[3] = {400000, 400000, 1};
  hg_speed_model *m = calloc(PARTS, sizeof *m);
  int *node = calloc(PARTS, sizeof *node);
  hg_box *box = calloc(PARTS, sizeof *box);
  hg_fpmc_result r = {0}, s = {0};
  for (int i = 0; i < PARTS; i++) m[i] = (hg_speed_model){.smax = 1e9 * (1 + i % EACH)}, node[i] = i / EACH;
  const hg_machine machine = {.parts = PARTS,
                              .model = m,
                              .levels = 1,
                              .group = {node},
                              .wire = {{.latency = 1e-5, .bandwidth = 1e10}},
                              .item_bytes = 8,
                              .block = 10};
  const hg_status status = hg_fpmc(2, n, &machine, NULL, box, &r);
  tap_ok(status == HG_OK && hg_partition_check_cover(PARTS, box, n) == HG_OK, "%d processors are divided among (%s)",
         PARTS, status == HG_OK ? "each cell once" : hg_message());
  hg_divide_by_model(HG_BALANCE_FPM, 2, n, &machine, "nphp", box, &s);
  tap_ok(r.makespan <= s.makespan && r.imbalance < 1.05, "... in %.4g s, by fpm %.4g; imbalance %.4f", r.makespan,
         s.makespan, r.imbalance);
  free(m);
  free(node);
  free(box);
}

static void fpmc_serves_fewer_cells_than_processors(void)
{
  const int64_t n[3] = {2, 3, 1};
  hg_speed_model m[9];
  hg_box box[9];
  hg_fpmc_result r = {0};
  for (int i = 0; i < 9; i++) m[i] = (hg_speed_model){.smax = 1 + i};
  const bool good = hg_fpmc(2, n, &(hg_machine){.parts = 9, .model = m}, NULL, box, &r) == HG_OK &&
                    hg_partition_check_cover(9, box, n) == HG_OK;
  tap_ok(good && fabs(r.makespan - 2. / 9) < 1e-12, "6 cells for 9 processors: %g s (%s)", r.makespan,
         good ? "" : hg_message());
}

/* 5 cells for three equal processors: 2, 2 and 1. */
static void imbalance_is_the_longest_over_the_mean(void)
{
  const int64_t n[3] = {5, 1, 1};
  const hg_speed_model m[3] = {{.smax = 1000}, {.smax = 1000}, {.smax = 1000}};
  hg_box box[3];
  hg_fpmc_result r = {0};
  tap_ok(hg_fpmc(2, n, &(hg_machine){.parts = 3, .model = m}, "nphp", box, &r) == HG_OK && r.makespan == 2e-3,
         "5 cells at 1000 cells/s: %g s", r.makespan);
  tap_near(r.imbalance, 2 / (5. / 3), 1e-12, "... the imbalance of 2, 2 and 1");
}

/* The thesis' own algorithm terminates and covers the grid; how often it loses against FPM is only printed. */
static void fpmc_as_in_the_thesis(void)
{
  uint64_t state = 7;
  int uncovered = 0, different = 0, worse = 0, better = 0, ahead = 0, systems = 150, most = 0, uncounted = 0;
  for (int round = 0; round < systems; round++) {
    int parts = (int)tap_between(&state, 1, 8);
    const int64_t n[3] = {tap_between(&state, 20, 200), tap_between(&state, 20, 200), 1};
    hg_speed_model m[8];
    hg_box box[8], again[8];
    hg_fpmc_result thesis, repeated, fpm, ours;
    for (int i = 0; i < parts; i++) m[i] = random_model(&state, (double)(n[0] * n[1]) / parts);
    uncovered += hg_divide_by_model(HG_BALANCE_FPMC_THESIS, 2, n, &(hg_machine){.parts = parts, .model = m}, "nphp",
                                    box, &thesis) != HG_OK ||
                 hg_partition_check_cover(parts, box, n) != HG_OK;
    hg_fpmc_thesis(2, n, parts, m, "nphp", again, &repeated);
    different += memcmp(box, again, (size_t)parts * sizeof *box) != 0;
    hg_divide_by_model(HG_BALANCE_FPM, 2, n, &(hg_machine){.parts = parts, .model = m}, "nphp", again, &fpm);
    hg_divide_by_model(HG_BALANCE_FPMC, 2, n, &(hg_machine){.parts = parts, .model = m}, "nphp", again, &ours);
    worse += thesis.makespan > fpm.makespan * (1 + 1e-9);
    better += thesis.makespan < fpm.makespan * (1 - 1e-9);
    ahead += thesis.makespan < ours.makespan * (1 - 1e-9);
    uncounted += ours.evaluations <= repeated.evaluations;
    most = thesis.evaluations > most ? thesis.evaluations : most;
  }
  tap_ok(uncovered == 0 && different == 0,
         "algorithm 4-1 covers the grid, always in the same way (%d, %d not; at most %d partitions)", uncovered,
         different, most);
  tap_int(uncounted, 0, "its partitions are among those that fpmc has tried");
  tap_ok(ahead == 0, "it is better than fpmc in %d of %d systems (against fpm: better in %d, worse in %d)", ahead,
         systems, better, worse);
  hg_speed_model one = {.smax = 1};
  hg_box box;
  hg_fpmc_result r;
  tap_int(hg_fpmc_thesis(2, (const int64_t[3]){1, 1, 1}, 0, &one, "nphp", &box, &r), HG_INVALID,
          "no processors are refused");
  const hg_speed_model slow[3] = {{.smax = 1}, {.smax = 1}, {.smax = 1}};
  hg_box cell[3];
  const hg_status status = hg_fpmc_thesis(2, (const int64_t[3]){3, 1, 1}, 3, slow, "columns", cell, &r);
  tap_ok(status == HG_OK && r.makespan == 1, "a cell for each of three takes %g s", r.makespan);
}

int main(void)
{
  balances_have_names();
  fpmc_is_never_worse();
  fpmc_by_auto_is_never_worse();
  fpmc_knows_nodes();
  a_link_is_shared_by_its_node();
  thousands_are_divided_in_seconds();
  who_is_done_early_sends_early();
  messages_share_a_link();
  ends_that_meet_exchange();
  copies_between_two_gpus_take_turns();
  fpmc_serves_fewer_cells_than_processors();
  imbalance_is_the_longest_over_the_mean();
  fpmc_as_in_the_thesis();
  return tap_done();
}
