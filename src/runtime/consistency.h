/* SPDX-License-Identifier: MIT */
/* Checks before the work that ranks agree. Each rank lists by name what must be the same on all, and the lists are
 * compared. A difference ends all ranks with a message that names it and both values, instead of a hang or a mixed
 * result.
 *
 * The part that determines the values is the problem, by which checkpoints are recognised. Everything listed belongs
 * to it unless marked otherwise, so that checkpoints of runs that differ in a forgotten option are refused. */
#ifndef HG_RUNTIME_CONSISTENCY_H
#define HG_RUNTIME_CONSISTENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/session.h"

/** Names and values, in the order in which they are compared. */
typedef struct hg_consistency hg_consistency;

/** Begins a list with the program's version. NULL if memory runs out; the other functions accept this. */
hg_consistency *hg_consistency_begin(void);

/** Appends a value. `name` is the user's name for it, such as "--steps". A NULL text means not given. */
void hg_consistency_text(hg_consistency *list, const char *name, const char *text);
void hg_consistency_int(hg_consistency *list, const char *name, int64_t value);
void hg_consistency_doubles(hg_consistency *list, const char *name, int count, const double *value);
void hg_consistency_flag(hg_consistency *list, const char *name, bool given);

/** Appends bytes; `shown` names their source. */
void hg_consistency_bytes(hg_consistency *list, const char *name, const char *shown, const void *bytes, size_t size);

/** Appends an input: the contents of a file (FILE or FILE:DATASET), wherever each rank has it, or the text if it is no
 * file, such as the name of a formula. Of files beyond 64 MiB, evenly spaced parts are compared. */
void hg_consistency_input(hg_consistency *list, const char *name, const char *source);

/** Sets whether the values that follow belong to the problem (initially true), or only tell how it is computed, how
 * far and for which outputs. */
void hg_consistency_of_problem(hg_consistency *list, bool is);

/** Makes files that follow be read to their end, however large they are. */
void hg_consistency_read_all(hg_consistency *list);

/** The problem as text, a line per value: name, hash, and the value for messages; appended to the lines of `before`
 * (or NULL). HG_MEMORY, or the status of a file that could not be read.
 * @param[out] text  malloc'ed */
hg_status hg_consistency_problem(const hg_consistency *list, const char *before, char **text);

/** Hash of a problem's names and values; for files, their contents count and not their names. */
uint64_t hg_problem_identity(const char *problem);

/** How two problems differ: "--size NX 40 there, 50 here, ..."; empty if they do not. `there` may be any text. */
void hg_problem_compare(const char *there, const char *here, char *text, size_t room);

/** Compares the lists of all ranks and releases this one. Collective. HG_INVALID naming the first
 * difference, on all ranks; HG_MEMORY. */
hg_status hg_consistency_end(const hg_session *session, hg_consistency *list);
#endif
