/* SPDX-License-Identifier: MIT */
/* Tasks cannot return a status. The first failure among tasks that share a record stays in it until it is taken. */
#ifndef HG_CODELETS_FAILURE_H
#define HG_CODELETS_FAILURE_H

#include <pthread.h>

#include "base/status.h"

/** Record for the tasks of one run. */
typedef struct hg_failure {
  pthread_mutex_t lock;
  hg_status status;
  char text[1024];
} hg_failure;

#define HG_NO_FAILURE                                                                                                  \
  {                                                                                                                    \
    .lock = PTHREAD_MUTEX_INITIALIZER                                                                                  \
  }

/** Records a failure and this thread's message, unless there is one already. Callable from any thread. */
void hg_failure_note(hg_failure *failure, hg_status status);

/** Removes the failure from the record and makes its message this thread's. HG_OK if there was none. */
hg_status hg_failure_take(hg_failure *failure);
#endif
