/* SPDX-License-Identifier: MIT */
/* --run COMMAND: the execution control system that section 1.10 of the paper (docs/ENERGY.md) leaves to future work.
 *
 * A few short runs of the command, the tests, measure the time and energy of a step in each context of use (kinds of
 * processors, synchronous or not) on a few numbers of nodes. The models of energy/use_context.h predict the rest, and
 * the best context by the criterion is run. Results of tests are stored for the next time. A test is made if its
 * expected gain exceeds its total cost from start to end (next.c), and if all tests stay within a share of the
 * predicted cost of the best run.
 *
 * A node is an MPI rank of the command; for hetgrid-simulate, a node of the described machine. */
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
  const char *energy;   /* list of sources for the command's --energy; NULL: all available */
  const char *unit;     /* option whose value is proportional to the work; NULL: to be found */
  double budget;        /* %, that tests may cost of the run */
  bool plan_only, relearn, by_default;
} control_options;

enum { CONTROL_BUDGET = 25 /* %, by default */, CONTROL_CONTEXTS = 8, CONTROL_WORDS = 256, CONTROL_TESTS = 2 };

/** Which processors a context uses. */
typedef enum control_devices { CONTROL_ALL, CONTROL_CPU, CONTROL_CUDA } control_devices;

/** The analysed command. */
typedef struct control_command {
  char *word[CONTROL_WORDS];
  int words;
  bool simulated;        /* a command of hetgrid-simulate */
  bool modes;            /* it can be synchronous or asynchronous, and does not say which */
  bool mixed;            /* there are cores and GPUs, and it does not say which to use */
  char devices[3][1024]; /* for hetgrid-simulate: names by control_devices, separated by commas */
  int nodes;             /* number of nodes that exist */
  bool restarts;         /* the program writes and reads checkpoints */
  bool stops;            /* ... also after only some of its steps, whose number is part of the problem */
  int unit;              /* index of the word with the amount of work */
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
  const char *mode; /* NULL: as in the command */
  int least, most;  /* nodes for which no test has failed */
  int points;
  control_point point[HG_CONTEXT_POINTS];
} control_context;

typedef struct control {
  const control_options *options;
  choose_options *choose;
  control_command command;
  int contexts, first, last; /* first..last: numbers of nodes */
  control_context context[CONTROL_CONTEXTS];
  control_test spent;        /* cost of this session's tests; steps is their number */
  bool continues;            /* tests are parts of the run (parts.c), */
  int parts;                 /* number of such parts */
  int64_t done;              /* steps of the run done by them */
  char state[HG_PATH_MAX];   /* prefix of the names of their checkpoints */
  control_test before;       /* cost of stored tests */
  double start[2];           /* s of a test besides its steps, on one rank and on several: mean; 0: unknown */
  int starts[2];             /* number of this session's tests in that mean */
  char failure[1024];        /* message if the command as typed failed */
  bool over;                 /* the budget is spent: a test that would pay was not made */
  bool joules;               /* joules are known, or not needed */
  char learned[HG_PATH_MAX]; /* file; "": nothing can be stored */
  json_t *key;
  contexts models; /* of the contexts with points */
  const control_context *of[CONTEXTS_MAX];
  choice choice;
} control;

/** Analyses the command and finds what can be varied. HG_INVALID naming the word; HG_FORMAT, HG_IO. */
hg_status control_parse(control *c);
void control_release(control *c);

/** Words to start it in a context; free with hg_words_free.
 * @param steps  0: as in the command, with its output; else a test's, which prints only CSV */
hg_status control_words(const control *c, const control_context *x, int nodes, int64_t steps, hg_words *out);

typedef struct control_next {
  control_context *context;
  int nodes;
  int64_t steps;
  double most; /* s: longer tests are stopped */
} control_next;

/** Makes a test and adds it to its point. HG_RUNTIME with the last line of output if the command failed. */
hg_status control_test_run(control *c, const control_next *next);

/** Seconds that a test on this many nodes takes besides its steps; 0 in simulation. */
double control_start(const control *c, int nodes);

/** Cost of the stored tests that are known. */
control_test control_cost_before(const control *c);

/** The point with this many nodes; NULL if there is none. */
const control_point *control_point_at(const control_context *x, int nodes);

/** How often a test makes its steps: a program's first steps are slower, so a warm-up run comes first and does not
 * count. In simulation there is no such effect. */
int control_runs(const control *c);

/** Seconds and J of `steps` steps, from the point's tests. */
control_test control_predict(const control_point *p, double steps);

/** Steps of a point's next test: the second test makes four times those of the first; 0: it has two tests, or one of
 * all steps. */
int64_t control_steps(const control *c, const control_context *x, int nodes);

/** Cost of the run including tests that have made `done` of its steps, by the criterion, relative to the best run
 * known: 1.03 is 3 % more. */
double control_cost_with(const control *c, const control_test *tests, int64_t done);

/** From now on tests are parts of the run, if the program can restart and its results do not need the whole run. */
void control_continue(control *c);

/** Options with which a test, or the run, continues where the previous parts ended. */
void control_add_part(const control *c, bool test, hg_words *out);

/** Removes the checkpoints: the run starts from the beginning. */
void control_stop_continuing(control *c);

/** The value of an option in the command; NULL if it has none. */
const char *control_option(const control_command *c, const char *name);
bool control_has_option(const control_command *c, const char *name);

/** Sums of s, J and numbers. */
control_test control_add(const control_test *a, const control_test *b);

/** The test with the largest expected gain beyond all costs, including those of other tests in this session and stored
 * ones, within the budget; false: no test pays. There must be models. */
bool control_next_test(control *c, control_next *next);

/** Reads stored tests if there is a file for this command and machine, else logs why not; and writes them. HG_IO,
 * HG_MEMORY. */
hg_status control_recall(control *c);
hg_status control_keep(const control *c);

/** Explains the choice: results of tests, predictions, and the cost of the best compared with the next best. */
void control_print(const control *c, FILE *out);

/** Runs everything. Returns the exit status of the run, or of a failure after its message. */
int control_run(const control_options *o, choose_options *choose);
#endif
