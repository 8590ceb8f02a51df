/* SPDX-License-Identifier: MIT */
/* Job files: lines `NAME = VALUE`, where NAME is a parameter of the thesis' table 5-2 (Job_Dimension, Job_Size,
 * Input_path, Output_path, nBlock, nThread, nNeighbor) or a long option, alone on its line if it takes no value. `#`,
 * at the start or after a blank, starts a comment. A value in '...' or "..." is taken literally. Only `output` may
 * occur more than once. Internal to job/ and program/. */
#ifndef HG_JOB_JOBFILE_H
#define HG_JOB_JOBFILE_H

#include <stddef.h>

#include "base/status.h"

/** Options in the form of a command line. */
typedef struct hg_option_list {
  char **argument; /**< [count], "--name=value" or "--name" */
  int count;
} hg_option_list;

/** Kind of option that a name denotes. */
typedef enum hg_option_kind {
  HG_OPTION_UNKNOWN,
  HG_OPTION_FLAG,  /**< takes no value */
  HG_OPTION_VALUE, /**< needs one */
  HG_OPTION_EITHER /**< may have one */
} hg_option_kind;

/** The kind of long option with that name. @param[out] meant  the option's own name, which may differ; unchanged if it
 * is unknown */
typedef hg_option_kind hg_option_known(const char *name, const char **meant);

/** Parses a job file in memory. HG_FORMAT naming place, line and column. Free with hg_options_free. */
hg_status hg_jobfile_parse(const char *text, size_t size, const char *place, hg_option_known *known,
                           hg_option_list *out);
hg_status hg_jobfile_read(const char *path, hg_option_known *known, hg_option_list *out);
void hg_options_free(hg_option_list *list);
#endif
