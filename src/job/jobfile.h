/* SPDX-License-Identifier: MIT */
/* Job files: lines `NAME = VALUE`, where NAME is a parameter of the thesis' table 5-2 (Job_Dimension, Job_Size,
 * Input_path, Output_path, nBlock, nThread, nNeighbor) or a long option; `#` starts a comment. Internal to job/. */
#ifndef HG_JOB_JOBFILE_H
#define HG_JOB_JOBFILE_H

#include <stddef.h>

#include "base/status.h"

/** Options as a command line has them. */
typedef struct hg_option_list {
  char **argument; /**< [count], "--name=value" or "--name" */
  int count;
} hg_option_list;

/** Parses a job file in memory. @param known  whether there is a long option of that name
 * HG_FORMAT naming place and line. Free with hg_options_free. */
hg_status hg_jobfile_parse(const char *text, size_t size, const char *place, int (*known)(const char *name),
                           hg_option_list *out);
hg_status hg_jobfile_read(const char *path, int (*known)(const char *name), hg_option_list *out);
void hg_options_free(hg_option_list *list);
#endif
