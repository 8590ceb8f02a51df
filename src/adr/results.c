/* SPDX-License-Identifier: MIT */
#include "adr/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "result/gather.h"
#include "result/checkpoint.h"

/* --- division --- */

static void tell_idle(const hg_session *s, const hg_box *box)
{
  int idle = 0;
  for (int i = 0; i < s->all_workers; i++) idle += hg_box_cells(&box[i]) == 0;
  if (idle > 0 && s->rank == 0)
    hg_log(HG_WARN, "%d of %d workers have no part of the grid and stay idle", idle, s->all_workers);
}

hg_status hg_adr_divide(hg_session *s, const hg_adr_problem *p, const hg_division *division,
                        const hg_speed_model *measured, int overlap, hg_tiling *out)
{
  hg_box box[s->all_workers];
  int64_t tile[s->all_workers][3];
  const hg_domain domain = {.dims = 3, .n = {p->n[0], p->n[1], p->n[2]}, .radius = overlap + 1};
  HG_TRY(hg_divide(s, 3, p->n, division, measured, box));
  HG_TRY(hg_session_agree(s, hg_division_bind(s, division, box)));
  for (int i = 0; i < s->all_workers; i++)
    for (int a = 0; a < 3; a++) tile[i][a] = p->n[a];
  if (!measured) tell_idle(s, box);
  return hg_session_agree(
      s, hg_tiling_make(&domain, s->all_workers, box, s->worker_rank, 1, (const int64_t(*)[3])tile, out));
}

/* --- gathering --- */

/* Where records of nodes go: unchanged, or split. */
typedef struct sink {
  int64_t n[3];
  double *record, *value[2];
  int first; /* first number of the record to store in `value` */
} sink;

static hg_status keep(void *arg, const hg_tile_view *t)
{
  const sink *to = arg;
  const hg_box *core = &t->core;
  const double *from = (const double *)(const void *)t->values;
  for (int64_t z = core->lo[2]; z < core->hi[2]; z++)
    for (int64_t y = core->lo[1]; y < core->hi[1]; y++)
      for (int64_t x = core->lo[0]; x < core->hi[0]; x++, from += HG_ADR_RECORD) {
        const int64_t i = (z * to->n[1] + y) * to->n[0] + x;
        if (to->record) memcpy(to->record + i * HG_ADR_RECORD, from, HG_ADR_RECORD * sizeof *from);
        for (int s = 0; s < 2 && to->value[s]; s++) to->value[s][i] = from[to->first + s];
      }
  return HG_OK;
}

static hg_status gather(const hg_session *s, const hg_tiling *tiling, hg_adr_graph *graph, sink *to)
{
  memcpy(to->n, tiling->domain.n, sizeof to->n);
  const hg_gathering g = {.session = s,
                          .tiling = tiling,
                          .graph = hg_adr_graph_base(graph),
                          .element_bytes = HG_ADR_RECORD * sizeof(double),
                          .take = keep,
                          .arg = to};
  return hg_gather(&g);
}

hg_status hg_adr_gather(const hg_session *s, const hg_tiling *tiling, hg_adr_graph *graph, bool before,
                        hg_field field[2])
{
  hg_status status = HG_OK;
  for (int i = 0; i < 2; i++) {
    field[i] = (hg_field){
        .dims = 3, .precision = HG_DOUBLE, .name = i ? "c2" : "c1", .placed = true, .also = i ? NULL : &field[1]};
    memcpy(field[i].n, tiling->domain.n, sizeof field[i].n);
    if (s->rank == 0 && status == HG_OK) status = hg_field_make(&field[i]);
  }
  sink to = {.value = {field[0].values, field[1].values}, .first = before ? 2 : 0};
  status = hg_session_agree(s, status);
  if (status == HG_OK) status = gather(s, tiling, graph, &to);
  for (int i = 0; i < 2 && status != HG_OK; i++) hg_field_free(&field[i]);
  return status;
}

/* --- provenance --- */

/* One number if all three are equal. */
static void add_reals(hg_metadata *f, const char *name, const double value[3])
{
  char text[100] = "", number[32];
  const bool is_cubic = value[0] == value[1] && value[1] == value[2];
  for (int a = 0, at = 0; a < (is_cubic ? 1 : 3); a++)
    at += snprintf(text + at, sizeof text - (size_t)at, "%s%s", a ? "," : "", hg_double_text(value[a], number));
  hg_metadata_add_text(f, name, text);
}

static void add_grid(const hg_adr_problem *p, hg_metadata *f)
{
  static const char *const spacing[3] = {"dx", "dy", "dz"};
  char text[100];
  snprintf(text, sizeof text, "%" PRId64 ",%" PRId64 ",%" PRId64, p->n[0], p->n[1], p->n[2]);
  hg_metadata_add_text(f, "size", text);
  for (int a = 0; a < 3; a++) hg_metadata_add_double(f, spacing[a], p->h[a]);
  snprintf(text, sizeof text, "%s,%s,%s", hg_adr_boundary_names[p->boundary[0]], hg_adr_boundary_names[p->boundary[1]],
           hg_adr_boundary_names[p->boundary[2]]);
  hg_metadata_add_text(f, "boundary", text);
}

