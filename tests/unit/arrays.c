/* SPDX-License-Identifier: MIT */
/* Readers of number arrays: NumPy and CSV, right and wrong. */
#include "input/array.h"

#include <stdlib.h>

#include "tap.h"

/* A .npy file in memory. */
typedef struct file {
  uint8_t bytes[4096];
  size_t size;
} file;

static file npy(const char *header, const void *data, size_t bytes)
{
  file f = {{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}, 0};
  size_t length = strlen(header);
  f.bytes[8] = (uint8_t)length;
  f.bytes[9] = (uint8_t)(length >> 8);
  memcpy(f.bytes + 10, header, length);
  memcpy(f.bytes + 10 + length, data, bytes);
  f.size = 10 + length + bytes;
  return f;
}

static double value(const hg_array *a, int64_t x, int64_t y, int64_t z)
{
  const int64_t at[3] = {x, y, z};
  return hg_array_get(a, at);
}

static void reads_types(void)
{
  const int16_t i16[] = {-3, 500, 7, -32768};
  const uint8_t big[] = {0x41, 0x20, 0, 0, 0xc2, 0xc8, 0, 0}; /* 10 and -100 as big-endian float32 */
  const uint64_t u64[] = {UINT64_C(1) << 63};
  hg_array a;
  file f = npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }", i16, sizeof i16);
  tap_ok(hg_npy_parse(f.bytes, f.size, "a", &a) == HG_OK && a.dims == 2 && a.n[0] == 2 && a.n[1] == 2,
         "int16 of 2 x 2");
  tap_near(value(&a, 1, 0, 0), 500, 0, "x runs fastest in C order");
  tap_near(value(&a, 1, 1, 0), -32768, 0, "signed values");
  f = npy("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }", i16, sizeof i16);
  tap_ok(hg_npy_parse(f.bytes, f.size, "a", &a) == HG_OK && value(&a, 1, 0, 0) == 7, "y runs fastest in Fortran order");
  f = npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", big, sizeof big);
  tap_ok(hg_npy_parse(f.bytes, f.size, "a", &a) == HG_OK && a.dims == 1, "float32 of the other byte order");
  tap_near(value(&a, 1, 0, 0), -100, 0, "is swapped");
  f = npy("{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1, 1), }", u64, sizeof u64);
  tap_ok(hg_npy_parse(f.bytes, f.size, "a", &a) == HG_OK && a.dims == 3 && value(&a, 0, 0, 0) == 0x1p63,
         "uint64 beyond int64");
  f = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", "\1\0\1", 3);
  tap_ok(hg_npy_parse(f.bytes, f.size, "a", &a) == HG_OK && value(&a, 2, 0, 0) == 1, "bool");
}

static void refuses(const char *header, size_t bytes, const char *part)
{
  static const uint8_t zeros[256];
  hg_array a;
  file f = npy(header, zeros, bytes);
  hg_status s = hg_npy_parse(f.bytes, f.size, "a.npy", &a);
  tap_ok(s == HG_FORMAT && strstr(hg_message(), part), "refused: %s", hg_message());
}

static void refuses_wrong_files(void)
{
  hg_array a;
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", 31, "truncated");
  refuses("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", 16, "type");
  refuses("{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", 16, "type");
  refuses("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", 16, "type");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 16, "shape");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", 16, "extent");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", 16, "extent");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1), }", 16, "more than 3");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999, 9), }", 16, "truncated");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999), }", 16, "extent");
  refuses("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }", 16, "fortran_order");
  refuses("{'shape': (1,), }", 16, "type");
  tap_ok(hg_npy_parse((const uint8_t *)"GIF89a....", 10, "a", &a) == HG_FORMAT, "another kind of file (%s)",
         hg_message());
  tap_ok(hg_npy_parse((const uint8_t *)"\x93NUMPY\1\0\xff\xff", 10, "a", &a) == HG_FORMAT, "a cut header (%s)",
         hg_message());
  tap_ok(hg_npy_parse((const uint8_t *)"\x93NUMPY\7\0\xff\xff", 10, "a", &a) == HG_FORMAT, "a version to come (%s)",
         hg_message());
}

static hg_status csv(const char *text, hg_array *a)
{
  return hg_csv_parse(text, strlen(text), "a.csv", a);
}

static void reads_csv(void)
{
  hg_array a;
  tap_ok(csv("# height\n1, 2;3\n\n 4\t5 6 # last\n", &a) == HG_OK && a.dims == 2 && a.n[0] == 3 && a.n[1] == 2,
         "CSV of 3 x 2");
  tap_near(value(&a, 2, 1, 0), 6, 0, "its last number");
  hg_array_free(&a);
  tap_ok(csv("1,2,3,4", &a) == HG_OK && a.dims == 1 && a.n[0] == 4, "one row is one dimension");
  hg_array_free(&a);
  tap_ok(csv("1,2\n3\n", &a) == HG_FORMAT && strstr(hg_message(), "a.csv:2"), "uneven rows are refused (%s)",
         hg_message());
  tap_ok(csv("1,zwei\n", &a) == HG_FORMAT && strstr(hg_message(), "zwei"), "words are refused (%s)", hg_message());
  tap_ok(csv("# nothing\n", &a) == HG_FORMAT, "an empty table is refused (%s)", hg_message());
}

int main(void)
{
  reads_types();
  refuses_wrong_files();
  reads_csv();
  return tap_done();
}
