/* SPDX-License-Identifier: MIT */
#include "pricing/portfolio_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/integers.h"
#include "result/write.h"
#include "runtime/pinned.h"

enum { PIECES_PER_STEP = 65536, PIECES_AT_LEAST = 64 };

static hg_payoff payoff_of(const hg_portfolio_run *b, int64_t row)
{
  static const hg_payoff greeks[HG_BOOK_ROWS] = {HG_PAYOFF, HG_PAYOFF_DELTA, HG_PAYOFF_VEGA};
  return b->wanted.control ? HG_PAYOFF_CONTROL : greeks[row % b->rows_each];
}

static hg_paths row_of(const hg_portfolio_run *b, int64_t row)
{
  const int64_t contract = row / b->rows_each;
  return hg_contract_paths(&b->contracts.contract[contract], payoff_of(b, row), b->wanted.paths, b->wanted.seed,
                           b->wanted.stream + (uint32_t)contract);
}

static hg_estimate estimate_of(const hg_portfolio_run *b, const hg_path_sums *sums, int64_t row)
{
  return hg_path_sums_estimate(sums, &b->contracts.contract[row / b->rows_each], payoff_of(b, row));
}

/* --- pieces --- */

static int64_t pieces_of(const hg_portfolio_run *b)
{
  return b->pieces.rows * b->pieces.chunks;
}

/* Paths needed for the requested standard error, estimated from the first ones and, as these may all pay nothing, from
 * what is known. */
static double expected_paths(const hg_portfolio_run *b)
{
  enum { SAMPLE = 4096 };
  const hg_contract *c = &b->contracts.contract[0];
  hg_path_sums sample = {0};
  hg_chunk_sums sums;
  hg_paths row = row_of(b, 0);
  row.paths = b->wanted.paths < SAMPLE ? b->wanted.paths : SAMPLE;
  b->kernel->in[b->pieces.is_float]->chunk(&row, 0, &sums);
  hg_path_sums_add(&sample, &sums, row.paths);
  const double by_sample = estimate_of(b, &sample, 0).std_error / b->wanted.std_error * sqrt((double)row.paths);
  const double known = hg_contract_deviation(c) / b->wanted.std_error; /* NaN for averages */
  return fmax(fmax(by_sample * by_sample, known * known), hg_contract_paths_needed(c));
}

/* Number of chunks computed before the error is checked. The result does not depend on it. */
static int64_t expected_chunks(const hg_portfolio_run *b)
{
  enum { LEAST = 16 };
  int64_t chunks = LEAST;
  while (chunks < PIECES_PER_STEP && (double)chunks * HG_CHUNK_PATHS < b->expected) chunks *= 2;
  return chunks;
}

static double mean_work(const hg_portfolio_run *b)
{
  double fixings = 0;
  for (int64_t i = 0; i < b->contracts.count; i++) fixings += (double)b->contracts.contract[i].fixings;
  return fixings / (double)b->contracts.count * fmin((double)b->wanted.paths, HG_CHUNK_PATHS);
}

