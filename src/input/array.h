/* SPDX-License-Identifier: MIT */
/* Arrays of numbers as stored in files: any integer or real type, either byte order, any strides. */
#ifndef HG_INPUT_ARRAY_H
#define HG_INPUT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct hg_georeference; /* input/georeference.h */

/** View of an array in memory. Axis 0 is x. */
typedef struct hg_array {
  int dims;            /**< 1..3 */
  int64_t n[3];        /**< extents, 1 beyond dims */
  int64_t stride[3];   /**< bytes between neighbours along each axis */
  char kind;           /**< 'i' signed, 'u' unsigned, 'f' real */
  int size;            /**< bytes per value: 1, 2, 4, 8 */
  bool swap;           /**< bytes are in the opposite order */
  bool has_missing;    /**< cells may have no data; they are marked by */
  double missing;      /**< this value */
  const uint8_t *data; /**< first value */
  void *owned;         /**< memory to free(), or NULL */
  void *mapped;        /**< memory to munmap(), or NULL */
  size_t mapped_bytes;
} hg_array;

/** Value at a position inside the array, as a double. */
double hg_array_get(const hg_array *a, const int64_t at[3]);

/** `count` values along x from a position on, as doubles. HG_FORMAT naming `place` and position for an integer that a
 * double cannot hold (possible beyond 2^53). */
hg_status hg_array_read(const hg_array *a, const int64_t first[3], int64_t count, const char *place, double *out);

/** Converts one 64-bit integer, which is at that position. */
hg_status hg_integer_read(uint64_t bits, bool is_signed, const char *place, const int64_t at[3], double *out);

/** A number rounded to the array's type. */
double hg_array_round(const hg_array *a, double number);

/** Releases what the array owns. */
void hg_array_free(hg_array *a);

/** Parses NumPy's format 1.0-3.0 in memory (numpy.lib.format): 1-3 dimensions, C or Fortran order, bool, integers of
 * 1-8 bytes, float16/32/64. The view points into `bytes`. HG_FORMAT naming `place` for anything else. */
hg_status hg_npy_parse(const uint8_t *bytes, size_t size, const char *place, hg_array *out);

/** Maps a .npy file. */
hg_status hg_npy_open(const char *path, hg_array *out);

/** Reads one member (without its .npy ending; NULL: the only one) of a .npz archive. */
hg_status hg_npz_open(const char *path, const char *member, hg_array *out);

/** Whether an archive holds a sparse matrix of SciPy (scipy.sparse.save_npz). */
bool hg_npz_is_sparse(const char *path);

/** Reads a member that is one word of bytes, such as SciPy's format of a sparse matrix. HG_FORMAT. */
hg_status hg_npz_word(const char *path, const char *member, char *word, size_t room);

/** Grey levels of a PNG: 0..255, or 0..65535 if it has 16 bits; colour is converted by luminance. */
hg_status hg_png_open(const char *path, hg_array *out);

/** Parses finite decimal numbers: a row per line, equally many in each, separated by commas, semicolons or blanks
 * (only one kind); `#` starts a comment. One row makes a 1-D array. The text need not end with a NUL. HG_FORMAT naming
 * line and column. */
hg_status hg_csv_parse(const char *text, size_t size, const char *place, hg_array *out);
hg_status hg_csv_open(const char *path, hg_array *out);

/** The same for a field: layers of several rows, equally many in each, are separated by empty lines and make a 3-D
 * array. HG_FORMAT naming the line where a layer has a different number of rows. */
hg_status hg_csv_parse_layers(const char *text, size_t size, const char *place, hg_array *out);
hg_status hg_csv_open_layers(const char *path, hg_array *out);

/** The same after the header of an ESRI ASCII grid: ncols, nrows, position, and the number for no data. */
hg_status hg_asc_parse(const char *text, size_t size, const char *place, hg_array *out, struct hg_georeference **where);
/** @param[out] where  location of its cells. Free with hg_georeference_free. */
hg_status hg_asc_open(const char *path, hg_array *out, struct hg_georeference **where);
#endif
