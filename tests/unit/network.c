/* SPDX-License-Identifier: MIT */
/* Times of messages, files, fits, surveys, predictions and choices, without MPI. */
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sort.h"
#include "exchange/world.h"
#include "hetgrid.h"
#include "tap.h"

static const char *const head =
    "{\"schema\": 1, \"host\": \"h\", \"date\": \"2026-11-21\", \"mpi\": \"m\", \"transport\": \"t\", "
    "\"binding\": \"b\", \"other_load\": 0.02, \"oversubscribed\": false, \"gpu_start\": null, \"levels\": [";
static const char *const tail = "]}";
static const char a_level[] = "{\"name\": \"node\", \"from\": \"cpu\", \"to\": \"cpu\", \"pairs\": 1, "
                              "\"bytes\": [0, 1000, 2000], \"seconds\": [1e-6, 2e-6, 4e-6], "
                              "\"low\": [1e-6, 1.5e-6, 4e-6], \"high\": [1e-6, 3e-6, 4e-6], \"samples\": [9, 9, 9], "
                              "\"outliers\": [0, 1, 0], \"pass_gap\": [0, 0.5, 0], "
                              "\"segments\": [{\"from\": 0, \"latency\": 1e-6, \"per_byte\": 1e-9}], "
                              "\"concurrent\": [{\"pairs\": 1, \"bytes\": 1000, \"seconds\": 2e-6}, "
                              "{\"pairs\": 2, \"bytes\": 1000, \"seconds\": 3e-6}], "
                              "\"trains\": {\"messages\": 11, \"bytes\": [1, 1000], \"one\": [2e-6, 4e-6], "
                              "\"many\": [7e-6, 14e-6], \"delayed\": [5e-5, 5e-5], \"delay\": [4e-6, 4e-6]}}";

static hg_status parse(const char *levels, hg_network *out)
{
  char text[8192];
  snprintf(text, sizeof text, "%s%s%s", head, levels, tail);
  return hg_network_parse(text, strlen(text), "file.json", out);
}

static void times_of_a_level(void)
{
  hg_network n;
  double low, high;
  tap_int(parse(a_level, &n), HG_OK, "a file is read");
  const hg_network_level *l = hg_network_between(&n, true);
  tap_ok(l && strcmp(l->name, "node") == 0, "without a level between nodes that within a node is used");
  tap_near(hg_network_time(l, 500), 1.5e-6, 1e-18, "between two sizes times are on the line");
  tap_near(hg_network_time(l, 3000), 6e-6, 1e-18, "beyond the last point the line continues");
  tap_near(hg_network_bandwidth(l, 2000), 2000 / 3e-6, 1e-3, "a bandwidth is without the start of messages");
  tap_ok(hg_network_beyond(l, 3000) && !hg_network_beyond(l, 2000), "... which is told");
  tap_near(hg_network_gap(l, 1), 1e-6 * .5 * (1 + 1. / 1000), 1e-10, "messages in a row follow at the gap");
  tap_near(hg_network_stream(l, 3, 1000), 2e-6 + 2 * 1e-6, 1e-12, "a stream pays the latency once");
  tap_near(hg_network_link(l, 1000), 1e-6, 1e-12, "a link is busy for the time that a second simultaneous pair adds");
  tap_near(hg_network_link(l, 500), .5e-6, 1e-12, "... byte by byte");
  hg_network_interval(l, 1000, &low, &high);
  tap_ok(low <= 1.5e-6 && high >= 3e-6, "the spread of a size is the error bar (%g .. %g)", low, high);
  l->point[2].seconds = 1.5e-6;
  tap_near(hg_network_time(l, 1e6), 1.5e-6, 1e-18, "beyond a last time that happens to be less nothing is for free");
  hg_network_free(&n);
}

static void files_read_back_the_same(void)
{
  hg_network a, b;
  char path[] = "network-test-XXXXXX", again[] = "network-test-XXXXXX", first[8192], second[8192];
  close(mkstemp(path));
  close(mkstemp(again));
  tap_int(parse(a_level, &a), HG_OK, "a file is read");
  tap_int(hg_network_write(path, &a), HG_OK, "and written");
  tap_int(hg_network_read(path, &b), HG_OK, "and read again");
  hg_network_write(again, &b);
  FILE *x = fopen(path, "r"), *y = fopen(again, "r");
  first[fread(first, 1, sizeof first - 1, x)] = 0;
  second[fread(second, 1, sizeof second - 1, y)] = 0;
  tap_ok(strcmp(first, second) == 0 && strlen(first) > 500, "to the last digit");
  fclose(x);
  fclose(y);
  unlink(path);
  unlink(again);
  hg_network_free(&a);
  hg_network_free(&b);
}

