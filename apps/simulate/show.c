/* SPDX-License-Identifier: MIT */
/* Prints a machine, and the rows of its runs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/shown.h"
#include "simulate.h"

void simulate_say_network(const hg_platform *p)
{
  if (*p->network_file) printf("messages by %s, level %s\n", p->network_file, p->network_level);
}

void simulate_show(const hg_platform *p)
{
  printf("%s: %d node%s", p->name, p->nodes, p->nodes == 1 ? "" : "s");
  if (p->nodes > 1) printf(", %.4g MB/s and %.4g us between them", p->bandwidth * 1e-6, p->latency * 1e6);
  puts("");
  simulate_say_network(p);
  printf("%-12s %-5s %10s %12s %14s %14s %14s\n", "device", "kind", "memory GB", "link GB/s", "heat Gcells/s",
         "update GFLOP/s", "panel GFLOP/s");
  for (int i = 0; i < p->devices; i++) {
    const hg_device *d = &p->device[i];
    const double w = 1e6, e = 1e6;
    printf("%-12s %-5s %10.3f %12.3f %14.3f %14.2f %14.2f\n", d->name, d->cuda ? "cuda" : "cpu", d->memory * 1e-9,
           d->to * 1e-9, w / hg_speed_time(&d->heat, w, 0) * 1e-9,
           2 * HG_PLATFORM_DEPTH * e / hg_speed_time(&d->update, e, 0) * 1e-9, d->panel * 1e-9);
  }
  for (int n = 0; n < p->nodes; n++) {
    printf("node %-4d", n);
    for (int w = 0; w < p->node[n].workers; w++) printf(" %s", p->device[p->node[n].device[w]].name);
    puts("");
  }
}

void simulate_print_header(bool csv, bool predicted_only)
{
  if (csv)
    puts("platform,app,nx,ny,steps,block,nb,precision,nodes,partition,model,sched,seconds,rate_per_s,halo_bytes,"
         "imbalance,"
         "predicted_seconds,joules,edp");
  else if (predicted_only)
    printf("%-12s %13s  %-14s %-6s %12s\n", "app", "size", "partition", "model", "predicted s");
  else
    printf("%-12s %13s  %-14s %-6s %-15s %12s %12s %10s %12s %12s\n", "app", "size", "partition", "model", "policy",
           "seconds", "G/s", "imbalance", "predicted s", "joules");
}

const char *simulate_partition(const simulate_case *c)
{
  return c->app->kind == PROGRAM_GRID || c->app->kind == PROGRAM_PRODUCT ? c->partition : "";
}

/* A number; unknown ones are empty in CSV and a dash in text. */
static void put_csv(int digits, double value)
{
  putchar(',');
  if (!isnan(value)) printf("%.*g", digits, value);
}

static void put_text(int width, int digits, double value)
{
  if (isnan(value))
    printf(" %*s", width, "-");
  else
    printf(" %*.*g", width, digits, value);
}

static void print_csv(const simulate_machine *m, const simulate_case *c, const simulate_outcome *r)
{
  const bool grid = c->app->kind == PROGRAM_GRID, stepped = grid || c->app->kind == PROGRAM_CUBE;
  char platform[2 * HG_PLATFORM_NAME], partition[2 * HG_PATH_MAX], sched[2 * HG_PLATFORM_NAME];
  printf("%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%d,%d,%s,%d,%s,%s,%s",
         hg_text_csv(m->platform.name, platform, sizeof platform), c->app->name, c->size[0], c->size[1],
         stepped ? c->steps : 0, grid ? c->block : 0, r->nb, c->single ? "float" : "double", m->platform.nodes,
         hg_text_csv(simulate_partition(c), partition, sizeof partition), c->model,
         hg_text_csv(r->sched, sched, sizeof sched));
  put_csv(9, r->seconds);
  put_csv(6, r->rate);
  put_csv(17, r->bytes);
  put_csv(6, r->imbalance);
  put_csv(9, r->predicted);
  put_csv(9, r->joules);
  put_csv(9, r->edp);
  putchar('\n');
}

static void print_text(const simulate_case *c, const simulate_outcome *r, bool predicted_only)
{
  char size[64];
  snprintf(size, sizeof size, "%" PRId64 "x%" PRId64, c->size[0], c->size[1]);
  if (c->app->kind == PROGRAM_CUBE)
    snprintf(size, sizeof size, "%" PRId64 "x%" PRId64 "x%" PRId64, c->size[0], c->size[0], c->size[0]);
  printf("%-12s %13s  %-14s %-6s", c->app->name, size, simulate_partition(c), c->model);
  if (!predicted_only) {
    printf(" %-15s", r->sched);
    put_text(12, 6, r->seconds);
    put_text(12, 4, r->rate * 1e-9);
    put_text(10, 4, r->imbalance);
  }
  put_text(12, 6, r->predicted);
  if (!predicted_only) put_text(12, 6, r->joules);
  putchar('\n');
}

void simulate_print_row(const simulate_machine *m, const simulate_case *c, const simulate_outcome *r, bool csv,
                        bool predicted_only)
{
  if (csv)
    print_csv(m, c, r);
  else
    print_text(c, r, predicted_only);
  fflush(stdout);
}
