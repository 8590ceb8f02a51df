/* SPDX-License-Identifier: MIT */
/* The parts of an elimination graph: tiles, copies of other ranks' tiles, and how tasks are put together. Internal to
 * elimination/. */
#ifndef HG_ELIMINATION_TILES_H
#define HG_ELIMINATION_TILES_H

#include <starpu.h>

#include "codelets/failure.h"
#include "codelets/lu/lu_codelet.h"
#include "elimination/problem.h"
#include "runtime/session.h"
#include "codelets/lu/permutation.h"

/* Steps whose copies of other ranks' tiles are kept at a time. */
enum { COPY_SLOTS = 3 };

/* Block columns that one task updates at most. Four gain no more than two. */
enum { HG_LU_AT_ONCE = 2 };

/* What a message holds; part of its tag. */
enum { TAG_PANEL, TAG_GATHER, TAG_TOP, TAG_ROWS, TAG_PIVOTS, TAG_SUM, TAG_SOLVED, TAG_PROPOSAL, TAG_KINDS };

enum { PRIORITY_UPDATE, PRIORITY_NEXT, PRIORITY_PANEL };

/** The tiles of this rank in one block column, one below the other in memory. */
typedef struct hg_lu_column {
  int cols;     /**< width */
  int64_t col;  /**< first column, in A or in B */
  int64_t rows; /**< of this rank */
  int ld;
  char *memory;
  starpu_data_handle_t *tile; /**< [tiles], NULL where another rank's */
} hg_lu_column;

/** A step, for those who ask where time goes. */
typedef struct hg_lu_step {
  struct hg_elimination *e;
  double arrived; /**< s, its last message so far */
} hg_lu_step;

/** What a worker spent besides products, s, and when its last task ended. */
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
  starpu_data_handle_t winners; /**< factors of the rows that won the last tournament, until they are put in place */
  /* copies of other ranks' tiles, made when first needed */
  void *copies; /* memory of the panels' */
  size_t copy_bytes;
  int copy_ld;
  starpu_data_handle_t *panel_copy; /**< [COPY_SLOTS * tiles] */
  starpu_data_handle_t *top_copy;   /**< [COPY_SLOTS * columns] */
  starpu_data_handle_t *sum;        /**< [tiles * columns of B] products for rows of B that another rank has */
  /* work space */
  int32_t *row;      /**< [n] row[i] = i */
  hg_row_move *move; /**< [2 nb] */
  int moves;
  bool *touched, *needs; /**< [tiles], [ranks] */
  struct starpu_data_descr *descr;
  int count;
  hg_lu_metadata metadata;
  bool watched;       /**< tasks and messages are timed */
  int step;           /**< of the tasks that are submitted */
  int worker;         /**< of this rank, that does all tasks; -1: who may */
  int cores, gpus;    /**< workers of this rank that may */
  hg_lu_step *steps;  /**< [tiles + 1] */
  hg_lu_spent *spent; /**< [session->workers] */
  hg_failure failure; /**< of its tasks */
} hg_elimination;

/** Makes tiles and pivots; copies are made later. */
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

/** Rank that has all tiles (i, j), i >= k, or -1. */
int hg_lu_sole_owner(const hg_elimination *e, int k, int j);

/** Tile (i, k) of the panel, or this rank's copy of it. */
starpu_data_handle_t hg_lu_panel_tile(hg_elimination *e, int k, int i);

/** Tile (k, j), or this rank's copy of it. */
starpu_data_handle_t hg_lu_top_tile(hg_elimination *e, int k, int j);

/** Products for tile (i, j) of B: the tile itself where this rank has it. */
starpu_data_handle_t hg_lu_sum_tile(hg_elimination *e, int i, int j);

/** Message tag; i < columns. */
int64_t hg_lu_tag(const hg_elimination *e, int kind, int k, int i);

/** Sends or receives a tile; the caller is one of both or neither. */
void hg_lu_send(const hg_elimination *e, starpu_data_handle_t tile, int to, int64_t tag);
void hg_lu_receive(const hg_elimination *e, starpu_data_handle_t tile, int from, int64_t tag);

