/* SPDX-License-Identifier: MIT */
#ifndef HG_PLAN_GOLDEN_H
#define HG_PLAN_GOLDEN_H

#include "apps/plan/plan.h"
#include "tests/golden/cases.h"

/** One case of a golden file while it runs. */
typedef struct golden_case {
  hg_golden_case *c;
  const json_t *json, *expect;
  plan_options options;
  plan plan;
} golden_case;

/** expect[key] = [value, tolerance], or a plain number; nothing if there is no such key. */
void golden_check_value(golden_case *c, const char *key, double got);

/** expect[key] is an upper limit. */
void golden_check_most(hg_golden_case *c, const char *key, double got);

/** Cases of the kinds fpm (also dfpa), fpmc, table. */
hg_status golden_run_fpm(hg_golden_case *c);
hg_status golden_run_fpmc(hg_golden_case *c);
hg_status golden_run_table(hg_golden_case *c);
#endif
