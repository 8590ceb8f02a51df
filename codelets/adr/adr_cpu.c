/* SPDX-License-Identifier: MIT */
/* The table of adr kernels, chosen at run time, and functions that do not depend on the instruction set. */
#include <math.h>
#include <string.h>

#include "codelets/adr/adr_internal.h"
#include "codelets/isa.h"

const hg_adr_kernel *hg_adr_kernel_at(int number)
{
  static const hg_adr_kernel *const table[] = HG_ISA_TABLE(hg_adr_isa);
  const int place = hg_isa_place(number);
  return place < 0 ? NULL : table[place];
}

const hg_adr_kernel *hg_adr_kernel_find(const char *name)
{
  const hg_adr_kernel *k = NULL;
  for (int i = 0; (k = hg_adr_kernel_at(i)); i++)
    if (strcmp(name, "auto") == 0 || strcmp(name, k->name) == 0) return k;
  return k;
}

/* Rows consist of whole cache lines, and each row's first unknown begins one: its ghost is the last value of the
 * previous line. */
void hg_adr_lay_out(hg_adr_block *b)
{
  enum { LINE = 16 };
  b->stride[0] = 1;
  b->stride[1] = (b->n[0] + 2 + LINE - 1) / LINE * LINE;
  b->stride[2] = b->stride[1] * (b->n[1] + 2);
  b->origin = LINE + b->stride[1] + b->stride[2];
  b->field = LINE + b->stride[2] * (b->n[2] + 2);
}

/* Largest |value| of the block's own unknowns, + 1. */
static double scale_of(const hg_adr_block *b, const double *value)
{
  double largest = 0;
  for (int64_t z = b->lo[2]; z < b->hi[2]; z++)
    for (int64_t y = b->lo[1]; y < b->hi[1]; y++) {
      const double *row = value + b->origin + z * b->stride[2] + y * b->stride[1];
      for (int64_t x = b->lo[0]; x < b->hi[0]; x++) largest = fabs(row[x]) > largest ? fabs(row[x]) : largest;
    }
  return largest + 1;
}

void hg_adr_begin(const hg_adr_block *b, bool first, bool bdf2, double *restrict u, double *restrict old,
                  double *restrict before, hg_adr_outcome *outcome)
{
  const int64_t count = 2 * b->field;
  for (int s = 0; s < 2; s++) outcome->scale[s] = scale_of(b, u + s * b->field);
  if (first) {
    memcpy(old, u, (size_t)count * sizeof *u);
    memcpy(before, u, (size_t)count * sizeof *u);
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    const double now = u[i], then = before[i];
    old[i] = bdf2 ? (4 * now - then) / 3 : now;
    before[i] = now;
    u[i] = 2 * now - then;
  }
}
