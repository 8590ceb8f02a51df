/* SPDX-License-Identifier: MIT */
/* Messages of a simulated machine (SMPI), measured as hetgrid-network measures those of a real one. All ranks have the
 * same clock there. Included by one file of a program. */
#ifndef HG_TESTS_SIM_MESSAGES_H
#define HG_TESTS_SIM_MESSAGES_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "network/predict.h"

enum { TRAIN = 16, REPEATS = 4 };

static int rank;
static char *buffer;

/* The largest that a rank has. */
static double latest(double mine)
{
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/* All leave together, at the time returned; from MPI_Barrier ranks come at different times. */
static double together(void)
{
  const double start = latest(MPI_Wtime()) + 1;
  hg_sleep(start - MPI_Wtime());
  return start;
}

/* Half a round trip between rank i and rank i + apart for i < pairs, the longest. */
static double ping(int pairs, int apart, int bytes)
{
  const double start = together();
  for (int i = 0; i < REPEATS; i++)
    if (rank < pairs) {
      MPI_Send(buffer, bytes, MPI_BYTE, rank + apart, 1, MPI_COMM_WORLD);
      MPI_Recv(buffer, bytes, MPI_BYTE, rank + apart, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank >= apart && rank < apart + pairs) {
      MPI_Recv(buffer, bytes, MPI_BYTE, rank - apart, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, bytes, MPI_BYTE, rank - apart, 1, MPI_COMM_WORLD);
    }
  return latest(rank < pairs ? MPI_Wtime() - start : 0) / (2 * REPEATS);
}

/* PRTT(n, d, s), d in whole us. */
static double train(int n, int d, int other, int bytes)
{
  const double start = together();
  for (int i = 0; i < n && rank == 0; i++) {
    MPI_Send(buffer, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    if (d > 0 && i + 1 < n) usleep((useconds_t)d);
  }
  for (int i = 0; i < n && rank == other; i++)
    MPI_Recv(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == other) MPI_Send(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(buffer, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return latest(rank == 0 ? MPI_Wtime() - start : 0);
}

enum { LARGEST = 1 << 22 };

static void measure(hg_network_level *l, const char *name, int other, int at_once)
{
  *l = (hg_network_level){.pairs = 1, .train_length = TRAIN};
  snprintf(l->name, sizeof l->name, "%s", name);
  l->point = calloc(64, sizeof *l->point);
  l->train = calloc(64, sizeof *l->train);
  l->load = calloc(64, sizeof *l->load);
  for (int bytes = 0; bytes <= LARGEST;
       bytes = bytes ? bytes + (bytes & (bytes - 1) ? bytes / 3 : (bytes + 1) / 2) : 1) {
    const double t = ping(1, other, bytes);
    l->point[l->points++] = (hg_network_point){bytes, t, t, t, 0, 1, 0};
  }
  for (int bytes = 1; bytes <= LARGEST; bytes *= 4) {
    const double one = train(1, 0, other, bytes);
    const int d = (int)(one * 1e6) + 1;
    l->train[l->trains++] =
        (hg_network_train){bytes, one, train(TRAIN, 0, other, bytes), train(TRAIN, d, other, bytes), d * 1e-6};
  }
  for (int bytes = 1 << 10; bytes <= 1 << 20; bytes *= 4)
    for (int pairs = 1; pairs <= at_once; pairs *= 2)
      l->load[l->loads++] = (hg_network_load){pairs, bytes, ping(pairs, other, bytes)};
}

/* What messages cost within nodes and between them. @param level  room for two, which the network keeps */
static hg_network measure_network(const hg_rank_layout *group, hg_network_level level[2])
{
  const bool within = group->per_node > 1, between = group->per_node < group->ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  buffer = calloc(LARGEST, 1);
  if (within) measure(&level[0], "node", 1, 1);
  if (between) measure(&level[within], "network", group->per_node, group->per_node);
  return (hg_network){.levels = within + between, .level = level};
}
#endif
