/* SPDX-License-Identifier: MIT */
/* Options: closed forms against known values and integrals, derivatives against differences,
 * bounds, portfolios, and estimates from sums. */

#include "pricing/portfolio_run.h"
#include "tap.h"

static hg_contract contract(hg_contract_kind kind, double s, double k, double t, double r, double q, double sigma,
                            int64_t fixings)
{
  return (hg_contract){kind, s, k, t, r, q, sigma, fixings, 0};
}

/* Hull, Options, futures and other derivatives: 4.76 and 0.81; the others to 40 digits by mpmath.
 */
static void known_prices(void)
{
  const struct {
    hg_contract c;
    double price;
  } list[] = {{{HG_CALL, 42, 40, .5, .1, 0, .2, 1, 0}, 4.75942239287153322},
              {{HG_PUT, 42, 40, .5, .1, 0, .2, 1, 0}, 0.808599372900093583},
              {{HG_CALL, 100, 100, 1, .05, 0, .2, 1, 0}, 10.4505835721855668},
              {{HG_CALL, 100, 300, 1, .05, 0, .2, 1, 0}, 4.74963126552286872e-7},
              {{HG_PUT, 100, 30, .25, .02, .01, .3, 1, 0}, 4.31511983037738304e-16},
              {{HG_ASIAN_CALL, 100, 100, 1, .05, 0, .2, 12, 0}, 5.94020022163349521},
              {{HG_ASIAN_PUT, 100, 100, 1, .05, 0, .2, 12, 0}, 3.65173417590966934}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const double got = hg_contract_geometric(&list[i].c);
    tap_ok(fabs(got - list[i].price) <= 1e-13 * list[i].price, "%s on %g at %g is worth %.17g, known %.17g",
           hg_contract_names[list[i].c.kind], list[i].c.spot, list[i].c.strike, got, list[i].price);
  }
}

/* Expectation of the payoff's power over the density of the final price, by the trapezoidal rule, which converges fast
 * for such integrands except at the kink. */
static double expectation(const hg_contract *c, int power)
{
  enum { STEPS = 2000000 };
  const double sign = c->kind == HG_CALL ? 1 : -1, spread = c->sigma * sqrt(c->time);
  double sum = 0;
  for (int i = 0; i <= STEPS; i++) {
    const double z = -14 + 28.0 * i / STEPS;
    const double price = c->spot * exp((c->rate - c->yield - c->sigma * c->sigma / 2) * c->time + spread * z);
    const double pays = fmax(sign * (price - c->strike), 0);
    sum += pow(pays, power) * exp(-z * z / 2);
  }
  return sum * 28 / STEPS / sqrt(2 * M_PI);
}

static void check_moments(void)
{
  const hg_contract list[] = {{HG_CALL, 100, 110, 2, .03, .01, .3, 1, 0}, {HG_PUT, 100, 110, 2, .03, .01, .3, 1, 0}};
  for (int i = 0; i < 2; i++) {
    const double discount = exp(-list[i].rate * list[i].time), mean = expectation(&list[i], 1);
    tap_near(hg_contract_closed(&list[i]), discount * mean, 1e-8, "the closed form is the discounted expectation");
    tap_near(hg_contract_deviation(&list[i]), discount * sqrt(expectation(&list[i], 2) - mean * mean), 1e-8,
             "the payoff's deviation is that of its distribution");
  }
}

