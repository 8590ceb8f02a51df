/* SPDX-License-Identifier: MIT */
/* The value of --workers: cpu, cuda or cuda:N, separated by commas. */
#ifndef HG_RUNTIME_WORKER_LIST_H
#define HG_RUNTIME_WORKER_LIST_H

#include "base/status.h"

struct starpu_conf;

enum { HG_WORD_CPU = -1, HG_WORD_CUDA = -2 }; /* all cores, all GPUs; else the number of one */

/** Calls `take` with what each word means. What that returns; HG_INVALID, HG_NO_WORKER for a GPU where there is none.
 */
hg_status hg_worker_words(const char *list, hg_status (*take)(void *arg, int word), void *arg);

/** Has StarPU start the workers of a list and no others; all there are if it is NULL. What hg_worker_words returns;
 * HG_INVALID if the environment, which wins over the configuration, asks for others. */
hg_status hg_worker_list_start(const char *list, struct starpu_conf *conf);
#endif
