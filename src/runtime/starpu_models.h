/* SPDX-License-Identifier: MIT */
/* Files of StarPU's performance models. Internal to runtime/. */
#ifndef HG_RUNTIME_STARPU_MODELS_H
#define HG_RUNTIME_STARPU_MODELS_H

#include "base/status.h"

/** Removes files at which StarPU would abort: those of the machine's buses and of hetgrid's own models, in `folder`
 * (which has bus and codelets), that a full disk or a signal left incomplete. A warning says that they will be
 * measured again. HG_IO if one cannot be removed, or there is no room for missing bus files. */
hg_status hg_starpu_models_check(const char *folder);
#endif
