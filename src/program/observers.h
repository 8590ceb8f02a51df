/* SPDX-License-Identifier: MIT */
/* The observers there are. */
#ifndef HG_PROGRAM_OBSERVERS_H
#define HG_PROGRAM_OBSERVERS_H

#include "program/observer.h"

/** All of them, ended by NULL. */
extern const hg_observer *const hg_observers[];
#endif
