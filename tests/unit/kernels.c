/* SPDX-License-Identifier: MIT */
/* Every CPU kernel equals the serial reference bit for bit on random tiles. */
#include "codelets/heat/heat_kernels.h"

#include "heat_cases.h"

/* What lies behind the workspace that a kernel asks for must be as it was. */
static int run_cpu(heat_case *c, const void *kernel)
{
  enum { BEHIND = 4096, MARK = 0x5a };
  const hg_heat_kernel *k = (const hg_heat_kernel *)kernel;
  const size_t bytes = (k->workspace[c->is_float](&c->shape, c->steps, c->has_source) + 63) / 64 * 64;
  unsigned char *work = aligned_alloc(64, bytes + BEHIND);
  int spoiled = 0;
  memset(work + bytes, MARK, BEHIND);
  k->advance[c->is_float](&c->shape, &c->coef, c->steps, c->src, c->dst, c->q, work);
  for (int i = 0; i < BEHIND; i++) spoiled += work[bytes + (size_t)i] != MARK;
  free(work);
  return spoiled > 0;
}

static void check(const hg_heat_kernel *k, int dims, int most, int rounds)
{
  check_cases(run_cpu, k, k->name, dims, most, rounds);
}

int main(void)
{
  for (const hg_heat_kernel *k = hg_heat_kernel_list(); k->name; k++) {
    if (!k->usable()) {
      tap_skip(k->name);
      continue;
    }
    check(k, 1, 300, 400);
    check(k, 1, 20000, 20);
    check(k, 1, 1 << 17, 4); /* many strips, each in little memory */
    check(k, 2, 60, 400);
    check(k, 2, 1500, 6);
    check(k, 3, 24, 200);
    check(k, 3, 120, 4);
    check_cases_in(run_cpu, k, k->name, 3, (const int64_t[]){1500, 200, 14}, 12); /* several strips in y */
  }
  tap_ok(hg_heat_kernel_find("auto") != NULL, "there is always a kernel");
  tap_ok(hg_heat_kernel_find("quantum") == NULL && hg_heat_kernel_find(NULL) == NULL, "an unknown kernel is not found");
  return tap_done();
}
