/* SPDX-License-Identifier: MIT */
/* An option once: a row, from which follow how it is parsed and where it stands in --help, that ranks are compared in
 * it, that a checkpoint belongs to its value, that files tell it, and what shells complete.
 *
 *   {"nb", HG_IN(options, nb, 1, 4096), "NB", "Rows and columns of a tile (default: chosen)", HG_SAME},
 *   {"verify", HG_FLAG(options, verify), NULL, "Compare with LAPACK", HG_SAME},
 *
 * A row with a help but no name is a heading; one without both ends the list. */
#ifndef HG_OPTIONS_OPTION_H
#define HG_OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum hg_option_type {
  HG_IS_INT, /**< of 4 or 8 bytes */
  HG_IS_REAL,
  HG_IS_FLAG, /**< bool, true where the option is given */
  HG_IS_TEXT, /**< const char *, or an array of char */
  HG_IS_NAME  /**< number of one of the names, in a bool or an enumeration */
} hg_option_type;

/** Where a value is kept, and what it may be. */
typedef struct hg_option_field {
  hg_option_type type;
  size_t offset, bytes;                               /**< of a value */
  int most;                                           /**< values of a list; 0: one; < 0: none is kept */
  size_t count;                                       /**< where the number of them is, or HG_NO_COUNT */
  double least, largest;                              /**< 2^63: INT64_MAX */
  const char *const *names;                           /**< ended by NULL */
  hg_status (*parse)(const char *text, void *values); /**< does it instead; the text is NULL where none was given */
  hg_status (*check)(const char *text);               /**< whether a text will do, or NULL */
} hg_option_field;

/** What is made of an option, beside its value. */
enum {
  HG_SAME = 1,            /**< all ranks must be given the same */
  HG_PROBLEM = 2,         /**< so they must, and a checkpoint is of this value */
  HG_CONTENTS = 4,        /**< files count by what they contain */
  HG_PRESENCE = 8,        /**< only whether it is given is compared */
  HG_METADATA = 16,       /**< metadata of outputs record it */
  HG_VALUE_OPTIONAL = 32, /**< a value may be given, behind = */
  HG_SERVES_ALL = 64,     /**< one number of a list stands for all; else there must be as many as there may be */
  HG_PICTURE = 128,       /**< a file that ends as pictures do */
  HG_HIDDEN = 256,        /**< not in --help */
  HG_ALIAS = 512,         /**< another name of the option before it */
  HG_DERIVED = 1024,      /**< no option, but a value that follows from others */
  HG_WHOLE = 2048,        /**< with HG_CONTENTS: read to the end, however large */
  HG_COMMAS = 4096        /**< texts in one value, commas between them */
};

typedef struct hg_option {
  const char *name; /**< without -- */
  hg_option_field field;
  const char *arg;  /**< what its value is called; NULL: none, or one of the names */
  const char *help; /**< a sentence or a few */
  unsigned use;     /**< HG_SAME ... */
} hg_option;

enum { HG_NO_COUNT = -1 };

/* clang-format off */
#define HG_KEPT(S, f) .offset = offsetof(S, f), .bytes = sizeof((S *)0)->f, .count = (size_t)HG_NO_COUNT
#define HG_TYPE_OF(S, f) _Generic(((S *)0)->f, bool: HG_IS_FLAG, double: HG_IS_REAL, float: HG_IS_REAL,               \
                                  const char *: HG_IS_TEXT, default: HG_IS_INT)
#define HG_KEPT_LIST(S, f) .type = HG_TYPE_OF(S, f[0]), .offset = offsetof(S, f), .bytes = sizeof((S *)0)->f[0],      \
                           .most = sizeof((S *)0)->f / sizeof((S *)0)->f[0]
/* clang-format on */

/** Fields: a bool; a text; a text that passes a check; a number; one of several names; what a function parses (and
 * keeps there). */
#define HG_FLAG(S, f)                                                                                                  \
  {                                                                                                                    \
    .type = HG_IS_FLAG, HG_KEPT(S, f)                                                                                  \
  }
#define HG_TEXT(S, f)                                                                                                  \
  {                                                                                                                    \
    .type = HG_IS_TEXT, HG_KEPT(S, f)                                                                                  \
  }
#define HG_CHECKED_TEXT(S, f, function)                                                                                \
  {                                                                                                                    \
    .type = HG_IS_TEXT, HG_KEPT(S, f), .check = function                                                               \
  }
