/* SPDX-License-Identifier: MIT */
/* Driver for fuzz targets. A target defines LLVMFuzzerTestOneInput and `seeds`. Built with -fsanitize=fuzzer and
 * HG_LIBFUZZER it is a libFuzzer target; otherwise it mutates its seeds a fixed number of times (HG_FUZZ_RUNS). */
#ifndef HG_TESTS_FUZZ_H
#define HG_TESTS_FUZZ_H

#include <stdlib.h>

#include "tap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef HG_LIBFUZZER
typedef struct fuzz_seed {
  const void *bytes;
  size_t size;
} fuzz_seed;

enum { FUZZ_MAX = 1 << 16 };

/* One to eight changes: set, flip, insert, remove, copy, cut. */
static size_t fuzz_mutate(uint64_t *state, uint8_t *b, size_t size)
{
  static const uint8_t interesting[] = {0, 1, 9, '0', '9', '-', ',', '(', ')', '\'', 0x7f, 0x80, 0xff, '\n', '*', '='};
  for (int64_t i = tap_between(state, 1, 8); i > 0; i--) {
    size_t at = size ? (size_t)tap_between(state, 0, (int64_t)size - 1) : 0,
           from = size ? (size_t)tap_between(state, 0, (int64_t)size - 1) : 0;
    switch (tap_between(state, 0, 5)) {
    case 0:
      if (size) b[at] = (uint8_t)tap_random(state);
      break;
    case 1:
      if (size) b[at] = interesting[tap_between(state, 0, sizeof interesting - 1)];
      break;
    case 2:
      if (size) b[at] ^= (uint8_t)(1u << tap_between(state, 0, 7));
      break;
    case 3:
      if (size < FUZZ_MAX)
        memmove(b + at + 1, b + at, size - at), b[at] = interesting[tap_between(state, 0, sizeof interesting - 1)],
                                                size++;
      break;
    case 4:
      if (size) memmove(b + at, b + at + 1, size - at - 1), size--;
      break;
    default:
      if (tap_between(state, 0, 3) == 0)
        size = at;
      else if (size)
        b[at] = b[from];
    }
  }
  return size;
}

static int fuzz_main(const char *name, const fuzz_seed *seed, int seeds, int runs)
{
  uint64_t state = 99;
  uint8_t *buffer = malloc(FUZZ_MAX + 1);
  const char *wanted = getenv("HG_FUZZ_RUNS");
  if (wanted) runs = atoi(wanted);
  for (int i = 0; i < runs; i++) {
    const fuzz_seed *s = &seed[i % seeds];
    memcpy(buffer, s->bytes, s->size);
    size_t size = i < seeds ? s->size : fuzz_mutate(&state, buffer, s->size);
    uint8_t *exact = malloc(size ? size : 1); /* its own block, so that a sanitizer sees a read past its end */
    memcpy(exact, buffer, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
  }
  free(buffer);
  tap_ok(true, "%s survives %d mutated inputs", name, runs);
  return tap_done();
}
#endif
#endif
