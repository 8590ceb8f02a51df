/* SPDX-License-Identifier: MIT */
/* Measured costs of messages between two kinds of end points: the file, and the time of one message. For streams and
 * broadcasts see predict.h. Predictions use whole times; the parameters of LogGP are only explanatory, since overheads
 * overlap with the wire. */
#ifndef HG_NETWORK_NETWORK_H
#define HG_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/file.h"
#include "base/status.h"

#define HG_NETWORK_SCHEMA 1
#define HG_NETWORK_UNSTABLE .1 /* a point is unstable if its passes differ by more */

enum { HG_NETWORK_NAME = 32, HG_NETWORK_TEXT = 128 };

/** A measured size. */
typedef struct hg_network_point {
  double bytes;     /**< >= 0 */
  double seconds;   /**< s, > 0: half a round trip, the median of the passes' medians */
  double low, high; /**< s: smallest first and largest third quartile of a pass */
  double pass_gap;  /**< (largest - smallest median of the passes) / seconds */
  int samples;      /**< samples of all passes */
  int outliers;     /**< samples further from the median than 5 median absolute deviations */
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

/** Parametrised round trips: PRTT(n, d, s) is the time until the answer to n messages of s bytes, sent d apart,
 * arrives (Hoefler, Lichei, Rehm: Low-overhead LogGP parameter assessment, IPDPS 2007). */
typedef struct hg_network_train {
  double bytes, one, many, delayed, delay; /**< s: PRTT(1, 0, s), PRTT(n, 0, s), PRTT(n, d, s), d */
} hg_network_train;

/** A level: a pair of kinds of end points and their locations. */
typedef struct hg_network_level {
  char name[HG_NETWORK_NAME];                      /**< numa, node, network, h2d, d2h, d2d and their variants */
  char from[HG_NETWORK_NAME], to[HG_NETWORK_NAME]; /**< cpu or gpu */
  int pairs;                                       /**< number of sampled pairs, >= 1 */
  int points, segments, loads, trains;
  hg_network_point *point;     /**< [points], bytes rising, >= 1 of them */
  hg_network_segment *segment; /**< [segments], from rising */
  hg_network_load *load;       /**< [loads] */
  int train_length;            /**< n of the trains, >= 2, or 0 without */
  hg_network_train *train;     /**< [trains], bytes rising */
} hg_network_level;

typedef struct hg_network {
  char path[HG_PATH_MAX]; /**< file it was read from */
  char host[HG_NETWORK_TEXT], date[HG_NETWORK_NAME], mpi[HG_NETWORK_TEXT], transport[HG_NETWORK_TEXT],
      binding[HG_NETWORK_TEXT];
  double other_load;   /**< share of the processors that other programs used meanwhile, 0..1 */
  bool oversubscribed; /**< measured with more ranks than cores */
  double gpu_start;    /**< s to start a GPU, paid once per process; NAN: unknown */
  int levels;
  hg_network_level *level;
} hg_network;

/** T(k) in s: linear between the points; the first value below them; beyond the last point, the line to it from half
 * its size, but at least the last value. @param bytes  >= 0 */
double hg_network_time(const hg_network_level *level, double bytes);

/** bytes/s of a message of that size, by its time minus that of an empty one; this difference is taken as at least a
 * thousandth of the whole. Within 1..1e15. @param bytes  > 0 */
double hg_network_bandwidth(const hg_network_level *level, double bytes);

/** The interval of the measured T(k). */
void hg_network_interval(const hg_network_level *level, double bytes, double *low, double *high);

/** Whether T(k) is extrapolated. */
bool hg_network_beyond(const hg_network_level *level, double bytes);

/** Least time between the starts of messages to the same receiver, in s: max(g, o_s) + (k-1) G of LogGP, from the
 * trains; T(k) without trains. Never more than T(k). */
double hg_network_gap(const hg_network_level *level, double bytes);

/** Time that a message occupies its sender, in s, before it may send to another receiver: o_s of LogGP, from the
 * trains; T(k) without trains. Never more than T(k). */
double hg_network_overhead(const hg_network_level *level, double bytes);

/** Time that a message's bytes occupy a link, in s, by the slope of T around that size; at least that by the rate of
 * the largest messages, and never more than T(k). */
double hg_network_wire(const hg_network_level *level, double bytes);

/** Time that a message occupies the link shared by the ranks of a node, in s: the time that one more concurrent pair
 * adds, linear between the sizes of the measured loads; never more than hg_network_wire; 0 if no concurrent pairs were
 * measured. */
double hg_network_link(const hg_network_level *level, double bytes);

/** The level of that name, or NULL. */
const hg_network_level *hg_network_level_find(const hg_network *network, const char *name);

/** The level for messages between nodes (or between ranks of one node): the first that the file has of network, node,
 * numa (or of node, numa, network); NULL if none. */
const hg_network_level *hg_network_between(const hg_network *network, bool nodes);

/** Parses a file: JSON of schema 1, only known keys, each once. HG_FORMAT and HG_INVALID name place, level, field,
 * value and bound. Free with hg_network_free. */
hg_status hg_network_parse(const char *text, size_t size, const char *place, hg_network *out);
hg_status hg_network_read(const char *path, hg_network *out);

/** Prints it as JSON that reads back identically; HG_IO. */
hg_status hg_network_print(FILE *out, const hg_network *network);
/** Writes it, whole or not at all; creates its folder. HG_IO. */
hg_status hg_network_write(const char *path, const hg_network *network);

/** Rows level,from,to,bytes,seconds,low,high,samples,pass_gap,status (ok or unstable). */
void hg_network_print_csv(FILE *out, const hg_network *network);

void hg_network_free(hg_network *network);

/** The file's path: FOLDER/network-HOST-MPI-TRANSPORT.json in the folder of speed tables.
 * HG_INVALID. */
hg_status hg_network_path(const char *host, const char *mpi, const char *transport, char path[HG_PATH_MAX]);

/** Finds a host's only file there, for any MPI and transport. HG_IO if there is none, HG_INVALID naming them if there
 * are several; what hg_network_read returns. */
hg_status hg_network_find(const char *host, char path[HG_PATH_MAX]);

/** For programs that use a network: reads the file named by `option` (NULL: none), else by HETGRID_NETWORK, and logs
 * its use; warns if it is of another host or of more ranks than cores. @param[out] given  whether there is a file.
 * Returns what hg_network_read does. */
hg_status hg_network_open(const char *option, hg_network *out, bool *given);
#endif
