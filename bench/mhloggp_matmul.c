/* SPDX-License-Identifier: MIT */
/* The experiment of mHLogGP's paper (section 5): C = A B of n x n matrices by a master, who sends every worker its rows
 * of A, broadcasts B and receives the rows of C; predicted from measured messages, then run. Rows
 * ranks,per_node,n,predicted,taken and the predicted phases (without the start of a GPU).
 *   mpirun -n P bench/mhloggp_matmul PER_NODE N..      messages by HETGRID_NETWORK's file, computing by dgemm
 * Built by SMPI's compiler (tests/sim/mhloggp.sh) it first measures the simulated machine, and sleeps to compute. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "exchange/broadcast.h"

enum { TAG_A = 1, TAG_C };

/* Matrices by rows; the master has the whole matrices, a worker its rows of A and C, and all of B. */
typedef struct experiment {
  int64_t n;
  int rank, workers;
  double *a, *b, *c;
  hg_network_choice choice; /* of the broadcast */
} experiment;

#ifdef HG_SIMULATED
#include "tests/sim/messages.h"

enum { RUNS = 1 };
static const double rate = 4e9; /* flop/s of a worker */

static double begin(void)
{
  return together();
}

static void multiply(const experiment *e, int64_t rows)
{
  hg_sleep(2. * (double)e->n * (double)e->n * (double)rows / rate);
}

static double median(double *seconds)
{
  return *seconds; /* there is one run */
}

static hg_status open_network(const hg_rank_layout *group, hg_network *out)
{
  static hg_network_level level[2];
  *out = measure_network(group, level);
  return HG_OK;
}
#else
#include <cblas.h>

#include "base/blas.h"

#include "network/survey.h"

enum { RUNS = 15 };

static double begin(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static void multiply(const experiment *e, int64_t rows)
{
  const int n = (int)e->n;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, n, n, 1, e->a, n, e->b, n, 0, e->c, n);
}

static double median(double *seconds)
{
  return hg_samples_describe(RUNS, seconds).median;
}

static hg_status open_network(const hg_rank_layout *group, hg_network *out)
{
  bool given;
  (void)group;
  HG_TRY(hg_network_open(NULL, out, &given));
  return given ? HG_OK : hg_fail(HG_INVALID, "HETGRID_NETWORK: must name a file of hetgrid-network");
}
#endif

static int64_t rows_of(const experiment *e, int worker)
{
  return hg_broadcast_part(e->n, e->workers, worker);
}

static double *at_row(const experiment *e, double *matrix, int worker)
{
  double *row = matrix;
  for (int w = 0; w < worker; w++) row += rows_of(e, w) * e->n;
  return row;
}

static int bytes_of(const experiment *e, int worker)
{
  return (int)(rows_of(e, worker) * e->n * (int64_t)sizeof *e->a);
}

static int64_t whole(const experiment *e)
{
  return e->n * e->n * (int64_t)sizeof *e->b;
}

