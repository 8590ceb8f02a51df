/* SPDX-License-Identifier: MIT */
/* StarPU and BLAS for tests of one process. */
#ifndef HG_TESTS_SESSION_H
#define HG_TESTS_SESSION_H

#include <stdio.h>
#include <stdlib.h>

#include "base/blas.h"
#include "runtime/session.h"

/** To be called first in main. Ends the test with 99, a hard error, if StarPU cannot start. */
static inline void start_session(char **argv, hg_session *session)
{
  if (hg_blas_prepare(argv) != HG_OK) exit(1);
  if (hg_session_join(NULL, session) == HG_OK && hg_session_open(&(hg_session_options){0}, session) == HG_OK) return;
  printf("# %s\n", hg_message());
  exit(99);
}
#endif