static void check_greeks(void)
{
  for (int kind = HG_CALL; kind <= HG_PUT; kind++) {
    hg_contract c = contract((hg_contract_kind)kind, 100, 105, 1.5, .04, .02, .25, 1);
    const hg_greeks g = hg_contract_greeks(&c);
    const double h = 1e-4, price = hg_contract_closed(&c);
    double by[4][2];
    double *const field[] = {&c.spot, &c.sigma, &c.time, &c.rate};
    for (int i = 0; i < 4; i++)
      for (int side = 0; side < 2; side++) {
        const double was = *field[i];
        *field[i] += side ? h : -h;
        by[i][side] = hg_contract_closed(&c);
        *field[i] = was;
      }
    const char *name = hg_contract_names[kind];
    tap_ok(fabs((by[0][1] - by[0][0]) / (2 * h) - g.delta) < 1e-8, "delta of a %s, %.9g, is its difference", name,
           g.delta);
    tap_ok(fabs((by[0][1] - 2 * price + by[0][0]) / (h * h) - g.gamma) < 1e-5, "gamma, %.9g", g.gamma);
    tap_ok(fabs((by[1][1] - by[1][0]) / (2 * h) - g.vega) < 1e-5, "vega, %.9g", g.vega);
    tap_ok(fabs((by[2][0] - by[2][1]) / (2 * h) - g.theta) < 1e-6, "theta, %.9g", g.theta);
    tap_ok(fabs((by[3][1] - by[3][0]) / (2 * h) - g.rho) < 1e-5, "rho, %.9g", g.rho);
  }
}

static void check_certain(void)
{
  const hg_contract now = contract(HG_CALL, 100, 90, 0, .05, 0, .2, 1),
                    still = contract(HG_PUT, 100, 120, 2, .05, .01, 0, 1),
                    mean = contract(HG_ASIAN_CALL, 100, 90, 1, .05, 0, 0, 2);
  tap_near(hg_contract_closed(&now), 10, 0, "an option that expires now is worth its intrinsic value");
  tap_near(hg_contract_closed(&still), exp(-.1) * 120 - 100 * exp(-.02), 1e-13,
           "without volatility the forward decides");
  tap_near(hg_contract_closed(&mean), exp(-.05) * (50 * (exp(.025) + exp(.05)) - 90), 1e-13,
           "and the mean of forwards");
}

/* `text` is refused, and the message says so. */
static void refused(const char *text, const char *said)
{
  hg_portfolio p;
  const hg_status status = hg_portfolio_parse(text, strlen(text), "p.csv", &p);
  tap_ok(status == HG_FORMAT && strstr(hg_message(), said), "'%s' is refused: %s", said, hg_message());
  if (status == HG_OK) hg_portfolio_free(&p);
}

static void check_portfolios(void)
{
  static const char text[] =
      "type,S,K,T,r,q,sigma,fixings\n# two\ncall,100,105,1,.05,0,.2\n\n asian-put , 50,1e2 ,.5,.03,-.01,.25,12 # "
      "one\r\n";
  hg_portfolio p;
  tap_ok(hg_portfolio_parse(text, sizeof text - 1, "p.csv", &p) == HG_OK && p.count == 2, "two contracts are read");
  const hg_contract *c = p.contract;
  tap_ok(c[0].kind == HG_CALL && c[0].strike == 105 && c[0].fixings == 1 && c[1].kind == HG_ASIAN_PUT &&
             c[1].strike == 100 && c[1].yield == -.01 && c[1].fixings == 12,
         "with their values");
  hg_portfolio_free(&p);
  refused("", "no contracts");
  refused("call,100,105,1,.05,0\n", "p.csv:1:21: a comma and 'sigma' are missing");
  refused("call,100,105,1,.05,0,.2\nbarrier,1,1,1,1,1,1\n", "p.csv:2:1: a line must begin");
  refused("call,100,1x,1,.05,0,.2\n", "p.csv:1:10: '1x' is not a finite number");
  refused("call,0,105,1,.05,0,.2\n", "p.csv:1:1: S is 0, must be > 0");
  refused("call,100,105,1,.05,0,-.2\n", "sigma is -0.2, must be >= 0");
  refused("put,100,105,1,.05,0,.2,3\n", "must be 1 for a put");
  refused("asian-put,100,105,1,.05,0,.2\n", "a comma and 'fixings' are missing");
  refused("asian-put,100,105,1,.05,0,.2,0\n", "fixings 0 is not in 1..1048576");
  refused("asian-put,100,105,1,.05,0,.2,3,4\n", "is not a whole number");
  refused("call,100,105,1,.05,0,90\n", "must be at most e^335");
  static const char wild[] = "call,100,105,1,.05,0,19\n";
  if (tap_ok(hg_portfolio_parse(wild, sizeof wild - 1, "p.csv", &p) == HG_OK, "... e^318 is not too large"))
    hg_portfolio_free(&p);
}

