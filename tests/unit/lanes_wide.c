/* SPDX-License-Identifier: MIT */
#define HG_VALUE float
#define HG_RADIUS 3
#include "lanes_cases.h"
