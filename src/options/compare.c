/* SPDX-License-Identifier: MIT */
#include "options/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 64 };

static const void *place(const hg_option_set *set, const hg_option *o)
{
  return (const char *)set->values + o->field.offset;
}

static int64_t int_at(const hg_option_field *f, const void *at)
{
  int32_t narrow;
  int64_t wide;
  if (f->bytes == 1) return *(const bool *)at;
  if (f->bytes == sizeof narrow) return memcpy(&narrow, at, sizeof narrow), narrow;
  return memcpy(&wide, at, sizeof wide), wide;
}

/* A text field: a pointer, or an array, which counts as no text if it is empty. */
static const char *text_at(const hg_option_field *f, const void *at)
{
  const char *text = at;
  if (f->bytes > sizeof text) return *text ? text : NULL;
  return memcpy(&text, at, sizeof text), text;
}

static int count_of(const hg_option_set *set, const hg_option_field *f)
{
  if (f->most <= 0) return 1;
  return f->count == (size_t)HG_NO_COUNT ? f->most : *(const int *)((const char *)set->values + f->count);
}

/* Lists the values as one text, since their number may differ between ranks. */
static void list_joined(const hg_option_set *set, const hg_option *o, const char *label, hg_consistency *list)
{
  char *all = NULL;
  size_t size;
  const hg_option_field *f = &o->field;
  const int count = count_of(set, f);
  FILE *out = open_memstream(&all, &size);
  for (int i = 0; out && i < count; i++) {
    const char *at = (const char *)place(set, o) + (size_t)i * f->bytes;
    if (f->type == HG_IS_TEXT)
      fprintf(out, "%s%s", i ? " and " : "", text_at(f, at));
    else
      fprintf(out, "%s%" PRId64, i ? "," : "", int_at(f, at));
  }
  if (out) fclose(out);
  hg_consistency_text(list, label, count > 0 ? all : NULL);
  free(all);
}

static void list_text(const hg_option *o, const char *label, const char *text, hg_consistency *list)
{
  if (o->use & HG_WHOLE) hg_consistency_read_all(list);
  if (o->use & HG_PRESENCE)
    hg_consistency_flag(list, label, text != NULL);
  else if (o->use & HG_CONTENTS)
    hg_consistency_input(list, label, text);
  else
    hg_consistency_text(list, label, text);
}

static void list_option(const hg_option_set *set, const hg_option *o, hg_consistency *list)
{
  char label[LABEL];
  const hg_option_field *f = &o->field;
  const void *at = place(set, o);
  snprintf(label, sizeof label, "--%s", o->name);
  if (f->type == HG_IS_REAL) return hg_consistency_doubles(list, label, count_of(set, f), at);
  if (f->most > 0) return list_joined(set, o, label, list);
  switch (f->type) {
  case HG_IS_FLAG: return hg_consistency_flag(list, label, *(const bool *)at);
  case HG_IS_TEXT: return list_text(o, label, text_at(f, at), list);
  case HG_IS_NAME: return hg_consistency_text(list, label, f->names[int_at(f, at)]);
  default: return hg_consistency_int(list, label, int_at(f, at));
  }
}

void hg_command_consistency(const hg_command *c, hg_consistency *list)
{
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++)
    for (const hg_option *o = s->option; o->name || o->help; o++) {
      if (!(o->use & (HG_SAME | HG_PROBLEM))) continue;
      hg_consistency_of_problem(list, o->use & HG_PROBLEM);
      list_option(s, o, list);
    }
}

static void tell(const hg_option_set *set, const hg_option *o, hg_metadata *m)
{
  const hg_option_field *f = &o->field;
  const void *at = place(set, o);
  switch (f->type) {
  case HG_IS_TEXT: return hg_metadata_add_text(m, o->name, text_at(f, at));
  case HG_IS_NAME: return hg_metadata_add_text(m, o->name, f->names[int_at(f, at)]);
  case HG_IS_REAL: return hg_metadata_add_double(m, o->name, *(const double *)at);
  default: return hg_metadata_add_int(m, o->name, int_at(f, at));
  }
}

void hg_command_metadata(const hg_command *c, hg_metadata *m)
{
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++)
    for (const hg_option *o = s->option; o->name || o->help; o++)
      if (o->use & HG_METADATA) tell(s, o, m);
}
