/* SPDX-License-Identifier: MIT */
/* Uses of options other than their values. */
#ifndef HG_OPTIONS_COMPARE_H
#define HG_OPTIONS_COMPARE_H

#include "options/option.h"
#include "result/metadata.h"
#include "runtime/consistency.h"

/** Lists the options that must be the same on all ranks (HG_SAME, HG_PROBLEM). */
void hg_command_consistency(const hg_command *command, hg_consistency *list);

/** Adds the options that outputs record (HG_METADATA), by name. */
void hg_command_metadata(const hg_command *command, hg_metadata *metadata);
#endif
