/* SPDX-License-Identifier: MIT */
#define WRONG_STENCIL
#include "wrong.c"