static void check_estimates(void)
{
  const hg_contract c = contract(HG_CALL, 100, 100, 1, 0, 0, .2, 1);
  hg_path_sums s = {0};
  hg_path_sums_add(&s, &(hg_chunk_sums){6, 14}, 3); /* 1, 2, 3 */
  hg_path_sums_add(&s, &(hg_chunk_sums){4, 16}, 1);
  const hg_estimate e = hg_path_sums_estimate(&s, &c, HG_PAYOFF);
  tap_near(e.value, 2.5, 0, "the mean of 1, 2, 3 and 4");
  tap_near(e.std_error, sqrt(5. / 3 / 4), 1e-16, "and its standard error");
  tap_near(hg_estimate_score(&e, 1.5), 1 / sqrt(5. / 12), 1e-15, "from a known value");
  s = (hg_path_sums){0};
  hg_path_sums_add(&s, &(hg_chunk_sums){4, 16}, 1);
  tap_ok(isnan(hg_path_sums_estimate(&s, &c, HG_PAYOFF).std_error), "one path has no standard error");
}

/* Over many seeds the scores of a price are normally distributed. */
static void check_scores(void)
{
  enum { SEEDS = 400 };
  const hg_contract c = contract(HG_PUT, 100, 105, 1, .05, .02, .3, 1);
  const hg_pricing_kernel *k = hg_pricing_kernel_find("auto");
  int within = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    const hg_paths paths = hg_contract_paths(&c, HG_PAYOFF, 16384, seed, 5);
    hg_path_sums s = {0};
    hg_chunk_sums sums;
    k->in[0]->chunk(&paths, 0, &sums);
    hg_path_sums_add(&s, &sums, paths.paths);
    const hg_estimate e = hg_path_sums_estimate(&s, &c, HG_PAYOFF);
    within += fabs(hg_estimate_score(&e, hg_contract_closed(&c))) < 1.96;
  }
  tap_ok(within > .915 * SEEDS && within < .98 * SEEDS, "%d of %d prices are within 1.96 standard errors", within,
         SEEDS);
}

/* 1000 pieces of 2^23 fixings; a step that can be saved may have at most 2^32 fixings, 512 pieces. */
static void steps_are(bool interruptible, int64_t per_step, int64_t steps, const char *name)
{
  const char text[] = "asian-call,100,100,1,.05,0,.2,128\n";
  const hg_portfolio_wishes wanted = {
      .paths = 1000 * (int64_t)HG_CHUNK_PATHS, .seed = 1, .interruptible = interruptible};
  hg_portfolio p;
  hg_portfolio_run b;
  if (!tap_ok(hg_portfolio_parse(text, strlen(text), "here", &p) == HG_OK &&
                  hg_portfolio_open(&p, &wanted, &b) == HG_OK,
              "a book of 1000 pieces"))
    return;
  tap_int(b.pieces.per_step, per_step, name);
  tap_int(b.steps, steps, "... and steps");
  hg_portfolio_close(&b);
}

static void check_steps(void)
{
  steps_are(false, 1000, 1, "pieces of a step that is not interruptible");
  steps_are(true, 500, 2, "... of one that is");
}

/* Doubles the chunks until the standard error is small enough and reliable, as a book stops. */
static hg_estimate price_until(const hg_contract *c, hg_payoff payoff, double wanted, uint64_t seed, int64_t chunks)
{
  const hg_pricing_functions *f = hg_pricing_kernel_find("auto")->in[0];
  const hg_paths paths = hg_contract_paths(c, payoff, chunks * HG_CHUNK_PATHS, seed, 3);
  hg_path_sums s = {0};
  hg_estimate e = {0};
  for (int64_t i = 0; i < chunks; i++) {
    hg_chunk_sums sums;
    f->chunk(&paths, i, &sums);
    hg_path_sums_add(&s, &sums, HG_CHUNK_PATHS);
    if (((i + 1) & i) != 0) continue;
    e = hg_path_sums_estimate(&s, c, payoff);
    if (e.std_error <= wanted && hg_estimate_is_sure(&e, c, payoff)) break;
  }
  return e;
}

