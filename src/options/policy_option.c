/* SPDX-License-Identifier: MIT */
#include "options/policy_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/session.h"

hg_status hg_policy_check(const char *text)
{
  if (strcmp(text, "help") != 0) return HG_OK;
  if (hg_policy_list(stdout) == HG_OK) exit(0);
  fprintf(stderr, "--sched help: %s\n", hg_message());
  exit(1);
}
