/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include <string.h>

const program_entry program_table[] = {
    {"heat", "heat", PROGRAM_GRID, "--steps", "gstencil_per_s", 1e9, "GStencil/s"},
    {"elimination", "elimination", PROGRAM_SOLVER, NULL, "gflops", 1e9, "GFLOP/s"},
    {"matmul", "elimination", PROGRAM_PRODUCT, NULL, "gflops", 1e9, "GFLOP/s"},
    {"jacobi", "heat", PROGRAM_GRID, "--max-sweeps", "gstencil_per_s", 1e9, "GStencil/s"},
    {"pricer", "pricer", PROGRAM_BATCH, "--paths", "mpaths_per_s", 1e6, "Gpaths/s"},
    {"adr", "adr", PROGRAM_CUBE, "--steps", "munknowns_newton_per_s", 1e6, "Gunknowns x Newton/s"},
    {NULL, NULL, PROGRAM_SOLVER, NULL, NULL, 0, NULL},
};

const char *program_names(void)
{
  static char names[200];
  *names = 0;
  for (const program_entry *p = program_table; p->name; p++) strcat(strcat(names, " "), p->name);
  return names;
}

const program_entry *program_find(const char *name)
{
  for (const program_entry *p = program_table; p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  return NULL;
}
