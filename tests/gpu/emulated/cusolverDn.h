/* SPDX-License-Identifier: MIT */
/* Replaces CUDA's header of that name. */
#include "cublas_v2.h"
