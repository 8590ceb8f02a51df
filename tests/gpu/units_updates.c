/* SPDX-License-Identifier: MIT */
#include "units_updates.h"

extern const hg_update *const cpu_update;
const hg_update *const cpu_update = &tested;
