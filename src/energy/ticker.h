/* SPDX-License-Identifier: MIT */
/* Calls a function periodically while the program runs. Internal to energy/. */
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

/** Calls tick(arg) every `period` seconds, the first time after one period, in its own thread. HG_RUNTIME */
hg_status hg_ticker_start(hg_ticker *ticker, double period, void (*tick)(void *arg), void *arg);

/** On return no call of `tick` runs or will follow. May be called for a ticker that is all 0 or already stopped. */
void hg_ticker_stop(hg_ticker *ticker);
#endif
