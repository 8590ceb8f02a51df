/* SPDX-License-Identifier: MIT */
/* Driver for fuzz targets. A target defines LLVMFuzzerTestOneInput and calls fuzz_main with its
 * seeds.
 *
 * By default it mutates the seeds and the files of tests/fuzz/corpus/TARGET: HG_FUZZ_RUNS times, by
 * a generator that starts from HG_FUZZ_SEED or the clock. It prints both, so that every run can be
 * repeated. With HG_FUZZ_FILE=PATH (- for standard input, as AFL gives it) it runs that one input.
 * Built with HG_LIBFUZZER and -fsanitize=fuzzer it is a target for libFuzzer or AFL++. */
#ifndef HG_TESTS_FUZZ_H
#define HG_TESTS_FUZZ_H

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
  static const uint8_t interesting[] = {0,    1,    9,    '0', '9', '-', ',', '(', ')', '\'', 0x7f, 0x80,
                                        0xff, '\n', '\r', '*', '=', '.', 'e', ' ', '#', '%',  ';',  '"'};
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

enum { FUZZ_SEEDS = 64 };

/* A target's seeds and state. */
typedef struct fuzz_state {
  fuzz_seed seed[FUZZ_SEEDS];
  int seeds;
} fuzz_state;

static volatile sig_atomic_t fuzz_run; /* number of the present run */

static void fuzz_crashed(int number)
{
  char text[64];
  const int length = snprintf(text, sizeof text, "# signal %d in run %d\n", number, (int)fuzz_run);
  if (write(STDOUT_FILENO, text, (size_t)length) < 0) _exit(99);
  signal(number, SIG_DFL);
  raise(number);
}

/* Reads a file's first FUZZ_MAX / 2 bytes. */
static fuzz_seed fuzz_load(const char *path)
{
  uint8_t *bytes = malloc(FUZZ_MAX / 2);
  FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  const size_t size = f && bytes ? fread(bytes, 1, FUZZ_MAX / 2, f) : 0;
  if (f && f != stdin) fclose(f);
  return (fuzz_seed){bytes, size};
}

/* Reads the corpus of the source tree in order of names. */
static void fuzz_load_corpus(fuzz_state *f, const char *target)
{
  const char *source = getenv("srcdir");
  char folder[512], path[1024];
  struct dirent **entry;
  snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", source ? source : ".", target);
  const int count = scandir(folder, &entry, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.' && f->seeds < FUZZ_SEEDS) f->seed[f->seeds++] = fuzz_load(path);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
}

/* Copies the input to a block of its own, so that a sanitizer detects reads beyond its end. */
static void fuzz_one(const uint8_t *bytes, size_t size)
{
  uint8_t *exact = malloc(size ? size : 1);
  memcpy(exact, bytes, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

static uint64_t fuzz_start(void)
{
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], fuzz_crashed);
  const char *wanted = getenv("HG_FUZZ_SEED");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return wanted ? strtoull(wanted, NULL, 10) : (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static int fuzz_main(const char *name, const char *target, const fuzz_seed *seed, int seeds, int runs)
{
  static fuzz_state f;
  static uint8_t buffer[FUZZ_MAX + 1];
  const char *wanted = getenv("HG_FUZZ_RUNS"), *file = getenv("HG_FUZZ_FILE");
  if (wanted) runs = atoi(wanted);
  if (file) f.seed[f.seeds++] = fuzz_load(file);
  for (int i = 0; i < seeds && !file; i++) f.seed[f.seeds++] = seed[i];
  if (!file) fuzz_load_corpus(&f, target);
  if (file) runs = 1;
  const uint64_t first = fuzz_start();
  uint64_t state = first;
  printf("# HG_FUZZ_SEED=%llu HG_FUZZ_RUNS=%d, %d seeds\n", (unsigned long long)first, runs, f.seeds);
  fflush(stdout);
  for (int i = 0; i < runs; i++) {
    const fuzz_seed *s = &f.seed[i % f.seeds];
    fuzz_run = i;
    memcpy(buffer, s->bytes, s->size);
    fuzz_one(buffer, i < f.seeds ? s->size : fuzz_mutate(&state, buffer, s->size));
  }
  tap_ok(true, "%s survives %d mutated inputs", name, runs);
  return tap_done();
}
#endif
#endif
