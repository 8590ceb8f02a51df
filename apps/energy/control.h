/* SPDX-License-Identifier: MIT */
/* --run COMMAND: the execution control system that section 1.10 of the paper (docs/ENERGY.md) leaves to future work.
 *
 * A few short runs of the command, the tests, tell what a step takes in seconds and joules in each context of use
 * (kinds of processors, synchronous or not) on a few numbers of nodes; the models of energy/use_context.h tell the
 * rest; the best by the criterion is run. What tests told is kept for the next time. A test is made as long as it
 * should gain more than all tests cost, from their start to their end (next.c), and they stay within a share of what
 * the best run is predicted to cost.
 *
 * A node is an MPI rank of the command; of hetgrid-simulate one of the described machine. */
#ifndef HG_APPS_CONTROL_H
#define HG_APPS_CONTROL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "choose.h"
#include "program/child.h"

typedef struct control_options {
  const char *command;  /* --run; NULL: none */
  const char *launcher; /* words before the number of ranks */
  const char *energy;   /* list of sources for the command's --energy; NULL: what there is */
  const char *unit;     /* option to whose value the work is proportional; NULL: found */
  double budget;        /* %, that tests may cost */
  bool plan_only, relearn, by_default;
} control_options;

enum { CONTROL_BUDGET = 25 /* %, by default */, CONTROL_CONTEXTS = 8, CONTROL_WORDS = 256, CONTROL_TESTS = 2 };

/** Which processors a context uses. */
typedef enum control_devices { CONTROL_ALL, CONTROL_CPU, CONTROL_CUDA } control_devices;

/** The command, taken apart. */
typedef struct control_command {
  char *word[CONTROL_WORDS];
  int words;
  bool simulated;        /* of hetgrid-simulate */
  bool modes;            /* it can be synchronous or not, and does not say which */
  bool mixed;            /* there are cores and GPUs, and it does not say which */
  char devices[3][1024]; /* of hetgrid-simulate: names by control_devices, commas between them */
  int nodes;             /* as many as there are */
  bool restarts;         /* the program writes and reads checkpoints */
  bool stops;            /* ... after some of its steps, whose number is part of the problem */
  int unit;              /* word whose number is the amount of work */
  int64_t full;          /* that number */
} control_command;

/** A short run. */
typedef struct control_test {
  double steps, seconds, joules; /* joules NAN: unknown */
} control_test;

typedef struct control_point {
  int nodes, tests;
  control_test test[CONTROL_TESTS]; /* the last ones, the longest last */
} control_point;

typedef struct control_context {
  char name[HG_CONTEXT_NAME];
  control_devices devices;
  const char *mode; /* NULL: the command's */
  int least, most;  /* nodes on which no test has failed yet */
  int points;
  control_point point[HG_CONTEXT_POINTS];
} control_context;

typedef struct control {
  const control_options *options;
  choose_options *choose;
  control_command command;
  int contexts, first, last; /* first..last: nodes */
  control_context context[CONTROL_CONTEXTS];
  control_test spent;        /* by tests of now; steps is their number */
  bool continues;            /* tests are parts of the run (parts.c), */
  int parts;                 /* of which there are so many */
  int64_t done;              /* steps of the run that they have made */
  char state[HG_PATH_MAX];   /* what names of their checkpoints begin with */
  control_test before;       /* by those that are kept */
  double start[2];           /* s of a test beside its steps, on one rank and on several: the mean; 0: unknown */
  int starts[2];             /* tests of now that they are of */
  char failure[1024];        /* of the command as it was typed */
  bool over;                 /* the budget is: a test that should have gained more was not made */
  bool joules;               /* are known, or not needed */
  char learned[HG_PATH_MAX]; /* file; "": none can be kept */
  json_t *key;
  contexts models; /* of the contexts that have points */
  const control_context *of[CONTEXTS_MAX];
  choice choice;
} control;

/** Takes the command apart and looks what there is to vary. HG_INVALID naming the word; HG_FORMAT, HG_IO. */
hg_status control_parse(control *c);
void control_release(control *c);

/** Words to start it in a context; free with hg_words_free.
 * @param steps  0: as many as it says, with what it writes; else a test's, which prints CSV alone */
hg_status control_words(const control *c, const control_context *x, int nodes, int64_t steps, hg_words *out);

typedef struct control_next {
  control_context *context;
  int nodes;
  int64_t steps;
  double most; /* s: what takes longer is stopped */
} control_next;

/** Makes a test and adds it to its point. HG_RUNTIME with the last line of a command that failed. */
hg_status control_test_run(control *c, const control_next *next);

/** s that a test on so many nodes takes beside its steps; 0 in virtual time. */
double control_start(const control *c, int nodes);

/** What the tests cost that are known. */
control_test control_cost_before(const control *c);

/** The point of so many nodes; NULL if there is none. */
const control_point *control_point_at(const control_context *x, int nodes);

/** How often a test makes its steps: a program's first ones are slower, so that those of a warm-up run do not count. In
 * virtual time they are not. */
int control_runs(const control *c);

/** s and J of `steps` steps, as the point's tests tell. */
control_test control_predict(const control_point *p, double steps);

/** Steps of the next test of a point: the second makes four times those of the first; 0: it has two, or one of all. */
int64_t control_steps(const control *c, const control_context *x, int nodes);

/** What the run costs with some tests that have made `done` of its steps, by the criterion, of the best run that is
 * known: 1.03 is 3 % more. */
double control_cost_with(const control *c, const control_test *tests, int64_t done);

/** Tests are parts of the run from now on, if the program can restart and its results do not need the whole run. */
void control_continue(control *c);

/** Options by which a test, or the run, goes on where the parts before it ended. */
void control_add_part(const control *c, bool test, hg_words *out);

/** Removes the checkpoints: the run begins at its beginning. */
void control_stop_continuing(control *c);

/** The value of an option of the command; NULL if it has none. */
const char *control_option(const control_command *c, const char *name);
bool control_has_option(const control_command *c, const char *name);

/** s, J and numbers of both. */
control_test control_add(const control_test *a, const control_test *b);

/** The test that should gain most beyond what all cost, it and those that are kept included, within the budget; false:
 * none does. There are models. */
bool control_next_test(control *c, control_next *next);

/** What was learnt: read where a file of that command and machine is there, else one line says why not; and written.
 * HG_IO, HG_MEMORY. */
hg_status control_recall(control *c);
hg_status control_keep(const control *c);

/** Why that context: what tests told, what follows, and what the best costs beside the next best. */
void control_print(const control *c, FILE *out);

/** All of it. Returns the exit status of the run; that of a failure after its message. */
int control_run(const control_options *o, choose_options *choose);
#endif
