/* SPDX-License-Identifier: MIT */
/* A book of contracts, its Monte-Carlo prices, and the pieces of work between.
 *
 * A book has a row for each number that is wanted: a contract's price, with `greeks` its delta and
 * vega too. A row's paths are cut into chunks; row r, chunk c is piece r * chunks + c. A step of a
 * job computes `per_step` pieces, the next step those that follow. After each step all ranks learn
 * its sums and add them up in the order of pieces, so that every division gives the same bits. */
#ifndef HG_PRICING_PORTFOLIO_RUN_H
#define HG_PRICING_PORTFOLIO_RUN_H

#include "codelets/pricing/pricing_update.h"
#include "graph/graph.h"
#include "pricing/estimate.h"
#include "pricing/portfolio.h"

/** Paths of one contract, and fixings of all paths until a standard error is reached (half a minute on two cores). */
#define HG_PATHS_DEFAULT (INT64_C(1) << 24)
#define HG_FIXINGS_DEFAULT (INT64_C(1) << 34)

/** What is wanted of it. */
typedef struct hg_portfolio_wishes {
  int64_t paths;    /**< of each row; with std_error at most, 0 for as many as HG_FIXINGS_DEFAULT allows, or
                       HG_PATHS_DEFAULT where more are expected to be needed */
  double std_error; /**< of the first row, which ends the runs: at the first number of chunks, in
                       powers of two, that reaches it; 0: all paths */
  uint64_t seed;
  uint32_t stream; /**< of the first contract; the next has the next */
  bool control;    /**< Asian options less their geometric twins, plus those in closed form */
  bool greeks;
  bool is_float;      /**< paths in single precision */
  bool interruptible; /**< steps are short enough to be saved between */
} hg_portfolio_wishes;

/** Rows of a contract with Greeks: price, delta, vega. */
enum { HG_BOOK_ROWS = 3 };

/** How far the sums are. */
typedef struct hg_portfolio_state {
  int64_t next;     /**< piece that is to be added up next */
  int64_t finished; /**< all that is wanted is known */
  hg_path_sums row; /**< of the row that is under way */
} hg_portfolio_state;

typedef struct hg_portfolio_run {
  hg_portfolio contracts;
  hg_portfolio_wishes wanted;
  int rows_each;                   /**< rows of each contract */
  const hg_pricing_kernel *kernel; /**< on CPUs */
  hg_pricing_portfolio pieces;     /**< what tasks read: the job's parameters */
  double expected;                 /**< paths that the standard error takes, as far as is known */
  int64_t steps;                   /**< of all pieces that are to be computed */
  double work;                     /**< paths times fixings of an average piece */
  hg_estimate *estimate;           /**< [rows] those that are finished */
  hg_chunk_sums *sums;             /**< [per_step] of the last step */
  hg_portfolio_state start, now;   /**< before the first step; so far */
  int64_t computed;                /**< paths since the start */
} hg_portfolio_run;

/** Cuts a portfolio, which the book keeps, into pieces. HG_INVALID naming what may not be,
 * HG_MEMORY. */
hg_status hg_portfolio_open(const hg_portfolio *contracts, const hg_portfolio_wishes *wanted, hg_portfolio_run *out);

/** Writes the rows to where all workers of this rank can read them. StarPU runs. HG_MEMORY. */
hg_status hg_portfolio_make_rows(hg_portfolio_run *book);

/** The steps of what is left after `start`. */
void hg_portfolio_cut(hg_portfolio_run *book);

/** Chunks that keep a core busy for a millisecond or more. */
int64_t hg_portfolio_least_batch(const hg_portfolio_run *book);

/** Back to the start. */
void hg_portfolio_rewind(hg_portfolio_run *book);

/** Adds up the sums of a step, which is done. Collective. */
hg_status hg_portfolio_take_step(hg_portfolio_run *book, hg_graph *graph);

/** Price of a contract. */
const hg_estimate *hg_portfolio_price(const hg_portfolio_run *book, int64_t contract);

/** How the scores of prices are spread: 95 % should be below 1.96. */
typedef struct hg_portfolio_scores {
  double count;   /**< prices that have one */
  double within;  /**< 1.96 exact standard errors of the closed form */
  double largest; /**< distance */
} hg_portfolio_scores;

hg_portfolio_scores hg_portfolio_score(const hg_portfolio_run *book);

/** HG_MISMATCH if a price is too far from its closed form (by more standard errors than chance
 * explains, of the sample and of the exact distribution: where few paths pay, a sample's is too
 * small). */
hg_status hg_portfolio_validate(const hg_portfolio_run *book);

/** Whether the standard error was reached, surely, or none was wanted. */
bool hg_portfolio_reached(const hg_portfolio_run *book);

/** Whether the standard error of a contract's price says how sure it is; of how many it does not. */
bool hg_portfolio_is_sure(const hg_portfolio_run *book, int64_t contract);
int64_t hg_portfolio_unsure(const hg_portfolio_run *book);

/** Whether it can be written to a file of that name, before anything is computed. HG_INVALID,
 * HG_IO. */
hg_status hg_portfolio_check_output(const char *path);

/** Writes a CSV file with a line per contract. HG_IO */
hg_status hg_portfolio_write(const hg_portfolio_run *book, const char *path);

/** Before StarPU ends: frees the rows. */
void hg_portfolio_drop_rows(hg_portfolio_run *book);

/** Frees the rest. */
void hg_portfolio_close(hg_portfolio_run *book);
#endif
