/* SPDX-License-Identifier: MIT */
/* Ranks agree before they work. What all of them must have been given alike is listed by name on
 * each, and compared: a difference ends all ranks with a line that names it and both values,
 * instead of a hang or a mixed result.
 *
 * What of it decides the values makes the problem, by which checkpoints know each other. Whatever is listed belongs to
 * it unless the list says otherwise, so that an option that is forgotten is one that a checkpoint may not differ in. */
#ifndef HG_RUNTIME_CONSISTENCY_H
#define HG_RUNTIME_CONSISTENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/session.h"

/** Names and values, in the order in which they are compared. */
typedef struct hg_consistency hg_consistency;

/** A list that holds the program's version. NULL without memory, which the other functions pass on
 * to the end. */
hg_consistency *hg_consistency_begin(void);

/** Appends a value. `name` is how the user knows it, as "--steps". The text may be NULL: not given.
 */
void hg_consistency_text(hg_consistency *list, const char *name, const char *text);
void hg_consistency_int(hg_consistency *list, const char *name, int64_t value);
void hg_consistency_doubles(hg_consistency *list, const char *name, int count, const double *value);
void hg_consistency_flag(hg_consistency *list, const char *name, bool given);

/** Appends bytes that were read from what `shown` names. */
void hg_consistency_bytes(hg_consistency *list, const char *name, const char *shown, const void *bytes, size_t size);

/** Appends what is to be read: of a file (FILE or FILE:DATASET) the contents, wherever each rank
 * has it; of what is none, as the name of a formula, the text. Of files beyond 64 MiB, evenly
 * spaced parts are compared. */
void hg_consistency_input(hg_consistency *list, const char *name, const char *source);

/** Whether what follows belongs to the problem, as it does at first, or only says how, how far and for whom it is
 * computed. */
void hg_consistency_of_problem(hg_consistency *list, bool is);

/** Files that follow are read to their end, however large they are. */
void hg_consistency_read_all(hg_consistency *list);

/** What belongs to the problem as text, a line each: name, hash of the value, the value for people; behind the lines of
 * `before`, or NULL. HG_MEMORY, or what kept a file from being read.
 * @param[out] text  malloc'ed */
hg_status hg_consistency_problem(const hg_consistency *list, const char *before, char **text);

/** Hash of a problem's names and values; files count by their contents, not by their names. */
uint64_t hg_problem_identity(const char *problem);

/** How two problems differ: "--size NX 40 there, 50 here, ..."; empty if they do not. `there` may be anything. */
void hg_problem_compare(const char *there, const char *here, char *text, size_t room);

/** Compares the lists of all ranks and releases this one. Collective. HG_INVALID naming the first
 * difference, on all ranks; HG_MEMORY. */
hg_status hg_consistency_end(const hg_session *session, hg_consistency *list);
#endif
