/* SPDX-License-Identifier: MIT */
/* hetgrid-nphp: the policy of the thesis. */
#ifndef HG_SCHEDULERS_NPHP_H
#define HG_SCHEDULERS_NPHP_H

#include "schedulers/policy.h"

extern const hg_rule hg_nphp_rule;

/** @param options  words separated by commas: "rows", "even", "dfpa"; NULL or "": none
 * @param epsilon  by which part of the shortest busy time the longest may exceed it (dfpa)
 * @return false if memory ran out */
bool hg_nphp_open(hg_policy *p, const char *options, double epsilon);
void hg_nphp_close(hg_policy *p);
#endif
