/* SPDX-License-Identifier: MIT */
/* Programs that a program starts and waits for, and the CSV that they print. */
#ifndef HG_PROGRAM_CHILD_H
#define HG_PROGRAM_CHILD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/file.h"
#include "base/status.h"

/** The folder of the running program; in a build tree, that of libtool's scripts. HG_IO. */
hg_status hg_own_folder(char path[HG_PATH_MAX]);

/** The words of a command, ended by NULL; {0} has none. */
typedef struct hg_words {
  char **word;
  int count;
  bool failed; /**< memory ran out */
} hg_words;

__attribute__((format(printf, 2, 3))) void hg_words_add(hg_words *words, const char *format, ...);

/** HG_MEMORY if words are missing. */
hg_status hg_words_check(const hg_words *words);
void hg_words_free(hg_words *words);

/** Starts `word[0]`, which is searched in PATH, with an empty standard input, and waits for it. Calls hg_watch_signals
 * and passes on signals noted meanwhile.
 * @param word  ended by NULL @param out, err  its outputs, or NULL: those of this program
 * @param[out] status  its exit status; 128 + N if signal N ended it
 * HG_UNSUPPORTED naming it: it cannot be started; HG_IO: interrupted. */
hg_status hg_child_run(char *const *word, FILE *out, FILE *err, int *status);

/** The same, but a child that runs longer than `seconds` gets a SIGTERM. @param[out] late  whether it did */
hg_status hg_child_run_for(char *const *word, FILE *out, FILE *err, double seconds, int *status, bool *late);

/** A row of a CSV file with its header. */
typedef struct hg_csv_row {
  char names[4096], values[4096];
} hg_csv_row;

/** Copies the field under `name`, with its quotes if it has some; "" if there is none. */
void hg_csv_text(const hg_csv_row *row, const char *name, char *out, size_t size);

/** The field as a number; NAN if there is none. */
double hg_csv_number(const hg_csv_row *row, const char *name);
#endif
