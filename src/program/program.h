/* SPDX-License-Identifier: MIT */
/* Lives a program: src/program/life.h says what that is. */
#ifndef HG_PROGRAM_PROGRAM_H
#define HG_PROGRAM_PROGRAM_H

#include "program/life.h"

/** Lives it. @return the exit status */
int hg_live(hg_life *life);
#endif
