/* SPDX-License-Identifier: MIT */
/* The list of observers. */
#ifndef HG_PROGRAM_OBSERVERS_H
#define HG_PROGRAM_OBSERVERS_H

#include "program/observer.h"

/** All observers, ended by NULL. */
extern const hg_observer *const hg_observers[];
#endif
