/* SPDX-License-Identifier: MIT */
/* The thesis' experiments that need its machines, repeated on simulated ones: 6.2 (communication by partitioner), 6.3
 * (balance by model), 6.5 (adding slow GPUs), and figure 5-6. Its calculations on paper are in equations.c. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "partition/metrics.h"
#include "partition/partition.h"
#include "partition/tree.h"
#include "apps/simulate/simulate.h"

static const int64_t sides[] = {800, 1600, 2400, 3200, 4800, 6400};
enum { SIDES = sizeof sides / sizeof *sides };

/* The thesis' runs: floats, one step between exchanges. */
static simulate_case thesis_case(const program_entry *app, int64_t side, const char *partition, const char *model)
{
  return (simulate_case){.app = app,
                         .size = {side, side},
                         .steps = 100,
                         .block = 1,
                         .single = true,
                         .partition = partition,
                         .model = model,
                         .sched = "hetgrid"};
}

/* Variants: messages take no time; heat's kernels are faster by data reuse (figure 6-7). */
typedef enum change { AS_IT_IS, FREE_NETWORK, DATA_REUSE } change;
#define REUSE 2.5
#define CPU_UPDATES 127. /* million/s of the thesis' program on CPUs, as printed */

/* A named machine, with some of its nodes and devices. */
static hg_status open_machine(const char *name, int first, int count, const char *devices, change changed,
                              simulate_machine *m)
{
  hg_platform p;
  HG_TRY(hg_platform_find(name, &p));
  if (changed == FREE_NETWORK) {
    p.bandwidth = 1e15;
    p.latency = 0;
  }
  for (int i = 0; i < p.devices && changed == DATA_REUSE; i++) p.device[i].heat.smax *= REUSE;
  return simulate_open(&p, first, count, devices, m);
}

