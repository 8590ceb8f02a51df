/* SPDX-License-Identifier: MIT */
/* Does something every so many seconds beside what the program does. Internal to energy/. */
#ifndef HG_ENERGY_TICKER_H
#define HG_ENERGY_TICKER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct hg_ticker {
  pthread_t thread;
  pthread_mutex_t lock; /**< held while `tick` runs */
  pthread_cond_t wake;
  double period; /**< s */
  void (*tick)(void *arg);
  void *arg;
  bool running, stop;
} hg_ticker;

/** Calls tick(arg) every `period` seconds, first after one, in a thread of its own. HG_RUNTIME */
hg_status hg_ticker_start(hg_ticker *ticker, double period, void (*tick)(void *arg), void *arg);

/** No call of `tick` runs or follows afterwards. May be called of a ticker that is all 0, or has
 * stopped. */
void hg_ticker_stop(hg_ticker *ticker);
#endif
