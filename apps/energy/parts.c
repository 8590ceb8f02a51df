/* SPDX-License-Identifier: MIT */
/* --run: tests as parts of the run. If a program can restart, each test begins where the previous one ended, and the
 * run where the last one ended. Then a test only costs its start and the time by which it is slower than the best
 * context. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "control.h"

/* Alternates between two files: a test that fails leaves the state it began with. */
static void add_state(const control *c, const char *option, int part, hg_words *l)
{
  hg_words_add(l, "--%s=%s-%d.h5", option, c->state, part % 2);
}

/* A run in parts has only the results of its last part, so no results of the whole may be requested; and the folder
 * must be writable. */
static bool can_continue(const control *c)
{
  static const char *const whole[] = {"restart", "history", "verify", "trace",          "phases",
                                      "repeat",  "warmup",  "models", "snapshot-every", NULL};
  const control_command *k = &c->command;
  if (!k->restarts || k->simulated || c->options->plan_only) return false;
  for (const char *const *name = whole; *name; name++)
    if (control_has_option(k, *name)) return false;
  return true;
}

void control_continue(control *c)
{
  const char *output = control_option(&c->command, "output"), *slash = output ? strrchr(output, '/') : NULL;
  const int folder = slash ? (int)(slash - output) : 1;
  char path[HG_PATH_MAX];
  c->continues = c->command.simulated && c->command.restarts;
  if (!can_continue(c)) return;
  snprintf(path, sizeof path, "%.*s", folder, slash ? output : ".");
  c->continues = access(slash && folder == 0 ? "/" : path, W_OK) == 0;
  snprintf(c->state, sizeof c->state, "%.*s/hetgrid-energy-%d", HG_PATH_MAX - 64, path, (int)getpid());
}

void control_add_part(const control *c, bool test, hg_words *l)
{
  if (c->command.simulated) return;
  if (test) add_state(c, "checkpoint", c->parts + 1, l);
  if (test) hg_words_add(l, "--checkpoint-every=%" PRId64, INT64_C(1) << 50);
  if (c->parts > 0) add_state(c, "restart", c->parts, l);
}

/* A replaced checkpoint is kept beside the new one as the previous one. */
static void remove_state(const control *c, int part)
{
  char path[HG_PATH_MAX], previous[HG_PATH_MAX];
  snprintf(path, sizeof path, "%.*s-%d.h5", HG_PATH_MAX - 16, c->state, part);
  unlink(path);
  if (hg_file_previous(path, previous) == HG_OK) unlink(previous);
}

void control_stop_continuing(control *c)
{
  for (int part = 0; part < 2 && *c->state; part++) remove_state(c, part);
  c->continues = false;
  c->parts = 0;
  c->done = 0;
}