static double items_of(const simulate_machine *m, const simulate_case *c)
{
  hg_box box[8];
  hg_rect rect[8];
  hg_part_metrics part[8];
  hg_partition_metrics total;
  const double size[2] = {(double)c->size[0], (double)c->size[1]}, speed[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  hg_partition_request r = {.dims = 2, .parts = 4, .speed = speed};
  memcpy(r.size, size, sizeof size);
  r.size[2] = 1;
  double predicted;
  if (simulate_divide(&m->platform, c, box, &predicted) != HG_OK) return NAN;
  hg_boxes_to_rects(4, box, rect);
  hg_partition_measure(&r, rect, part, &total);
  return total.items;
}

/* Items of a step, and s of a run minus that on a network without delay. */
static hg_status communication_of(const simulate_machine *real, const simulate_machine *ideal, int64_t side,
                                  const char *partition, double *items, double *seconds)
{
  const simulate_case c = thesis_case(program_find("heat"), side, partition, "fpm");
  simulate_outcome with, without;
  *items = items_of(real, &c);
  HG_TRY(simulate_run(real, &c, &with));
  HG_TRY(simulate_run(ideal, &c, &without));
  *seconds = with.seconds - without.seconds;
  return HG_OK;
}

static hg_status communication(FILE *out)
{
  static const char *const names[] = {"rows", "rows-sorted", "php", "nphp"};
  enum { NAMES = sizeof names / sizeof *names };
  simulate_machine real, ideal;
  fputs(
      "## Communication by partitioner (6.2, figure 6-1)\n\n"
      "Two nodes of a C2050 and a GTX 650 each, 100 Mbit/s, one step between exchanges, 100 steps, shares by FPM. "
      "Items: cells that processors exchange per step.\nCommunication: time of the run less that on a network "
      "without delay.\nRows in the order of the machines have one border between nodes; in the order of NPHP's "
      "preprocessing, by speed, all three are.\n\n"
      "| side | items rows | php | nphp | communication rows (s) | rows by speed | php | nphp | rows / nphp | rows by "
      "speed / nphp | php / nphp |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n",
      out);
  HG_TRY(open_machine("thesis", 0, 0, NULL, AS_IT_IS, &real));
  hg_status status = open_machine("thesis", 0, 0, NULL, FREE_NETWORK, &ideal);
  for (int s = 0; s < SIDES && status == HG_OK; s++) {
    double items[NAMES], t[NAMES];
    for (int i = 0; i < NAMES && status == HG_OK; i++)
      status = communication_of(&real, &ideal, sides[s], names[i], &items[i], &t[i]);
    if (status == HG_OK)
      fprintf(out, "| %" PRId64 " | %.0f | %.0f | %.0f | %.4f | %.4f | %.4f | %.4f | %.2f | %.2f | %.2f |\n", sides[s],
              items[0], items[2], items[3], t[0], t[1], t[2], t[3], t[0] / t[3], t[1] / t[3], t[2] / t[3]);
    fflush(out);
  }
  simulate_close(&real);
  simulate_close(&ideal);
  fputs("\nThe thesis: at 6400 NPHP takes up to 3.5 times less than rows and 10 % less than PHP.\n\n", out);
  return status;
}

/* Seconds in which a worker of the first node executes tasks. */
static double busy(const simulate_outcome *r, int worker)
{
  return r->worker[worker].compute + r->worker[worker].dynamic;
}

static void print_balance(FILE *out, int64_t side, const char *model, const simulate_outcome *r)
{
  fprintf(out, "| %" PRId64 " | %s | %.3f | %.3f | %.3f | %.3f |\n", side, model, busy(r, 0), busy(r, 1),
          busy(r, 1) / busy(r, 0), r->seconds);
  fflush(out);
}

/* One application's rows. With equal shares of an elimination, no worker may take another's. */
static hg_status balance_of(FILE *out, const program_entry *app, const simulate_machine *m)
{
  static const char *const models[] = {"even", "fpm", "fpmc"};
  for (int s = 0; s < SIDES; s++)
    for (int i = 0; i < 3; i++) {
      simulate_case c = thesis_case(app, sides[s], "nphp", models[i]);
      simulate_outcome r;
      if (i == 0 && app->kind != PROGRAM_GRID) c.sched = "hetgrid-even";
      HG_TRY(simulate_run(m, &c, &r));
      print_balance(out, sides[s], models[i], &r);
    }
  return HG_OK;
}

static hg_status balance_on(FILE *out, const char *name, const char *platform, const char *remark)
{
  simulate_machine m;
  fprintf(out,
          "### %s\n\n%s\n\n| side | shares | C2050 computes (s) | GTX 650 computes (s) | ratio | run (s) |\n"
          "|---|---|---|---|---|---|\n",
          name, remark);
  HG_TRY(open_machine(platform, 0, 0, NULL, AS_IT_IS, &m));
  const hg_status status = balance_of(out, program_find(strcmp(name, "Heat") == 0 ? "heat" : "elimination"), &m);
  simulate_close(&m);
  fputc('\n', out);
  return status;
}

static hg_status balance(FILE *out)
{
  fputs("## Balance by model (6.3, figures 6-2 to 6-5)\n\n"
        "The same machine. Ratio: time that the GTX 650 of the first node computes over that of its C2050 (1 is "
        "balanced).\n\n",
        out);
  HG_TRY(balance_on(out, "Heat", "thesis", "100 steps."));
  HG_TRY(balance_on(out, "Elimination", "thesis-rows",
                    "At the speed of the thesis' own kernels (platform `thesis-rows`). FPMC may leave a node out."));
  fputs("The thesis: even, the GTX 650 takes more than 3 times as long at 6400 (heat), 2 times (elimination); FPM and "
        "FPMC are close to 1, FPMC closer, and its total time is the best.\n\n",
        out);
  return HG_OK;
}

/* Times on two C2050, on all four with equal shares, and by speed, the last relative to the first. By speed, grids are
 * divided with communication in mind; an elimination must use both nodes here. */
static hg_status slow_gpus_row(FILE *out, const program_entry *app, int64_t side, const simulate_machine *two,
                               const simulate_machine *four, const simulate_machine *ideal)
{
  simulate_outcome a, b, c, d, e;
  simulate_case even = thesis_case(app, side, "auto", "even"),
                fast = thesis_case(app, side, "auto", app->kind == PROGRAM_GRID ? "fpmc" : "fpm");
  if (app->kind != PROGRAM_GRID) even.sched = "hetgrid-even";
  HG_TRY(simulate_run(&two[0], &fast, &a));
  HG_TRY(simulate_run(four, &even, &b));
  HG_TRY(simulate_run(four, &fast, &c));
  HG_TRY(simulate_run(&two[1], &fast, &d));
  HG_TRY(simulate_run(ideal, &fast, &e));
  fprintf(out, "| %" PRId64 " | %.3f | %.3f | %.3f | %.0f %% | %.0f %% | %.0f %% |\n", side, a.seconds, b.seconds,
          c.seconds, 100 * (1 - b.seconds / a.seconds), 100 * (1 - c.seconds / a.seconds),
          100 * (1 - e.seconds / d.seconds));
  fflush(out);
  return HG_OK;
}

static hg_status slow_gpus(FILE *out, const char *platform, const program_entry *app, const char *title)
{
  simulate_machine two[2], four, ideal;
  fprintf(out,
          "### %s\n\n| side | two C2050 (s) | four, even | four, by speed | even gains | by speed gains | by speed "
          "gains, network without delay |\n|---|---|---|---|---|---|---|\n",
          title);
  HG_TRY(open_machine(platform, 0, 0, "c2050", AS_IT_IS, &two[0]));
  HG_TRY(open_machine(platform, 0, 0, "c2050", FREE_NETWORK, &two[1]));
  HG_TRY(open_machine(platform, 0, 0, NULL, AS_IT_IS, &four));
  hg_status status = open_machine(platform, 0, 0, NULL, FREE_NETWORK, &ideal);
  for (int s = 0; s < SIDES && status == HG_OK; s++) status = slow_gpus_row(out, app, sides[s], two, &four, &ideal);
  simulate_close(&two[0]);
  simulate_close(&two[1]);
  simulate_close(&four);
  simulate_close(&ideal);
  fputc('\n', out);
  return status;
}

/* The speed of sgemm: computation matters little compared with the network. */
static hg_status fewer_nodes(FILE *out)
{
  simulate_machine two, four;
  fputs("### Elimination in blocks, and the number of nodes by FPMC\n\n"
        "At sgemm's speed the network's share is so large that FPMC uses one node, of two C2050 and of all four.\n\n"
        "| side | two C2050, both nodes (s) | FPMC | four, both nodes | FPMC | FPMC gains with the GTX 650 |\n"
        "|---|---|---|---|---|---|\n",
        out);
  HG_TRY(open_machine("thesis", 0, 0, "c2050", AS_IT_IS, &two));
  hg_status status = open_machine("thesis", 0, 0, NULL, AS_IT_IS, &four);
  for (int s = 0; s < SIDES && status == HG_OK; s++) {
    simulate_outcome r[4];
    for (int i = 0; i < 4 && status == HG_OK; i++) {
      const simulate_case c = thesis_case(program_find("elimination"), sides[s], "auto", i % 2 ? "fpmc" : "fpm");
      status = simulate_run(i < 2 ? &two : &four, &c, &r[i]);
    }
    if (status == HG_OK)
      fprintf(out, "| %" PRId64 " | %.3f | %.4f | %.3f | %.4f | %.0f %% |\n", sides[s], r[0].seconds, r[1].seconds,
              r[2].seconds, r[3].seconds, 100 * (1 - r[3].seconds / r[1].seconds));
    fflush(out);
  }
  simulate_close(&two);
  simulate_close(&four);
  fputc('\n', out);
  return status;
}

static hg_status adding(FILE *out)
{
  fputs("## Adding two slow GPUs (6.5, figures 6-8 to 6-10)\n\n"
        "Two nodes with a C2050 each; then with a GTX 650 beside it, every GPU with the same share, or shares by "
        "speed.\n\n",
        out);
  HG_TRY(slow_gpus(out, "thesis", program_find("heat"), "Heat"));
  HG_TRY(slow_gpus(out, "thesis-rows", program_find("elimination"),
                   "Elimination, at the speed of the thesis' own kernels (`thesis-rows`)"));
  HG_TRY(slow_gpus(out, "thesis", program_find("elimination"), "Elimination in blocks, at sgemm's speed"));
  HG_TRY(fewer_nodes(out));
  fputs("The thesis: shares by speed gain 14 % (heat) and up to 30 % (elimination); even shares are in most cases "
        "slower than two C2050.\n\n",
        out);
  return HG_OK;
}

static hg_status large_machine(FILE *out)
{
  static const int64_t large[] = {16000, 32000, 64000, 128000};
  const struct {
    int first, count;
    const char *model;
  } set[] = {{0, 32, "fpmc"}, {32, 32, "fpmc"}, {0, 64, "even"}, {0, 64, "fpmc"}};
  double seconds[4][4];
  fputs(
      "## 32 M2050, 32 K20x, and both, simulated (figure 5-6)\n\nOne GPU per node, 10 steps, speedup over 32 M2050.\n\n"
      "| side | 32 M2050 (s) | 32 K20x | 32 (M2050 + K20x), even | by speed |\n|---|---|---|---|---|\n",
      out);
  for (int k = 0; k < 4; k++) {
    simulate_machine m;
    HG_TRY(open_machine("thesis-32+32", set[k].first, set[k].count, NULL, AS_IT_IS, &m));
    hg_status status = HG_OK;
    for (int s = 0; s < 4 && status == HG_OK; s++) {
      simulate_case c = thesis_case(program_find("heat"), large[s], "auto", set[k].model);
      simulate_outcome r;
      c.steps = 10;
      status = simulate_run(&m, &c, &r);
      seconds[k][s] = r.seconds;
    }
    simulate_close(&m);
    HG_TRY(status);
  }
  for (int s = 0; s < 4; s++)
    fprintf(out, "| %" PRId64 " | %.4f | %.2f | %.2f | %.2f |\n", large[s], seconds[0][s],
            seconds[0][s] / seconds[1][s], seconds[0][s] / seconds[2][s], seconds[0][s] / seconds[3][s]);
  fputs("\nThe thesis: 32 K20x up to 3.5; both with even shares equal 64 M2050, below 32 K20x; both by speed are the "
        "best.\n",
        out);
  return HG_OK;
}

/* Million updates per second of heat, with the platform's kernels and with those with data reuse: on all four GPUs,
 * and as divided by FPMC. */
static hg_status heat_row(FILE *out, int64_t side, const simulate_machine *m)
{
  static const char *const models[] = {"fpm", "fpmc"};
  double rate[2][2];
  for (int i = 0; i < 2; i++)
    for (int reuse = 0; reuse < 2; reuse++) {
      const simulate_case c = thesis_case(program_find("heat"), side, "nphp", models[i]);
      simulate_outcome r;
      HG_TRY(simulate_run(&m[reuse], &c, &r));
      rate[i][reuse] = (double)(side * side * c.steps) * 1e-6 / r.seconds;
    }
  fprintf(out, "| %" PRId64 " | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f |\n", side * side, rate[0][0], rate[0][1],
          rate[1][0], rate[1][1], rate[0][0] / CPU_UPDATES, rate[1][0] / CPU_UPDATES);
  fflush(out);
  return HG_OK;
}

static hg_status heat_application(FILE *out)
{
  static const int64_t side[] = {316, 1000, 2000, 6400};
  simulate_machine m[2];
  fprintf(out,
          "### Heat (6.6, figure 6-11)\n\nMillion updates per second with the kernels of platform `thesis`, and with "
          "ones that are %g times as fast (data reuse, figure 6-7): on all four GPUs (FPM), and where FPMC may leave a "
          "node out; beside the %g million that the thesis prints for its program on CPUs.\n\n"
          "| cells | four GPUs | with data reuse | FPMC | with data reuse | four / CPU program | FPMC / CPU program |\n"
          "|---|---|---|---|---|---|---|\n",
          REUSE, CPU_UPDATES);
  HG_TRY(open_machine("thesis", 0, 0, NULL, AS_IT_IS, &m[0]));
  hg_status status = open_machine("thesis", 0, 0, NULL, DATA_REUSE, &m[1]);
  for (int s = 0; s < 4 && status == HG_OK; s++) status = heat_row(out, side[s], m);
  simulate_close(&m[0]);
  simulate_close(&m[1]);
  fputs("\nThe thesis: 1064 million at 1 million cells, more than 8 times the program on CPUs.\n\n", out);
  return status;
}

static void print_phases(FILE *out, int64_t side, const char *gpus, const char *gpu, const simulate_phases *p,
                         double seconds)
{
  fprintf(out, "| %" PRId64 " | %s | %s | %.3f | %.3f | %.3f | %.3f | %.1f %% | %.1f %% | %.3f |\n", side, gpus, gpu,
          p->communicate, p->dynamic, p->compute, p->idle, 100 * p->dynamic / seconds, 100 * p->compute / seconds,
          seconds);
}

static hg_status elimination_rows(FILE *out, int64_t side, const simulate_machine *two, const simulate_machine *four)
{
  const simulate_case c = thesis_case(program_find("elimination"), side, "auto", "fpmc");
  simulate_outcome a, b;
  HG_TRY(simulate_run(two, &c, &a));
  HG_TRY(simulate_run(four, &c, &b));
  print_phases(out, side, "2 C2050", "C2050", &a.worker[0], a.seconds);
  print_phases(out, side, "all", "C2050", &b.worker[0], b.seconds);
  print_phases(out, side, "all", "GTX 650", &b.worker[1], b.seconds);
  fflush(out);
  return HG_OK;
}

static hg_status elimination_application(FILE *out)
{
  simulate_machine two, four;
  fputs("### Elimination (6.4 and 6.7, figures 6-6(b), 6-9 and 6-12(a))\n\nPhases of the first node's GPUs on "
        "`thesis-rows`, shares by FPMC: waiting for panels and transfers, choosing pivots (panels), products, nothing "
        "to do.\n\n| side | GPUs | of | communicate (s) | dynamic | compute | idle | dynamic / run | compute / run | "
        "run (s) |\n|---|---|---|---|---|---|---|---|---|---|\n",
        out);
  HG_TRY(open_machine("thesis-rows", 0, 0, "c2050", AS_IT_IS, &two));
  hg_status status = open_machine("thesis-rows", 0, 0, NULL, AS_IT_IS, &four);
  for (int s = 0; s < SIDES && status == HG_OK; s++) status = elimination_rows(out, sides[s], &two, &four);
  simulate_close(&two);
  simulate_close(&four);
  fputs("\nThe thesis: at 6400 on two C2050 computing takes 77.7 % and the dynamic step 19.8 %.\n\n", out);
  return status;
}

static hg_status applications(FILE *out)
{
  fputs("## Both applications (6.4, 6.6 and 6.7)\n\n", out);
  HG_TRY(heat_application(out));
  return elimination_application(out);
}

const simulate_chapter simulate_chapters[] = {
    {"paper", simulate_paper}, {"communication", communication}, {"balance", balance}, {"adding", adding},
    {"large", large_machine},  {"applications", applications},   {NULL, NULL}};

static hg_status all_chapters(FILE *out)
{
  fputs("# The thesis' experiments, simulated\n\nMade by `hetgrid-simulate --thesis`. Platforms `thesis`, "
        "`thesis-rows` and `thesis-32+32` say where each number comes from.\n\n",
        out);
  for (const simulate_chapter *c = simulate_chapters; c->name; c++) HG_TRY(c->print(out));
  return HG_OK;
}

hg_status simulate_thesis(const char *name, FILE *out)
{
  char known[128] = "";
  if (!name) return all_chapters(out);
  for (const simulate_chapter *c = simulate_chapters; c->name; c++) {
    if (strcmp(c->name, name) == 0) return c->print(out);
    snprintf(known + strlen(known), sizeof known - strlen(known), " %s", c->name);
  }
  return hg_fail(HG_INVALID, "--thesis: '%s' is unknown; known:%s", name, known);
}
