/* SPDX-License-Identifier: MIT */
#include "job/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/canvas.h"
#include "base/text.h"

const char *const hg_precision_names[] = {"double", "float", NULL}, *const hg_progress_names[] = {"auto", "on", "off",
                                                                                                  NULL};

void hg_arg_require(struct argp_state *state, hg_status status)
{
  if (status != HG_OK) argp_failure(state, 2, 0, "%s", hg_message());
}

int64_t hg_arg_whole(struct argp_state *state, const char *text, const char *what, int64_t lo, int64_t hi)
{
  int64_t value = 0;
  hg_arg_require(state, hg_parse_int(text, what, lo, hi, &value));
  return value;
}

int hg_arg_one_of(struct argp_state *state, const char *text, const char *what, const char *const *names)
{
  char known[1024] = "";
  for (int i = 0; names[i]; i++) {
    if (strcmp(text, names[i]) == 0) return i;
    if (strlen(known) + strlen(names[i]) + 2 < sizeof known) strcat(strcat(known, " "), names[i]);
  }
  argp_failure(state, 2, 0, "%s: '%s' is unknown; known:%s", what, text, known);
  return 0;
}

const char *hg_arg_picture(struct argp_state *state, const char *text)
{
  hg_arg_require(state, hg_canvas_check("--picture", text));
  return text;
}
