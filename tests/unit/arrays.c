/* SPDX-License-Identifier: MIT */
/* Readers of number arrays: NumPy and CSV, right and wrong. */
#include "base/box.h"
#include "base/npy.h"
#include "input/matrix.h"
#include "input/array.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

/* Headers as NumPy writes them, except for the padding. */
static void writes_headers(void)
{
  const int64_t shape[] = {3, 40, 5};
  const char *const known[] = {"(3,)", "(3, 40)", "(3, 40, 5)"};
  for (int dims = 1; dims <= 3; dims++) {
    uint8_t out[HG_NPY_HEAD_MAX];
    const size_t size = hg_npy_header_write("f8", dims, shape, out);
    char text[200];
    snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", known[dims - 1]);
    hg_npy_header h = {.dims = 0};
    tap_ok(size % 64 == 0 && memcmp(out + 10, text, strlen(text)) == 0, "a header of shape %s", known[dims - 1]);
    tap_ok(hg_npy_header_parse(out, size, "a", &h) == HG_OK && h.dims == dims && h.begin == size && h.shape[0] == 3 &&
               h.shape[1] == (dims > 1 ? 40 : 1) && h.shape[2] == (dims > 2 ? 5 : 1),
           "... which is read back");
  }
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
  const uint16_t halves[] = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x8000, 0x3555};
  const double wanted[] = {1, -2, 65504, 0x1p-24, 0, 0x1.554p-2};
  file h = npy("{'descr': '<f2', 'fortran_order': False, 'shape': (6,), }", halves, sizeof halves);
  hg_array f2;
  double read[6] = {0};
  tap_ok(hg_npy_parse(h.bytes, h.size, "a", &f2) == HG_OK &&
             hg_array_read(&f2, (int64_t[3]){0}, 6, "a", read) == HG_OK && memcmp(read, wanted, 32) == 0 &&
             read[5] == wanted[5],
         "float16: %g %g %g %g %g %g", read[0], read[1], read[2], read[3], read[4], read[5]);
  double number = 0;
  hg_array_read(&a, (int64_t[3]){0}, 1, "a", &number);
  tap_near(number, 0x1p63, 0, "... is read");
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

static void integers_are_not_rounded(void)
{
  const struct {
    const char *type;
    uint64_t value;
    const char *refused; /* NULL: a double holds it */
  } list[] = {{"<i8", UINT64_C(1) << 53, NULL},
              {"<i8", (UINT64_C(1) << 53) + 1, "9007199254740993"},
              {"<i8", (uint64_t)-9007199254740993, "-9007199254740993"},
              {"<i8", (UINT64_C(1) << 53) + 2, NULL},
              {"<i8", (uint64_t)INT64_MIN, NULL},
              {"<i8", (uint64_t)INT64_MAX, "9223372036854775807"},
              {"<u8", UINT64_MAX, "18446744073709551615"},
              {"<u8", UINT64_MAX << 11, NULL}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const uint64_t values[2] = {1, list[i].value};
    double out[2] = {0};
    char header[128];
    hg_array a;
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", list[i].type);
    file f = npy(header, values, sizeof values);
    if (!tap_ok(hg_npy_parse(f.bytes, f.size, "a", &a) == HG_OK, "%s of %" PRIx64, list[i].type, list[i].value))
      continue;
    const hg_status status = hg_array_read(&a, (int64_t[3]){0}, 2, "a.npy", out);
    if (list[i].refused)
      tap_ok(status == HG_FORMAT && strstr(hg_message(), list[i].refused) &&
                 strstr(hg_message(), "a.npy: the value at (1, 0, 0)"),
             "... is refused: %s", hg_message());
    else
      tap_ok(status == HG_OK && out[0] == 1 && fabs(out[1]) >= 0x1p53, "... is read: %.0f", out[1]);
  }
}

