/* SPDX-License-Identifier: MIT */
/* Command lines by rows of options. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chart/canvas.h"
#include "options/option.h"

enum { FIRST = 1000, KEY_HELP = 'h', KEY_USAGE = 'u', KEY_VERSION = 'V', LABEL = 64 };

void (*hg_command_version)(void);

/* --- values ------------------------------------------------------------------------------------------------------ */

static hg_status set_int(const hg_option_field *f, const char *label, const char *text, void *at)
{
  int64_t value;
  const int64_t largest = f->largest < 0x1p63 ? (int64_t)f->largest : INT64_MAX;
  HG_TRY(hg_parse_int(text, label, (int64_t)f->least, largest, &value));
  const int32_t narrow = (int32_t)value;
  memcpy(at, f->bytes == sizeof narrow ? (const void *)&narrow : &value, f->bytes);
  return HG_OK;
}

static hg_status set_real(const hg_option_field *f, const char *label, const char *text, void *at)
{
  double value;
  HG_TRY(hg_parse_double(text, label, f->least, f->largest, &value));
  const float narrow = (float)value;
  memcpy(at, f->bytes == sizeof narrow ? (const void *)&narrow : &value, f->bytes);
  return HG_OK;
}

static hg_status set_name(const hg_option_field *f, const char *label, const char *text, void *at)
{
  char known[1024] = "";
  for (int i = 0; f->names[i]; i++) {
    if (strcmp(text, f->names[i]) == 0) return memcpy(at, &i, f->bytes), HG_OK;
    if (strlen(known) + strlen(f->names[i]) + 2 < sizeof known) strcat(strcat(known, " "), f->names[i]);
  }
  return hg_fail(HG_INVALID, "%s: '%s' is unknown; known:%s", label, text, known);
}

static hg_status set_text(const hg_option *o, const char *label, const char *text, void *at)
{
  if (o->use & HG_PICTURE) HG_TRY(hg_canvas_check(label, text));
  if (o->field.check) HG_TRY(o->field.check(text));
  memcpy(at, &text, sizeof text);
  return HG_OK;
}

static hg_status add_text(const hg_option_field *f, const char *label, const char *text, void *at, int *count)
{
  if (*count == f->most) return hg_fail(HG_INVALID, "%s: more than %d values", label, f->most);
  memcpy((char *)at + (size_t)(*count)++ * f->bytes, &text, sizeof text);
  return HG_OK;
}

/* Splits the text in place, in the command line. */
static hg_status split_text(const hg_option_field *f, const char *label, const char *text, void *at, int *count)
{
  char *rest = (char *)(uintptr_t)text;
  *count = 0;
  for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) HG_TRY(add_text(f, label, word, at, count));
  return HG_OK;
}

static hg_status set_list(const hg_option *o, const char *label, const char *text, void *at, int *count)
{
  const hg_option_field *f = &o->field;
  if (o->use & HG_COMMAS) return split_text(f, label, text, at, count);
  if (o->use & HG_PICTURE) HG_TRY(hg_canvas_check(label, text));
  if (f->type == HG_IS_TEXT) return add_text(f, label, text, at, count);
  if (f->type == HG_IS_INT)
    HG_TRY(hg_parse_ints(text, label, (int64_t)f->least, (int64_t)f->largest, f->most, at, count));
  else
    HG_TRY(hg_parse_doubles(text, label, f->least, f->largest, f->most, at, count));
  if (!(o->use & HG_SERVES_ALL) || *count == f->most) return HG_OK;
  if (*count != 1)
    return hg_fail(HG_INVALID, "%s: '%s', must be one number or %s: %s", label, text, f->most == 3 ? "three" : "all",
                   o->arg);
  for (int i = 1; i < f->most; i++) memcpy((char *)at + (size_t)i * f->bytes, at, f->bytes);
  return HG_OK;
}

static hg_status set_value(const hg_option *o, const char *name, const char *text, void *values)
{
  char label[LABEL];
  int unheld;
  const hg_option_field *f = &o->field;
  char *at = (char *)values + f->offset;
  snprintf(label, sizeof label, "--%s", name);
  if (f->parse) return f->parse(text, values);
  if (f->most > 0)
    return set_list(o, label, text, at, f->count == (size_t)HG_NO_COUNT ? &unheld : (int *)((char *)values + f->count));
  switch (f->type) {
  case HG_IS_FLAG: return *(bool *)at = true, HG_OK;
  case HG_IS_INT: return set_int(f, label, text, at);
  case HG_IS_REAL: return set_real(f, label, text, at);
  case HG_IS_NAME: return set_name(f, label, text, at);
  case HG_IS_TEXT: return set_text(o, label, text, at);
  }
  return HG_OK;
}

/* `name` is the name as given. */
static hg_status take(hg_command *command, int at, int i, const char *name, const char *text)
{
  hg_option_set *set = &command->set[at];
  const hg_option *o = &set->option[i];
  const hg_option_change *change = hg_option_changed(set, o);
  if (change && change->refusal) return hg_fail(HG_INVALID, "--%s: %s", name, change->refusal);
  command->given[at][i / 64] |= UINT64_C(1) << i % 64;
  return set_value(o, name, text, set->values);
}

/* --- the line ---------------------------------------------------------------------------------------------------- */

static bool takes_value(const hg_option *o)
{
  return o->arg || o->field.type == HG_IS_NAME;
}

