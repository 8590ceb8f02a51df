/* SPDX-License-Identifier: MIT */
/* What is made of options beside their values. */
#ifndef HG_OPTIONS_COMPARE_H
#define HG_OPTIONS_COMPARE_H

#include "options/option.h"
#include "result/metadata.h"
#include "runtime/consistency.h"

/** Lists what all ranks must be given alike (HG_SAME, HG_PROBLEM). */
void hg_command_consistency(const hg_command *command, hg_consistency *list);

/** Adds what files tell (HG_METADATA), by the options' names. */
void hg_command_metadata(const hg_command *command, hg_metadata *metadata);
#endif
