/* SPDX-License-Identifier: MIT */
#define HG_VALUE double
#define HG_RADIUS 1
#include "lanes_cases.h"