#define HG_IN(S, f, lo, hi)                                                                                            \
  {                                                                                                                    \
    .type = HG_TYPE_OF(S, f), HG_KEPT(S, f), .least = (double)(lo), .largest = (double)(hi)                            \
  }
#define HG_ONE_OF(S, f, list)                                                                                          \
  {                                                                                                                    \
    .type = HG_IS_NAME, HG_KEPT(S, f), .names = list                                                                   \
  }
#define HG_BY(S, f, function)                                                                                          \
  {                                                                                                                    \
    .type = HG_TYPE_OF(S, f), HG_KEPT(S, f), .parse = function                                                         \
  }
#define HG_ACTION(function)                                                                                            \
  {                                                                                                                    \
    .most = -1, .parse = function                                                                                      \
  }

/** Lists in an array, of all its elements or of as many as `n` then says: numbers, texts of an option that may be
 * repeated, what a function parses. */
#define HG_ALL_IN(S, f, lo, hi)                                                                                        \
  {                                                                                                                    \
    HG_KEPT_LIST(S, f), .count = (size_t)HG_NO_COUNT, .least = (double)(lo), .largest = (double)(hi)                   \
  }
#define HG_LIST_IN(S, f, n, lo, hi)                                                                                    \
  {                                                                                                                    \
    HG_KEPT_LIST(S, f), .count = offsetof(S, n), .least = (double)(lo), .largest = (double)(hi)                        \
  }
#define HG_TEXTS(S, f, n)                                                                                              \
  {                                                                                                                    \
    HG_KEPT_LIST(S, f), .count = offsetof(S, n)                                                                        \
  }
#define HG_LIST_BY(S, f, n, function)                                                                                  \
  {                                                                                                                    \
    HG_KEPT_LIST(S, f), .count = offsetof(S, n), .parse = function                                                     \
  }

/** How a program differs in an option of a list that it shares: nothing but the name takes it away; `refusal` hides it
 * and is what the program answers to it. */
typedef struct hg_option_change {
  const char *name, *arg, *help, *refusal;
} hg_option_change;

typedef struct hg_command hg_command;

/** Options whose values are in one structure. */
typedef struct hg_option_set {
  const char *title; /**< over them in --help, or NULL */
  const hg_option *option;
  void *values;
  const hg_option_change *changes; /**< ended by {0}, or NULL */
  /** What may not be together, and what follows from what was given; or NULL. Those of the first set come last. */
  hg_status (*check)(const hg_command *command, void *values);
} hg_option_set;

enum { HG_OPTION_SETS = 6, HG_OPTIONS_MAX = 1024 /* rows of a set */ };

/** A command line. */
struct hg_command {
  const char *about;                 /**< what the program does */
  const char *notes;                 /**< end of --help */
  void (*families)(void);            /**< prints more of --help, before them; or NULL */
  const char *operand;               /**< the one word that is no option, as DIR; NULL: there is none */
  const char **word;                 /**< takes it */
  hg_option_set set[HG_OPTION_SETS]; /**< ended by one without options */
  uint64_t given[HG_OPTION_SETS][HG_OPTIONS_MAX / 64]; /**< bits of the options that were */
};

/** Parses a command line. Ends the program with status 2 and a message if it is wrong, and after --help, --usage and
 * --version. */
void hg_command_parse(hg_command *command, int argc, char **argv);

/** The text that the last `name` of a command line has, in which much may be wrong; or NULL. */
const char *hg_command_find(const hg_command *command, int argc, char **argv, const char *name);

/** The option of a name, also of one that was its name, and in *set, if that is wanted, where it is; NULL: there is
 * none. */
const hg_option *hg_command_option(const hg_command *command, const char *name, const hg_option_set **set);

/** Whether an option was given; the first of names, ended by NULL, that was, or NULL. */
bool hg_option_given(const hg_command *command, const char *name);
const char *hg_option_first(const hg_command *command, const char *const *names);

/** Change of an option by its set, or NULL; whether it takes it away. */
const hg_option_change *hg_option_changed(const hg_option_set *set, const hg_option *option);
bool hg_option_is_gone(const hg_option_change *change);

/** --help and --usage. */
void hg_command_help(const hg_command *command);
void hg_command_usage(const hg_command *command);

/** Prints for --version. */
extern void (*hg_command_version)(void);
#endif
