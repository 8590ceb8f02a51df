/* SPDX-License-Identifier: MIT */
#include "program/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "program/exit.h"

extern char **environ;

hg_status hg_own_folder(char path[HG_PATH_MAX])
{
  const ssize_t n = readlink("/proc/self/exe", path, HG_PATH_MAX - 1);
  if (n < 0) return hg_fail(HG_IO, "/proc/self/exe: %s", strerror(errno));
  path[n] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash) return hg_fail(HG_IO, "%s: has no parent folder", path);
  *slash = '\0';
  slash = strrchr(path, '/');
  if (slash && strcmp(slash, "/.libs") == 0) *slash = '\0';
  return HG_OK;
}

void hg_words_add(hg_words *w, const char *format, ...)
{
  va_list args;
  char *text = NULL;
  va_start(args, format);
  /* with room for the final NULL */
  w->failed = w->failed || hg_grow("a command", (void **)&w->word, w->count + 1, sizeof *w->word) != HG_OK ||
              vasprintf(&text, format, args) < 0;
  va_end(args);
  if (w->failed) return;
  w->word[w->count++] = text;
  w->word[w->count] = NULL;
}

hg_status hg_words_check(const hg_words *w)
{
  return w->failed ? hg_fail(HG_MEMORY, "no memory for a command") : HG_OK;
}

void hg_words_free(hg_words *w)
{
  for (int i = 0; i < w->count; i++) free(w->word[i]);
  free(w->word);
  *w = (hg_words){.word = NULL};
}

static void redirect(posix_spawn_file_actions_t *files, FILE *to, int number)
{
  if (!to) return;
  fflush(to);
  posix_spawn_file_actions_adddup2(files, fileno(to), number);
}

/* Starts the child; its outputs are this program's, or files. SIGINT, SIGTERM and SIGPIPE have their default actions
 * in it. */
static int start(char *const *word, FILE *out, FILE *err, pid_t *pid)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  redirect(&files, out, STDOUT_FILENO);
  redirect(&files, err, STDERR_FILENO);
  const int error = posix_spawnp(pid, word[0], &files, &attributes, word, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

static int wait_for(pid_t pid, double seconds, bool *late)
{
  const double begin = hg_now();
  const struct timespec delay = {.tv_nsec = 1000000};
  int status = 0;
  bool passed_on = false;
  for (;;) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR) return 127;
    if (!passed_on && hg_noted_signal()) passed_on = kill(pid, hg_noted_signal()) == 0;
    if (!*late && hg_now() - begin > seconds) *late = kill(pid, SIGTERM) == 0;
    nanosleep(&delay, NULL);
  }
}

hg_status hg_child_run_for(char *const *word, FILE *out, FILE *err, double seconds, int *status, bool *late)
{
  pid_t pid;
  *late = false;
  hg_watch_signals();
  fflush(stdout);
  fflush(stderr);
  const int error = start(word, out, err, &pid);
  if (error) return hg_fail(HG_UNSUPPORTED, "%s: %s", word[0], strerror(error));
  *status = wait_for(pid, seconds, late);
  return hg_noted_signal() ? hg_fail(HG_IO, "interrupted") : HG_OK;
}

hg_status hg_child_run(char *const *word, FILE *out, FILE *err, int *status)
{
  bool late;
  return hg_child_run_for(word, out, err, INFINITY, status, &late);
}

/* Length of a field; commas within quotes belong to it. */
static size_t length_of(const char *field)
{
  size_t n = 0;
  for (bool quoted = false; field[n] && (quoted || (field[n] != ',' && field[n] != '\n')); n++)
    quoted ^= field[n] == '"';
  return n;
}

void hg_csv_text(const hg_csv_row *row, const char *name, char *out, size_t size)
{
  const char *n = row->names, *v = row->values;
  *out = 0;
  for (;;) {
    const size_t length = strcspn(n, ",\n"), room = length_of(v);
    if (strlen(name) == length && strncmp(n, name, length) == 0) {
      snprintf(out, size, "%.*s", (int)room, v);
      return;
    }
    if (n[length] != ',' || v[room] != ',') return;
    n += length + 1;
    v += room + 1;
  }
}

double hg_csv_number(const hg_csv_row *row, const char *name)
{
  char text[64];
  hg_csv_text(row, name, text, sizeof text);
  return *text ? strtod(text, NULL) : NAN;
}