/* Allocated bytes; 0 if unknown. */
static size_t memory(void)
{
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

static void writing_keeps_no_memory(void)
{
  hg_network n;
  char path[] = "network-test-XXXXXX";
  size_t before = 0;
  close(mkstemp(path));
  tap_int(parse(a_level, &n), HG_OK, "a file is read");
  for (int i = 0; i <= 200; i++) {
    hg_network_write(path, &n);
    if (i == 100) before = memory();
  }
  tap_int((int64_t)memory() - (int64_t)before, 0, "... and written a hundred times, which keeps no memory");
  unlink(path);
  hg_network_free(&n);
}

static void replaced(const char *from, const char *to, const char *wanted)
{
  char text[4096];
  hg_network n;
  const char *at = strstr(a_level, from);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - a_level), a_level, to, at + strlen(from));
  const bool refused = parse(text, &n) != HG_OK;
  tap_ok(refused && strstr(hg_message(), wanted) && strstr(hg_message(), "file.json"), "refused: %s", hg_message());
  if (!refused) hg_network_free(&n);
}

static void wrong_files(void)
{
  char two[2 * sizeof a_level + 2];
  hg_network n;
  snprintf(two, sizeof two, "%s,%s", a_level, a_level);
  replaced("[0, 1000, 2000]", "[0, 3000, 2000]", "must increase");
  replaced("[0, 1000, 2000]", "[0, 1000]", "entries");
  replaced("[1e-6, 2e-6, 4e-6]", "[1e-6, NaN, 4e-6]", "file.json:1");
  replaced("[1e-6, 2e-6, 4e-6]", "[1e-6, -2e-6, 4e-6]", "seconds is -2e-06");
  replaced("[1e-6, 2e-6, 4e-6]", "[1e-6, 5e-6, 4e-6]", "low..high");
  replaced("\"pass_gap\": [0, 0.5, 0], ", "", "'pass_gap' is missing");
  replaced("\"pairs\": 1", "\"pairs\": 1, \"colour\": 3", "unknown field 'colour'");
  replaced("\"pairs\": 1", "\"pairs\": 1, \"pairs\": 2", "duplicate");
  replaced("\"pairs\": 1", "\"pairs\": 1.5", "whole");
  replaced("\"cpu\"", "\"disk\"", "cpu or gpu");
  replaced("\"node\"", "\"../x\"", "lower-case letters");
  replaced("\"messages\": 11", "\"messages\": 1", "messages is 1, must be in 2");
  replaced("\"latency\": 1e-6", "\"latency\": \"fast\"", "number");
  tap_ok(parse(two, &n) != HG_OK && strstr(hg_message(), "twice"), "refused: %s", hg_message());
  tap_ok(parse("", &n) != HG_OK && strstr(hg_message(), "empty"), "refused: %s", hg_message());
  static const char other[] = "{\"schema\": 2}";
  tap_ok(hg_network_parse(other, sizeof other - 1, "f", &n) == HG_FORMAT && strstr(hg_message(), "schema 2"),
         "refused: %s", hg_message());
}

/* A level with T = latency + k per_byte, and gap share of it. */
static hg_network_level affine(const char *name, double latency, double per_byte, double share)
{
  enum { ENDS = 2 };
  hg_network_level l = {.from = "cpu", .to = "cpu", .pairs = 1, .points = ENDS, .trains = 1, .train_length = 11};
  snprintf(l.name, sizeof l.name, "%s", name);
  l.point = calloc(ENDS, sizeof *l.point);
  l.train = calloc(1, sizeof *l.train);
  for (int i = 0; i < ENDS; i++) {
    const double k = i * 1e6;
    l.point[i] = (hg_network_point){k, latency + k * per_byte, latency + k * per_byte, latency + k * per_byte, 0, 9, 0};
  }
  l.train[0] = (hg_network_train){1, 2, 2 + 10 * share, 2 + 10 * (share + 3), 3};
  return l;
}

static double broadcast(const hg_network *n, int ranks, hg_broadcast_algorithm a, int64_t bytes, int64_t segment)
{
  double seconds = NAN;
  hg_network_broadcast(n, &(hg_rank_layout){.ranks = ranks}, a, bytes, segment, &seconds);
  return seconds;
}

