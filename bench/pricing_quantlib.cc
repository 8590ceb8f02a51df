// SPDX-License-Identifier: MIT
// QuantLib's Monte-Carlo engines on hetgrid-pricer's contract, one thread: million paths/s, and the
// price on stderr.
//   pricing_quantlib mersenne|sobol|asian PATHS
#include <ql/qldefines.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ql/exercise.hpp>
#include <ql/instruments/asianoption.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/asian/mc_discr_arith_av_price.hpp>
#include <ql/pricingengines/vanilla/mceuropeanengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

using namespace QuantLib;

namespace
{

typedef ext::shared_ptr<GeneralizedBlackScholesProcess> process;

const Date today(1, January, 2026), expiry(1, January, 2027); // 365 days

// S 100, r 5 %, q 0, sigma 20 %.
process make_process()
{
  const DayCounter days = Actual365Fixed();
  const Handle<Quote> spot(ext::make_shared<SimpleQuote>(100));
  const Handle<YieldTermStructure> rate(ext::make_shared<FlatForward>(today, .05, days)),
      dividends(ext::make_shared<FlatForward>(today, 0., days));
  const Handle<BlackVolTermStructure> sigma(ext::make_shared<BlackConstantVol>(today, NullCalendar(), .2, days));
  return ext::make_shared<BlackScholesMertonProcess>(spot, dividends, rate, sigma);
}

template <typename Random>
ext::shared_ptr<Instrument> european(size_t paths)
{
  auto option = ext::make_shared<VanillaOption>(ext::make_shared<PlainVanillaPayoff>(Option::Call, 100),
                                                ext::make_shared<EuropeanExercise>(expiry));
  option->setPricingEngine(MakeMCEuropeanEngine<Random>(make_process()).withSteps(1).withSamples(paths).withSeed(42));
  return option;
}

// The arithmetic mean of twelve fixings.
ext::shared_ptr<Instrument> asian(size_t paths)
{
  std::vector<Date> fixings;
  for (int j = 1; j <= 12; j++) fixings.push_back(today + j * 365 / 12);
  auto option = ext::make_shared<DiscreteAveragingAsianOption>(Average::Arithmetic, 0., 0, fixings,
                                                               ext::make_shared<PlainVanillaPayoff>(Option::Call, 100),
                                                               ext::make_shared<EuropeanExercise>(expiry));
  option->setPricingEngine(
      MakeMCDiscreteArithmeticAPEngine<PseudoRandom>(make_process()).withSamples(paths).withSeed(42));
  return option;
}

ext::shared_ptr<Instrument> make(const char *kind, size_t paths)
{
  if (strcmp(kind, "asian") == 0) return asian(paths);
  return strcmp(kind, "sobol") == 0 ? european<LowDiscrepancy>(paths) : european<PseudoRandom>(paths);
}

} // namespace

int main(int argc, char **argv)
{
  if (argc != 3) return 2;
  Settings::instance().evaluationDate() = today;
  const size_t paths = (size_t)atof(argv[2]);
  const auto option = make(argv[1], paths);
  const auto begin = std::chrono::steady_clock::now();
  const double price = option->NPV();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fprintf(stderr, "%s: %.6f\n", argv[1], price);
  printf("%.4g\n", (double)paths / seconds * 1e-6);
  return 0;
}
