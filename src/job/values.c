/* SPDX-License-Identifier: MIT */
/* Values by identifier, wherever they are: requests go to the owners, answers come back. Without MPI all is local. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "exchange/alltoallv.h"
#include "job/live.h"
#include "job/value_rows.h"

/* A call of hg_values_get or _set on this rank. */
typedef struct request {
  int64_t count;
  const int64_t *ids;
  const void *values;
  size_t bytes;
  const char *what;
} request;

static int owner_of(const hg_run *r, int64_t id)
{
  const int64_t *n = r->domain.n, at[3] = {id % n[0], id / n[0] % n[1], id / n[0] / n[1]};
  return hg_tile_region(r->tiling, hg_tile_at(r->tiling, at))->rank;
}

static size_t value_bytes(const hg_run *r, int64_t id)
{
  return (size_t)(hg_run_length(r, id) * r->job->update->value_bytes);
}

static hg_status check(const hg_run *r, const request *q)
{
  const int64_t units = hg_run_units(r);
  const size_t expected = (size_t)r->job->update->value_bytes;
  HG_TRY(hg_run_check_failed(r, q->what));
  if (q->count < 0) return hg_fail(HG_INVALID, "%s: %" PRId64 " units, must be >= 0", q->what, q->count);
  if (q->count > 0 && (!q->ids || !q->values))
    return hg_fail(HG_INVALID, "%s: the %s are NULL", q->what, q->ids ? "values" : "identifiers");
  if (q->count > 0 && !r->job->length && q->bytes != expected)
    return hg_fail(HG_INVALID, "%s before step %" PRId64 ": values of %zu bytes, those of job '%s' have %zu", q->what,
                   r->done, q->bytes, r->name, expected);
  for (int64_t i = 0; i < q->count; i++)
    if (q->ids[i] < 0 || q->ids[i] >= units)
      return hg_fail(HG_INVALID, "%s before step %" PRId64 ": unit %" PRId64 ", must be in 0..%" PRId64, q->what,
                     r->done, q->ids[i], units - 1);
  return HG_OK;
}

/* Both advance in a list of values. */
static void read_value(void *arg, void *value, size_t bytes)
{
  char **to = arg;
  memcpy(*to, value, bytes);
  *to += bytes;
}

static void write_value(void *arg, void *value, size_t bytes)
{
  const char **from = arg;
  memcpy(value, *from, bytes);
  *from += bytes;
}

/* Sorts positions in the list of identifiers by owner. */
static hg_status sort_by_owner(const hg_run *r, const request *q, hg_alltoallv *ids, int64_t **order)
{
  const int ranks = r->session.ranks;
  int64_t first[ranks + 1];
  memset(first, 0, sizeof first);
  *order = malloc(((size_t)q->count + 1) * sizeof **order);
  HG_TRY(hg_alltoallv_make(ranks, q->count * (int64_t)sizeof(int64_t), ids));
  if (!*order) return hg_fail(HG_MEMORY, "%s: no memory for %" PRId64 " units", q->what, q->count);
  for (int64_t i = 0; i < q->count; i++) first[owner_of(r, q->ids[i]) + 1]++;
  for (int p = 0; p < ranks; p++) {
    ids->bytes[p] = first[p + 1] * (int64_t)sizeof(int64_t);
    first[p + 1] += first[p];
  }
  for (int64_t i = 0; i < q->count; i++) (*order)[first[owner_of(r, q->ids[i])]++] = i;
  for (int64_t i = 0; i < q->count; i++) ((int64_t *)ids->data)[i] = q->ids[(*order)[i]];
  return HG_OK;
}

/* Collects values of this rank's units that others asked for. */
static hg_status answer(const hg_run *r, const hg_alltoallv *ids, hg_alltoallv *values)
{
  const int64_t *id = ids->data;
  int64_t total = 0;
  const int64_t count = ids->total / (int64_t)sizeof *id;
  for (int64_t i = 0; i < count; i++) total += (int64_t)value_bytes(r, id[i]);
  HG_TRY(hg_alltoallv_make(r->session.ranks, total, values));
  char *to = values->data;
  for (int p = 0; p < r->session.ranks; p++) {
    const char *begin = to;
    for (int64_t i = 0; i < ids->bytes[p] / (int64_t)sizeof *id; i++)
      r->graph->ops->use(r->graph, *id++, read_value, &to);
    values->bytes[p] = to - begin;
  }
  return HG_OK;
}

/* Where each value of the caller's list begins. */
static hg_status list_offsets(const hg_run *r, const request *q, size_t **out)
{
  size_t *offset = malloc(((size_t)q->count + 1) * sizeof *offset), at = 0;
  if (!offset) return hg_fail(HG_MEMORY, "%s: no memory for %" PRId64 " units", q->what, q->count);
  for (int64_t i = 0; i < q->count; i++) {
    offset[i] = at;
    at += value_bytes(r, q->ids[i]);
  }
  offset[q->count] = at;
  *out = offset;
  return HG_OK;
}

