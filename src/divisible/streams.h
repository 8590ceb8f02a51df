/* SPDX-License-Identifier: MIT */
/* Streams: the portions in which a device with its own memory takes its share of a divisible job, so that transfers
 * are hidden behind kernels. Each stream is copied in, computed and copied out. This is simulated with what is known
 * about bus and kernel, and the best of several ways of splitting is taken. After the slides of Sousa and Ilic,
 * "Cooperative Execution on Heterogeneous Multi-core Systems" (2010): DIV2, and the streaming strategy. */
#ifndef HG_DIVISIBLE_STREAMS_H
#define HG_DIVISIBLE_STREAMS_H

#include <stdint.h>

#include "base/status.h"
#include "network/network.h"
#include "speed/partial.h"

enum { HG_STREAMS_MAX = 256 }; /**< most streams of a share; the remaining items then join the last */

/** A device's properties. Speeds are linear between the points, constant outside. */
typedef struct hg_stream_device {
  hg_partial_speed in, out;   /**< bytes/s over bytes: to the device and back */
  hg_partial_speed kernel;    /**< items/s over items */
  double bytes_in, bytes_out; /**< of an item, >= 0 */
  double start;               /**< s before a stream's copy in, >= 0: for its task and its memory on the device */
  int copy_engines;           /**< 1: copies in both directions wait for each other; 2 */
  int buffers;                /**< most streams in flight; 0: any number */
} hg_stream_device;

/** Times at which a stream was copied in, computed and copied back, s from the beginning. */
typedef struct hg_stream_times {
  double in, kernel, out;
} hg_stream_times;

/** A division of a share into streams. */
typedef struct hg_streams {
  int count;                    /**< 1..HG_STREAMS_MAX */
  int64_t size[HG_STREAMS_MAX]; /**< items, > 0 */
} hg_streams;

typedef enum hg_stream_strategy {
  HG_STREAMS_BEST, /**< the best known by simulation, never worse than unsplit */
  HG_STREAMS_DIV2,
  HG_STREAMS_FIXED, /**< a given number of equal ones */
  HG_STREAMS_UNSPLIT
} hg_stream_strategy;

/** Checks speeds, bytes, copy engines and buffers. HG_INVALID naming the value and its bound. */
hg_status hg_stream_device_check(const hg_stream_device *device);

/** Simulates three first-in-first-out stages: copies in, kernels, copies out. With one copy engine both kinds of copy
 * share it in the order I1 I2 O1 I3 O2 .. IS O(S-1) OS, and the first in line blocks it until it is ready (one buffer:
 * I1 O1 I2 ..). With B buffers, I_j begins when O_(j-B) has ended.
 * @param[out] times  [streams->count], or NULL
 * @return time at which the last stream is back, s. O(streams) */
double hg_streams_simulate(const hg_stream_device *device, const hg_streams *streams, hg_stream_times *times);

/** DIV2: repeatedly half of the rest, as long as at least n_min remain, then the rest. With 128 items and n_min 4: 64
 * 32 16 8 4 4.
 * @param n  > 0 @param n_min  > 0 */
void hg_streams_div2(int64_t n, int64_t n_min, hg_streams *out);

/** `count` streams as equal as possible; fewer if there are fewer items. */
void hg_streams_equal(int64_t n, int count, hg_streams *out);

/** The slides' streaming rule with a first stream of `first` items (0: half of all, rounded up). The next stream is
 * the largest whose copy in is hidden by the previous kernel (with one copy engine, minus the copy out of the stream
 * before that). Below n_min the rule restarts with half of the rest; a rest below n_min joins the last stream. */
void hg_streams_hide(const hg_stream_device *device, int64_t n, int64_t n_min, int64_t first, hg_streams *out);

/** The smallest of 1, 2, 4 .. items, at most `most`, with which each direction of the bus reaches the share theta of
 * its peak, or doubling the items gains less than eps (the slides: 60 %; 2 %). */
int64_t hg_streams_minimal(const hg_stream_device *device, double theta, double eps, int64_t most);

/** Divides n items. HG_STREAMS_BEST simulates first streams of many sizes, equal splits, DIV2 and the unsplit share,
 * then moves items between streams as long as that gains.
 * @param count      for HG_STREAMS_FIXED
 * @param[out] seconds  the simulated time, or NULL
 * Costs about as much as some thousand simulations of a few streams, however large n is.
 * HG_INVALID as hg_stream_device_check, or if n or n_min is < 1. */
hg_status hg_streams_divide(const hg_stream_device *device, hg_stream_strategy strategy, int64_t n, int64_t n_min,
                            int count, hg_streams *out, double *seconds);

/** Simulated times for shares of up to n items, each divided separately: the speed function of the device as a whole.
 * @param factor  measured over simulated time, > 0
 * Like hg_streams_divide with less effort. Costs about as much as one such call. */
hg_status hg_streams_curve(const hg_stream_device *device, hg_stream_strategy strategy, int64_t n, int64_t n_min,
                           int count, double factor, hg_partial_speed *out);
/** A GPU's bus as bytes/s over bytes of copies from main memory to it (`in`) or back, from the levels h2d and d2h; for
 * memory that is not pinned from h2d-pageable and d2h-pageable, if these were measured. Count 0: the file has no such
 * level. HG_INVALID: it contains a time of 0. */
hg_status hg_network_bus(const hg_network *network, bool in, bool pinned, hg_partial_speed *out);
#endif