/* An option's number encodes its set and row; an alias has the number of the first name. */
static struct option *make_list(const hg_command *c)
{
  static const struct option always[] = {{"help", no_argument, NULL, KEY_HELP},
                                         {"usage", no_argument, NULL, KEY_USAGE},
                                         {"version", no_argument, NULL, KEY_VERSION}};
  int count = 3, rows = 4;
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++)
    for (const hg_option *o = s->option; o->name || o->help; o++) rows++;
  struct option *list = calloc((size_t)rows, sizeof *list);
  if (!list) return NULL;
  memcpy(list, always, sizeof always);
  for (const hg_option_set *s = c->set; s < c->set + HG_OPTION_SETS && s->option; s++)
    for (int i = 0, first = 0; s->option[i].name || s->option[i].help; i++) {
      const hg_option *o = &s->option[i];
      if (!(o->use & HG_ALIAS)) first = i;
      if (!o->name || o->use & HG_DERIVED || hg_option_is_gone(hg_option_changed(s, &s->option[first]))) continue;
      const int has = !takes_value(&s->option[first]) ? no_argument : s->option[first].use & HG_VALUE_OPTIONAL ? 2 : 1;
      list[count++] = (struct option){o->name, has, NULL, FIRST + (int)(s - c->set) * HG_OPTIONS_MAX + first};
    }
  return list;
}

static void require(hg_status status)
{
  if (status == HG_OK) return;
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, hg_message());
  exit(status == HG_MEMORY ? 1 : 2);
}

/* Ends the program after a wrong command line. */
static void refer_to_help(void)
{
  fprintf(stderr, "Try '%s --help' or '%s --usage' for more information.\n", program_invocation_short_name,
          program_invocation_short_name);
  exit(2);
}

static void act(hg_command *c, int key, const char *name)
{
  switch (key) {
  case KEY_HELP: hg_command_help(c); exit(0);
  case KEY_USAGE: hg_command_usage(c); exit(0);
  case KEY_VERSION: hg_command_version(); exit(0);
  case '?': refer_to_help(); break;
  default: key -= FIRST; require(take(c, key / HG_OPTIONS_MAX, key % HG_OPTIONS_MAX, name, optarg));
  }
}

/* The word that getopt took for an option. */
static const char *option_word(char **argv)
{
  return argv[optind - 1] == optarg ? argv[optind - 2] : argv[optind - 1];
}

/* getopt accepts abbreviations, such as --n for --network. */
static bool is_whole_name(const char *word, const char *name)
{
  return strncmp(word, "--", 2) != 0 || strcspn(word, "=") == strlen(name) + 2;
}

static void check_whole_name(char **argv, const char *name)
{
  const char *word = option_word(argv);
  if (is_whole_name(word, name)) return;
  fprintf(stderr, "%s: %.*s is not the full name of an option; did you mean --%s?\n", program_invocation_short_name,
          (int)strcspn(word, "="), word, name);
  refer_to_help();
}

/* A word after an option with an optional value. */
typedef struct stray {
  const char *word, *option; /* NULL: there is none */
} stray;

static stray find_stray(int argc, char **argv, const struct option *o)
{
  const bool without = o->has_arg == optional_argument && !optarg && optind < argc && *argv[optind] != '-';
  return without ? (stray){argv[optind], o->name} : (stray){NULL, NULL};
}

static void take_words(const hg_command *c, int argc, char **argv, const stray *first)
{
  for (int i = optind; i < argc; i++) {
    if (c->operand && !*c->word) {
      *c->word = argv[i];
      continue;
    }
    fprintf(stderr, "%s: '%s': ", program_invocation_short_name, argv[i]);
    if (argv[i] == first->word)
      fprintf(stderr, "the value of --%s is given as --%s=%s\n", first->option, first->option, argv[i]);
    else
      fprintf(stderr, "%s\n",
              c->operand ? "only one such argument is accepted" : "unexpected argument, only options are accepted");
    refer_to_help();
  }
}

static void check(hg_command *c)
{
  int sets = 0;
  while (sets < HG_OPTION_SETS && c->set[sets].option) sets++;
  for (int i = sets - 1; i >= 0; i--)
    if (c->set[i].check) require(c->set[i].check(c, c->set[i].values));
}

/* getopt returns '?' for a wrong option, so -? is replaced. */
static void replace_question(int argc, char **argv)
{
  static char help[] = "--help";
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "-?") == 0) argv[i] = help;
}

void hg_command_parse(hg_command *c, int argc, char **argv)
{
  struct option *list = make_list(c);
  if (!list) require(hg_fail(HG_MEMORY, "no memory for options"));
  replace_question(argc, argv);
  optind = 0;
  stray first = {NULL, NULL};
  for (int key, at = 0; (key = getopt_long(argc, argv, "V", list, &at)) != -1;) {
    if (key != '?') check_whole_name(argv, list[at].name);
    act(c, key, list[at].name);
    if (!first.word) first = find_stray(argc, argv, &list[at]);
  }
  take_words(c, argc, argv, &first);
  free(list);
  check(c);
}

const char *hg_command_find(const hg_command *c, int argc, char **argv, const char *name)
{
  const char *found = NULL;
  struct option *list = make_list(c);
  const int tells = opterr;
  optind = opterr = 0;
  for (int key, at = -1; list && (key = getopt_long(argc, argv, "V", list, &at)) != -1; at = -1)
    if (key != '?' && at >= 0 && strcmp(list[at].name, name) == 0 && is_whole_name(option_word(argv), name))
      found = optarg;
  opterr = tells;
  free(list);
  return found;
}
