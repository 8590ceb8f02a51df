/* SPDX-License-Identifier: MIT */
/* Replaces CUDA's header of that name. */
#include "cuda_runtime_api.h"
