/* SPDX-License-Identifier: MIT */
/* Context of programs whose work is divisible jobs: users' programs with hg_divisible_main, and hetgrid-fft. A timed
 * run of the frame is a pass. A pass may have stages, each a divisible job that begins when the one before it has
 * ended. */
#ifndef HG_PROGRAM_DIVISIBLE_PROGRAM_H
#define HG_PROGRAM_DIVISIBLE_PROGRAM_H

#include "divisible/passes.h"
#include "divisible/divisible.h"
#include "program/program.h"

enum { HG_STAGES_MAX = 2 };

typedef struct hg_divisible_context hg_divisible_context;

/** What a program adds. All but `open` may be NULL. */
typedef struct hg_divisible_program {
  hg_status (*open)(hg_divisible_context *context);  /**< reads and checks what the command line names */
  hg_status (*start)(hg_divisible_context *context); /**< makes the stages; StarPU runs. Collective */
  void (*consistency)(const hg_divisible_context *context, hg_consistency *list);
  void (*columns)(const hg_divisible_context *context, hg_columns *row); /**< the first columns */
  void (*text)(const hg_divisible_context *context);                     /**< the first line, after the first pass */
  hg_status (*load)(hg_divisible_context *context);                      /**< before each pass */
  hg_status (*between)(hg_divisible_context *context); /**< before the second stage, in a pass. Collective */
  hg_status (*finish)(hg_divisible_context *context);  /**< after the last pass. Collective */
  void (*release)(hg_divisible_context *context);
} hg_divisible_program;

struct hg_divisible_context {
  hg_run_context context;
  const hg_divisible_program *program;
  hg_run_options results;
  hg_divisible common; /**< epsilon, strategy, models, pageable, sched and workers of all stages; its name */
  int stages;
  hg_divisible stage[HG_STAGES_MAX];
  hg_divisible_run *run[HG_STAGES_MAX];
  hg_session session;
  const char *picture;             /**< picture of the passes, or NULL */
  hg_passes passes[HG_STAGES_MAX]; /**< for the picture, of each stage */
  double between, predicted;       /**< s of `between`, in this pass and in the one before */
  void *self;                      /**< for the functions in `program` */
};

/** Rows of an hg_divisible_context: --passes, --epsilon, --strategy, --models, --pinned, --sched, --workers, --picture;
 * and changes of hg_run_option_list beside them. */
extern const hg_option hg_divisible_option_list[];
#define HG_DIVISIBLE_CHANGES                                                                                           \
  HG_RUN_WITHOUT_PICTURES,                                                                                             \
  {                                                                                                                    \
    .name = "repeat"                                                                                                   \
  }

/** Runs the program. @return its exit status */
int hg_divisible_program_run(hg_divisible_context *context);
#endif
