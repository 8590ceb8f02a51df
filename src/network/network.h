/* SPDX-License-Identifier: MIT */
/* What a message costs between two kinds of end points, as it was measured: the file, and the time
 * of one message. What follows for streams and broadcasts: predict.h. Whole times predict;
 * the parameters of LogGP, which are there too, only explain, since overheads overlap with the
 * wire. */
#ifndef HG_NETWORK_NETWORK_H
#define HG_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/file.h"
#include "base/status.h"

#define HG_NETWORK_SCHEMA 1
#define HG_NETWORK_UNSTABLE .1 /* passes that differ by more make a point unstable */

enum { HG_NETWORK_NAME = 32, HG_NETWORK_TEXT = 128 };

/** A measured size. */
typedef struct hg_network_point {
  double bytes;     /**< >= 0 */
  double seconds;   /**< s, > 0: half a round trip, the median of the passes' medians */
  double low, high; /**< s: from the least first quartile of a pass to the largest third */
  double pass_gap;  /**< (largest - least median of a pass) / seconds */
  int samples;      /**< of all passes */
  int outliers;     /**< of them, further from the median than 5 median absolute deviations */
} hg_network_point;

/** A straight piece of a table: T(k) = latency + k per_byte from `from` bytes on. */
typedef struct hg_network_segment {
  double from, latency, per_byte; /**< bytes, s, s/byte; all >= 0 */
} hg_network_segment;

/** The time of a message while `pairs` pairs of the level exchange such messages at once. */
typedef struct hg_network_load {
  int pairs;
  double bytes, seconds;
} hg_network_load;

/** Parametrised round trips: PRTT(n, d, s) is the time until the answer to n messages of s bytes, d
 * apart, is there (Hoefler, Lichei, Rehm: Low-overhead LogGP parameter assessment, IPDPS 2007). */
typedef struct hg_network_train {
  double bytes, one, many, delayed, delay; /**< s: PRTT(1, 0, s), PRTT(n, 0, s), PRTT(n, d, s), d */
} hg_network_train;

/** A pair of kinds of end points, and where they are. */
typedef struct hg_network_level {
  char name[HG_NETWORK_NAME];                      /**< numa, node, network, h2d, d2h, d2d and their variants */
  char from[HG_NETWORK_NAME], to[HG_NETWORK_NAME]; /**< cpu or gpu */
  int pairs;                                       /**< pairs that were sampled, >= 1 */
  int points, segments, loads, trains;
  hg_network_point *point;     /**< [points], bytes rising, >= 1 of them */
  hg_network_segment *segment; /**< [segments], from rising */
  hg_network_load *load;       /**< [loads] */
  int train_length;            /**< n of the trains, >= 2, or 0 without */
  hg_network_train *train;     /**< [trains], bytes rising */
} hg_network_level;

typedef struct hg_network {
  char path[HG_PATH_MAX]; /**< where it was read from */
  char host[HG_NETWORK_TEXT], date[HG_NETWORK_NAME], mpi[HG_NETWORK_TEXT], transport[HG_NETWORK_TEXT],
      binding[HG_NETWORK_TEXT];
  double other_load;   /**< share of the processors that others used meanwhile, 0..1 */
  bool oversubscribed; /**< there were more ranks than cores */
  double gpu_start;    /**< s to start a GPU, paid once per process; NAN: unknown */
  int levels;
  hg_network_level *level;
} hg_network;

/** T(k) in s: linear between the points, the first value below them, beyond the last along the line
 * from half its size to it; never below 0. @param bytes  >= 0 */
double hg_network_time(const hg_network_level *level, double bytes);

/** bytes/s of a message of that size, in its time beyond that of one without bytes, which is taken to be a thousandth
 * of the whole at least. Within 1..1e15. @param bytes  > 0 */
double hg_network_bandwidth(const hg_network_level *level, double bytes);

/** The interval that T(k) was seen in. */
void hg_network_interval(const hg_network_level *level, double bytes, double *low, double *high);

/** Whether T(k) is extrapolated. */
bool hg_network_beyond(const hg_network_level *level, double bytes);

/** How far apart the starts of messages to the same receiver are at least, in s: max(g, o_s) +
 * (k-1) G of LogGP, from the trains; T(k) where there are none. Never more than T(k). */
double hg_network_gap(const hg_network_level *level, double bytes);

/** How long a sender is busy with a message, in s, after which it may send to another receiver: o_s
 * of LogGP, from the trains; T(k) where there are none. Never more than T(k). */
double hg_network_overhead(const hg_network_level *level, double bytes);

/** How long a link is busy with a message's bytes, in s: at the rate at which T rises around that size, at least as
 * long as at the rate of the largest messages, and never more than T(k). */
double hg_network_wire(const hg_network_level *level, double bytes);

/** How long the link that the ranks of a node share is busy with a message, in s: what one more pair at once adds to
 * its time, linear between the sizes of the measured loads; never more than hg_network_wire, 0 where no pairs were
 * measured at once. */
double hg_network_link(const hg_network_level *level, double bytes);

/** The level of that name, or NULL. */
const hg_network_level *hg_network_level_find(const hg_network *network, const char *name);

/** The level by which messages between nodes (or between ranks of one node) travel, as far as the
 * file tells: network, node, numa (node, numa, network) whichever is there first; NULL if none is.
 */
const hg_network_level *hg_network_between(const hg_network *network, bool nodes);

/** Parses a file: JSON of schema 1, known keys only, each once. HG_FORMAT and HG_INVALID name
 * place, level, field, value and bound. Free with hg_network_free. */
hg_status hg_network_parse(const char *text, size_t size, const char *place, hg_network *out);
hg_status hg_network_read(const char *path, hg_network *out);

/** Prints as JSON what reads back the same; HG_IO. */
hg_status hg_network_print(FILE *out, const hg_network *network);
/** Writes it, whole or not at all; makes its folder. HG_IO. */
hg_status hg_network_write(const char *path, const hg_network *network);

/** Rows level,from,to,bytes,seconds,low,high,samples,pass_gap,status (ok or unstable). */
void hg_network_print_csv(FILE *out, const hg_network *network);

void hg_network_free(hg_network *network);

/** The file's place: FOLDER/network-HOST-MPI-TRANSPORT.json in the folder of speed tables.
 * HG_INVALID. */
hg_status hg_network_path(const char *host, const char *mpi, const char *transport, char path[HG_PATH_MAX]);

/** Of a host's files there, whatever MPI and transport they are of, the only one. HG_IO if there is none, HG_INVALID
 * naming them if there are several; what hg_network_read returns. */
hg_status hg_network_find(const char *host, char path[HG_PATH_MAX]);

/** For the readers: the file named by `option` (NULL: none), else by HETGRID_NETWORK, read and said
 * to be used; warns if it is of another host or of more ranks than cores. @param[out] given whether
 * there is one. What hg_network_read returns. */
hg_status hg_network_open(const char *option, hg_network *out, bool *given);
#endif