static int64_t divide_up(int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

/* Pieces whose fixings take two cores some seconds. */
static int64_t interruptible_pieces(const hg_portfolio_run *b)
{
  const double STEP_WORK = 4294967296.0, pieces = STEP_WORK / b->work;
  return pieces > PIECES_PER_STEP ? PIECES_PER_STEP : pieces < PIECES_AT_LEAST ? PIECES_AT_LEAST : (int64_t)pieces;
}

/* Makes steps of equal size, so that no step leaves workers without pieces. */
void hg_portfolio_cut(hg_portfolio_run *b)
{
  const bool all = b->wanted.std_error == 0;
  const int64_t left = b->start.finished ? 0 : pieces_of(b) - b->start.next;
  int64_t most = all ? PIECES_PER_STEP : expected_chunks(b);
  if (b->wanted.interruptible && most > interruptible_pieces(b)) most = interruptible_pieces(b);
  b->pieces.first = b->start.next;
  b->pieces.per_step = all ? divide_up(left, hg_max(divide_up(left, most), 1)) : most < left ? most : left;
  b->pieces.per_step = hg_max(b->pieces.per_step, 1);
  b->steps = divide_up(left, b->pieces.per_step);
}

int64_t hg_portfolio_least_batch(const hg_portfolio_run *b)
{
  const double TASK_WORK = 5e5;
  return b->work < TASK_WORK ? (int64_t)ceil(TASK_WORK / b->work) : 1;
}

static hg_status check_contract(const hg_portfolio_run *b, const hg_contract *c)
{
  HG_TRY(hg_contract_check(c));
  if (b->wanted.is_float) HG_TRY(hg_contract_check_float(c));
  return hg_contract_check_paths(c, b->wanted.paths);
}

static hg_status check(const hg_portfolio_run *b)
{
  for (int64_t i = 0; i < b->contracts.count; i++) {
    const hg_contract *c = &b->contracts.contract[i];
    const hg_status status = check_contract(b, c);
    if (status != HG_OK && b->contracts.place)
      return hg_fail(status, "%s:%" PRId64 ": %s", b->contracts.place, c->line, hg_message());
    HG_TRY(status);
  }
  return HG_OK;
}

hg_status hg_portfolio_open(const hg_portfolio *contracts, const hg_portfolio_wishes *wanted, hg_portfolio_run *b)
{
  *b = (hg_portfolio_run){.contracts = *contracts,
                          .wanted = *wanted,
                          .rows_each = wanted->greeks ? HG_BOOK_ROWS : 1,
                          .kernel = hg_pricing_kernel_find("auto")};
  const bool chosen = b->wanted.paths == 0;
  if (chosen) b->wanted.paths = HG_FIXINGS_DEFAULT / b->contracts.contract[0].fixings;
  HG_TRY(check(b));
  b->pieces.is_float = b->wanted.is_float;
  if (b->wanted.std_error > 0) b->expected = expected_paths(b);
  if (chosen && b->expected > (double)b->wanted.paths) b->wanted.paths = hg_min(b->wanted.paths, HG_PATHS_DEFAULT);
  b->pieces.rows = b->contracts.count * b->rows_each;
  b->pieces.chunks = divide_up(b->wanted.paths, HG_CHUNK_PATHS);
  b->work = mean_work(b);
  hg_portfolio_cut(b);
  HG_TRY(hg_allocate("prices", (size_t)b->pieces.rows * sizeof *b->estimate, (void **)&b->estimate));
  return hg_allocate("sums of chunks", PIECES_PER_STEP * sizeof *b->sums, (void **)&b->sums);
}

hg_status hg_portfolio_make_rows(hg_portfolio_run *b)
{
  void *memory;
  HG_TRY(hg_pinned_allocate("shared memory", (size_t)b->pieces.rows * sizeof *b->pieces.row, &memory));
  hg_paths *row = memory;
  for (int64_t i = 0; i < b->pieces.rows; i++) row[i] = row_of(b, i);
  b->pieces.row = row;
  return HG_OK;
}

/* --- sums --- */

void hg_portfolio_rewind(hg_portfolio_run *b)
{
  const int64_t rows = b->start.finished ? b->pieces.rows : b->start.next / b->pieces.chunks;
  b->now = b->start;
  b->computed = 0;
  memset(b->estimate + rows, 0, (size_t)(b->pieces.rows - rows) * sizeof *b->estimate);
}

static hg_status copy_sums(void *arg, const hg_tile_view *t)
{
  hg_portfolio_run *b = arg;
  memcpy(b->sums + t->core.lo[0], t->values, (size_t)hg_box_extent(&t->core, 0) * sizeof *b->sums);
  return HG_OK;
}

/* The first row of a contract is its price. */
static bool is_sure(const hg_portfolio_run *b, const hg_contract *c, const hg_estimate *e)
{
  return hg_estimate_is_sure(e, c, payoff_of(b, 0)) &&
         e->std_error >= hg_contract_rounding(c, e->value, b->pieces.is_float);
}

static bool is_small(const hg_portfolio_run *b, const hg_estimate *e)
{
  return e->std_error <= b->wanted.std_error && is_sure(b, b->contracts.contract, e);
}

static bool is_reached(const hg_portfolio_run *b, int64_t chunks)
{
  const bool looked_at = (chunks & (chunks - 1)) == 0 || chunks == b->pieces.chunks;
  if (!looked_at || b->wanted.std_error == 0) return false;
  const hg_estimate e = estimate_of(b, &b->now.row, 0);
  return is_small(b, &e);
}

static int64_t paths_of(const hg_portfolio_run *b, int64_t piece)
{
  const int64_t left = b->wanted.paths - piece % b->pieces.chunks * HG_CHUNK_PATHS;
  return left < HG_CHUNK_PATHS ? left : HG_CHUNK_PATHS;
}

static void take_piece(hg_portfolio_run *b, const hg_chunk_sums *sums)
{
  const int64_t row = b->now.next / b->pieces.chunks, chunk = b->now.next % b->pieces.chunks;
  hg_path_sums_add(&b->now.row, sums, paths_of(b, b->now.next));
  b->now.next++;
  b->now.finished = is_reached(b, chunk + 1) || b->now.next == pieces_of(b);
  if (!b->now.finished && chunk + 1 < b->pieces.chunks) return;
  b->estimate[row] = estimate_of(b, &b->now.row, row);
  b->now.row = (hg_path_sums){0};
}

/* Each sum is known to one rank; the others add 0 to it. */
hg_status hg_portfolio_take_step(hg_portfolio_run *b, hg_graph *graph)
{
  const int64_t first = b->now.next, count = b->pieces.per_step;
  memset(b->sums, 0, (size_t)count * sizeof *b->sums);
  HG_TRY(hg_session_agree(graph->session, graph->ops->visit(graph, copy_sums, b)));
  hg_session_sum_all(graph->session, &b->sums[0].sum, 2 * count);
  for (int64_t i = 0; i < count && first + i < pieces_of(b); i++) {
    b->computed += paths_of(b, first + i);
    if (!b->now.finished) take_piece(b, &b->sums[i]);
  }
  return HG_OK;
}

/* --- results --- */

const hg_estimate *hg_portfolio_price(const hg_portfolio_run *b, int64_t contract)
{
  return &b->estimate[contract * b->rows_each];
}

/* Distance of a contract's price from its closed form, in standard errors of the exact distribution; NaN if one of
 * these is unknown. */
static double portfolio_distance(const hg_portfolio_run *b, int64_t contract)
{
  const hg_contract *c = &b->contracts.contract[contract];
  const hg_estimate *e = hg_portfolio_price(b, contract);
  const double known = hg_contract_closed(c), error = hg_contract_deviation(c) / sqrt((double)e->paths);
  return error > 0 ? fabs(e->value - known) / hypot(error, hg_contract_rounding(c, known, b->pieces.is_float)) : NAN;
}

hg_portfolio_scores hg_portfolio_score(const hg_portfolio_run *b)
{
  hg_portfolio_scores s = {0};
  for (int64_t i = 0; i < b->contracts.count; i++) {
    const double distance = portfolio_distance(b, i);
    if (isnan(distance)) continue;
    s.count++;
    s.within += distance < 1.96;
    s.largest = fmax(s.largest, distance);
  }
  return s;
}

/* The bound grows with the number of prices, since the largest of many scores is larger. */
static bool is_wrong(const hg_portfolio_run *b, int64_t contract)
{
  if (!isfinite(hg_portfolio_price(b, contract)->value)) return true;
  const double known = hg_contract_closed(&b->contracts.contract[contract]);
  const double bound = sqrt(25 + 2 * log((double)b->contracts.count));
  const double score = hg_estimate_score(hg_portfolio_price(b, contract), known);
  return fabs(score) > bound && portfolio_distance(b, contract) > bound;
}

bool hg_portfolio_reached(const hg_portfolio_run *b)
{
  return b->wanted.std_error == 0 || is_small(b, hg_portfolio_price(b, 0));
}

/* If a price that is not wrong deviates more than chance explains, its standard error is unreliable. */
bool hg_portfolio_is_sure(const hg_portfolio_run *b, int64_t contract)
{
  const hg_contract *c = &b->contracts.contract[contract];
  const hg_estimate *e = hg_portfolio_price(b, contract);
  return is_sure(b, c, e) && !(fabs(hg_estimate_score(e, hg_contract_closed(c))) > 5);
}

int64_t hg_portfolio_unsure(const hg_portfolio_run *b)
{
  int64_t count = 0;
  for (int64_t i = 0; i < b->contracts.count; i++) count += !hg_portfolio_is_sure(b, i);
  return count;
}

hg_status hg_portfolio_validate(const hg_portfolio_run *b)
{
  for (int64_t i = 0; i < b->contracts.count; i++) {
    const hg_estimate *e = hg_portfolio_price(b, i);
    const double known = hg_contract_closed(&b->contracts.contract[i]);
    if (is_wrong(b, i))
      return hg_fail(HG_MISMATCH, "FAILED: contract %" PRId64 " is worth %.9g +- %.3g, in closed form %.9g: z = %.3g",
                     i + 1, e->value, e->std_error, known, hg_estimate_score(e, known));
  }
  return HG_OK;
}

hg_status hg_portfolio_check_output(const char *path)
{
  if (!hg_file_has_ending(path, ".csv")) return hg_fail(HG_INVALID, "--output: '%s', prices are written as .csv", path);
  return hg_session_launch_rank() == 0 ? hg_output_check(path) : HG_OK;
}

static void write_number(FILE *out, double value)
{
  if (isnan(value))
    putc(',', out);
  else
    fprintf(out, ",%.17g", value);
}

static void write_contract(const hg_portfolio_run *b, int64_t i, FILE *out)
{
  const hg_contract *c = &b->contracts.contract[i];
  const hg_estimate *e = hg_portfolio_price(b, i);
  const double terms[] = {c->spot, c->strike, c->time, c->rate, c->yield, c->sigma}, known = hg_contract_closed(c);
  fputs(hg_contract_names[c->kind], out);
  for (int t = 0; t < 6; t++) write_number(out, terms[t]);
  fprintf(out, ",%" PRId64 ",%" PRId64, c->fixings, e->paths);
  write_number(out, e->value);
  write_number(out, e->std_error);
  write_number(out, known);
  write_number(out, hg_estimate_score(e, known));
  for (int row = 1; row < b->rows_each; row++) {
    write_number(out, e[row].value);
    write_number(out, e[row].std_error);
  }
  fprintf(out, ",%s\n", is_wrong(b, i) ? "FAILED" : hg_portfolio_is_sure(b, i) ? "ok" : "unsure");
}

hg_status hg_portfolio_write(const hg_portfolio_run *b, const char *path)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_file_begin(path, temporary, &out));
  fputs("type,S,K,T,r,q,sigma,fixings,paths,price,std_error,closed_form,z", out);
  fputs(b->wanted.greeks ? ",delta,delta_std_error,vega,vega_std_error,status\n" : ",status\n", out);
  for (int64_t i = 0; i < b->contracts.count; i++) write_contract(b, i, out);
  return hg_file_end(out, temporary, path, HG_OK);
}

void hg_portfolio_drop_rows(hg_portfolio_run *b)
{
  hg_pinned_free((void *)(uintptr_t)b->pieces.row, (size_t)b->pieces.rows * sizeof *b->pieces.row);
  b->pieces.row = NULL;
}

void hg_portfolio_close(hg_portfolio_run *b)
{
  hg_portfolio_free(&b->contracts);
  free(b->estimate);
  free(b->sums);
}
