/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_PLAN_GOLDEN_H
#define HG_APPS_PLAN_GOLDEN_H

#include <jansson.h>

#include "plan.h"

/** One case of a golden file while it runs. */
typedef struct golden_case {
  const json_t *json, *expect;
  plan_options options;
  plan plan;
  char fault[256]; /**< first fact that did not hold */
} golden_case;

/** Notes a fault unless `good`. */
void golden_check(golden_case *c, bool good, const char *fact, double got, double wanted);

/** expect[key] = [value, tolerance], or a plain number; nothing if there is no such key. */
void golden_check_value(golden_case *c, const char *key, double got);

/** expect[key] is an upper limit. */
void golden_check_most(golden_case *c, const char *key, double got);

/** Cases of the kinds fpm (also dfpa), fpmc, table. */
hg_status golden_run_model(golden_case *c, const char *kind, const char *algorithm);
#endif
