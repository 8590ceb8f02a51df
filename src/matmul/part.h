/* SPDX-License-Identifier: MIT */
/* A rank's part of a product: its rectangle of C, and the rows of A and columns of B that it needs, by panels. All are
 * stored by columns. Rows of A, columns of B and both of C are padded to whole blocks with zeros. */
#ifndef HG_MATMUL_PART_H
#define HG_MATMUL_PART_H

#include <stddef.h>

#include "base/box.h"
#include "codelets/failure.h"
#include "runtime/pinned.h"
#include "runtime/session.h"
#include "matmul/problem.h"

/** A worker's piece of C. */
typedef struct hg_matmul_piece {
  hg_box box;
  void *handle;  /**< StarPU's; NULL: none */
  void *leaving; /**< of the worker's previous piece, which is copied to main memory; NULL: none */
} hg_matmul_piece;

typedef struct hg_matmul_part {
  const hg_session *session;
  const hg_matmul_problem *problem;
  hg_box box; /**< of C; axis 0: columns, 1: rows */
  int panels; /**< number held: all, or one for measurements */
  size_t value_bytes;
  int lda, ldc; /**< of a panel of A, and of C; columns of a panel of B are contiguous */
  void *a, *b, *c;
  size_t bytes[3];        /**< of a, b, c */
  hg_pinned memory[3];    /**< where they are stored */
  hg_matmul_piece *piece; /**< [workers] pieces of C that are not only in main memory; NULL: none */
  hg_failure failure;     /**< of its tasks */
} hg_matmul_part;

/** Makes room for a rectangle and some panels, reusing the part's memory as far as possible; values are undefined.
 * HG_MEMORY, before anything is allocated, naming what is needed. Free with hg_matmul_part_free.
 * @param[in,out] part  initially all 0
 * @param[out] grown    whether memory was allocated; or NULL */
hg_status hg_matmul_part_make(const hg_session *session, const hg_matmul_problem *problem, const hg_box *box,
                              int panels, hg_matmul_part *part, bool *grown);
void hg_matmul_part_free(hg_matmul_part *part);

/** First value of a panel of A at a row of C, and of a panel of B at a column of C. */
void *hg_matmul_part_a(const hg_matmul_part *part, int panel, int64_t row);
void *hg_matmul_part_b(const hg_matmul_part *part, int panel, int64_t col);
/** C at a row and a column. */
void *hg_matmul_part_c(const hg_matmul_part *part, int64_t row, int64_t col);

/** A StarPU handle of rows x cols of the part's values. */
void *hg_matmul_register(const hg_matmul_part *part, void *values, int64_t ld, int64_t rows, int64_t cols);

/** Tasks of a worker submitted beyond the running one, whose panels arrive meanwhile. */
enum { HG_MATMUL_AHEAD = 4 };

/** Strips of columns into which a worker's part of C has to be cut so that its memory holds one, while the one before
 * is copied back, the panels of the tasks submitted ahead, and the chunk from which StarPU allocates small data.
 * @param room  bytes, hg_use_gpu_room
 * @return 1: all fits, or the room is unknown; 0: nothing does */
int hg_matmul_strips_in(const hg_matmul_problem *problem, int64_t rows, int64_t cols, double room);

/** Strips that this rank's workers need. @param box  [workers]. HG_MEMORY, if a GPU has no room for any. */
hg_status hg_matmul_strips(const hg_session *session, const hg_matmul_problem *problem, const hg_box *box, int *strips);

/** The columns of one strip. */
hg_box hg_matmul_strip(const hg_box *box, int strip, int strips);

/** Divides C among this rank's workers. A worker's piece stays in its memory unless its box has changed.
 * @param box  [workers] within the part's. HG_MEMORY. */
hg_status hg_matmul_part_hold(hg_matmul_part *part, const hg_box *box);

/** Begins to copy all pieces to main memory, and waits for those with which it began in an earlier call. */
void hg_matmul_part_retire(hg_matmul_part *part);

/** Brings all of C to main memory. */
void hg_matmul_part_collect(hg_matmul_part *part);

/** Reads the parts of A and B that this rank owns, using all workers. @param rank  [ranks] rectangles of all ranks
 * Not collective. HG_FORMAT, HG_IO, HG_MEMORY. */
hg_status hg_matmul_part_load(hg_matmul_part *part, const hg_box *rank);
#endif
