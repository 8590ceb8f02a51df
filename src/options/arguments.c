/* SPDX-License-Identifier: MIT */
#include "options/arguments.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/canvas.h"
#include "base/text.h"

const char *const hg_precision_names[] = {"double", "float", NULL}, *const hg_progress_names[] = {"auto", "on", "off",
                                                                                                  NULL};

void hg_arg_require(struct argp_state *state, hg_status status)
{
  if (status != HG_OK) argp_failure(state, 2, 0, "%s", hg_message());
}

int64_t hg_arg_int(struct argp_state *state, const char *text, const char *what, int64_t lo, int64_t hi)
{
  int64_t value = 0;
  hg_arg_require(state, hg_parse_int(text, what, lo, hi, &value));
  return value;
}

int64_t hg_arg_seed(struct argp_state *state, const char *text)
{
  const int64_t seed = hg_arg_int(state, text, "--seed", 0, INT64_MAX);
  return seed > 0 ? seed : -1;
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

static const struct argp_option *find_option(const struct argp_option *list, const char *name)
{
  while (list->name && strcmp(list->name, name) != 0) list++;
  return list->name ? list : NULL;
}

struct argp hg_arg_adapt(const struct argp *whole, const struct argp_option *changes,
                         struct argp_option list[HG_OPTIONS_MAX])
{
  struct argp adapted = *whole;
  int count = 0;
  for (const struct argp_option *o = whole->options; o->name; o++) {
    const struct argp_option *change = find_option(changes, o->name);
    if (change && !change->doc) continue;
    assert(count < HG_OPTIONS_MAX - 1);
    list[count] = *o;
    if (change) list[count].flags |= change->flags, list[count].doc = change->doc;
    if (change && change->arg) list[count].arg = change->arg;
    count++;
  }
  list[count] = (struct argp_option){0};
  adapted.options = list;
  return adapted;
}

const char *hg_arg_picture(struct argp_state *state, const char *text)
{
  hg_arg_require(state, hg_canvas_check("--picture", text));
  return text;
}
