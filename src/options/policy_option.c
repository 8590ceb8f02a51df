/* SPDX-License-Identifier: MIT */
#include "options/policy_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/arguments.h"
#include "runtime/session.h"

const char *hg_arg_policy(struct argp_state *state, const char *text)
{
  if (strcmp(text, "help") != 0) return text;
  hg_arg_require(state, hg_policy_list(stdout));
  exit(0);
}
