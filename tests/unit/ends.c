/* SPDX-License-Identifier: MIT */
/* The message of a rank that its launcher ends because another rank died. Each rank is a separate process. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/exit.h"
#include "program/checkpointer.h"
#include "tap.h"

/* Ends a rank that has done 42 steps. @return its message, NULL if it does not end by the signal */
static const char *said(int rank)
{
  static char text[400];
  int way[2], status = 0;
  if (pipe(way) != 0) return NULL;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const hg_progress bar = {.done = 42};
    dup2(way[1], STDERR_FILENO);
    hg_program_begin("some-program", NULL);
    hg_tell_end(rank, &bar);
    raise(SIGTERM);
    _exit(0);
  }
  close(way[1]);
  const ssize_t length = read(way[0], text, sizeof text - 1);
  text[length > 0 ? length : 0] = '\0';
  close(way[0]);
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? text : NULL;
}

static void a_signal_ends_a_run_that_can_go_on(void)
{
  const hg_session one = {.ranks = 1};
  const hg_grid_options o = {.checkpoint = "state.h5", .checkpoint_every = 10};
  hg_checkpointer s = hg_checkpointer_begin(&o);
  tap_ok(hg_checkpointer_is_time(&s, &one, 20, false) && !hg_checkpointer_is_time(&s, &one, 21, false),
         "every tenth step is saved");
  tap_int(hg_checkpointer_end(&s, 21), HG_OK, "... and the run continues");
  hg_note_signal(SIGTERM);
  tap_ok(hg_checkpointer_is_time(&s, &one, 22, false), "... any step once there was a signal");
  tap_int(hg_checkpointer_end(&s, 22), HG_RUNTIME, "... which ends the run");
  tap_contains(hg_message(), "ended by signal 15", "... by its name");
  tap_contains(hg_message(), "after step 22; rerun with --restart state.h5 to continue", "... with what to do");
  tap_int(hg_checkpointer_tolerate(&s, HG_IO, 22, true), HG_IO, "a last checkpoint that cannot be written is an error");
}

/* Sends a child two signals, the second once the first was noted. @return how it ended, as `waitpid` says */
static int end_of_two(bool from_parent)
{
  int way[2], noted[2], status = 0;
  char byte = 0;
  if (pipe(way) != 0 || pipe(noted) != 0) return -1;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    hg_watch_signals();
    for (int i = 0; i < 2; i++) {
      if (!from_parent) raise(SIGINT);
      raise(SIGUSR1); /* a notice, which does not count */
      if (write(noted[1], &byte, 1) != 1 || read(way[0], &byte, 1) != 1) _exit(1);
    }
    _exit(hg_noted_signal());
  }
  close(noted[1]);
  for (int i = 0; i < 2 && read(noted[0], &byte, 1) == 1; i++)
    if ((from_parent && kill(child, SIGINT) != 0) || write(way[1], &byte, 1) != 1) break;
  for (int i = 0; i < 2; i++) close((int[]){noted[0], way[1]}[i]);
  waitpid(child, &status, 0);
  close(way[0]);
  return status;
}

static void a_second_signal_ends_unless_it_was_passed_on(void)
{
  const int own = end_of_two(false), passed = end_of_two(true);
  tap_ok(WIFSIGNALED(own) && WTERMSIG(own) == SIGINT, "the second signal ends a program at once, also behind a notice");
  tap_ok(WIFEXITED(passed) && WEXITSTATUS(passed) == SIGINT, "... unless its parent sends it, as timeout does");
}

int main(void)
{
  a_second_signal_ends_unless_it_was_passed_on();
  for (int rank = 0; rank < 3; rank++) {
    char expected[100];
    const char *text = said(rank);
    snprintf(expected, sizeof expected, "some-program: rank %d: signal 15 after step 42 ", rank);
    if (rank < 2)
      tap_ok(text && strncmp(text, expected, strlen(expected)) == 0, "rank %d reports its last step: %s", rank,
             text ? text : "it does not end");
    else
      tap_ok(text && !*text, "rank %d leaves that to other ranks", rank);
  }
  hg_program_begin("some-program", NULL);
  tap_ok(strcmp(hg_program_name(), "some-program") == 0, "a program has its own name");
  a_signal_ends_a_run_that_can_go_on();
  return tap_done();
}
