/* SPDX-License-Identifier: MIT */
/* State of asynchronous iterations, created in blocks_make.c and run in blocks_run.c. Internal to these. */
#ifndef HG_ASYNC_BLOCKS_RUN_H
#define HG_ASYNC_BLOCKS_RUN_H

#include <pthread.h>

#include "async/blocks.h"

enum { HG_ASYNC_NOTES = 8 }; /* most unread notes of a block */

/* What a task reports to the submitting thread. */
typedef enum hg_happening { HG_SWEPT, HG_FROZE, HG_MEASURED } hg_happening;

typedef struct hg_note {
  hg_happening what;
  int block;
  bool measured, all_updated;
  double residual;
  int64_t version;
  uint64_t balance;
} hg_note;

/* Child ranks, and the parent. */
typedef struct hg_relative {
  int rank;
  hg_link *reports, *orders;
} hg_relative;

struct hg_async {
  const hg_session *session;
  const hg_async_work *work;
  void *self;
  hg_mailbox *box;
  hg_detect *detect;
  int blocks, children;
  hg_async_block *block;
  hg_relative above, below[2];
  hg_detect_report sent;
  hg_detect_order passed[2];
  const hg_async_options *options;
  hg_detection how;
  double small; /* residual below which a block has converged */
  int64_t swept;
  pthread_mutex_t lock; /* of the notes */
  int notes;
  hg_note *note, *read; /* [HG_ASYNC_NOTES * blocks] being written, being read */
  struct starpu_data_descr *descr;
};
#endif