void hg_adr_describe(const hg_session *session, const hg_adr_problem *p, const hg_adr_settings *s, int64_t done,
                     hg_metadata *f)
{
  const double step = hg_adr_time(s, 1);
  hg_metadata_begin(f);
  hg_metadata_add_int(f, "ranks", session->ranks);
  hg_metadata_add_text(f, "problem", p->name);
  add_grid(p, f);
  hg_metadata_add_text(f, "reaction", hg_adr_reaction_names[p->reaction]);
  add_reals(f, "a", p->a);
  add_reals(f, "D", p->d);
  hg_metadata_add_double(f, "growth", p->growth);
  hg_metadata_add_text(f, "scheme", hg_adr_scheme_names[s->bdf2]);
  hg_metadata_add_double(f, "time_step", step);
  hg_metadata_add_int(f, "step", done);
  hg_metadata_add_double(f, "time", hg_adr_time(s, done));
  hg_metadata_add_text(f, "precision", "double");
}

/* --- checkpoints --- */

void hg_adr_list(const hg_adr_problem *p, const hg_adr_settings *s, hg_consistency *list)
{
  static const char *const size[] = {"--size NX", "--size NY", "--size NZ"}, *const sides[] = {"boundary x",
                                                                                               "boundary y",
                                                                                               "boundary z"};
  hg_consistency_text(list, "reaction", hg_adr_reaction_names[p->reaction]);
  for (int a = 0; a < 3; a++) hg_consistency_int(list, size[a], p->n[a]);
  for (int a = 0; a < 3; a++) hg_consistency_text(list, sides[a], hg_adr_boundary_names[p->boundary[a]]);
  hg_consistency_doubles(list, "first node", 3, p->first);
  hg_consistency_doubles(list, "distances of nodes", 3, p->h);
  hg_consistency_doubles(list, "a", 3, p->a);
  hg_consistency_doubles(list, "D", 3, p->d);
  hg_consistency_doubles(list, "growth", 1, &p->growth);
  hg_consistency_doubles(list, "values outside", 2, p->outside);
  for (int i = 0; i < 2; i++) {
    const size_t nodes = p->initial[i] ? (size_t)(p->n[0] * p->n[1] * p->n[2]) : 0;
    hg_consistency_bytes(list, i ? "initial c2" : "initial c1", p->initial[i] ? "a field" : "of the reaction",
                         nodes ? (const void *)p->initial[i] : "", nodes * sizeof *p->initial[i]);
  }
  hg_consistency_text(list, "--scheme", hg_adr_scheme_names[s->bdf2]);
  hg_consistency_doubles(list, "--time / --steps", 1, &(const double){hg_adr_time(s, 1)});
  hg_consistency_doubles(list, "--tolerance", 1, &s->tolerance);
  hg_consistency_doubles(list, "--inner-tolerance", 1, &s->inner);
  hg_consistency_text(list, "--inner-solver", s->global ? "global" : s->bicg ? "bicg" : "bicgstab");
  hg_consistency_text(list, "--inner-precision", s->in_double ? "double" : "float");
  hg_consistency_text(list, "--jacobian", s->once ? "step" : "sweep");
  hg_consistency_int(list, "--overlap", s->overlap);
}

static int64_t record_bytes(const int64_t n[3])
{
  return n[0] * n[1] * n[2] * HG_ADR_RECORD * (int64_t)sizeof(double);
}

/* Checks that no number in a node's record is NaN or infinite. */
static hg_status check_records(const int64_t n[3], const double *record, int64_t done)
{
  for (int64_t i = 0; i < n[0] * n[1] * n[2] * HG_ADR_RECORD; i++)
    if (!isfinite(record[i]))
      return hg_fail(HG_MISMATCH, "a value is %g at node %" PRId64 " after step %" PRId64 "; no checkpoint of it",
                     record[i], i / HG_ADR_RECORD, done);
  return HG_OK;
}

hg_status hg_adr_checkpoint(const hg_session *s, const hg_tiling *tiling, hg_adr_graph *graph, const char *path,
                            int64_t done, const char *problem, const hg_metadata *metadata)
{
  hg_checkpoint c = hg_checkpoint_of(problem);
  sink to = {.record = NULL};
  hg_status status = HG_OK;
  c.step = done;
  c.bytes = record_bytes(tiling->domain.n);
  c.metadata = metadata;
  if (s->rank == 0) status = hg_allocate("the gathered values", (size_t)c.bytes, (void **)&to.record);
  status = hg_session_agree(s, status);
  if (status == HG_OK) status = gather(s, tiling, graph, &to);
  if (status == HG_OK && s->rank == 0) status = check_records(tiling->domain.n, to.record, done);
  if (status == HG_OK && s->rank == 0) status = hg_checkpoint_write(path, to.record, &c);
  free(to.record);
  return hg_session_agree(s, status);
}

hg_status hg_adr_restore(const hg_adr_problem *p, const hg_adr_settings *s, const char *path, const char *problem,
                         int64_t *done, double **record)
{
  hg_checkpoint c = hg_checkpoint_of(problem);
  unsigned char *bytes;
  c.bytes = record_bytes(p->n);
  HG_TRY(hg_checkpoint_read(path, &c, &bytes));
  *record = (double *)(void *)bytes;
  *done = c.step;
  if (c.step <= s->steps) return HG_OK;
  return hg_fail(HG_INVALID, "--steps: %" PRId64 " steps, but %s holds the values after %" PRId64, s->steps, path,
                 c.step);
}
