/* SPDX-License-Identifier: MIT */
/* --run: analyses the command, and builds the command lines for a context. */
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/text.h"
#include "base/topology.h"
#include "control.h"
#include "platform/platform.h"
#include "program/exit.h"

/* Options omitted in tests, since what they write belongs to the run. `=`: they have a value only after it. */
static const char *const left_out[] = {
    "output",   "picture",      "checkpoint",      "checkpoint-every", "checkpoint-minutes",
    "restart",  "history",      "trace=",          "phases=",          "snapshot-every",
    "snapshot", "snapshot-box", "snapshot-stride", "repeat",           "warmup",
    "progress", "csv!",         "quiet!",          "verify!",          "snapshot-png!",
    NULL};

/* Options for the amount of work, in the order in which they are looked for. */
static const char *const units[] = {"steps", "paths", "iterations", NULL};

/* Whether a word is an option; *value: the text after its '=', or NULL. */
static bool is_option(const char *word, const char *name, const char **value)
{
  const size_t length = strlen(name);
  if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0) return false;
  *value = word[2 + length] == '=' ? word + length + 3 : NULL;
  return *value || word[2 + length] == '\0';
}

/* Index of the word with an option's value; -1: not given. */
static int value_at(const control_command *c, const char *name)
{
  const char *value;
  for (int i = c->words - 1; i > 0; i--)
    if (is_option(c->word[i], name, &value)) return value ? i : i + 1 < c->words ? i + 1 : -1;
  return -1;
}

const char *control_option(const control_command *c, const char *name)
{
  const int at = value_at(c, name);
  if (at < 0) return NULL;
  return strncmp(c->word[at], "--", 2) == 0 ? strchr(c->word[at], '=') + 1 : c->word[at];
}

bool control_has_option(const control_command *c, const char *name)
{
  const char *value;
  for (int i = 1; i < c->words; i++)
    if (is_option(c->word[i], name, &value)) return true;
  return false;
}

/* Number of words from i on that tests omit; 0: none. */
static int words_left_out(const control_command *c, int i)
{
  const char *value;
  for (const char *const *name = left_out; *name; name++) {
    char option[64];
    const size_t length = strcspn(*name, "=!");
    snprintf(option, sizeof option, "%.*s", (int)length, *name);
    if (is_option(c->word[i], option, &value)) return value || (*name)[length] ? 1 : 2;
  }
  return 0;
}

/* --- analysis --- */

static hg_status split(control_command *c, const char *text)
{
  wordexp_t words;
  const int error = wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF);
  if (error == WRDE_BADCHAR)
    return hg_fail(HG_INVALID,
                   "--run: '%.200s' contains one of | & ; < > ( ) { } without quotes, must be a single command", text);
  if (error == WRDE_CMDSUB)
    return hg_fail(HG_INVALID, "--run: '%.200s' contains $(..), must be a single command", text);
  if (error == WRDE_BADVAL) return hg_fail(HG_INVALID, "--run: '%.200s' contains a variable that is not set", text);
  if (error) return hg_fail(HG_INVALID, "--run: '%.200s' cannot be split into words (quotes?)", text);
  hg_status status = HG_OK;
  if (words.we_wordc < 1 || words.we_wordc >= CONTROL_WORDS)
    status = hg_fail(HG_INVALID, "--run: has %zu words, must be 1..%d", words.we_wordc, CONTROL_WORDS - 1);
  for (size_t i = 0; i < words.we_wordc && status == HG_OK; i++) {
    char *word = c->word[c->words] = strdup(words.we_wordv[i]);
    if (!word) status = hg_fail(HG_MEMORY, "no memory for a command");
    c->words += word != NULL;
  }
  wordfree(&words);
  return status;
}

/* The program's name, without folder. */
static const char *program_of(const control_command *c)
{
  const char *slash = strrchr(c->word[0], '/');
  return slash ? slash + 1 : c->word[0];
}

/* Finds the program; programs of one installation, or build, belong together. */
static hg_status find_program(control_command *c)
{
  char path[HG_PATH_MAX];
  if (strchr(c->word[0], '/')) return HG_OK;
  HG_TRY(hg_own_folder(path));
  const size_t end = strlen(path);
  snprintf(path + end, sizeof path - end, "/%.100s", c->word[0]);
  if (access(path, X_OK) != 0) return HG_OK;
  free(c->word[0]);
  c->word[0] = strdup(path);
  return c->word[0] ? HG_OK : hg_fail(HG_MEMORY, "no memory for a command");
}