/* At least nine of ten reliable intervals of 1.96 standard errors hold the price, however rarely the contract pays and
 * however much it may pay. */
static void check_coverage(void)
{
  const struct {
    hg_contract c;
    hg_payoff payoff;
    double wanted;
    int seeds;
    int64_t chunks; /* at most */
  } list[] = {{{HG_CALL, 100, 230, 1, .05, 0, .2, 1, 0}, HG_PAYOFF, 1e-4, 60, 1024},
              {{HG_PUT, 100, 55, 1, .05, 0, .2, 1, 0}, HG_PAYOFF, 1e-3, 100, 64},
              {{HG_PUT, 100, 1e4, 1, 0, 0, 2, 1, 0}, HG_PAYOFF, 10, 120, 64},
              {{HG_PUT, 100, 200, 1, 0, 0, 4, 1, 0}, HG_PAYOFF, 1, 120, 64},
              {{HG_CALL, 100, 100, 1, .05, 0, 1.5, 1, 0}, HG_PAYOFF, 10, 120, 16},
              {{HG_CALL, 100, 100, 1, 0, 0, 2, 1, 0}, HG_PAYOFF, 10, 120, 64},
              {{HG_ASIAN_CALL, 100, 160, 1, .05, 0, .2, 12, 0}, HG_PAYOFF, 1e-3, 60, 64},
              {{HG_ASIAN_CALL, 100, 160, 1, .05, 0, .2, 12, 0}, HG_PAYOFF_CONTROL, 1e-3, 40, 64}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const hg_contract *c = &list[i].c;
    const double known =
        hg_contract_is_asian(c) ? price_until(c, HG_PAYOFF_CONTROL, 0, 77, 256).value : hg_contract_closed(c);
    int within = 0, sure = 0;
    for (int seed = 1; seed <= list[i].seeds; seed++) {
      const hg_estimate e = price_until(c, list[i].payoff, list[i].wanted, (uint64_t)seed, list[i].chunks);
      sure += hg_estimate_is_sure(&e, c, list[i].payoff);
      within += fabs(e.value - known) < 1.96 * e.std_error;
    }
    tap_ok(sure == list[i].seeds && within >= .9 * sure,
           "%s at %g, sigma %g: %d of %d standard errors are sure, %d prices within 1.96 of them of %.6g",
           hg_contract_names[c->kind], c->strike, c->sigma, sure, list[i].seeds, within, known);
  }
}

/* Contracts whose error a usual number of paths does not show, since few paths lose, or rounding of sums or paths is as
 * large. */
static void check_lost_errors(void)
{
  static const hg_contract list[] = {
      {HG_PUT, .001, 50, 30, -.02, 0, 1.5, 1, 0},       {HG_PUT, 100, 200, 30, .05, .1, 1.5, 1, 0},
      {HG_ASIAN_PUT, .001, 50, 30, -.02, 0, 1.5, 2, 0}, {HG_CALL, 100, 1e-6, 1, 0, 0, 1e-8, 1, 0},
      {HG_PUT, 1e-6, 100, 1, 0, 0, 1e-2, 1, 0},         {HG_ASIAN_CALL, 100, 1e-6, 1, 0, 0, 1e-8, 3, 0}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const hg_estimate e = price_until(&list[i], HG_PAYOFF, 0, 1, 1);
    tap_ok(!hg_estimate_is_sure(&e, &list[i], HG_PAYOFF), "%s of sigma %g at %g: %g +- %g is not reliable",
           hg_contract_names[list[i].kind], list[i].sigma, list[i].strike, e.value, e.std_error);
  }
  const hg_contract usual = contract(HG_CALL, 100, 100, 1, .05, 0, .2, 1),
                    close = contract(HG_CALL, 100, 100, 1, 0, 0, 1e-16, 1);
  tap_ok(hg_contract_rounding(&usual, 10, false) < 1e-13 && hg_contract_rounding(&usual, 10, true) < 1e-4,
         "rounding is far below a usual error: %g, in single precision %g", hg_contract_rounding(&usual, 10, false),
         hg_contract_rounding(&usual, 10, true));
  const hg_estimate e = price_until(&close, HG_PAYOFF, 0, 1, 1);
  tap_ok(hg_contract_rounding(&close, e.value, false) > e.std_error, "... and more than %g +- %g of sigma 1e-16",
         e.value, e.std_error);
}

