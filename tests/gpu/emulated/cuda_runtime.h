/* SPDX-License-Identifier: MIT */
/* Stands for the header of that name. */
#include "cuda_runtime_api.h"
