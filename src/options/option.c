/* SPDX-License-Identifier: MIT */
#include "options/option.h"

#include <string.h>

const hg_option_change *hg_option_changed(const hg_option_set *set, const hg_option *option)
{
  const hg_option_change *c = set->changes;
  while (c && c->name && strcmp(c->name, option->name) != 0) c++;
  return c && c->name ? c : NULL;
}

bool hg_option_is_gone(const hg_option_change *change)
{
  return change && !change->arg && !change->help && !change->refusal;
}

const hg_option *hg_command_option(const hg_command *c, const char *name, const hg_option_set **set)
{
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++) {
    const hg_option *first = s->option;
    for (const hg_option *o = s->option; o->name || o->help; o++) {
      if (!(o->use & HG_ALIAS)) first = o;
      if (!o->name || o->use & HG_DERIVED || strcmp(o->name, name) != 0) continue;
      if (set) *set = s;
      return first;
    }
  }
  return NULL;
}

bool hg_option_given(const hg_command *c, const char *name)
{
  const hg_option_set *set;
  const hg_option *o = hg_command_option(c, name, &set);
  const ptrdiff_t i = o ? o - set->option : 0;
  return o && c->given[set - c->set][i / 64] >> i % 64 & 1;
}

const char *hg_option_first(const hg_command *c, const char *const *names)
{
  while (*names && !hg_option_given(c, *names)) names++;
  return *names;
}