/* If a sender is busy as long as the message takes, results are known sums. */
static void broadcasts_by_hand(void)
{
  hg_network_level level = affine("node", 1e-6, 1e-9, 1);
  const hg_network n = {.levels = 1, .level = &level};
  const double t = 1e-6 + 8000e-9, part = 1e-6 + 1000e-9;
  tap_near(broadcast(&n, 1, HG_BROADCAST_RING, 8000, 0), 0, 0, "one rank has it already");
  tap_near(broadcast(&n, 8, HG_BROADCAST_LINEAR, 8000, 0), 7 * t, 1e-15, "linear: 7 messages one after another");
  tap_near(broadcast(&n, 8, HG_BROADCAST_BINOMIAL, 8000, 0), 3 * t, 1e-15, "binomial: 3 rounds");
  tap_near(broadcast(&n, 5, HG_BROADCAST_BINOMIAL, 8000, 0), 3 * t, 1e-15, "... also for 5 ranks");
  const double scatter = 3e-6 + 7000e-9;
  tap_near(broadcast(&n, 8, HG_BROADCAST_DOUBLING, 8000, 0), scatter + 3e-6 + 7000e-9, 1e-15,
           "doubling: halves go down, halves come together");
  tap_ok(broadcast(&n, 8, HG_BROADCAST_RING, 8000, 0) >= scatter + 7 * part - 1e-15 - 3e-6 &&
             broadcast(&n, 8, HG_BROADCAST_RING, 8000, 0) <= scatter + 7 * part + 1e-15,
         "ring: parts go down, then 7 steps of a part (%g, at most %g)", broadcast(&n, 8, HG_BROADCAST_RING, 8000, 0),
         scatter + 7 * part);
  tap_near(broadcast(&n, 3, HG_BROADCAST_CHAIN, 8000, 1000), 2 * part + 7 * part, 1e-14,
           "chain: the segments follow each other");
  tap_ok(isnan(broadcast(&n, 6, HG_BROADCAST_DOUBLING, 8000, 0)) && strstr(hg_message(), "power of 2"), "refused: %s",
         hg_message());
  free(level.point);
  free(level.train);
}

/* 8000 bytes are 8 us on the link. Rank 0 sends to 2 and 1 at once; both have them after 17 us. One after the other
 * they would arrive after 9 and 17 us. 2 sends to 3. If senders wait for their messages, these follow each other. */
static void messages_share_a_link(void)
{
  hg_network_level level = affine("network", 1e-6, 1e-9, 0);
  const hg_network n = {.levels = 1, .level = &level};
  double seconds;
  hg_network_broadcast(&n, &(hg_rank_layout){4, 1}, HG_BROADCAST_BINOMIAL, 8000, 0, &seconds);
  tap_near(seconds, 17e-6 + 9e-6, 1e-12, "messages without waiting senders share the link of their node");
  hg_network_broadcast(&n, &(hg_rank_layout){2, 1}, HG_BROADCAST_DOUBLING, 4000, 0, &seconds);
  tap_near(seconds, 3e-6 + 3e-6, 1e-12, "... and end when they have arrived: half goes there, half comes back");
  free(level.point);
  free(level.train);
  level = affine("network", 1e-6, 1e-9, .75);
  const double later = hg_network_overhead(&level, 8000);
  hg_network_broadcast(&n, &(hg_rank_layout){4, 1}, HG_BROADCAST_BINOMIAL, 8000, 0, &seconds);
  tap_near(seconds, 26e-6 - later, 1e-12, "... from when the second begins");
  hg_network_broadcast(&n, &(hg_rank_layout){4, 4}, HG_BROADCAST_BINOMIAL, 8000, 0, &seconds);
  tap_near(seconds, 9e-6 + 9e-6, 1e-12, "within a node there is no link to share");
  free(level.point);
  free(level.train);
  level = affine("network", 1e-6, 1e-9, 1);
  hg_network_broadcast(&n, &(hg_rank_layout){4, 1}, HG_BROADCAST_BINOMIAL, 8000, 0, &seconds);
  tap_near(seconds, 9e-6 + 9e-6, 1e-12, "other messages follow each other");
  free(level.point);
  free(level.train);
}

/* 4 ranks on 2 nodes: 2000 B to rank 2 until 3 us, 1000 B to ranks 1 and 3 until 5 us, 1000 B within the nodes until
 * 7 us; then both ranks of a node send 2000 B over its link. */
