/* SPDX-License-Identifier: MIT */
/* Detects settings that would make StarPU abort. Internal to runtime/. */
#ifndef HG_RUNTIME_STARPU_ENVIRONMENT_H
#define HG_RUNTIME_STARPU_ENVIRONMENT_H

#include "base/status.h"

/** Checks the variables that StarPU reads, and the folder it writes to, which is created. HG_INVALID naming the
 * variable; HG_IO naming the folder and the variable that sets it. */
hg_status hg_starpu_environment_check(void);
#endif
