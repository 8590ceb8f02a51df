/* SPDX-License-Identifier: MIT */
/* Stands for the header of that name. */
#include "cublas_v2.h"
