/* SPDX-License-Identifier: MIT */
/* Contracts read from a portfolio can be priced: they are within bounds and have a value. */
#include "pricing/portfolio.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_portfolio p;
  if (hg_portfolio_parse((const char *)data, size, "fuzz", &p) != HG_OK) return 0;
  for (int64_t i = 0; i < p.count; i++) {
    const hg_contract *c = &p.contract[i];
    if (hg_contract_check(c) != HG_OK) abort();
    if (!isfinite(hg_contract_geometric(c))) abort();
    if (c->fixings <= 1000 && !hg_contract_is_asian(c) && !isfinite(hg_contract_closed(c))) abort();
  }
  hg_portfolio_free(&p);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "type,S,K,T,r,q,sigma,fixings\n# c\ncall,100,105,1,.05,0,.2\n"
                            "asian-put , 1e2,100,.5,.03,-.01,0.25, 12 # end\n\nput,1,2,0,0,0,0\n",
                    two[] = "asian-call,100,90,1,.05,0,.2,1\r\nput,100,105,1d0,.05,0,.2,1\r\n";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the reader of portfolios", "portfolio", seeds, 2, 100000);
}
#endif
