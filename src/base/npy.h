/* SPDX-License-Identifier: MIT */
/* Headers of NumPy's .npy files, format 1.0-3.0 (numpy.lib.format). */
#ifndef HG_BASE_NPY_H
#define HG_BASE_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { HG_NPY_HEAD_MAX = 256 }; /**< bytes of a header that is written */

typedef struct hg_npy_header {
  char type[48];    /**< as Python writes it: '<f8' with its quotes; cut if longer */
  bool fortran;     /**< the first axis is the fastest */
  int dims;         /**< 1..3 */
  int64_t shape[3]; /**< extents >= 1 in the order of the file; 1 beyond dims */
  size_t begin;     /**< offset of the values in bytes */
} hg_npy_header;

/** Reads the header at the start of `bytes`. HG_FORMAT naming `place` and what is wrong. */
hg_status hg_npy_header_parse(const uint8_t *bytes, size_t size, const char *place, hg_npy_header *out);

/** Writes a header of format 1.0 for values in C order. @param type  kind and size of a value in this machine's byte
 * order: "f8", "c16" @param shape  [dims] the slowest axis first. Returns its size, a multiple of 64. */
size_t hg_npy_header_write(const char *type, int dims, const int64_t *shape, uint8_t out[HG_NPY_HEAD_MAX]);
#endif
