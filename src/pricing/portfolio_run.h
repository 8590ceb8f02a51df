/* SPDX-License-Identifier: MIT */
/* A portfolio of contracts, its Monte-Carlo prices, and the pieces of work.
 *
 * There is a row for each requested number: a contract's price, with `greeks` also its delta and vega. A row's paths
 * are divided into chunks; row r, chunk c is piece r * chunks + c. A step of a job computes `per_step` pieces, the
 * next step the following ones. After each step all ranks get its sums and add them in the order of pieces, so that
 * every division gives the same bits. */
#ifndef HG_PRICING_PORTFOLIO_RUN_H
#define HG_PRICING_PORTFOLIO_RUN_H

#include "codelets/pricing/pricing_update.h"
#include "graph/graph.h"
#include "pricing/estimate.h"
#include "pricing/portfolio.h"

/** Paths of one contract, and fixings of all paths until a standard error is reached (half a minute on two cores). */
#define HG_PATHS_DEFAULT (INT64_C(1) << 24)
#define HG_FIXINGS_DEFAULT (INT64_C(1) << 34)

/** What is requested. */
typedef struct hg_portfolio_wishes {
  int64_t paths;    /**< of each row; with std_error the most; 0: as many as HG_FIXINGS_DEFAULT allows, or
                     * HG_PATHS_DEFAULT if more are expected to be needed */
  double std_error; /**< of the first row, which ends the run: at the first number of chunks, in powers of two, that
                     * reaches it; 0: all paths */
  uint64_t seed;
  uint32_t stream; /**< of the first contract; each following one has the next stream */
  bool control;    /**< Asian options as the difference to their geometric twins, plus the twins' closed form */
  bool greeks;
  bool is_float;      /**< paths in single precision */
  bool interruptible; /**< steps are short, so that checkpoints can be written between them */
} hg_portfolio_wishes;

/** Rows per contract with Greeks: price, delta, vega. */
enum { HG_BOOK_ROWS = 3 };

/** The progress of the sums. */
typedef struct hg_portfolio_state {
  int64_t next;     /**< next piece to be added */
  int64_t finished; /**< everything requested is known */
  hg_path_sums row; /**< of the current row */
} hg_portfolio_state;

typedef struct hg_portfolio_run {
  hg_portfolio contracts;
  hg_portfolio_wishes wanted;
  int rows_each;                   /**< rows per contract */
  const hg_pricing_kernel *kernel; /**< on CPUs */
  hg_pricing_portfolio pieces;     /**< the job's parameters, read by tasks */
  double expected;                 /**< estimate of the paths needed for the standard error */
  int64_t steps;                   /**< for all pieces to be computed */
  double work;                     /**< paths times fixings of an average piece */
  hg_estimate *estimate;           /**< [rows] valid for finished rows */
  hg_chunk_sums *sums;             /**< [per_step] of the last step */
  hg_portfolio_state start, now;   /**< before the first step; now */
  int64_t computed;                /**< paths since the start */
} hg_portfolio_run;

/** Divides a portfolio, which the run keeps, into pieces. HG_INVALID naming the invalid value, HG_MEMORY. */
hg_status hg_portfolio_open(const hg_portfolio *contracts, const hg_portfolio_wishes *wanted, hg_portfolio_run *out);

/** Copies the rows to memory that all workers of this rank can read. StarPU must be running. HG_MEMORY. */
hg_status hg_portfolio_make_rows(hg_portfolio_run *book);

/** Divides what is left after `start` into steps. */
void hg_portfolio_cut(hg_portfolio_run *book);

/** Number of chunks that keep a core busy for at least a millisecond. */
int64_t hg_portfolio_least_batch(const hg_portfolio_run *book);

/** Returns to the start. */
void hg_portfolio_rewind(hg_portfolio_run *book);

/** Adds up the sums of a finished step. Collective. */
hg_status hg_portfolio_take_step(hg_portfolio_run *book, hg_graph *graph);

/** Price of a contract. */
const hg_estimate *hg_portfolio_price(const hg_portfolio_run *book, int64_t contract);

/** The distribution of the prices' scores: 95 % should be below 1.96. */
typedef struct hg_portfolio_scores {
  double count;   /**< prices with a score */
  double within;  /**< prices within 1.96 exact standard errors of the closed form */
  double largest; /**< largest distance */
} hg_portfolio_scores;

hg_portfolio_scores hg_portfolio_score(const hg_portfolio_run *book);

/** HG_MISMATCH if a price is too far from its closed form: by more standard errors than chance explains, both of the
 * sample and of the exact distribution (a sample's is too small if few paths pay). */
hg_status hg_portfolio_validate(const hg_portfolio_run *book);

/** Whether the standard error was reached, and is reliable, or none was requested. */
bool hg_portfolio_reached(const hg_portfolio_run *book);

/** Whether the standard error of a contract's price is reliable; the number of prices for which it is not. */
bool hg_portfolio_is_sure(const hg_portfolio_run *book, int64_t contract);
int64_t hg_portfolio_unsure(const hg_portfolio_run *book);

/** Whether the result can be written to this file; to be called before anything is computed. HG_INVALID, HG_IO. */
hg_status hg_portfolio_check_output(const char *path);

/** Writes a CSV file with a line per contract. HG_IO */
hg_status hg_portfolio_write(const hg_portfolio_run *book, const char *path);

/** Frees the rows; to be called before StarPU ends. */
void hg_portfolio_drop_rows(hg_portfolio_run *book);

/** Frees the rest. */
void hg_portfolio_close(hg_portfolio_run *book);
#endif
