/* SPDX-License-Identifier: MIT */
#include "program/exit.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/version.h"
#include "commit.h"
#include "options/option.h"

static const char *program = "hetgrid";
static hg_program_libraries put_libraries;
static volatile sig_atomic_t noted;
static int teller; /* rank, for the message of how far it came */
static const hg_progress *progress;
static bool reticent; /* messages are held back, since rank 0 has the same ones */

/* Before ranks synchronise, all of them show the same help or find the same wrong argument. Rank 0 prints it and ends;
 * the launcher then ends the ranks that wait here. What only this rank found wrong is printed after the wait. */
static void let_rank_0_speak(void)
{
  enum { SECONDS = 2 };
  if (!reticent) return;
  __fpurge(stdout);
  if (__fpending(stderr) > 0) sleep(SECONDS);
}

static void keep_what_is_said(void)
{
  static char help[1 << 16];
  setvbuf(stdout, help, _IOFBF, sizeof help);
  setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
}

/* Whether the reader of a pipe has ended, as `head` does early. */
static bool reader_has_ended(void)
{
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

/* Runs at every exit, also after --help. */
static void check_output(void)
{
  let_rank_0_speak();
  errno = 0;
  const int unwritten = ferror(stdout);
  if (fflush(stdout) == 0 && !unwritten) return;
  const char *why = reader_has_ended() ? "its reader ended before everything was written"
                    : errno            ? strerror(errno)
                                       : "it could not be written completely";
  fprintf(stderr, "%s: standard output: %s\n", program, why);
  _exit(1);
}

static void put_version(void)
{
  const bool ours = strncmp(program, "hetgrid-", 8) == 0;
  printf("%s " HG_VERSION "\ncommit  %s\n", ours ? program : "hetgrid", HG_COMMIT);
  if (put_libraries) put_libraries(stdout);
}

/* Under a limit of the address space (ulimit -v), StarPU and MPI abort if they cannot start their threads. */
static void check_address_space(void)
{
  static const size_t least = (size_t)128 << 20; /* stacks, and memory that libraries reserve per thread */
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  void *room = mmap(NULL, least, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room != MAP_FAILED) {
    munmap(room, least);
    return;
  }
  fprintf(stderr,
          "%s: not enough address space: the limit is %llu kB (ulimit -v), and %zu MB more are needed to start\n",
          program, (unsigned long long)limit.rlim_cur >> 10, least >> 20);
  exit(1);
}

/* A smaller stack (ulimit -s) overflows in the program or in a thread, which has one of the same size. */
static void check_stack(void)
{
  static const rlim_t least = 512 << 10;
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
  fprintf(stderr, "%s: not enough stack: the limit is %llu kB (ulimit -s), must be >= %llu\n", program,
          (unsigned long long)limit.rlim_cur >> 10, (unsigned long long)least >> 10);
  exit(1);
}

void hg_program_begin(const char *name, hg_program_libraries libraries)
{
  hg_command_version = put_version;
  program = name;
  put_libraries = libraries;
  signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe fails instead, */
  signal(SIGXFSZ, SIG_IGN); /* as it does beyond the file size limit */
  atexit(check_output);
  reticent = libraries && hg_environment_rank() != 0;
  if (reticent) keep_what_is_said();
  if (hg_environment_check() == HG_OK) return;
  exit(hg_program_end(HG_INVALID));
}

void hg_program_enable_output(void)
{
  check_address_space();
  check_stack();
  if (!reticent) return;
  reticent = false;
  fflush(stderr);
  setvbuf(stderr, NULL, _IONBF, 0);
}

const char *hg_program_name(void)
{
  return program;
}

int hg_program_status(hg_status status)
{
  if (status == HG_OK) return 0;
  return noted ? 128 + noted : status == HG_INVALID ? 2 : status == HG_NO_WORKER ? 77 : 1;
}

int hg_program_end(hg_status status)
{
  if (status != HG_OK) fprintf(stderr, "%s: %s\n", program, hg_message());
  return hg_program_status(status);
}

static void put(char **to, const char *text)
{
  while (*text) *(*to)++ = *text++;
}

static void put_number(char **to, int64_t number)
{
  char digits[24];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count > 0) *(*to)++ = digits[--count];
}

/* Uses only async-signal-safe functions. */
static void tell(int number)
{
  char line[300], *to = line;
  if (!progress || strlen(program) > 100) return;
  put(&to, program);
  put(&to, ": rank ");
  put_number(&to, teller);
  put(&to, ": signal ");
  put_number(&to, number);
  put(&to, " after step ");
  put_number(&to, progress->done);
  put(&to, number == SIGTERM ? " (a launcher sends it to the other ranks when one has died)\n" : "\n");
  if (write(STDERR_FILENO, line, (size_t)(to - line)) < 0) return;
}

static void tell_and_die(int number)
{
  tell(number);
  signal(number, SIG_DFL);
  raise(number);
}

/* From here on SIGTERM prints nothing: launchers also send it to ranks that are ending normally, after all
 * messages. */
static void say_no_more(void)
{
  progress = NULL;
}

void hg_tell_end(int rank, const hg_progress *bar)
{
  static bool registered;
  if (rank > 1) return;
  if (!registered) registered = atexit(say_no_more) == 0;
  teller = rank;
  progress = bar;
  signal(SIGTERM, tell_and_die);
}

/* A second one ends the program; not one that the parent process sends within a moment: timeout sends two at once, and
 * hetgrid-energy passes on what the whole group of processes may have got. */
static void note(int number, siginfo_t *from, void *context)
{
  static const double MOMENT = 2; /* s */
  static double first[NSIG];      /* s; 0: none */
  const bool passed_on = from->si_code <= 0 && from->si_pid == getppid();
  (void)context;
  if (first[number] == 0) {
    first[number] = hg_now();
    tell(number);
  } else if (!passed_on || hg_now() > first[number] + MOMENT) {
    signal(number, SIG_DFL);
    raise(number);
  }
  noted = number;
}

/* Notices of queue systems before a job's time limit come repeatedly: every second, or from the launcher too. */
static void note_notice(int number)
{
  if (!noted) tell(number);
  noted = number;
}

/* Installs a handler unless the signal is ignored or the application handles it. */
static void watch(int number, const struct sigaction *action)
{
  struct sigaction before;
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(number, action, NULL);
}

void hg_watch_notices(void)
{
  static const int notices[] = {SIGUSR1, SIGUSR2, SIGXCPU};
  const struct sigaction notice = {.sa_handler = note_notice, .sa_flags = SA_RESTART};
  for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) watch(notices[i], &notice);
}

void hg_watch_signals(void)
{
  const struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  watch(SIGHUP, &action);
  hg_watch_notices();
}

int hg_noted_signal(void)
{
  return noted;
}

void hg_note_signal(int number)
{
  noted = number;
}
