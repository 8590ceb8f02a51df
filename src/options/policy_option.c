/* SPDX-License-Identifier: MIT */
#include "options/policy_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/session.h"

const char *hg_policy_named(const char *text)
{
  if (strcmp(text, "help") != 0) return text;
  if (hg_policy_list(stdout) == HG_OK) exit(0);
  fprintf(stderr, "--sched help: %s\n", hg_message());
  exit(1);
}