hg_status hg_values_get(hg_run *r, int64_t count, const int64_t *ids, void *values, size_t bytes)
{
  HG_C_LOCALE;
  const request q = {count, ids, values, bytes, "hg_values_get"};
  hg_alltoallv asked = {0}, wanted = {0}, answers = {0}, got = {0};
  int64_t *order = NULL;
  size_t *offset = NULL;
  HG_TRY(hg_live_ask(r, q.what));
  HG_TRY(hg_session_agree(&r->session, check(r, &q)));
  hg_status status = sort_by_owner(r, &q, &asked, &order);
  if (status == HG_OK) status = list_offsets(r, &q, &offset);
  status = hg_session_agree(&r->session, status);
  if (status == HG_OK) status = hg_alltoallv_run(&r->session, &asked, &wanted);
  if (status == HG_OK) status = hg_session_agree(&r->session, answer(r, &wanted, &answers));
  if (status == HG_OK) status = hg_alltoallv_run(&r->session, &answers, &got);
  const char *from = got.data;
  for (int64_t i = 0; i < count && status == HG_OK; i++) {
    const size_t size = offset[order[i] + 1] - offset[order[i]];
    memcpy((char *)values + offset[order[i]], from, size);
    from += size;
  }
  hg_alltoallv_free(&asked);
  hg_alltoallv_free(&wanted);
  hg_alltoallv_free(&answers);
  hg_alltoallv_free(&got);
  free(order);
  free(offset);
  return status;
}

/* Packs the values in the order of their owners. */
static hg_status pack_values(const hg_run *r, const request *q, const hg_alltoallv *ids, const int64_t *order,
                             const char *values, hg_alltoallv *out)
{
  size_t *offset;
  HG_TRY(list_offsets(r, q, &offset));
  hg_status status = hg_alltoallv_make(r->session.ranks, (int64_t)offset[q->count], out);
  char *to = out->data;
  int64_t i = 0;
  for (int p = 0; p < r->session.ranks && status == HG_OK; p++) {
    const char *begin = to;
    for (int64_t end = i + ids->bytes[p] / (int64_t)sizeof(int64_t); i < end; i++) {
      const size_t size = offset[order[i] + 1] - offset[order[i]];
      memcpy(to, values + offset[order[i]], size);
      to += size;
    }
    out->bytes[p] = to - begin;
  }
  free(offset);
  return status;
}

hg_status hg_values_set(hg_run *r, int64_t count, const int64_t *ids, const void *values, size_t bytes)
{
  HG_C_LOCALE;
  const request q = {count, ids, values, bytes, "hg_values_set"};
  hg_alltoallv named = {0}, asked = {0}, packed = {0}, got = {0};
  int64_t *order = NULL;
  HG_TRY(hg_live_ask(r, q.what));
  HG_TRY(hg_session_agree(&r->session, check(r, &q)));
  hg_status status = sort_by_owner(r, &q, &named, &order);
  if (status == HG_OK) status = pack_values(r, &q, &named, order, values, &packed);
  status = hg_session_agree(&r->session, status);
  if (status == HG_OK) status = hg_alltoallv_run(&r->session, &named, &asked);
  if (status == HG_OK) status = hg_alltoallv_run(&r->session, &packed, &got);
  const char *from = got.data;
  const int64_t *id = asked.data;
  for (int64_t i = 0; i < asked.total / (int64_t)sizeof *id && status == HG_OK; i++)
    r->graph->ops->use(r->graph, id[i], write_value, &from);
  hg_alltoallv_free(&named);
  hg_alltoallv_free(&asked);
  hg_alltoallv_free(&packed);
  hg_alltoallv_free(&got);
  free(order);
  if (status == HG_OK && r->graph->ops->changed) status = r->graph->ops->changed(r->graph);
  return hg_session_agree(&r->session, status);
}

/* Destination of all values. */
typedef struct whole {
  const hg_run *run;
  char *values;
  size_t bytes; /* of each */
} whole;

static void copy_row(void *arg, int64_t id, int64_t count, const char *values)
{
  const whole *w = arg;
  memcpy(w->values + (size_t)id * w->bytes, values, (size_t)count * w->bytes);
}

static hg_status copy_tile(void *arg, const hg_tile_view *tile)
{
  hg_run_each_row(((const whole *)arg)->run, tile, copy_row, arg);
  return HG_OK;
}

static hg_status check_gather(const hg_run *r, const void *values)
{
  HG_TRY(hg_run_check_failed(r, "hg_values_gather"));
  if (r->job->length)
    return hg_fail(HG_UNSUPPORTED, "hg_values_gather: does not support values of variable size, use hg_values_get");
  if (r->session.rank == 0 && !values) return hg_fail(HG_INVALID, "hg_values_gather: the place for the values is NULL");
  return HG_OK;
}

hg_status hg_values_gather(hg_run *r, void *values)
{
  HG_C_LOCALE;
  HG_TRY(hg_live_ask(r, "hg_values_gather"));
  HG_TRY(hg_session_agree(&r->session, check_gather(r, values)));
  return hg_run_send_tiles(r, copy_tile, &(whole){r, values, (size_t)r->job->update->value_bytes});
}