static void ranks_of_a_node_share_its_link(void)
{
  hg_network_level level = affine("network", 1e-6, 1e-9, 1);
  hg_network_load load[] = {{1, 1000, 2e-6}, {2, 1000, 3e-6}};
  const hg_network n = {.levels = 1, .level = &level};
  double seconds;
  hg_network_broadcast(&n, &(hg_rank_layout){4, 2}, HG_BROADCAST_DOUBLING, 4000, 0, &seconds);
  tap_near(seconds, 10e-6, 1e-12, "without measured links messages between nodes take as long as one");
  level.load = load;
  level.loads = 2;
  hg_network_broadcast(&n, &(hg_rank_layout){4, 2}, HG_BROADCAST_DOUBLING, 4000, 0, &seconds);
  tap_near(seconds, 12e-6, 1e-12, "... and wait for each other if a second pair takes as long again");
  free(level.point);
  free(level.train);
}

static void links_by_size(void)
{
  hg_network_point point[] = {{512, 10e-6, 10e-6, 10e-6, 0, 9, 0},        {768, 10.5e-6, 10.5e-6, 10.5e-6, 0, 9, 0},
                              {1024, 11e-6, 11e-6, 11e-6, 0, 9, 0},       {1536, 20e-6, 20e-6, 20e-6, 0, 9, 0},
                              {2048, 20.5e-6, 20.5e-6, 20.5e-6, 0, 9, 0}, {3072, 21.5e-6, 21.5e-6, 21.5e-6, 0, 9, 0}};
  const hg_network_level level = {.name = "network", .points = 6, .point = point};
  tap_near(hg_network_wire(&level, 1024), 1536 * .5e-6 / 512, 1e-12,
           "a link is busy as T rises around the size, and no longer than with more bytes");
  tap_near(hg_network_wire(&level, 2048), 2048 * .5e-6 / 512, 1e-12, "... beyond a jump as beyond it");
}

static void choices(void)
{
  double low;
  hg_network_level level = affine("node", 2e-6, 1e-9, .01);
  const hg_network n = {.levels = 1, .level = &level};
  hg_network_choice c;
  hg_network_choose(&n, &(hg_rank_layout){.ranks = 8}, 8, &c);
  low = c.seconds;
  tap_ok(c.algorithm == HG_BROADCAST_LINEAR, "if sending costs nothing the root sends to all (%s, %g s)",
         hg_broadcast_names[c.algorithm], low);
  for (int a = 0; a < HG_BROADCASTS; a++)
    tap_ok(!(c.candidate[a] < low), "... and %s is no faster (%g s)", hg_broadcast_names[a], c.candidate[a]);
  hg_network_choose(NULL, &(hg_rank_layout){.ranks = 64}, 1 << 20, &c);
  tap_ok(c.algorithm == HG_BROADCAST_RING && isnan(c.seconds), "without a file MPICH's rule decides");
  hg_network_choose(NULL, &(hg_rank_layout){.ranks = 64}, 100000, &c);
  tap_int(c.algorithm, HG_BROADCAST_DOUBLING, "... doubling on 64 ranks");
  hg_network_choose(NULL, &(hg_rank_layout){.ranks = 63}, 100000, &c);
  tap_int(c.algorithm, HG_BROADCAST_RING, "... ring on 63");
  free(level.point);
  free(level.train);
}

/* A machine with piecewise linear times, noise, and a jump at 4096 bytes. */
typedef struct machine {
  uint64_t state;
  double noise;
} machine;

static double true_time(double bytes)
{
  return bytes < 4096 ? 2e-7 + bytes * 5e-11 : 2e-6 + bytes * 7e-11;
}

static hg_status machine_times(void *arg, double bytes, int count, double *seconds)
{
  machine *m = arg;
  for (int i = 0; i < count; i++) {
    const double u = (double)(tap_random(&m->state) >> 11) * 0x1p-53;
    seconds[i] = true_time(bytes) * (1 + m->noise * (2 * u - 1)) * (tap_random(&m->state) % 50 == 0 ? 20 : 1);
  }
  return HG_OK;
}

static hg_status same_time(void *arg, double bytes, int count, double *seconds)
{
  ++*(int *)arg;
  for (int i = 0; i < count; i++) seconds[i] = true_time(bytes);
  return HG_OK;
}

static void samples_are_doubled(void)
{
  int calls = 0;
  const hg_probe probe = {same_time, &calls};
  hg_samples s;
  tap_ok(hg_samples_take(&probe, 8, 1e3, &s) == HG_OK && s.median == true_time(8), "samples of a message of 8 bytes");
  tap_int(calls, 9, "9, 9, 18, 36 ... of them at a time, 2000 in all");
  calls = 0;
  tap_ok(hg_samples_take(&probe, 8, 0, &s) == HG_OK && calls == 1, "9 if there is no time");
}