static hg_status find_unit(control_command *c, const char *named)
{
  const char *name = named;
  c->unit = named ? value_at(c, named) : -1;
  for (int i = 0; !named && units[i] && c->unit < 0; i++) c->unit = value_at(c, name = units[i]);
  if (c->unit < 0 && named) return hg_fail(HG_INVALID, "--unit: the command has no --%.60s", named);
  if (c->unit < 0)
    return hg_fail(HG_INVALID,
                   "--run: the command has none of --steps, --paths and --iterations, which tests shorten; --unit "
                   "NAME names another option to which its work is proportional");
  return hg_parse_int(control_option(c, name), name, 1, INT64_MAX, &c->full);
}

/* Finds the kinds of processors of a described machine. */
static hg_status look_at_platform(control_command *c)
{
  hg_platform p;
  const char *name = control_option(c, "platform");
  HG_TRY(hg_platform_find(name ? name : "thesis", &p));
  c->nodes = p.nodes;
  for (int i = 0; i < p.devices; i++) {
    char *list = c->devices[p.device[i].cuda ? CONTROL_CUDA : CONTROL_CPU];
    const size_t used = strlen(list);
    snprintf(list + used, sizeof c->devices[0] - used, "%s%s", used ? "," : "", p.device[i].name);
  }
  hg_platform_free(&p);
  c->mixed = *c->devices[CONTROL_CPU] && *c->devices[CONTROL_CUDA] && value_at(c, "devices") < 0;
  if (value_at(c, "nodes") >= 0)
    return hg_fail(HG_INVALID,
                   "--run: the command has --nodes; give it to hetgrid-energy instead, which varies the number");
  return HG_OK;
}

/* Reads what the program's --help lists; nothing if it has none. */
static hg_status ask_program(control_command *c)
{
  static const double LONG = 10; /* s */
  char *const word[] = {c->word[0], "--help", NULL};
  char line[1024];
  bool late = false, saves = false, restarts = false;
  int ended = 1;
  FILE *out = tmpfile(), *err = tmpfile();
  if (out && err) hg_child_run_for(word, out, err, LONG, &ended, &late);
  for (bool more = out && ended == 0 && !late && fseek(out, 0, SEEK_SET) == 0; more && fgets(line, sizeof line, out);) {
    const char *option = line + strspn(line, " ");
    saves |= strncmp(option, "--checkpoint=", 13) == 0;
    restarts |= strncmp(option, "--restart=", 10) == 0;
    c->stops |= strncmp(option, "--stop-after=", 13) == 0;
  }
  if (out) fclose(out);
  if (err) fclose(err);
  c->restarts = saves && restarts && c->unit == value_at(c, "steps");
  return hg_noted_signal() ? hg_fail(HG_IO, "interrupted") : HG_OK;
}

static hg_status look_at_machine(control_command *c)
{
  hg_topology here;
  glob_t cards;
  const char *wanted = getenv("STARPU_NCUDA");
  HG_TRY(hg_topology_read(&here));
  c->nodes = here.cores;
  c->mixed = glob("/dev/nvidia[0-9]*", 0, NULL, &cards) == 0 && cards.gl_pathc > 0 && !(wanted && atoi(wanted) == 0);
  globfree(&cards);
  return HG_OK;
}

static hg_status look(control_command *c)
{
  const char *name = program_of(c), *app = c->simulated ? control_option(c, "app") : NULL;
  if (!app) app = strncmp(name, "hetgrid-", 8) == 0 ? name + 8 : "";
  c->modes = (strcmp(app, "adr") == 0 || (strcmp(app, "jacobi") == 0 && !c->simulated)) && value_at(c, "mode") < 0;
  if (c->simulated) c->restarts = strcmp(app, "adr") == 0 || strcmp(app, "heat") == 0;
  HG_TRY(c->simulated ? look_at_platform(c) : look_at_machine(c));
  return c->simulated ? HG_OK : ask_program(c);
}

static void add_context(control *c, control_devices devices, const char *mode)
{
  static const char *const names[] = {"cpu+gpu", "cpu", "gpu"};
  control_context *x = &c->context[c->contexts++];
  const char *kind = devices == CONTROL_ALL && !c->command.mixed ? "all" : names[devices];
  *x = (control_context){.devices = devices, .mode = mode, .least = c->first, .most = c->last};
  snprintf(x->name, sizeof x->name, "%s%s%s", kind, mode ? " " : "", mode ? mode : "");
}

