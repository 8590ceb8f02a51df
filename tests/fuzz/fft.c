/* SPDX-License-Identifier: MIT */
/* hetgrid-fft's reader of .npy files. The input's first byte chooses the expected kind of file. */
#include <unistd.h>

#include "apps/fft/fft.h"
#include "fuzz.h"

static char path[] = "/tmp/hetgrid-fuzz-XXXXXX";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static bool made;
  if (!made) made = mkstemp(path) >= 0;
  FILE *f = size > 0 ? fopen(path, "wb") : NULL;
  if (!f) return 0;
  fwrite(data + 1, 1, size - 1, f);
  fclose(f);
  fft_shape s = {.real = data[0] & 1, .inverse = data[0] & 2, .single = data[0] & 4};
  const bool sized = data[0] & 8;
  if (sized) s.n[0] = 2, s.n[1] = 3, s.n[2] = 4;
  if (fft_read_shape(path, &s, sized, data[0] & 16) != HG_OK) return 0;
  if ((double)s.n[0] * (double)s.n[1] * (double)s.n[2] > 1e5) return 0;
  void *values = malloc(fft_all_bytes(&s, false) + 1);
  fft_read(path, &s, values);
  free(values);
  return 0;
}

#ifndef HG_LIBFUZZER
/* A file of 2 x 3 x 4 values (half a spectrum is 3 wide), after the byte that chooses the kind. */
static fuzz_seed seed_of(unsigned char kind, const char *type, int wide, size_t bytes)
{
  static char store[8][1024];
  char *b = store[kind];
  const int header = 118;
  b[0] = (char)kind;
  memcpy(b + 1, "\x93NUMPY\x01\x00", 8);
  b[9] = (char)header, b[10] = 0;
  memset(b + 11, ' ', (size_t)header);
  const int length = sprintf(b + 11, "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3, %d), }", type, wide);
  b[11 + length] = ' ';
  b[10 + header] = '\n';
  memset(b + 11 + header, 1, bytes);
  return (fuzz_seed){b, 11 + (size_t)header + bytes};
}

int main(void)
{
  const fuzz_seed seeds[] = {seed_of(0, "<c16", 4, 384), seed_of(1, "<f8", 4, 192), seed_of(3, "<c16", 3, 288),
                             seed_of(4, "<c8", 4, 192)};
  fft_shape s = {0};
  LLVMFuzzerTestOneInput(seeds[0].bytes, seeds[0].size);
  tap_ok(fft_read_shape(path, &s, false, false) == HG_OK && s.n[2] == 4, "a good file is read %s", hg_message());
  const int status = fuzz_main("hetgrid-fft's reader of files", "fft", seeds, 4, 20000);
  unlink(path);
  return status;
}
#endif