static void check_unsure(void)
{
  const hg_contract seldom = contract(HG_CALL, 100, 260, 1, .05, 0, .2, 1),
                    far = contract(HG_CALL, 100, 100, 1, .05, 0, 10, 1),
                    usual = contract(HG_CALL, 100, 100, 1, .05, 0, .2, 1),
                    still = contract(HG_PUT, 100, 90, 1, .05, 0, 0, 1);
  const hg_estimate none = price_until(&seldom, HG_PAYOFF, 0, 1, 1), wild = price_until(&far, HG_PAYOFF, 0, 1, 64);
  tap_ok(!hg_estimate_is_sure(&none, &seldom, HG_PAYOFF), "%g +- %g of %g paths that hardly pay is not sure",
         none.value, none.std_error, (double)none.paths);
  tap_ok(!hg_estimate_is_sure(&wild, &far, HG_PAYOFF), "%g +- %g where the closed form is %g is not sure", wild.value,
         wild.std_error, hg_contract_closed(&far));
  tap_ok(!hg_estimate_is_sure(&(hg_estimate){10, .1, 370}, &usual, HG_PAYOFF) &&
             hg_estimate_is_sure(&(hg_estimate){10, .1, 390}, &usual, HG_PAYOFF),
         "a usual option needs %.0f paths", hg_contract_paths_needed(&usual));
  tap_ok(!hg_estimate_is_sure(&(hg_estimate){1, .072, 1000000}, &usual, HG_PAYOFF) &&
             hg_estimate_is_sure(&(hg_estimate){1, .07, 1000000}, &usual, HG_PAYOFF),
         "and 200 equal payoffs, whose error is 7 %% of the price");
  tap_ok(hg_estimate_is_sure(&(hg_estimate){0, 0, 2}, &still, HG_PAYOFF), "what is certain is sure");
  tap_ok(!hg_estimate_is_sure(&(hg_estimate){10, 0, 1000000}, &usual, HG_PAYOFF), "an error of 0 is not");
  tap_ok(!hg_estimate_is_sure(&(hg_estimate){10, NAN, 1}, &usual, HG_PAYOFF), "one of a single path is not");
  tap_ok(!hg_estimate_is_sure(&(hg_estimate){1e-200, 1e-200, 1000000}, &usual, HG_PAYOFF),
         "a large one of little is not");
}

/* Scaling by powers of two changes no digit. */
static void check_tiny(void)
{
  static const hg_payoff payoffs[] = {HG_PAYOFF, HG_PAYOFF_DELTA, HG_PAYOFF_VEGA, HG_PAYOFF_CONTROL};
  static const double least[] = {0x1p-700, 1, 0x1p-700, 0x1p-700};
  for (int i = 0; i < 4; i++) {
    const hg_contract usual = contract(HG_ASIAN_PUT, 100, 110, 1, .05, 0, .2, 4),
                      tiny = contract(HG_ASIAN_PUT, 100 * 0x1p-700, 110 * 0x1p-700, 1, .05, 0, .2, 4);
    const hg_estimate e = price_until(&usual, payoffs[i], 0, 1, 1), t = price_until(&tiny, payoffs[i], 0, 1, 1);
    tap_ok(fabs(t.value / least[i] / e.value - 1) < 1e-15 && t.std_error == least[i] * e.std_error && t.std_error > 0,
           "prices of 1e-209 are as sure as those of 1: %g +- %g, %g +- %g", t.value, t.std_error, e.value,
           e.std_error);
  }
}