static void surveys_find_jumps(void)
{
  machine m = {7, .05};
  const hg_probe probe = {machine_times, &m};
  const hg_survey_plan plan = {.max_bytes = 1 << 24, .budget = 20, .passes = 3, .most = 128, .seed = 1};
  hg_network_level l = {.name = "node"};
  tap_int(hg_network_survey(&probe, &plan, &l), HG_OK, "a level is surveyed");
  double worst = 0;
  for (double k = 1; k < 1 << 24; k *= 1.37)
    if (k < 4000 || k > 4200) worst = fmax(worst, fabs(hg_network_time(&l, k) / true_time(k) - 1));
  tap_ok(worst < .05, "... and predicted to %.2g, jump and all, from %d sizes", worst, l.points);
  tap_ok(l.segments >= 2 && l.segments <= 4 && fabs(l.segment[1].from - 4096) < 200,
         "the pieces part at the jump (%d pieces, the second from %g)", l.segments, l.segment[1].from);
  tap_ok(l.point[5].outliers > 0 && l.point[5].samples >= 27, "outliers are counted (%d of %d)", l.point[5].outliers,
         l.point[5].samples);
  free(l.point);
  free(l.segment);
}

/* The median of noisy times with outliers. */
static double measured(uint64_t *state, double time)
{
  enum { SAMPLES = 101 };
  double t[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    double normal = -6;
    for (int k = 0; k < 12; k++) normal += (double)(tap_random(state) >> 11) * 0x1p-53;
    t[i] = time * (1 + .05 * normal) * (tap_random(state) % 50 == 0 ? 20 : 1);
  }
  return hg_samples_describe(SAMPLES, t).median;
}

static double uniform(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * (double)(tap_random(state) >> 11) * 0x1p-53;
}

/* Round trips of a LogGP machine; with `noise` as measured, otherwise exact. */
static hg_loggp recovered(uint64_t *state, const hg_loggp *p, bool noise)
{
  enum { ROWS = 16, N = 17 };
  hg_network_train row[ROWS];
  hg_loggp out;
  for (int i = 0; i < ROWS; i++) {
    const double s = 1 + 4096. * i, one = 2 * (p->L + 2 * p->o + (s - 1) * p->G), d = one;
    row[i] = (hg_network_train){s, one, one + (N - 1) * (p->g + (s - 1) * p->G), one + (N - 1) * (d + p->o), d};
    if (!noise) continue;
    row[i].one = measured(state, row[i].one);
    row[i].many = measured(state, row[i].many);
    row[i].delayed = measured(state, row[i].delayed);
  }
  hg_loggp_recover(N, ROWS, row, &out);
  return out;
}

static void parameters_are_recovered(void)
{
  enum { CASES = 100 };
  static double off[4][CASES];
  uint64_t state = 5;
  double exact = 0;
  for (int i = 0; i < CASES; i++) {
    const hg_loggp p = {uniform(&state, 20e-6, 60e-6), uniform(&state, 2e-6, 6e-6), uniform(&state, 6e-6, 12e-6),
                        uniform(&state, .5e-9, 2e-9)};
    const hg_loggp e = recovered(&state, &p, false), n = recovered(&state, &p, true);
    exact = fmax(exact,
                 fmax(fmax(fabs(e.L / p.L - 1), fabs(e.o / p.o - 1)), fmax(fabs(e.g / p.g - 1), fabs(e.G / p.G - 1))));
    off[0][i] = fabs(n.L / p.L - 1);
    off[1][i] = fabs(n.o / p.o - 1);
    off[2][i] = fabs(n.g / p.g - 1);
    off[3][i] = fabs(n.G / p.G - 1);
  }
  for (int k = 0; k < 4; k++) qsort(off[k], CASES, sizeof off[k][0], hg_by_value);
  tap_ok(exact < 1e-6, "L, o, g, G come out of exact round trips (%.2g)", exact);
  tap_ok(off[0][90] < .12 && off[1][90] < .35 && off[2][90] < .1 && off[3][90] < .015,
         "and of noisy ones with outliers: L %.3f, o %.3f, g %.3f, G %.4f off (p90)", off[0][90], off[1][90],
         off[2][90], off[3][90]);
}

