/* SPDX-License-Identifier: MIT */
/* The environment variables of this project. */
#ifndef HG_BASE_ENVIRONMENT_H
#define HG_BASE_ENVIRONMENT_H

#include "base/status.h"

/** Checks the values of those that are set. HG_INVALID naming variable, value and what it may be. */
hg_status hg_environment_check(void);
#endif
