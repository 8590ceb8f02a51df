/* SPDX-License-Identifier: MIT */
/* The value of --workers: cpu, cuda or cuda:N, separated by commas. */
#ifndef HG_RUNTIME_WORKER_LIST_H
#define HG_RUNTIME_WORKER_LIST_H

#include "base/status.h"

struct starpu_conf;

enum { HG_WORD_CPU = -1, HG_WORD_CUDA = -2 }; /* all cores, all GPUs; other values are the number of a GPU */

/** Calls `take` with the meaning of each word. Returns what it returns; HG_INVALID; HG_NO_WORKER for a GPU that does
 * not exist. */
hg_status hg_worker_words(const char *list, hg_status (*take)(void *arg, int word), void *arg);

/** Configures StarPU to start the workers of a list only; NULL: all. Returns what hg_worker_words does; HG_INVALID if
 * the environment, which takes precedence over the configuration, asks for others. */
hg_status hg_worker_list_start(const char *list, struct starpu_conf *conf);
#endif
