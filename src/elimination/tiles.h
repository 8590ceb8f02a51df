/* SPDX-License-Identifier: MIT */
/* The parts of an elimination graph: tiles, copies of other ranks' tiles, and the assembly of tasks. Internal to
 * elimination/. */
#ifndef HG_ELIMINATION_TILES_H
#define HG_ELIMINATION_TILES_H

#include <starpu.h>

#include "codelets/failure.h"
#include "codelets/lu/lu_codelet.h"
#include "elimination/problem.h"
#include "runtime/session.h"
#include "codelets/lu/permutation.h"

/* Number of steps whose copies of other ranks' tiles are kept at the same time. */
enum { COPY_SLOTS = 3 };

/* Most block columns that one task updates. Four gain no more than two. */
enum { HG_LU_AT_ONCE = 2 };

/* The contents of a message; part of its tag. */
enum { TAG_PANEL, TAG_GATHER, TAG_TOP, TAG_ROWS, TAG_PIVOTS, TAG_SUM, TAG_SOLVED, TAG_PROPOSAL, TAG_KINDS };

enum { PRIORITY_UPDATE, PRIORITY_NEXT, PRIORITY_PANEL };

/** The tiles of this rank in one block column, contiguous in memory. */
typedef struct hg_lu_column {
  int cols;     /**< width */
  int64_t col;  /**< first column, in A or in B */
  int64_t rows; /**< of this rank */
  int ld;
  char *memory;
  starpu_data_handle_t *tile; /**< [tiles], NULL where another rank's */
} hg_lu_column;

/** A step, for measuring what time is spent on. */
typedef struct hg_lu_step {
  struct hg_elimination *e;
  double arrived; /**< s, arrival of its last message so far */
} hg_lu_step;

/** A worker's time besides products, s, and when its last task ended. */
typedef struct hg_lu_spent {
  double pivoting, messages, end;
} hg_lu_spent;

typedef struct hg_elimination {
  const hg_session *session;
  hg_lu_problem problem;
  int64_t n, nrhs;
  int tiles;   /**< block rows */
  int columns; /**< block columns of A and then of B */
  size_t value_bytes;
  hg_lu_column *column; /**< [columns] */
  void *memory;
  size_t bytes;
  starpu_data_handle_t *pivots; /**< [tiles] vectors of nb + 1 (see hg_lu_panel_codelet) */
  int32_t *pivot;               /**< [tiles * (nb + 1)] */
  starpu_data_handle_t winners; /**< factors of the rows that won the last tournament, until stored in the tiles */
  /* copies of other ranks' tiles, made when first needed */
  void *copies; /* memory for the panels' copies */
  size_t copy_bytes;
  int copy_ld;
  starpu_data_handle_t *panel_copy; /**< [COPY_SLOTS * tiles] */
  starpu_data_handle_t *top_copy;   /**< [COPY_SLOTS * columns] */
  starpu_data_handle_t *sum;        /**< [tiles * columns of B] products for rows of B on other ranks */
  /* work space */
  int32_t *row;      /**< [n] row[i] = i */
  hg_row_move *move; /**< [2 nb] */
  int moves;
  bool *touched, *needs; /**< [tiles], [ranks] */
  struct starpu_data_descr *descr;
  int count;
  hg_lu_metadata metadata;
  bool watched;       /**< tasks and messages are timed */
  int step;           /**< of the tasks being submitted */
  int worker;         /**< of this rank, that runs all tasks; -1: any allowed one */
  int cores, gpus;    /**< allowed workers of this rank */
  hg_lu_step *steps;  /**< [tiles + 1] */
  hg_lu_spent *spent; /**< [session->workers] */
  hg_failure failure; /**< of its tasks */
} hg_elimination;

/** Creates tiles and pivots; copies are created later. */
hg_status hg_lu_build(hg_elimination *e);
void hg_lu_release(hg_elimination *e);

/** Rank of tile (i, j). */
static inline int hg_lu_owner(const hg_elimination *e, int i, int j)
{
  return hg_tile_owner(e->problem.map, i, j);
}

/** Whether this rank has tile (i, j). */
static inline bool hg_lu_is_local(const hg_elimination *e, int i, int j)
{
  return hg_lu_owner(e, i, j) == e->session->rank;
}

/** StarPU worker of this rank where tasks that update its tile (i, j) run, or -1: anywhere. */
static inline int hg_lu_affinity(const hg_elimination *e, int i, int j)
{
  return e->problem.homes ? hg_tile_owner(e->problem.homes, i, j) - e->session->first_worker : -1;
}

/** Rows of block row i; width of block column j. */
int hg_lu_rows(const hg_elimination *e, int i);

/** The rank that has all tiles (i, j), i >= k, or -1. */
int hg_lu_sole_owner(const hg_elimination *e, int k, int j);

