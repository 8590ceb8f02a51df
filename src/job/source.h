/* SPDX-License-Identifier: MIT */
/* Where initial values come from: fields, lines of text, or a checkpoint, and the layout of values in one. Internal to
 * job/. */
#ifndef HG_JOB_SOURCE_H
#define HG_JOB_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "input/cells.h"
#include "input/grid.h"
#include "job/job.h"
#include "result/checkpoint.h"

typedef struct hg_source {
  hg_grid_input *field; /**< numbers, or NULL */
  char *text, **line;   /**< lines of text, or NULL */
  int64_t lines;
  size_t bytes;     /**< of the text */
  hg_stored stored; /**< values of a checkpoint, in the order of identifiers */
  int64_t *offset;  /**< [units + 1] bytes before each of them, or NULL: all have the same size */
} hg_source;

#define HG_INPUT_UNNAMED "input.in" /**< input of a job that names none and has no init */

/** Opens a job's input: a field (a name or file ending that hg_grid_open knows), a text file, or a folder, whose files
 * are read in the order of their names. Lines may end with CR LF. HG_IO, HG_MEMORY, and what hg_grid_open returns.
 * @param masks  cells may have no data (hg_job_open_field) */
hg_status hg_source_open(const hg_job *job, bool masks, hg_source *out);
void hg_source_close(hg_source *source);

/** Opens the field that is a job's input (`initial`) or its source. Cells without data, which `masks` allows, are read
 * as the number that the input names for them, or as 0 from the source. HG_INVALID, HG_IO, HG_FORMAT, HG_MEMORY */
hg_status hg_job_open_field(const hg_job *job, bool masks, bool initial, hg_grid_input **out);

/** Bytes before a unit's value in a checkpoint; `size`: of a value, if all have the same. */
static inline int64_t hg_source_offset(const hg_source *source, int64_t id, int64_t size)
{
  return source->offset ? source->offset[id] : id * size;
}

/** Dimensions and extents of the input: dims is 0 for formulas, 1 for text. */
void hg_source_shape(const hg_source *source, int *dims, int64_t n[3]);
#endif
