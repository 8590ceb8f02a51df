/* SPDX-License-Identifier: MIT */
/* An option is defined once, as a row. From it follow its parsing, its place in --help, whether ranks are compared in
 * it, whether it is part of a checkpoint's problem, whether files record it, and shell completion.
 *
 *   {"nb", HG_IN(options, nb, 1, 4096), "NB", "Rows and columns of a tile (default: chosen)", HG_SAME},
 *   {"verify", HG_FLAG(options, verify), NULL, "Compare with LAPACK", HG_SAME},
 *
 * A row with a help text but no name is a heading; one without both ends the list. */
#ifndef HG_OPTIONS_OPTION_H
#define HG_OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum hg_option_type {
  HG_IS_INT, /**< of 4 or 8 bytes */
  HG_IS_REAL,
  HG_IS_FLAG, /**< bool, true if the option is given */
  HG_IS_TEXT, /**< const char *, or an array of char */
  HG_IS_NAME  /**< index of one of the names, in a bool or an enumeration */
} hg_option_type;

/** Where a value is stored, and its allowed values. */
typedef struct hg_option_field {
  hg_option_type type;
  size_t offset, bytes;                               /**< of one value */
  int most;                                           /**< most values of a list; 0: one value; < 0: not stored */
  size_t count;                                       /**< offset of the number of values, or HG_NO_COUNT */
  double least, largest;                              /**< 2^63: INT64_MAX */
  const char *const *names;                           /**< ended by NULL */
  hg_status (*parse)(const char *text, void *values); /**< replaces the parser; the text is NULL if none was given */
  hg_status (*check)(const char *text);               /**< checks a text, or NULL */
} hg_option_field;

/** Uses of an option other than its value. */
enum {
  HG_SAME = 1,            /**< must be the same on all ranks */
  HG_PROBLEM = 2,         /**< also part of the problem that a checkpoint belongs to */
  HG_CONTENTS = 4,        /**< for files, the contents count */
  HG_PRESENCE = 8,        /**< compared is only whether it is given */
  HG_METADATA = 16,       /**< metadata of outputs record it */
  HG_VALUE_OPTIONAL = 32, /**< the value is optional, after = */
  HG_SERVES_ALL = 64,     /**< one number may stand for the whole list; otherwise the list must be complete */
  HG_PICTURE = 128,       /**< a file with the ending of a picture */
  HG_HIDDEN = 256,        /**< not in --help */
  HG_ALIAS = 512,         /**< another name of the option before it */
  HG_DERIVED = 1024,      /**< not an option, but a value derived from others */
  HG_WHOLE = 2048,        /**< with HG_CONTENTS: files are read to the end, however large */
  HG_COMMAS = 4096        /**< several texts in one value, separated by commas */
};

typedef struct hg_option {
  const char *name; /**< without -- */
  hg_option_field field;
  const char *arg;  /**< name of its value; NULL: no value, or one of `names` */
  const char *help; /**< one or a few sentences */
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

/** Fields: a bool; a text; a text that passes a check; a number; one of several names; a value that a function parses
 * (and stores there). */
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

/** Lists in an array, of all its elements or with their number in `n`: numbers, texts of a repeatable option, values
 * that a function parses. */
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

/** A program's change to an option of a shared list. A change with only the name removes the option; `refusal` hides
 * it and is the message if it is used. */
typedef struct hg_option_change {
  const char *name, *arg, *help, *refusal;
} hg_option_change;

typedef struct hg_command hg_command;

/** Options whose values are in one structure. */
typedef struct hg_option_set {
  const char *title; /**< heading in --help, or NULL */
  const hg_option *option;
  void *values;
  const hg_option_change *changes; /**< ended by {0}, or NULL */
  /** Checks exclusions and derives values; or NULL. The function of the first set is called last. */
  hg_status (*check)(const hg_command *command, void *values);
} hg_option_set;

enum { HG_OPTION_SETS = 6, HG_OPTIONS_MAX = 1024 /* rows of a set */ };

/** A command line. */
struct hg_command {
  const char *about;                                   /**< what the program does */
  const char *notes;                                   /**< text at the end of --help */
  void (*families)(void);                              /**< prints more of --help before the notes; or NULL */
  const char *operand;                                 /**< name of the one non-option word, such as DIR; NULL: none */
  const char **word;                                   /**< gets this word */
  hg_option_set set[HG_OPTION_SETS];                   /**< ended by a set without options */
  uint64_t given[HG_OPTION_SETS][HG_OPTIONS_MAX / 64]; /**< bits of the given options */
};

/** Parses a command line. Ends the program with status 2 and a message if it is wrong, and ends it after --help,
 * --usage and --version. */
void hg_command_parse(hg_command *command, int argc, char **argv);

/** The text of the last option `name` in a command line that may contain errors; or NULL. */
const char *hg_command_find(const hg_command *command, int argc, char **argv, const char *name);

/** The option with that name or alias, or NULL; *set (unless NULL) gets its set. */
const hg_option *hg_command_option(const hg_command *command, const char *name, const hg_option_set **set);

/** Whether an option was given; the first given one of names (ended by NULL), or NULL. */
bool hg_option_given(const hg_command *command, const char *name);
const char *hg_option_first(const hg_command *command, const char *const *names);

/** The set's change of an option, or NULL; whether it removes the option. */
const hg_option_change *hg_option_changed(const hg_option_set *set, const hg_option *option);
bool hg_option_is_gone(const hg_option_change *change);

/** --help and --usage. */
void hg_command_help(const hg_command *command);
void hg_command_usage(const hg_command *command);

/** Prints the text of --version. */
extern void (*hg_command_version)(void);
#endif