/* If nothing is left to chance (sigma or T is 0), derivatives are those of the smallest sigma or T. */
static void check_certain_greeks(void)
{
  const hg_contract list[] = {{HG_CALL, 100, 102, 1, .05, .02, 0, 1, 0}, {HG_PUT, 100, 120, 2, .05, .01, 0, 1, 0},
                              {HG_PUT, 100, 90, 2, .05, .01, 0, 1, 0},   {HG_CALL, 100, 100, 1, 0, 0, 0, 1, 0},
                              {HG_PUT, 100, 100, 4, .02, .02, 0, 1, 0},  {HG_CALL, 100, 90, 0, .05, .01, .3, 1, 0}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    hg_contract small = list[i];
    if (small.sigma == 0) small.sigma = 1e-9;
    if (small.time == 0) small.time = 1e-16;
    const hg_greeks g = hg_contract_greeks(&list[i]), limit = hg_contract_greeks(&small);
    tap_ok(fabs(g.delta - limit.delta) < 1e-6 && fabs(g.vega - limit.vega) < 1e-6,
           "%s at %g, sigma %g, T %g: delta %g and vega %g, next to it %g and %g", hg_contract_names[list[i].kind],
           list[i].strike, list[i].sigma, list[i].time, g.delta, g.vega, limit.delta, limit.vega);
    const hg_path_sums sums = {.paths = 10};
    const hg_estimate vega = hg_path_sums_estimate(&sums, &list[i], HG_PAYOFF_VEGA);
    tap_ok(vega.value == g.vega && vega.std_error == 0, "... and paths give the same: vega %g +- %g", vega.value,
           vega.std_error);
  }
  const hg_contract mean = contract(HG_ASIAN_CALL, 100, 100, 1, 0, 0, 0, 12),
                    alone = contract(HG_ASIAN_CALL, 100, 100, 1, 0, 0, 0, 1);
  tap_near(hg_contract_greeks(&mean).vega, hg_contract_greeks(&alone).vega * sqrt(13. * 25 / (6 * 144)), 1e-12,
           "the mean of 12 fixings varies less");
}

/* A book of one contract whose price differs by so many standard errors. */
static hg_status validated(double errors)
{
  const char text[] = "call,100,100,1,.05,0,.2\n";
  const hg_portfolio_wishes wanted = {.paths = 1 << 20, .seed = 1};
  hg_portfolio p;
  hg_portfolio_run b;
  if (hg_portfolio_parse(text, strlen(text), "here", &p) != HG_OK || hg_portfolio_open(&p, &wanted, &b) != HG_OK)
    return HG_IO;
  const double error = hg_contract_deviation(p.contract) / sqrt((double)wanted.paths);
  b.estimate[0] = (hg_estimate){hg_contract_closed(p.contract) + errors * error, error, wanted.paths};
  const hg_status status = hg_portfolio_validate(&b);
  hg_portfolio_close(&b);
  return status;
}

static void check_validation(void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    tap_int(validated(sign * 4.9), HG_OK, "a price 4.9 standard errors from its closed form passes");
    tap_int(validated(sign * 5.1), HG_MISMATCH, "... 5.1 from it is wrong");
  }
}

/* ln S may be 40 standard deviations away for a sum of fixings, 7 for one number: sigma just allowed, and just not. */
static void check_reach(void)
{
  const struct {
    hg_contract_kind kind;
    double least, most;
  } list[] = {{HG_CALL, 19.6, 19.8}, {HG_ASIAN_CALL, 7.54, 7.56}};
  for (int i = 0; i < 2; i++) {
    hg_contract c = contract(list[i].kind, 100, 100, 1, .05, 0, list[i].least, 1);
    tap_ok(hg_contract_check(&c) == HG_OK, "%s of sigma %g may be", hg_contract_names[c.kind], c.sigma);
    c.sigma = list[i].most;
    tap_ok(hg_contract_check(&c) == HG_INVALID, "... of %g may not: %s", c.sigma, hg_message());
  }
}

int main(void)
{
  known_prices();
  check_moments();
  check_greeks();
  check_certain();
  check_portfolios();
  check_estimates();
  check_scores();
  check_steps();
  check_coverage();
  check_unsure();
  check_lost_errors();
  check_tiny();
  check_certain_greeks();
  check_validation();
  check_reach();
  return tap_done();
}