static void master(const experiment *e)
{
  for (int w = 0; w < e->workers; w++)
    MPI_Send(at_row(e, e->a, w), bytes_of(e, w), MPI_BYTE, w + 1, TAG_A, MPI_COMM_WORLD);
  hg_broadcast_world(e->b, whole(e), 0, &e->choice);
  for (int w = 0; w < e->workers; w++)
    MPI_Recv(at_row(e, e->c, w), bytes_of(e, w), MPI_BYTE, w + 1, TAG_C, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void worker(const experiment *e)
{
  const int w = e->rank - 1;
  MPI_Recv(e->a, bytes_of(e, w), MPI_BYTE, 0, TAG_A, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  hg_broadcast_world(e->b, whole(e), 0, &e->choice);
  multiply(e, rows_of(e, w));
  MPI_Send(e->c, bytes_of(e, w), MPI_BYTE, 0, TAG_C, MPI_COMM_WORLD);
}

/* s until the master has the product. */
static double run_once(const experiment *e)
{
  const double start = begin();
  if (e->rank == 0)
    master(e);
  else
    worker(e);
  return MPI_Wtime() - start;
}

/* s of this rank's computation while all workers compute. */
static double compute_once(const experiment *e)
{
  const double start = begin();
  if (e->rank > 0) multiply(e, rows_of(e, e->rank - 1));
  return e->rank > 0 ? MPI_Wtime() - start : 0;
}

/* Medians of runs and of the slowest worker's computation, measured alternately, since a machine's speed changes. */
static void measure_product(const experiment *e, double *taken, double *computing)
{
  double seconds[RUNS], alone[RUNS];
  run_once(e); /* touches the memory */
  for (int i = 0; i < RUNS; i++) {
    seconds[i] = run_once(e);
    alone[i] = compute_once(e);
  }
  const double mine = median(alone);
  *taken = median(seconds);
  MPI_Allreduce(&mine, computing, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static hg_status make_matrices(experiment *e)
{
  const size_t all = (size_t)whole(e), part = (size_t)bytes_of(e, 0);
  e->a = calloc(e->rank ? part : all, 1);
  e->b = calloc(all, 1);
  e->c = calloc(e->rank ? part : all, 1);
  if (!e->a || !e->b || !e->c) return hg_fail(HG_MEMORY, "no memory for matrices of side %lld", (long long)e->n);
  for (int64_t i = 0; e->rank == 0 && i < e->n * e->n; i++) {
    e->a[i] = (double)(i % 5);
    e->b[i] = i / e->n == i % e->n ? 2 : 0; /* twice the unit matrix */
  }
  return HG_OK;
}

/* The result must be twice A; sleeping computes nothing. */
static hg_status check_product(const experiment *e)
{
#ifndef HG_SIMULATED
  for (int64_t i = 0; e->rank == 0 && i < e->n * e->n; i++)
    if (e->c[i] != 2 * e->a[i])
      return hg_fail(HG_MISMATCH, "entry %lld of the product is %g, must be %g", (long long)i, e->c[i], 2 * e->a[i]);
#else
  (void)e;
#endif
  return HG_OK;
}

static hg_status compare(const hg_network *network, const hg_rank_layout *group, int64_t n, int rank)
{
  experiment e = {.n = n, .rank = rank, .workers = group->ranks - 1};
  hg_matmul m;
  double taken, computing;
  HG_TRY(make_matrices(&e));
  HG_TRY(hg_network_choose(network, group, whole(&e), &e.choice));
  measure_product(&e, &taken, &computing);
  HG_TRY(hg_network_matmul(network, group, n, computing, false, &m));
  HG_TRY(check_product(&e));
  if (rank == 0)
    printf("%d,%d,%lld,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", group->ranks, group->per_node, (long long)n, m.total, taken,
           m.send, m.broadcast, m.compute, m.receive);
  free(e.a);
  free(e.b);
  free(e.c);
  return HG_OK;
}

static hg_status experiments(int argc, char **argv)
{
  hg_rank_layout group = {.per_node = atoi(argv[1])};
  hg_network network;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &group.ranks);
  HG_TRY(open_network(&group, &network));
  if (rank == 0) puts("ranks,per_node,n,predicted,taken,parts,broadcast,computation,results");
  for (int i = 2; i < argc; i++) HG_TRY(compare(&network, &group, atoll(argv[i]), rank));
  return HG_OK;
}

int main(int argc, char **argv)
{
#ifndef HG_SIMULATED
  if (hg_blas_prepare(argv) != HG_OK) return 1;
#endif
  MPI_Init(&argc, &argv);
  const hg_status status =
      argc > 2 ? experiments(argc, argv) : hg_fail(HG_INVALID, "usage: mhloggp_matmul PER_NODE N..");
  if (status != HG_OK) {
    fprintf(stderr, "mhloggp_matmul: %s\n", hg_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
