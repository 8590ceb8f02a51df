/* SPDX-License-Identifier: MIT */
/* Speed of a processor as a function of work and communication: S(w, c) = w / T(w, c), T the time of one step for w
 * cells with c items exchanged (thesis 4.1, 4.3). */
#ifndef HG_SPEED_SPEED_H
#define HG_SPEED_SPEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "speed/partial.h"

typedef enum hg_speed_kind {
  HG_SPEED_SATURATING, /**< T = t0 + w / smax + tc c for w > 0: a GPU with its launch overhead */
  HG_SPEED_CLIFF,  /**< T = t0 + w / (smax (r + (1-r) / (1 + (w/mem)^k))) + tc c: the share r of its speed beyond mem */
  HG_SPEED_TABLE,  /**< measured points, linear in time */
  HG_SPEED_PARTIAL /**< points learnt during the run, linear in speed */
} hg_speed_kind;

/** Measured times: linear between the points, in w and in c, proportional below the first w; beyond the last along the
 * line from the last point at or below half its w, but a cell there costs no less than the average up to there
 * (without exchange). */
/** Format in a table file's head for the error of lines between points and the required error; for printf and
 * scanf. */
#define HG_TABLE_ERROR "error of lines between the points at most"
#define HG_TABLE_ERRORS "%lg, wanted %lg"

typedef struct hg_speed_table {
  int nw, nc;                  /**< points, >= 1 each */
  double *w;                   /**< [nw] cells, > 0, rising */
  double *c;                   /**< [nc] items, >= 0, rising */
  double *time;                /**< [nw][nc] s, > 0 */
  char app[32], precision[16]; /**< from the file's head, or "" */
  double error, wanted;        /**< reached and required error of lines between points, from the head, or 0 */
} hg_speed_table;

typedef struct hg_speed_model {
  hg_speed_kind kind;
  double smax; /**< cells/s, > 0 */
  double t0;   /**< s, >= 0 */
  double tc;   /**< s per item, >= 0 */
  double mem;  /**< cells, > 0 */
  double r, k; /**< r in 0..1, k > 0 */
  hg_speed_table table;
  const hg_partial_speed *partial;     /**< owned by the learner */
  const struct hg_network_level *link; /**< measured messages (network/network.h): c costs 2 T(c item_bytes) s, out and
                                          in, in place of tc or the table; or NULL */
  double item_bytes;                   /**< bytes of an exchanged item */
  double wait;                         /**< additional s, independent of work */
  bool apart;   /**< exchange is counted elsewhere: items cost only the cells computed again for them */
  double again; /**< cells computed again per exchanged item: (k - 1) / 2 in blocks of k steps */
} hg_speed_model;

/** T(w, c) in s, including `wait`; 0 for w <= 0. */
double hg_speed_time(const hg_speed_model *model, double w, double c);

/** The same without the exchange of items: the computing time. */
double hg_speed_compute_time(const hg_speed_model *model, double w, double c);

/** Makes an empty table of nw x nc points. HG_MEMORY. Free with hg_speed_table_free. */
hg_status hg_speed_table_make(int nw, int nc, hg_speed_table *out);
void hg_speed_table_free(hg_speed_table *table);

/** Makes a model with all times multiplied by `factor`, with its own table (hg_speed_table_free). HG_MEMORY. */
hg_status hg_speed_scale(const hg_speed_model *model, double factor, hg_speed_model *out);

/** Checks sizes, order and signs; times must not fall with w or c. HG_INVALID naming `place` and the point. */
hg_status hg_speed_table_check(const hg_speed_table *table, const char *place);

/** A table's times without exchange, as a partial speed function that measured times can refine. @param[out] item  s
 * per exchanged item at the largest work; 0 if the table has only one c */
void hg_speed_table_partial(const hg_speed_table *table, hg_partial_speed *out, double *item);

/** Learns the points of a speed table with one c, if the file exists. HG_INVALID, HG_FORMAT, HG_IO, HG_MEMORY. */
hg_status hg_partial_read(const char *path, hg_partial_speed *learnt);

/** Writes what was learnt as a speed table with this head; does nothing if nothing is known. HG_IO, HG_MEMORY. */
hg_status hg_partial_write(const char *path, const char *head, const hg_partial_speed *learnt);

/** Parses a speed table: CSV of three columns w,c,time (cells, items, s), one point per line, `#` starts a comment;
 * the points must fill a mesh. If its head says `# points N`, it must have N values of w and a complete last line. The
 * text need not end with a NUL. HG_FORMAT, HG_INVALID naming place and line. */
hg_status hg_speed_table_parse(const char *text, size_t size, const char *place, hg_speed_table *out);
hg_status hg_speed_table_read(const char *path, hg_speed_table *out);

/** Writes a table with a commented head (lines of `head`, without #). Temporary file, then renamed. HG_IO. */
hg_status hg_speed_table_write(const char *path, const char *head, const hg_speed_table *table);

/** Reads a list of tables `FILE[*N][,FILE..]`, N equal processors for each file. `what` names it in errors.
 * @param[out] model  malloc'ed [count]; free with hg_speed_models_free */
hg_status hg_speed_models_read(const char *list, const char *what, hg_speed_model **model, int *count);
void hg_speed_models_free(hg_speed_model *model, int count);
#endif
