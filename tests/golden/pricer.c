/* SPDX-License-Identifier: MIT */
/* Golden cases of the pricer. */
#include "tests/golden/cases.h"

#include <string.h>

#include "apps/pricer/pricer.h"

static hg_status run_philox(hg_golden_case *c)
{
  uint32_t counter[4], key[2], word[4];
  HG_TRY(hg_golden_words(c->input, "counter", 4, counter));
  HG_TRY(hg_golden_words(c->input, "key", 2, key));
  hg_pricing_kernel_find("auto")->philox(counter, key, word);
  hg_golden_put_words(c, "out", 4, word);
  return HG_OK;
}

static hg_status read_contract(const json_t *input, bool asian, hg_contract *c)
{
  const struct {
    const char *name;
    double *value;
  } field[] = {{"S", &c->spot}, {"K", &c->strike}, {"T", &c->time},
               {"r", &c->rate}, {"q", &c->yield},  {"sigma", &c->sigma}};
  const char *type;
  *c = (hg_contract){.fixings = 1};
  HG_TRY(hg_golden_text(input, "type", &type));
  if (strcmp(type, "call") != 0 && strcmp(type, "put") != 0)
    return hg_fail(HG_INVALID, "type is '%s', must be call or put", type);
  c->kind = (hg_contract_kind)((asian ? HG_ASIAN_CALL : HG_CALL) + (*type == 'p'));
  for (int i = 0; i < 6; i++) HG_TRY(hg_golden_double(input, field[i].name, field[i].value));
  if (asian) HG_TRY(hg_golden_int(input, "fixings", &c->fixings));
  return hg_contract_check(c);
}

static hg_status run_black_scholes(hg_golden_case *c)
{
  hg_contract contract;
  HG_TRY(read_contract(c->input, false, &contract));
  hg_golden_put(c, "price", hg_contract_closed(&contract));
  return HG_OK;
}

typedef struct sample {
  int64_t paths, seed, stream;
} sample;

static hg_status read_sample(const json_t *input, const hg_contract *c, sample *s)
{
  HG_TRY(hg_golden_int(input, "paths", &s->paths));
  HG_TRY(hg_golden_int(input, "seed", &s->seed));
  HG_TRY(hg_golden_int(input, "stream", &s->stream));
  if (s->seed < 0 || s->stream < 0 || s->stream > UINT32_MAX)
    return hg_fail(HG_INVALID, "seed %lld, stream %lld, must be >= 0, and the stream < 2^32", (long long)s->seed,
                   (long long)s->stream);
  return hg_contract_check_paths(c, s->paths);
}

/* One chunk after the other. */
static hg_estimate estimate(const hg_contract *c, const sample *s, hg_payoff payoff)
{
  const hg_paths paths = hg_contract_paths(c, payoff, s->paths, (uint64_t)s->seed, (uint32_t)s->stream);
  hg_path_sums all = {0};
  for (int64_t first = 0; first < s->paths; first += HG_CHUNK_PATHS) {
    hg_chunk_sums sums;
    const int64_t left = s->paths - first;
    hg_pricing_kernel_find("auto")->in[0]->chunk(&paths, first / HG_CHUNK_PATHS, &sums);
    hg_path_sums_add(&all, &sums, left < HG_CHUNK_PATHS ? left : HG_CHUNK_PATHS);
  }
  return hg_path_sums_estimate(&all, c, payoff);
}

static hg_status run_paths(hg_golden_case *c, bool asian)
{
  hg_contract contract;
  sample s;
  HG_TRY(read_contract(c->input, asian, &contract));
  HG_TRY(read_sample(c->input, &contract, &s));
  const hg_estimate e = estimate(&contract, &s, HG_PAYOFF);
  hg_golden_put(c, "price", e.value);
  hg_golden_put(c, "std_error", e.std_error);
  hg_golden_put(c, "z_score", hg_estimate_score(&e, hg_contract_closed(&contract)));
  if (!asian) return HG_OK;
  const hg_estimate less = estimate(&contract, &s, HG_PAYOFF_CONTROL);
  hg_golden_put(c, "geometric", hg_contract_geometric(&contract));
  hg_golden_put(c, "control_price", less.value);
  hg_golden_put(c, "control_std_error", less.std_error);
  return HG_OK;
}

static hg_status run_mc(hg_golden_case *c)
{
  return run_paths(c, false);
}

static hg_status run_asian(hg_golden_case *c)
{
  return run_paths(c, true);
}

hg_status pricer_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {
      {"philox", run_philox}, {"black_scholes", run_black_scholes}, {"mc", run_mc}, {"asian", run_asian}, {NULL, NULL}};
  return hg_golden_run(path, kinds);
}