/** To be called when a task has ended, with the step that it is of, which StarPU frees; NULL where nobody asks. */
typedef void hg_lu_callback(void *step);
hg_lu_callback *hg_lu_task_ended(const hg_elimination *e);
hg_lu_step **hg_lu_step_here(const hg_elimination *e);
/** When a message of the step has arrived. */
hg_lu_callback hg_lu_message_arrived;

/** Begins the list of a task's buffers; adds one; submits the task. `task` is copied, with its moves. */
void hg_lu_begin(hg_elimination *e);
void hg_lu_add(hg_elimination *e, starpu_data_handle_t handle, enum starpu_data_access_mode mode);
hg_status hg_lu_submit(hg_elimination *e, struct starpu_codelet *codelet, const hg_lu_task *task,
                       const hg_lu_move *move, int priority, double flops);

/** Submits a task on two buffers: `tile` RW, `other` R. */
hg_status hg_lu_submit_pair(hg_elimination *e, struct starpu_codelet *codelet, const hg_lu_task *task,
                            starpu_data_handle_t tile, starpu_data_handle_t other, int priority, double flops);

/** Tiles first .. end-1 of column j, as far as this rank has them, -= panel k * tile (k, j), or += with `reverse`. */
hg_status hg_lu_submit_update(hg_elimination *e, int k, int j, int first, int end, bool reverse, int priority);

/** Parts that a column's update in step k is cut into, so that all workers find work when few columns are left. */
int hg_lu_update_parts(const hg_elimination *e, int k);

/** The panel of step k. Where other ranks have parts of it, they come to the rank of its diagonal tile. */
hg_status hg_lu_submit_panel(hg_elimination *e, int k);

/** Block columns from j on that one task does in step k, if not in parts: BLAS copies the panel for each product. */
int hg_lu_columns_at_once(const hg_elimination *e, int k, int j, int parts);

/** Step k on `count` block columns from j on, as far as they are this rank's; their tiles touched are counted. More
 * than one as hg_lu_columns_at_once says. */
hg_status hg_lu_submit_columns(hg_elimination *e, int k, int j, int count, int parts);

/** Operations of such an update on so many rows. */
double hg_lu_update_flops(const hg_elimination *e, int k, int j, double rows);

/** Waits for all tasks and messages, and learns whether a task failed. Collective. */
hg_status hg_lu_wait(hg_elimination *e);

/** Reads the pivots of step k (waiting for its panel) into e->move and e->touched. */
void hg_lu_read_pivots(hg_elimination *e, int k);

/** Exchanges rows k .. of block column j as e->move says, and with `solve` solves for tile (k, j); one task if this
 * rank has the whole column, bundles of rows otherwise. With `reverse` the exchanges are undone instead. */
hg_status hg_lu_exchange(hg_elimination *e, int k, int j, bool reverse);

/** Submits a tournament for the pivots of panel k, and sends them to all ranks. */
hg_status hg_lu_submit_tournament(hg_elimination *e, int k);

/** When they are read: exchanges the panel's rows, factors it and sends it to the ranks that need it. */
hg_status hg_lu_finish_tournament(hg_elimination *e, int k);

/** Sends the pivots of step k to all ranks, from that of the tile on the diagonal. */
void hg_lu_broadcast_pivots(hg_elimination *e, int k);

/** Sends tile (i, k) of the panel from a rank to those that need it. */
void hg_lu_broadcast_panel_tile(hg_elimination *e, int k, int i, int from);

/** Sends the panel's tiles to the ranks that need them: from the rank that has just factored it, with its pivots, or
 * later from the tiles' owners. */
void hg_lu_broadcast_panel(hg_elimination *e, int k, bool from_owners);

/** Sends tile (k, j) to the ranks that have tiles below it. */
void hg_lu_broadcast_top(hg_elimination *e, int k, int j);
#endif
