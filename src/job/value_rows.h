/* SPDX-License-Identifier: MIT */
/* A job's values row by row, as they are or as numbers. Internal to job/. */
#ifndef HG_JOB_VALUE_ROWS_H
#define HG_JOB_VALUE_ROWS_H

#include "base/parallel.h"
#include "job/run.h"

/** Gets the values of `count` units, the first of which is `id`. */
typedef void hg_row_user(void *arg, int64_t id, int64_t count, const char *values);

/** Lends the rows of a tile, in ascending order of units. */
void hg_run_each_row(const hg_run *run, const hg_tile_view *tile, hg_row_user *use, void *arg);

/** Rows first <= row < end of a tile, as hg_run_each_row; not for values that differ in size. */
void hg_run_some_rows(const hg_run *run, const hg_tile_view *tile, int64_t first, int64_t end, hg_row_user *use,
                      void *arg);

/** Calls `work` for parts of a tile's rows, with as many threads as pay for its size. */
void hg_run_parts(const hg_tile_view *tile, hg_part *work, void *arg);

/** A part of the grid: every stride-th cell of a box, from its first one. */
typedef struct hg_view {
  hg_box box;
  int64_t stride[3];
} hg_view;

/** The first of `count` numbers, of precision double or float, that is infinite or not a number; -1: none is. */
int64_t hg_first_nonfinite(bool is_float, const void *numbers, int64_t count);

/** HG_MISMATCH: `file` is not written, because of this unit. */
hg_status hg_run_nonfinite(const hg_run *run, int64_t id, int64_t step, const char *file);

/** Describes the field of the values as numbers, without its data. HG_INVALID if they are no numbers.
 * @param view  of these cells, or NULL: of all */
hg_status hg_run_describe(const hg_run *run, const hg_view *view, hg_field *out);

/** The same, followed by the job's other numbers, each of which is `also` of the field before it. */
hg_status hg_run_describe_all(const hg_run *run, const hg_view *view, hg_field out[1 + HG_NUMBERS_MAX]);

/** The number that marks cells without data, in the grid's precision; NaN: all cells have data. */
double hg_run_missing(const hg_run *run);

/** Writes the values of a view (NULL: all) to one file, in the format of its ending, without companion files.
 * Collective. */
hg_status hg_run_write_view(hg_run *run, const hg_view *view, const char *path);

/** Whether the field holds the values unconverted. */
bool hg_run_keeps(const hg_run *run, const hg_field *field);

/** The values of a row as numbers of the field's precision. @param[out] out  [count] */
void hg_run_numbers(const hg_run *run, const hg_field *field, int64_t id, int64_t count, const char *values, void *out);

/** Whether the update's type can hold a number: integers hold whole numbers, bool 0 and 1. */
bool hg_run_fits(const hg_update *update, double number);

/** Text for a message about a number that does not fit: `does not fit into .., must be ..`. @return text */
enum { HG_BOUND_MAX = 160 };
const char *hg_run_bound(const hg_update *update, char text[HG_BOUND_MAX]);

/** Writes a number that fits as a value of the update's type. */
void hg_run_store(const hg_update *update, double number, void *value);

/** Sends all tiles to rank 0, one after the other. Collective. */
hg_status hg_run_send_tiles(hg_run *run, hg_tile_sink *take, void *arg);
#endif
