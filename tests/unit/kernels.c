/* SPDX-License-Identifier: MIT */
/* Every CPU kernel equals the serial reference bit for bit on random tiles. */
#include "codelets/heat/heat_kernels.h"

#include "codelets/heat/heat_internal.h"
#include "codelets/isa.h"
#include "heat_cases.h"

/* Memory beyond the workspace that a kernel asks for must not change. */
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

/* --- a field of diffusivity --- */

/* Has the bits of the kernels, whatever the compiler's flags. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define FIELD_STEP(REAL)                                                                                               \
  static REAL conductance_##REAL(REAL a, REAL k, REAL l)                                                               \
  {                                                                                                                    \
    const REAL low = k < l ? k : l, high = k < l ? l : k;                                                              \
    return low + high > 0 ? a * ((2 * low) * (high / (low + high))) : 0;                                               \
  }                                                                                                                    \
                                                                                                                       \
  static void field_step_##REAL(const heat_case *c, const REAL *from, REAL *to)                                        \
  {                                                                                                                    \
    const hg_tile_shape *s = &c->shape;                                                                                \
    const REAL *k = c->q;                                                                                              \
    int64_t at[3];                                                                                                     \
    for (at[2] = 0; at[2] < s->n[2]; at[2]++)                                                                          \
      for (at[1] = 0; at[1] < s->n[1]; at[1]++)                                                                        \
        for (at[0] = 0; at[0] < s->n[0]; at[0]++) {                                                                    \
          const int64_t i = at[0] + at[1] * s->stride[1] + at[2] * s->stride[2];                                       \
          REAL r = from[i];                                                                                            \
          bool outer = false;                                                                                          \
          for (int a = 0; a < s->dims; a++) outer = outer || at[a] == 0 || at[a] == s->n[a] - 1;                       \
          for (int a = 0; !outer && a < s->dims; a++) {                                                                \
            const int64_t d = s->stride[a];                                                                            \
            const REAL alpha = (REAL)c->coef.a[a];                                                                     \
            r += conductance_##REAL(alpha, k[i], k[i + d]) * (from[i + d] - from[i]) -                                 \
                 conductance_##REAL(alpha, k[i - d], k[i]) * (from[i] - from[i - d]);                                  \
          }                                                                                                            \
          to[i] = r;                                                                                                   \
        }                                                                                                              \
  }
FIELD_STEP(double)
FIELD_STEP(float)

/* The padded box after the steps, without row padding. Its outermost cells do not change, which is right at held sides;
 * elsewhere the error has not reached the core. */
static void *field_expected(const heat_case *c)
{
  const size_t bytes = c->cells * case_size(c);
  void *from = malloc(bytes), *to = malloc(bytes);
  memcpy(from, c->src, bytes);
  for (int l = 0; l < c->steps; l++) {
    memcpy(to, from, bytes);
    if (c->is_float)
      field_step_float(c, from, to);
    else
      field_step_double(c, from, to);
    memcpy(from, to, bytes);
  }
  void *want = compact(c, from);
  free(from);
  free(to);
  return want;
}

/* Random diffusivities, a quarter of them 0. */
static void set_field(heat_case *c, uint64_t *state)
{
  if (!c->q) c->q = case_grid(c, state);
  c->has_source = true;
  for (size_t i = 0; i < c->cells; i++)
    case_set(c, c->q, (int64_t)i, (double)tap_between(state, 0, 3) * (double)tap_between(state, 1, 50) / 64);
}

static void check_field(const hg_heat_kernel *k, const char *isa, int dims, const int64_t most[3], int rounds)
{
  uint64_t state = 23 + (uint64_t)dims;
  int64_t wrong = 0, cells = 0;
  for (int i = 0; i < rounds; i++) {
    heat_case c = random_case(&state, dims, most);
    set_field(&c, &state);
    void *want = field_expected(&c);
    wrong += run_cpu(&c, k);
    wrong += wrong_cells(&c, want);
    cells += (int64_t)c.cells;
    free(want);
    free_case(&c);
  }
  tap_ok(wrong == 0, "%s, field of diffusivity, %d-D: %d tiles, %lld cells, bit for bit (%lld wrong)", isa, dims,
         rounds, (long long)cells, (long long)wrong);
}

static void check_fields(const hg_heat_isa *isa, bool usable)
{
  const hg_heat_kernel *k = &isa->field;
  const char *name = isa->deep.name;
  if (!usable) {
    tap_skip(name);
    return;
  }
  check_field(k, name, 1, (const int64_t[]){300, 1, 1}, 100);
  check_field(k, name, 2, (const int64_t[]){60, 60, 1}, 400);
  check_field(k, name, 2, (const int64_t[]){4000, 100, 1}, 20); /* several strips in x */
  check_field(k, name, 3, (const int64_t[]){24, 24, 24}, 100);
  check_field(k, name, 3, (const int64_t[]){1000, 200, 14}, 6); /* in y */
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
#ifdef HG_HAVE_X86_ISA
  check_fields(&hg_heat_isa_avx512, hg_isa_has_avx512());
  check_fields(&hg_heat_isa_avx2, hg_isa_has_avx2());
#endif
  check_fields(&hg_heat_isa_baseline, true);
  tap_ok(hg_heat_kernel_find("auto") != NULL, "there is always a kernel");
  tap_ok(hg_heat_kernel_find("quantum") == NULL && hg_heat_kernel_find(NULL) == NULL, "an unknown kernel is not found");
  return tap_done();
}
