/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include <string.h>

const program_entry program_table[] = {
    {"heat", "heat", true, false, false, false, "--steps", "gstencil_per_s", 1e9, "GStencil/s"},
    {"elimination", "elimination", false, false, false, false, NULL, "gflops", 1e9, "GFLOP/s"},
    {"matmul", "elimination", false, false, true, false, NULL, "gflops", 1e9, "GFLOP/s"},
    {"jacobi", "heat", true, false, false, false, "--max-sweeps", "gstencil_per_s", 1e9, "GStencil/s"},
    {"pricer", "pricer", false, true, false, false, "--paths", "mpaths_per_s", 1e6, "Gpaths/s"},
    {"adr", "adr", false, false, false, true, "--steps", "munknowns_newton_per_s", 1e6, "Gunknowns x Newton/s"},
    {NULL, NULL, false, false, false, false, NULL, NULL, 0, NULL},
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
