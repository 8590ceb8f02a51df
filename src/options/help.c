/* SPDX-License-Identifier: MIT */
/* --help and --usage: options in the order of their rows, in the style of GNU programs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "options/option.h"

enum { INDENT = 6, COLUMN = 29, WIDTH = 79 };

/* Prints the words of a text from column `left` on, with line breaks; the text's own line ends are kept. */
static void put_words(const char *text, int left)
{
  for (int at = left; *text; text++) {
    const int length = (int)strcspn(text, " \n");
    printf("%.*s", length, text);
    at += length, text += length;
    if (!*text) return;
    if (*text == ' ' && at + 1 + (int)strcspn(text + 1, " \n") <= WIDTH)
      putchar(' '), at++;
    else
      printf("\n%*s", left, ""), at = left;
  }
}

static bool is_shown(const hg_option_set *set, const hg_option *o)
{
  const hg_option_change *change = o->name ? hg_option_changed(set, o) : NULL;
  return !(o->use & (HG_HIDDEN | HG_DERIVED)) && !hg_option_is_gone(change) && !(change && change->refusal);
}

/* The name of an option's value; "" if it takes none. */
static const char *value_of(const hg_option_set *set, const hg_option *o, size_t room, char *text)
{
  const hg_option_change *change = hg_option_changed(set, o);
  *text = 0;
  if (change && change->arg) return change->arg;
  if (o->arg) return o->arg;
  for (int i = 0; o->field.type == HG_IS_NAME && o->field.names[i]; i++)
    snprintf(text + strlen(text), room - strlen(text), "%s%s", i ? "|" : "", o->field.names[i]);
  return text;
}

/* Prints --name=VALUE; returns the number of characters. */
static int put_name(const char *name, const char *value, bool may)
{
  return printf(!*value ? "--%s" : may ? "--%s[=%s]" : "--%s=%s", name, value);
}

static void put_option(const hg_option_set *set, const hg_option *o)
{
  char room[400];
  const hg_option_change *change = hg_option_changed(set, o);
  const char *value = value_of(set, o, sizeof room, room);
  int at = INDENT + (printf("%*s", INDENT, ""), put_name(o->name, value, o->use & HG_VALUE_OPTIONAL));
  for (const hg_option *also = o + 1; also->use & HG_ALIAS; also++)
    if (!(also->use & HG_HIDDEN)) at += printf(", ") + put_name(also->name, value, o->use & HG_VALUE_OPTIONAL);
  if (at + 2 > COLUMN)
    printf("\n%*s", COLUMN, "");
  else
    printf("%*s", COLUMN - at, "");
  put_words(change && change->help ? change->help : o->help, COLUMN);
  putchar('\n');
}

static void put_set(const hg_option_set *set)
{
  if (set->title && set->option->help) printf("\n %s\n", set->title);
  for (const hg_option *o = set->option; o->name || o->help; o++)
    if (!o->name)
      printf("\n %s\n", o->help);
    else if (is_shown(set, o) && !(o->use & HG_ALIAS))
      put_option(set, o);
}

void hg_command_help(const hg_command *c)
{
  printf("Usage: %s [OPTION...]%s%s\n", program_invocation_short_name, c->operand ? " " : "",
         c->operand ? c->operand : "");
  put_words(c->about, 0);
  putchar('\n');
  if (c->set->option && c->set->option->name && !c->set->title) putchar('\n');
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++) put_set(s);
  puts("\n  -?, --help                 Give this help list\n"
       "      --usage                Give a short usage message\n"
       "  -V, --version              Print program version\n");
  if (c->families) c->families();
  put_words(c->notes, 0);
  putchar('\n');
}

void hg_command_usage(const hg_command *c)
{
  enum { LEFT = 12 };
  char room[400], word[500];
  int at = printf("Usage: %s", program_invocation_short_name);
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++)
    for (const hg_option *o = s->option; o->name || o->help; o++) {
      if (!o->name || !is_shown(s, o) || o->use & HG_ALIAS) continue;
      const char *value = value_of(s, o, sizeof room, room);
      const int length = snprintf(word, sizeof word, *value ? " [--%s=%s]" : " [--%s]", o->name, value);
      if (at + length > WIDTH) at = printf("\n%*s", LEFT, "") - 1;
      at += printf("%s", word);
    }
  if (c->operand) printf(" %s", c->operand);
  puts("\n             [--help] [--usage] [--version]");
}