hg_status control_parse(control *c)
{
  control_command *k = &c->command;
  const int64_t first = c->choose->first, last = c->choose->last;
  HG_TRY(split(k, c->options->command));
  if (strncmp(program_of(k), "hetgrid-", 8) != 0 && !strchr(k->word[0], '/'))
    return hg_fail(HG_INVALID,
                   "--run: '%.100s', must begin with a hetgrid program, or the path of one with the same options; "
                   "--launcher starts it on several ranks",
                   k->word[0]);
  k->simulated = strcmp(program_of(k), "hetgrid-simulate") == 0;
  HG_TRY(find_unit(k, c->options->unit));
  HG_TRY(find_program(k));
  HG_TRY(look(k));
  if (k->simulated && c->options->energy)
    return hg_fail(HG_INVALID, "--energy: joules of hetgrid-simulate follow from the platform's powers");
  if (last > k->nodes && k->simulated)
    return hg_fail(HG_INVALID, "--nodes: %" PRId64 ", must be at most the %d of the platform", last, k->nodes);
  c->first = first ? (int)first : 1;
  c->last = last ? (int)last : k->nodes;
  for (int m = 0; m < (k->modes ? 2 : 1); m++)
    for (int d = 0; d < (k->mixed ? 3 : 1); d++)
      add_context(c, (control_devices)d, !k->modes ? NULL : m ? "async" : "sync");
  return HG_OK;
}

void control_release(control *c)
{
  for (int i = 0; i < c->command.words; i++) free(c->command.word[i]);
  free(c->choice.list);
  json_decref(c->key);
}

/* --- command lines --- */

static void add_words(hg_words *l, const char *text)
{
  while (*(text += strspn(text, " "))) {
    const size_t length = strcspn(text, " ");
    hg_words_add(l, "%.*s", (int)length, text);
    text += length;
  }
}

/* Words that start it. The environment must also reach ranks on other machines. Mailboxes need a core. */
static void add_start(const control *c, const control_context *x, int nodes, hg_words *l)
{
  if (c->command.simulated) return;
  if (nodes > 1) add_words(l, c->options->launcher), hg_words_add(l, "%d", nodes);
  if (x->devices == CONTROL_ALL) return;
  hg_words_add(l, "env");
  if (x->devices == CONTROL_CPU) hg_words_add(l, "STARPU_NCUDA=0");
  if (x->devices == CONTROL_CUDA) hg_words_add(l, "STARPU_NCPU=%d", x->mode && strcmp(x->mode, "async") == 0);
}

static int64_t last_step(const control *c, int64_t steps)
{
  return steps + (c->continues && !c->command.simulated ? c->done : 0);
}

/* The steps of a test, given as the step of the run at which it ends. */
static void add_steps(const control *c, int64_t last, hg_words *l)
{
  if (c->command.stops) hg_words_add(l, "--stop-after=%" PRId64, last);
  hg_words_add(l, "--csv");
}

static void add_end(const control *c, const control_context *x, int nodes, int64_t steps, hg_words *l)
{
  const control_command *k = &c->command;
  if (x->mode) hg_words_add(l, "--mode=%s", x->mode);
  if (k->simulated) hg_words_add(l, "--nodes=0-%d", nodes - 1);
  if (k->simulated && x->devices != CONTROL_ALL) hg_words_add(l, "--devices=%s", k->devices[x->devices]);
  if (c->continues) control_add_part(c, steps > 0, l);
  if (steps == 0) return;
  add_steps(c, last_step(c, steps), l);
  if (k->simulated) return;
  hg_words_add(l, "--warmup=%d", control_runs(c) - 1);
  hg_words_add(l, "--energy%s%s", c->options->energy ? "=" : "", c->options->energy ? c->options->energy : "");
}

static void add_amount(const control_command *k, int64_t steps, hg_words *l)
{
  const char *word = k->word[k->unit], *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
  hg_words_add(l, "%.*s%" PRId64, equals ? (int)(equals + 1 - word) : 0, word, steps);
}

hg_status control_words(const control *c, const control_context *x, int nodes, int64_t steps, hg_words *out)
{
  const control_command *k = &c->command;
  *out = (hg_words){.word = NULL};
  add_start(c, x, nodes, out);
  for (int i = 0; i < k->words;) {
    const int skipped = steps > 0 ? words_left_out(k, i) : 0;
    if (!skipped && i == k->unit && steps > 0 && !k->stops)
      add_amount(k, last_step(c, steps), out);
    else if (!skipped)
      hg_words_add(out, "%s", k->word[i]);
    i += skipped ? skipped : 1;
  }
  add_end(c, x, nodes, steps, out);
  const hg_status status = hg_words_check(out);
  if (status != HG_OK) hg_words_free(out);
  return status;
}
