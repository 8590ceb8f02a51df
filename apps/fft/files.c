/* SPDX-License-Identifier: MIT */
/* Complex and real arrays in NumPy's .npy files: format 1.0 or 2.0, C order, this machine's byte
 * order, two or three dimensions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fft.h"

enum { MAGIC = 8, HEADER = 4096 };

static const char *type_of(const fft_shape *s, bool spectrum)
{
  const bool real = s->real && !spectrum;
  return s->single ? (real ? "<f4" : "<c8") : (real ? "<f8" : "<c16");
}

/* Text behind 'key': of the header. */
static const char *value_of(const char *header, const char *key)
{
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s':", key);
  const char *at = strstr(header, quoted);
  return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : "";
}

/* The header's dictionary as a text; the file stands behind it. */
static hg_status read_header(FILE *in, const char *path, char header[HEADER])
{
  unsigned char magic[MAGIC], length[4] = {0};
  const bool known = fread(magic, 1, MAGIC, in) == MAGIC && memcmp(magic, "\x93NUMPY", 6) == 0 &&
                     (magic[6] == 1 || magic[6] == 2);
  if (!known) return hg_fail(HG_FORMAT, "%s: not a .npy file of version 1 or 2", path);
  const size_t wide = magic[6] == 1 ? 2 : 4;
  const bool sized = fread(length, 1, wide, in) == wide;
  const size_t bytes = length[0] + 256u * length[1] + 65536u * length[2] + 16777216u * length[3];
  if (!sized || bytes >= HEADER || fread(header, 1, bytes, in) != bytes)
    return hg_fail(HG_FORMAT, "%s: its header is cut off or longer than %d bytes", path,
                   HEADER - 1);
  header[bytes] = 0;
  return HG_OK;
}

/* "(2, 3, 4)": the slowest axis first. */
static int parse_extents(const char *text, int64_t n[3])
{
  int dims = 0, at = 0;
  if (*text++ != '(') return 0;
  while (dims < 3 && sscanf(text, " %" SCNd64 "%n", &n[dims], &at) == 1 && n[dims] > 0 &&
         n[dims] <= INT32_MAX && at < 20) {
    dims++;
    text += at + (int)strspn(text + at, " ");
    if (*text == ',') text++;
    text += strspn(text, " ");
  }
  return *text == ')' ? dims : 0;
}

static hg_status check_type(const char *path, const char *header, const char *type)
{
  const char *descr = value_of(header, "descr");
  const size_t length = strlen(type);
  if (*descr != '\'' || strncmp(descr + 1, type, length) != 0 || descr[1 + length] != '\'')
    return hg_fail(HG_FORMAT, "%s: values are of type %.8s, must be '%s' here", path, descr, type);
  if (strncmp(value_of(header, "fortran_order"), "False", 5) != 0)
    return hg_fail(HG_FORMAT, "%s: must be in C order", path);
  return HG_OK;
}

/* Extents as the file has them; of a real inverse the last is that of half a spectrum. */
static hg_status read_extents(const char *path, const fft_shape *s, FILE **in, int64_t n[3])
{
  char header[HEADER];
  HG_TRY(hg_file_open(path, in));
  hg_status status = read_header(*in, path, header);
  if (status == HG_OK) status = check_type(path, header, type_of(s, fft_is_spectrum(s, false)));
  n[0] = n[1] = n[2] = 1;
  if (status == HG_OK) {
    const int dims = parse_extents(value_of(header, "shape"), n);
    if (dims < 2)
      status = hg_fail(HG_FORMAT, "%s: shape is %.40s, must be 2 or 3 extents > 0", path,
                       value_of(header, "shape"));
    if (dims == 2) n[2] = n[1], n[1] = n[0], n[0] = 1;
  }
  if (status != HG_OK) fclose(*in);
  return status;
}

/* A half spectrum of w values is taken for that of 2 (w - 1). */
hg_status fft_read_shape(const char *path, fft_shape *s, bool sized, bool batched)
{
  FILE *in;
  int64_t n[3];
  HG_TRY(read_extents(path, s, &in, n));
  fclose(in);
  const bool half = s->real && fft_is_spectrum(s, false);
  if (!sized) {
    s->cube = !batched && n[0] > 1;
    for (int a = 0; a < 3; a++) s->n[a] = n[a];
    if (half) s->n[2] = n[2] > 1 ? 2 * (n[2] - 1) : 1;
  }
  const int64_t wanted[3] = {s->n[0], s->n[1], fft_width(s, fft_is_spectrum(s, false))};
  for (int a = 0; a < 3; a++)
    if (n[a] != wanted[a])
      return hg_fail(HG_INVALID,
                     "%s: shape is %" PRId64 ",%" PRId64 ",%" PRId64 ", must be %" PRId64
                     ",%" PRId64 ",%" PRId64,
                     path, n[0], n[1], n[2], wanted[0], wanted[1], wanted[2]);
  return HG_OK;
}

hg_status fft_read(const char *path, const fft_shape *s, void *values)
{
  FILE *in;
  int64_t n[3];
  const size_t bytes = fft_all_bytes(s, false);
  HG_TRY(read_extents(path, s, &in, n));
  const bool good = fread(values, 1, bytes, in) == bytes && getc(in) == EOF;
  fclose(in);
  return good ? HG_OK : hg_fail(HG_FORMAT, "%s: does not hold %zu bytes of values", path, bytes);
}

static bool print_header(FILE *out, const fft_shape *s)
{
  char text[200];
  const bool spectrum = fft_is_spectrum(s, true);
  int length = snprintf(text, sizeof text,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRId64 ", %" PRId64
                        ", %" PRId64 "), }",
                        type_of(s, spectrum), s->n[0], s->n[1], fft_width(s, spectrum));
  while ((MAGIC + 2 + length + 1) % 64) text[length++] = ' ';
  text[length++] = '\n';
  const unsigned char head[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
  return fwrite(head, 1, sizeof head, out) == sizeof head &&
         fwrite(text, 1, (size_t)length, out) == (size_t)length;
}

hg_status fft_write(const char *path, const fft_shape *s, const void *values)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  const size_t bytes = fft_all_bytes(s, true);
  HG_TRY(hg_file_begin(path, temporary, &out));
  const bool good = print_header(out, s) && fwrite(values, 1, bytes, out) == bytes;
  return hg_file_end(out, temporary, path,
                     good ? HG_OK : hg_fail(HG_IO, "%s: could not be written", path));
}
