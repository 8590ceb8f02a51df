/* SPDX-License-Identifier: MIT */
/* Files of StarPU's performance models. Internal to runtime/. */
#ifndef HG_RUNTIME_STARPU_MODELS_H
#define HG_RUNTIME_STARPU_MODELS_H

#include "base/status.h"

/** Removes what StarPU would abort at: files of the machine's buses, and of hetgrid's own models, in `folder` (which
 * has bus and codelets) that a full disk or a signal has left in parts. They are measured anew, which a warning says.
 * HG_IO if one cannot be removed, or there is no room for those of the buses that are missing. */
hg_status hg_starpu_models_check(const char *folder);
#endif
