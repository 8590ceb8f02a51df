/* SPDX-License-Identifier: MIT */
/* --map: two clusters together (figure 1.14 of the seed paper). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/chart.h"
#include "base/file.h"
#include "choose.h"

enum { SIDE_MAX = 256 };

/* Contexts A and B, and others that the same nodes could be used in. */
typedef struct map {
  const hg_context *context[4];
  int pairs;    /* 1 or 2 */
  int side[2];  /* most nodes of A and B */
  double *gain; /* [side[1] + 1][side[0] + 1] of the first pair over the second, by the criterion;
                   of one pair its value */
} map;

static hg_status find(const contexts *all, const char *names, map *m)
{
  char text[4 * HG_CONTEXT_NAME + 8], *save;
  int count = 0;
  if (snprintf(text, sizeof text, "%s", names) >= (int)sizeof text)
    return hg_fail(HG_INVALID, "--map: the names are too long");
  for (char *name = strtok_r(text, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
    if (count == 4) return hg_fail(HG_INVALID, "--map: more than four contexts");
    m->context[count] = contexts_find(all, name);
    if (!m->context[count++]) return hg_fail(HG_INVALID, "--map: there is no context '%s'", name);
  }
  m->pairs = count / 2;
  return count == 2 || count == 4
             ? HG_OK
             : hg_fail(HG_INVALID, "--map: %d contexts, must be A,B or A,B,A2,B2", count);
}

/* As many nodes as every pair's cluster has. */
static int side(const map *m, int k, const choose_options *o)
{
  double most = o->last ? (double)o->last : INFINITY;
  for (int i = k; i < 2 * m->pairs; i += 2) {
    const hg_context *c = m->context[i];
    most = fmin(most, o->rules.extrapolate && isfinite(c->nodes_max)
                          ? c->nodes_max
                          : fmin(c->nodes_max, 4 * c->largest));
  }
  return (int)fmin(most, SIDE_MAX);
}

static hg_status print_cell(const map *m, const choose_options *o, int a, int b)
{
  hg_outlook run[2];
  double value[2] = {NAN, NAN}, error;
  printf("%d,%d", a, b);
  for (int k = 0; k < m->pairs; k++) {
    HG_TRY(hg_context_hybrid(m->context[2 * k], a, m->context[2 * k + 1], b, &o->rules, &run[k]));
    value[k] = hg_outlook_value(&run[k], o->by, &error);
    printf(",%.9g,%.9g", run[k].seconds, run[k].joules);
  }
  const double gain = m->pairs == 2 ? value[1] / value[0] : value[0];
  m->gain[b * (m->side[0] + 1) + a] = gain;
  if (m->pairs == 2)
    printf(",%.6g,%.6g,%.6g", run[1].seconds / run[0].seconds, run[1].joules / run[0].joules, gain);
  putchar('\n');
  return HG_OK;
}

static hg_status print_map(const map *m, const choose_options *o)
{
  printf("nodes_a,nodes_b,seconds,joules%s\n",
         m->pairs == 2 ? ",seconds_2,joules_2,speedup,energy_gain,gain" : "");
  for (int b = 0; b <= m->side[1]; b++)
    for (int a = 0; a <= m->side[0]; a++)
      if (a + b > 0) HG_TRY(print_cell(m, o, a, b));
  return HG_OK;
}

/* One pair alone is compared with its median. */
static double middle(const map *m, int cells)
{
  double sum = 0;
  if (m->pairs == 2) return 1;
  for (int i = 1; i < cells; i++) sum += log(m->gain[i]) / (cells - 1);
  return exp(sum);
}

static hg_status draw_map(const map *m, const choose_options *o, int cells)
{
  char title[400], part[HG_PATH_MAX];
  FILE *out;
  if (m->pairs == 2)
    snprintf(title, sizeof title, "%s + %s over %s + %s: gain by %s", m->context[0]->name,
             m->context[1]->name, m->context[2]->name, m->context[3]->name,
             hg_criterion_names[o->by]);
  else
    snprintf(title, sizeof title, "%s + %s: %s", m->context[0]->name, m->context[1]->name,
             hg_criterion_names[o->by]);
  const hg_chart_map chart = {title,           m->context[0]->name, m->context[1]->name,
                              m->side[0] + 1,  m->side[1] + 1,      m->gain,
                              middle(m, cells)};
  HG_TRY(hg_file_begin(o->svg, part, &out));
  return hg_file_end(out, part, o->svg, hg_chart_map_draw(out, &chart));
}

hg_status choose_map(const contexts *all, const choose_options *o)
{
  map m = {.pairs = 0};
  HG_TRY(find(all, o->map, &m));
  for (int k = 0; k < 2; k++) m.side[k] = side(&m, k, o);
  const int cells = (m.side[0] + 1) * (m.side[1] + 1);
  m.gain = malloc((size_t)cells * sizeof *m.gain);
  if (!m.gain) return hg_fail(HG_MEMORY, "no memory for %d cells", cells);
  m.gain[0] = NAN;
  hg_status status = print_map(&m, o);
  if (status == HG_OK && o->svg) status = draw_map(&m, o, cells);
  free(m.gain);
  return status;
}
