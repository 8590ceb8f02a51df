/* SPDX-License-Identifier: MIT */
/* How a program ends: exit status, output that could not be written, signals. */
#ifndef HG_PROGRAM_EXIT_H
#define HG_PROGRAM_EXIT_H

#include <stdio.h>

#include "base/progress.h"
#include "base/status.h"

/** Text on exit statuses, for the end of a program's help. */
#define HG_HELP_EXIT                                                                                                   \
  "Exit status: 0 success, 1 failure, 2 wrong usage, 77 no processor to run on, 128 + N ended by signal N."

/** Prints, for --version, what a program runs on. */
typedef void (*hg_program_libraries)(FILE *out);

/** To be called first in main. Writing beyond `ulimit -f` then fails as on a full disk. If results cannot be written
 * to standard output (a full disk, a closed pipe), the program ends with status 1 and a message; invalid settings in
 * the environment end it with status 2 and their name. In programs that run tasks, ranks other than 0 hold back
 * messages about their arguments for two seconds at exit: if rank 0 found the same, the launcher ends them meanwhile.
 * @param name  of the program, kept by reference
 * @param libraries  hg_about for programs that run tasks, or NULL */
void hg_program_begin(const char *name, hg_program_libraries libraries);

/** To be called once the arguments have been read: from now on this rank prints its own errors. Ends the program if a
 * limit of the address space leaves no room for the threads of StarPU and MPI. */
void hg_program_enable_output(void);

/** The program's name. */
const char *hg_program_name(void);

/** The exit status of a program that ended with `status`. */
int hg_program_status(hg_status status);

/** The same; prints the message of a failure. */
int hg_program_end(hg_status status);

/** From now on SIGTERM, which a launcher sends when another rank has died, ends this rank; ranks 0 and 1 print the
 * step that `bar` has reached. */
void hg_tell_end(int rank, const hg_progress *bar);

/** From now on SIGINT, SIGTERM and, unless they are ignored or handled already, SIGHUP and the notices of queue
 * systems (SIGUSR1, SIGUSR2, SIGXCPU) are noted, for programs that end in order. A second one ends the program at
 * once, unless it is such a notice or its parent process sends it within 2 s. */
void hg_watch_signals(void);

/** The same for these notices only, while the program starts. */
void hg_watch_notices(void);

/** The signal that was noted; 0 if none was. */
int hg_noted_signal(void);

/** Notes a signal that another rank got, so that all ranks end alike. */
void hg_note_signal(int number);
#endif
