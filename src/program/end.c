/* SPDX-License-Identifier: MIT */
#include "program/end.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

static const char *program = "hetgrid";
static volatile sig_atomic_t noted;

/* Whatever ends the program, argp's --help too. */
static void check_output(void)
{
  errno = 0;
  const int unwritten = ferror(stdout);
  if (fflush(stdout) == 0 && !unwritten) return;
  fprintf(stderr, "%s: standard output: %s\n", program, errno ? strerror(errno) : "not all could be written");
  _exit(1);
}

void hg_program_begin(const char *name)
{
  program = name;
  signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe fails instead */
  atexit(check_output);
  if (hg_environment_check() == HG_OK) return;
  exit(hg_program_end(HG_INVALID)); /* ranks that have not met yet speak for themselves */
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

static void note(int number)
{
  noted = number;
  signal(number, SIG_DFL);
}

void hg_watch_signals(void)
{
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int hg_noted_signal(void)
{
  return noted;
}

void hg_note_signal(int number)
{
  noted = number;
}