static void journals_are_resumed(void)
{
  machine m = {7, .05};
  const hg_probe probe = {machine_times, &m};
  hg_journal j;
  hg_survey_plan plan = {.max_bytes = 4096, .budget = 5, .passes = 2, .most = 60, .seed = 1, .journal = &j};
  hg_network_level a = {.name = "node"}, b = {.name = "node"};
  char file[] = "network-journal-XXXXXX", part[64];
  close(mkstemp(file));
  snprintf(part, sizeof part, "%s.part", file);
  hg_journal_open(file, "same", &j);
  hg_network_survey(&probe, &plan, &a);
  hg_journal_close(&j, false);
  hg_journal_open(file, "same", &j);
  hg_network_survey(&probe, &plan, &b);
  tap_int(j.reused, 2 * a.points, "measured sizes are not measured again");
  bool same = a.points == b.points;
  for (int i = 0; same && i < a.points; i++)
    same = a.point[i].seconds == b.point[i].seconds && a.point[i].low == b.point[i].low;
  tap_ok(same, "... and give the same table");
  hg_journal_close(&j, false);
  hg_journal_open(file, "other", &j);
  tap_ok(j.text == NULL, "another measurement starts from the beginning");
  hg_journal_close(&j, true);
  tap_ok(access(part, F_OK) != 0, "and a finished one leaves no journal");
  tap_ok(symlink(file, part) == 0 && hg_journal_open(file, "same", &j) == HG_IO,
         "a symbolic link in its place is refused: %s", hg_message());
  unlink(part);
  tap_ok(link(file, part) == 0 && hg_journal_open(file, "same", &j) == HG_IO, "... as is a second name of a file: %s",
         hg_message());
  unlink(part);
  unlink(file);
  for (int i = 0; i < 2; i++) {
    free((i ? &b : &a)->point);
    free((i ? &b : &a)->segment);
  }
}

/* 10 us + bytes at 1 GB/s to the GPU; twice as long from unpinned memory; the way back is unknown. */
static void buses_of_gpus(void)
{
  hg_network_point fast[] = {{0, 1e-5, 1e-5, 1e-5, 0, 9, 0}, {1e8, .10001, .10001, .10001, 0, 9, 0}},
                   slow[] = {{0, 2e-5, 2e-5, 2e-5, 0, 9, 0}, {1e8, .20002, .20002, .20002, 0, 9, 0}};
  hg_network_level level[] = {{.name = "h2d", .from = "cpu", .to = "gpu", .points = 2, .point = fast},
                              {.name = "h2d-pageable", .from = "cpu", .to = "gpu", .points = 2, .point = slow}};
  hg_network n = {.levels = 2, .level = level};
  hg_partial_speed bus;
  tap_int(hg_network_bus(&n, true, true, &bus), HG_OK, "the bus of a GPU is known from its level");
  tap_near(hg_partial_speed_at(&bus, 4096), 4096 / (1e-5 + 4096e-9), 1e-3, "... short copies");
  tap_near(hg_partial_speed_at(&bus, 0x1p28), 0x1p28 / (1e-5 + 0x1p28 * 1e-9), 1e3, "... long ones, beyond the table");
  tap_int(hg_network_bus(&n, true, false, &bus), HG_OK, "for unpinned memory by another level");
  tap_near(hg_partial_speed_at(&bus, 4096), 4096 / (2e-5 + 8192e-9), 1e-3, "... which is slower");
  tap_int(hg_network_bus(&n, false, true, &bus), HG_OK, "a level that was not measured");
  tap_int(bus.count, 0, "... tells nothing");
}

static void ranks_of_a_host(void)
{
  hg_place place[] = {{.host = "a"}, {.host = "a"}, {.host = "b"}, {.host = "a"}};
  const hg_network_world four = {.ranks = 4, .place = place}, two = {.ranks = 2, .place = place};
  tap_int(hg_network_world_group(&four).per_node, 2, "ranks of the first host, up to the first of another");
  tap_int(hg_network_world_group(&two).per_node, 2, "... or all there are");
}

int main(void)
{
  times_of_a_level();
  ranks_of_a_host();
  buses_of_gpus();
  files_read_back_the_same();
  writing_keeps_no_memory();
  wrong_files();
  broadcasts_by_hand();
  messages_share_a_link();
  ranks_of_a_node_share_its_link();
  links_by_size();
  choices();
  samples_are_doubled();
  surveys_find_jumps();
  parameters_are_recovered();
  journals_are_resumed();
  return tap_done();
}
