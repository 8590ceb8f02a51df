/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include <string.h>

const program_entry program_table[] = {
    {"heat", "heat", true, "--steps", "gstencil_per_s", "GStencil/s"},
    {"elimination", "elimination", false, NULL, "gflops", "GFLOP/s"},
    {"jacobi", "heat", true, "--max-sweeps", "gstencil_per_s", "GStencil/s"},
    {NULL, NULL, false, NULL, NULL, NULL},
};

const program_entry *program_find(const char *name)
{
  for (const program_entry *p = program_table; p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  return NULL;
}
