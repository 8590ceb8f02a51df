/* SPDX-License-Identifier: MIT */
/* An emulated GPU for the test of hetgrid-calibrate (tests/cli/calibrate.sh): the launchers by emulation. The program's
 * own functions take precedence over those of the library. */
#include "codelets/adr/adr_cuda.cu"
#include "codelets/adr/adr_solve_cuda.cu"
#include "codelets/gpu/bus_cuda.cu"
#include "codelets/gpu/gpu_cuda.cu"
#include "codelets/gpu/gpu_lu_cuda.cu"
#include "codelets/heat/heat_cuda.cu"
#include "codelets/lu/lu_cuda.cu"
#include "codelets/halo_pieces_cuda.cu"
#include "codelets/pricing/pricing_cuda.cu"