/** Tile (i, k) of the panel, or this rank's copy of it. */
starpu_data_handle_t hg_lu_panel_tile(hg_elimination *e, int k, int i);

/** Tile (k, j), or this rank's copy of it. */
starpu_data_handle_t hg_lu_top_tile(hg_elimination *e, int k, int j);

/** The sum of products for tile (i, j) of B: the tile itself if this rank has it. */
starpu_data_handle_t hg_lu_sum_tile(hg_elimination *e, int i, int j);

/** Message tag; i < columns. */
int64_t hg_lu_tag(const hg_elimination *e, int kind, int k, int i);

/** Sends or receives a tile; nothing happens unless the caller is exactly one of sender and receiver. */
void hg_lu_send(const hg_elimination *e, starpu_data_handle_t tile, int to, int64_t tag);
void hg_lu_receive(const hg_elimination *e, starpu_data_handle_t tile, int from, int64_t tag);

/** Called when a task has ended, with its step, which StarPU frees; NULL if time is not measured. */
typedef void hg_lu_callback(void *step);
hg_lu_callback *hg_lu_task_ended(const hg_elimination *e);
hg_lu_step **hg_lu_step_here(const hg_elimination *e);
/** Called when a message of the step has arrived. */
hg_lu_callback hg_lu_message_arrived;

/** Begins the list of a task's buffers; adds a buffer; submits the task. `task` is copied, with its moves. */
void hg_lu_begin(hg_elimination *e);
void hg_lu_add(hg_elimination *e, starpu_data_handle_t handle, enum starpu_data_access_mode mode);
hg_status hg_lu_submit(hg_elimination *e, struct starpu_codelet *codelet, const hg_lu_task *task,
                       const hg_lu_move *move, int priority, double flops);

/** Submits a task on two buffers: `tile` RW, `other` R. */
hg_status hg_lu_submit_pair(hg_elimination *e, struct starpu_codelet *codelet, const hg_lu_task *task,
                            starpu_data_handle_t tile, starpu_data_handle_t other, int priority, double flops);

/** Tiles first .. end-1 of column j that this rank has -= panel k * tile (k, j), or += with `reverse`. */
hg_status hg_lu_submit_update(hg_elimination *e, int k, int j, int first, int end, bool reverse, int priority);

/** Parts that a column's update in step k is split into, so that all workers find work when few columns are left. */
int hg_lu_update_parts(const hg_elimination *e, int k);

/** The panel of step k. Parts on other ranks are sent to the rank of its diagonal tile. */
hg_status hg_lu_submit_panel(hg_elimination *e, int k);

/** Block columns from j on that one task updates in step k, if not split: BLAS copies the panel for each product. */
int hg_lu_columns_at_once(const hg_elimination *e, int k, int j, int parts);

/** Step k on this rank's part of `count` block columns from j on; counts the tiles touched. `count` > 1 only if
 * hg_lu_columns_at_once allows it. */
hg_status hg_lu_submit_columns(hg_elimination *e, int k, int j, int count, int parts);

/** Flops of such an update on this many rows. */
double hg_lu_update_flops(const hg_elimination *e, int k, int j, double rows);

/** Waits for all tasks and messages, and returns whether a task failed. Collective. */
hg_status hg_lu_wait(hg_elimination *e);

/** Reads the pivots of step k (waiting for its panel) into e->move and e->touched. */
void hg_lu_read_pivots(hg_elimination *e, int k);

/** Exchanges rows k .. of block column j according to e->move; bundles of rows travel between ranks. With `reverse`
 * the exchanges are undone instead. */
hg_status hg_lu_exchange(hg_elimination *e, int k, int j, bool reverse);

/** Submits a tournament for the pivots of panel k, and sends them to all ranks. */
hg_status hg_lu_submit_tournament(hg_elimination *e, int k);

/** After the pivots have been read: exchanges the panel's rows, factors it and sends it to the ranks that need it. */
hg_status hg_lu_finish_tournament(hg_elimination *e, int k);

/** Sends the pivots of step k to all ranks, from the rank of the diagonal tile. */
void hg_lu_broadcast_pivots(hg_elimination *e, int k);

/** Sends tile (i, k) of the panel from a rank to those that need it. */
void hg_lu_broadcast_panel_tile(hg_elimination *e, int k, int i, int from);

/** Sends the panel's tiles to the ranks that need them: from the rank that has just factored it, together with its
 * pivots, or later from the tiles' owners. */
void hg_lu_broadcast_panel(hg_elimination *e, int k, bool from_owners);

/** Sends tile (k, j) to the ranks that have tiles below it. */
void hg_lu_broadcast_top(hg_elimination *e, int k, int j);
#endif
