/* SPDX-License-Identifier: MIT */
/* Every CPU kernel equals the serial reference bit for bit on random tiles. */
#include "codelets/kernels.h"

#include "heat_cases.h"

static void check(const hg_heat_kernel *k, int dims, int most, int rounds)
{
  uint64_t state = 11 + (uint64_t)dims;
  int64_t wrong = 0, cells = 0;
  for (int i = 0; i < rounds; i++) {
    heat_case c = random_case(&state, dims, most);
    void *work = aligned_alloc(64, (k->workspace[c.is_float](&c.shape, c.steps, c.has_source) + 127) / 64 * 64);
    k->advance[c.is_float](&c.shape, &c.coef, c.steps, c.src, c.dst, c.q, work);
    void *want = expected(&c);
    wrong += wrong_cells(&c, want);
    cells += (int64_t)c.cells;
    free(want);
    free(work);
    free_case(&c);
  }
  tap_ok(wrong == 0, "%s %d-D: %d tiles, %lld cells, bit for bit (%lld wrong)", k->name, dims, rounds, (long long)cells,
         (long long)wrong);
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
    check(k, 2, 60, 400);
    check(k, 2, 1500, 6);
    check(k, 3, 24, 200);
    check(k, 3, 120, 4);
  }
  tap_ok(hg_heat_kernel_find("auto") != NULL, "there is always a kernel");
  tap_ok(hg_heat_kernel_find("quantum") == NULL, "an unknown kernel is not found");
  return tap_done();
}
