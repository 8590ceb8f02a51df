/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_ENERGY_H
#define HG_APPS_ENERGY_H

#include "base/status.h"

/** Runs the cases of a golden file; TAP on standard output. HG_MISMATCH, HG_IO, HG_FORMAT. */
hg_status energy_golden(const char *path);
#endif