static void refuses_wrong_files(void)
{
  hg_array a;
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", 31, "truncated");
  refuses("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", 16, "type");
  for (const char *const *type =
           (const char *const[]){"<b4", "|f8", "<f3", "|S8", "<M8", "?f8", "<i9", "\033[31mf8", NULL};
       *type; type++) {
    char header[128];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", *type);
    refuses(header, 16, "type");
    tap_ok(!strchr(hg_message(), '\033'), "... and none of it can control the terminal");
  }
  refuses("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", 16, "type");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 16, "shape");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", 16, "extent");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", 16, "extent");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1), }", 16, "more than 3");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999, 9), }", 16, "truncated");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999), }", 16, "extent");
  refuses("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }", 16, "fortran_order");
  refuses("{'descr': '<f8', 'fortran_order': Falsely, 'shape': (1,), }", 16, "dictionary");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'shape': (2,), }", 16, "'shape' twice");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'size': (2,), }", 16, "'size' besides");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1 2), }", 16, "shape of 1 to 3");
  refuses("{'descr': '<f8' 'fortran_order': False, 'shape': (1,), }", 16, "dictionary");
  refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x", 16, "dictionary");
  refuses("{'x': \"'shape': (2,)\", 'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 16, "'x' besides");
  refuses("{'shape': (1,), }", 16, "descr");
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

static bool csv_is(const char *text, int64_t nx, int64_t ny, double last, const char *name)
{
  hg_array a;
  if (!tap_ok(csv(text, &a) == HG_OK, "CSV: %s is read", name)) return false;
  const bool good = a.n[0] == nx && a.n[1] == ny && value(&a, nx - 1, ny - 1, 0) == last;
  tap_ok(good, "... as %lld x %lld, the last number %.17g", (long long)a.n[0], (long long)a.n[1],
         value(&a, a.n[0] - 1, a.n[1] - 1, 0));
  hg_array_free(&a);
  return good;
}

static void reads_csv(void)
{
  char digits[2000];
  csv_is("# height\n1, 2,3\n\n 4,\t5 ,6 # last\n", 3, 2, 6, "a table with comments and blanks");
  csv_is("1;2\n3;4\n", 2, 2, 4, "one with semicolons");
  csv_is(" 1  2\t3\n4 5 6\n", 3, 2, 6, "one with blanks");
  csv_is("1,2,3,4", 4, 1, 4, "one row without an end of line");
  csv_is("1\n2\n3\n", 1, 3, 3, "one column");
  csv_is("\xef\xbb\xbf"
         "1,2\r\n3,4\r\n",
         2, 2, 4, "one with a byte order mark and Windows' ends of lines");
  csv_is("1,2\n3,+.5D+3\n", 2, 2, 500, "a Fortran exponent");
  csv_is("1,4.9406564584124654e-324\n", 2, 1, 4.9406564584124654e-324, "a denormal number");
  csv_is("9007199254740993,9007199254740993.0000000000000000000000000001\n", 2, 1, 9007199254740994.,
         "a number just above the middle of two doubles");
  memset(digits, '0', sizeof digits);
  memcpy(digits, "0.", 2);
  strcpy(digits + 1500, "25e1500,1234567890123456789012345678901234567890123456789012345678901234567890e-69\n3,4");
  csv_is(digits, 2, 2, 4, "numbers of 1500 and 70 digits");
}

/* A file as hetgrid writes 3-D fields. */
static void reads_layers(void)
{
  static const struct {
    const char *text, *refused;
    int64_t ny, nz;
  } cases[] = {{"1,2\n3,4\n\n5,6\n7,8\n\n", NULL, 2, 2},
               {"1,2\n3,4\n\n5,6\n7,8\n", NULL, 2, 2},
               {"\n# two\n1,2\n3,4\n \t\r\n\n# more\n5,6\n# of it\n7,8\n\n\n", NULL, 2, 2},
               {"1,2\n3,4\n5,6\n7,8\n\n", NULL, 4, 1},
               {"1,2\n\n3,4\n\n5,6\n\n7,8\n", NULL, 4, 1},
               {"1,2\n3,4\n\n5,6\n\n7,8\n", "a.csv:5:1: a layer of 1 row ends here, those before have 2", 0, 0},
               {"1,2\n3,4\n\n5,6\n", "a layer of 1 row ends here, those before have 2", 0, 0},
               {"1,2\n\n3,4\n5,6\n7,8\n\n", "a.csv:6:1: a layer of 3 rows ends here, those before have 1", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hg_array a = {0};
    const hg_status status = hg_csv_parse_layers(cases[i].text, strlen(cases[i].text), "a.csv", &a);
    if (cases[i].refused)
      tap_ok(status == HG_FORMAT && strstr(hg_message(), cases[i].refused), "CSV: layers: refused: %s", hg_message());
    else if (tap_ok(status == HG_OK, "CSV: layers are read %s", hg_message()))
      tap_ok(a.n[0] == 2 && a.n[1] == cases[i].ny && a.n[2] == cases[i].nz && a.dims == (cases[i].nz > 1 ? 3 : 2) &&
                 value(&a, 1, cases[i].ny - 1, cases[i].nz - 1) == 8,
             "... 2 x %" PRId64 " x %" PRId64, a.n[1], a.n[2]);
    hg_array_free(&a);
  }
}

static void csv_refuses(const char *text, const char *place, const char *name)
{
  hg_array a;
  const bool refused = csv(text, &a) == HG_FORMAT;
  tap_ok(refused && strstr(hg_message(), place), "CSV: %s is refused (%s)", name,
         refused ? hg_message() : "it is read");
  if (!refused) hg_array_free(&a);
}

static void refuses_wrong_csv(void)
{
  csv_refuses("1,2\n3\n", "a.csv:2:2", "a short row");
  csv_refuses("1,2\n3,4,5\n", "a.csv:2:5", "a long row");
  csv_refuses("1,zwei\n", "a.csv:1:3: 'zwei'", "a word");
  csv_refuses("# nothing\n", "no numbers", "an empty table");
  csv_refuses("1,5;2,5\n", "a.csv:1:4: semicolons", "decimal commas between semicolons");
  csv_refuses("1,5 2,5\n", "a.csv:1:5: blanks", "decimal commas between blanks");
  csv_refuses("1,2\n3;4\n", "a.csv:2:2", "another separator in another row");
  csv_refuses("1,,3\n", "a.csv:1:3", "a hole");
  csv_refuses("1,2,\n", "a.csv:1:5", "a hole at the end");
  csv_refuses(",2\n", "a.csv:1:1", "a hole at the beginning");
  csv_refuses("1\r2\r3\n", "a.csv:1:1", "lines that end with \\r alone");
  csv_refuses("1,nan\n", "a.csv:1:3", "NaN");
  csv_refuses("1,2\n3,-inf\n", "a.csv:2:3", "infinity");
  csv_refuses("1,1e999\n", "a.csv:1:3: 1e999", "a number beyond the doubles");
  csv_refuses("1,0x10\n", "a.csv:1:3", "a hexadecimal number");
  csv_refuses("1,2e\n", "a.csv:1:3", "an exponent without digits");
  csv_refuses("1,1.2.3\n", "a.csv:1:3", "a second point");
  csv_refuses("\"1\",2\n", "a.csv:1:1", "a quoted number");
}

static hg_status matrix(const char *head, const char *rest, hg_mtx *m)
{
  char text[512];
  snprintf(text, sizeof text, "%%%%MatrixMarket matrix %s\n%s", head, rest);
  return hg_mtx_parse(text, strlen(text), "a.mtx", m);
}

/* Element (row, col) from 1, 0 where there is no entry. */
static double element(const hg_mtx *m, int64_t row, int64_t col)
{
  if (!m->start) return m->value[row - 1 + (col - 1) * m->rows];
  for (int64_t at = m->start[col - 1]; at < m->start[col]; at++)
    if (m->row[at] == row - 1) return m->value[at];
  return 0;
}

static void matrix_has(const char *head, const char *rest, int64_t row, int64_t col, double expected, const char *name)
{
  hg_mtx m;
  if (!tap_ok(matrix(head, rest, &m) == HG_OK, "Matrix Market: %s is read (%s)", name, hg_message())) return;
  tap_near(element(&m, row, col), expected, 0, "... and the element is right");
  hg_mtx_free(&m);
}

static void reads_matrices(void)
{
  matrix_has("coordinate real general", "% note\n\n2 3 2\n1 1 1D3\n2 3 -.5d-1\n", 1, 1, 1000, "a Fortran exponent");
  matrix_has("Coordinate REAL general", "2 3 2\r\n1 1 1\r\n2 3 7\r\n", 2, 3, 7, "a file with Windows' ends of lines");
  matrix_has("coordinate real symmetric", "3 3 2\n2 1 5\n3 3 1\n", 1, 2, 5, "the mirror image of a lower triangle");
  matrix_has("coordinate real symmetric", "3 3 2\n1 2 5\n3 3 1\n", 2, 1, 5, "that of an upper one");
  matrix_has("coordinate integer skew-symmetric", "3 3 1\n3 1 4\n", 1, 3, -4, "a skew-symmetric matrix");
  matrix_has("coordinate real skew-symmetric", "2 2 3\n1 1 0\n2 1 4\n2 2 0\n", 1, 2, -4, "one whose diagonal says 0");
  matrix_has("coordinate pattern general", "2 2 1\n2 1\n", 2, 1, 1, "a pattern");
  matrix_has("coordinate real general", "2 2 0\n", 2, 1, 0, "one without entries");
  matrix_has("array real general", "2 2\n1\n2\n3\n4\n", 1, 2, 3, "an array, by columns");
  matrix_has("array real symmetric", "2 2\n1\n2\n4\n", 1, 2, 2, "the lower triangle of an array");
  matrix_has("array real skew-symmetric", "2 2\n5\n", 1, 2, -5, "a skew-symmetric array");
}

static void matrix_refuses(const char *head, const char *rest, const char *place, const char *name)
{
  hg_mtx m;
  const bool refused = matrix(head, rest, &m) == HG_FORMAT;
  tap_ok(refused && strstr(hg_message(), place), "Matrix Market: %s is refused (%s)", name,
         refused ? hg_message() : "it is read");
  if (!refused) hg_mtx_free(&m);
}

static void refuses_wrong_entries(void)
{
  const char *real = "coordinate real general";
  matrix_refuses(real, "2 2 1\n1 1 1,5\n", "a.mtx:3:5: '1,5'", "a decimal comma");
  matrix_refuses(real, "2 2 1\n1 1 3x\n", "a.mtx:3:5: '3x'", "a number with a tail");
  matrix_refuses(real, "2 2 1\n1.7 1 3\n", "a.mtx:3:1: row '1.7'", "an index with a fraction");
  matrix_refuses(real, "2 2 1\n1 0 3\n", "a.mtx:3:3: column 0 is not in 1..2", "an index of 0");
  matrix_refuses(real, "2 2 1\n3 1 3\n", "a.mtx:3:1: row 3 is not in 1..2", "an index out of range");
  matrix_refuses(real, "2 2 1\n-1 1 3\n", "a.mtx:3:1: row '-1'", "a negative index");
  matrix_refuses(real, "2 2 1\n1 1 1\n2 2 2\n", "a.mtx:4:1: more than", "a surplus entry");
  matrix_refuses(real, "2 2 2\n1 1 1\n", "a.mtx:3", "a missing entry");
  matrix_refuses(real, "2 2 1\n1 1\n", "a.mtx:3:4: the value is missing", "a real file without values");
  matrix_refuses(real, "2 2 1\n1 1 1 0\n", "a.mtx:3:7", "a second value");
  matrix_refuses(real, "2 2 2\n1 1 1\n1 1 2\n", "a.mtx:4:6: entry (1, 1)", "an entry that stands twice");
  matrix_refuses(real, "2 2 1\n1 1 1e999\n", "a.mtx:3:5: 1e999", "a value beyond the doubles");
  matrix_refuses(real, "2 2 1\n1 1 nan\n", "a.mtx:3:5", "NaN");
  matrix_refuses("coordinate integer general", "2 2 1\n1 1 1.5\n", "a.mtx:3", "a fraction among integers");
  matrix_refuses("coordinate pattern general", "2 2 1\n1 1 1\n", "a.mtx:3:5", "a value in a pattern");
  matrix_refuses("coordinate real symmetric", "2 2 2\n2 1 1\n1 2 1\n", "a.mtx:4", "both triangles of a symmetric file");
  matrix_refuses("coordinate real skew-symmetric", "2 2 1\n1 1 5\n", "a.mtx:3", "a skew-symmetric diagonal");
  matrix_refuses("array real general", "2 2\n1 2\n3 4\n", "a.mtx:3:3", "two values on a line of an array");
  matrix_refuses("array real general", "2 2\n1\n2\n3\n", "a.mtx:5", "an array that ends early");
}

static void refuses_wrong_heads(void)
{
  hg_mtx m;
  matrix_refuses("coordinate complex general", "1 1 1\n1 1 1 0\n", "a.mtx:1:34: field 'complex'", "a complex matrix");
  matrix_refuses("coordinate real hermitian", "1 1 1\n1 1 1\n", "a.mtx:1", "a Hermitian one");
  matrix_refuses("array pattern general", "1 1\n", "a.mtx:1", "a pattern as an array");
  matrix_refuses("coordinate real", "1 1 1\n1 1 1\n", "a.mtx:1:38: symmetry ''", "a head without symmetry");
  matrix_refuses("coordinate real general", "% no sizes\n", "sizes", "a file that ends before the sizes");
  matrix_refuses("coordinate real general", "2 2\n1 1 1\n", "a.mtx:2:4: the number of entries is missing", "two sizes");
  matrix_refuses("coordinate real general", "2 2 5\n", "a.mtx:2:5", "more entries than places");
  matrix_refuses("coordinate real general", "1e3 2 1\n", "a.mtx:2:1", "a size with an exponent");
  matrix_refuses("coordinate real general", "3000000000 2 1\n", "a.mtx:2:1", "a size beyond 32 bits");
  matrix_refuses("coordinate real symmetric", "2 3 1\n", "a.mtx:2", "a symmetric matrix that is not square");
  matrix_refuses("coordinate real general", "1000 1000 500000\n1 1 1\n", "announced",
                 "a promise that the file cannot keep");
  tap_ok(hg_mtx_parse("1 2 3\n", 6, "a.mtx", &m) == HG_FORMAT, "a file without a header is refused (%s)", hg_message());
  tap_ok(hg_mtx_parse("", 0, "a.mtx", &m) == HG_FORMAT, "an empty one is refused (%s)", hg_message());
}

static void counts_cells(void)
{
  const int64_t far = INT64_C(1) << 40;
  tap_int(hg_box_cells(&(hg_box){{0, 0, 0}, {far, far, 1}}), INT64_MAX,
          "numbers of cells beyond 64 bits are the largest number");
  tap_int(hg_box_cells(&(hg_box){{0, 0, 0}, {far, far, 0}}), 0, "an empty box has none");
  tap_int(hg_box_cells(&(hg_box){{1, 2, 3}, {4, 6, 8}}), 60, "a box has its extents' product");
}

static void asc(const char *text, const char *part)
{
  hg_array a;
  const hg_status status = hg_asc_parse(text, strlen(text), "dem.asc", &a, NULL);
  if (part)
    tap_ok(status == HG_FORMAT && strstr(hg_message(), part), "ESRI ASCII: refused: %s", hg_message());
  else if (tap_ok(status == HG_OK, "ESRI ASCII: a grid is read %s", hg_message()))
    tap_ok(a.n[0] == 3 && a.n[1] == 2 && value(&a, 2, 1, 0) == 6, "... with its last value (%g)", value(&a, 2, 1, 0));
  if (status == HG_OK) hg_array_free(&a);
}

static void reads_esri_grids(void)
{
  asc("ncols 3\nnrows 2\nxllcorner 7.5\nyllcorner -2e3\ncellsize 30\nNODATA_value -9999\n1 2 3\n4 5 6\n", NULL);
  asc("\xef\xbb\xbf"
      "NCOLS         3\r\nNROWS         2\r\nXLLCENTER 0\r\nYLLCENTER 0\r\nDX 1\r\nDY 2\r\n\r\n 1 2 3 \r\n 4 5 6\r\n",
      NULL);
  asc("ncols 3\nnrows 100000000\n1 2 3\n4 5 6\n", "2 rows of 3 numbers, the header has nrows 1e+08 and ncols 3");
  asc("ncols 3\nnrows 2\n1 2 3\n4 5\n", "dem.asc:4:4: 2 numbers in this row, 3");
  asc("ncols 3\nnrows 2\n1,2,3\n4,5,6\n", "dem.asc:3:2");
  asc("ncols 3\nnrows 2\ncolour 7\n1 2 3\n4 5 6\n", "dem.asc:3:1: a line of the header must begin");
  asc("ncols 3 4\nnrows 2\n1 2 3\n4 5 6\n", "dem.asc:1:9: more than one number for ncols");
  asc("ncols 3\nnrows 2\nnodata_value -9999 m\n1 2 3\n4 5 6\n", "dem.asc:3:20: more than one number for nodata_value");
  asc("ncols 3\nnrows 2\nNODATA_value none\n1 2 3\n4 5 6\n", "dem.asc:3:14: 'none' is not a finite number");
  asc("ncols 3\nnrows 2\nNODATA_value -1\nNODATA_value -2\n1 2 3\n4 5 6\n", "dem.asc:4:1: nodata_value is given twice");
  asc("ncols 3\nnrows 2\n", "no rows follow the head");
  asc("1 2 3\n4 5 6\n", "the header has nrows 0 and ncols 0");
}

int main(void)
{
  writes_headers();
  reads_types();
  reads_esri_grids();
  integers_are_not_rounded();
  refuses_wrong_files();
  reads_csv();
  reads_layers();
  refuses_wrong_csv();
  reads_matrices();
  refuses_wrong_entries();
  refuses_wrong_heads();
  counts_cells();
  return tap_done();
}
