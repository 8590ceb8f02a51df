/* SPDX-License-Identifier: MIT */
/* What stands for a GPU in the test of hetgrid-network (tests/cli/network.sh): the launchers by emulation. The
 * program's own functions win over those of the library. */
#include "codelets/adr_cuda.cu"
#include "codelets/adr_solve_cuda.cu"
#include "codelets/bus_cuda.cu"
#include "codelets/gpu_cuda.cu"
#include "codelets/gpu_lu_cuda.cu"
#include "codelets/heat_cuda.cu"
#include "codelets/lu_cuda.cu"
#include "codelets/pieces_cuda.cu"
#include "codelets/pricing_cuda.cu"
