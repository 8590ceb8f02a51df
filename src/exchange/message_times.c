/* SPDX-License-Identifier: MIT */
/* Times messages between ranks. Rank 0 sends every rank an order; ranks concerned execute it and report to rank 0. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/memory.h"
#include "exchange/broadcast.h"
#include "exchange/world.h"

enum { MESSAGE = 1, ANSWER, REPEATS, PIECE = 1 << 30 };

typedef enum order_kind { PING, TRAIN, BROADCAST, WATCH, LOAD, DISMISS } order_kind;

typedef struct order {
  order_kind kind;
  int pairs, count, n;
  int64_t bytes;
  double d;
  hg_network_choice how;
  hg_pair pair[HG_PAIRS_AT_ONCE];
} order;

/* State of each process between orders. */
static struct {
  char *out, *in; /* the pattern that it sends; what it receives */
  int64_t room;
  double *seconds;             /* times of rank 0 itself */
  double stat_busy, own, wall; /* s when the watch began: host's processors, this process, clock */
} kept;

static hg_status make_room(int64_t bytes)
{
  if (bytes <= kept.room) return HG_OK;
  free(kept.out);
  free(kept.in);
  kept.room = 0;
  kept.in = kept.out = NULL;
  HG_TRY(hg_allocate("messages", (size_t)bytes, (void **)&kept.out));
  HG_TRY(hg_allocate("messages", (size_t)bytes, (void **)&kept.in));
  kept.room = bytes;
  for (int64_t i = 0; i < bytes; i++) kept.out[i] = (char)(i * 31 + (i >> 8) * 7 + 1);
  memset(kept.in, 0, (size_t)bytes);
  return HG_OK;
}

static int piece_of(int64_t bytes, int64_t at)
{
  return bytes - at < PIECE ? (int)(bytes - at) : PIECE;
}

static void send_to(int to, int64_t bytes)
{
  MPI_Send(kept.out, piece_of(bytes, 0), MPI_BYTE, to, MESSAGE, MPI_COMM_WORLD);
  for (int64_t at = PIECE; at < bytes; at += PIECE)
    MPI_Send(kept.out + at, piece_of(bytes, at), MPI_BYTE, to, MESSAGE, MPI_COMM_WORLD);
}

static void receive_from(int from, int64_t bytes)
{
  MPI_Recv(kept.in, piece_of(bytes, 0), MPI_BYTE, from, MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int64_t at = PIECE; at < bytes; at += PIECE)
    MPI_Recv(kept.in + at, piece_of(bytes, at), MPI_BYTE, from, MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double round_trips(int other, int64_t bytes, int repeats)
{
  const double start = MPI_Wtime();
  for (int i = 0; i < repeats; i++) {
    send_to(other, bytes);
    receive_from(other, bytes);
  }
  return MPI_Wtime() - start;
}

static void answer_trips(int other, int64_t bytes, int repeats)
{
  for (int i = 0; i < repeats; i++) {
    receive_from(other, bytes);
    send_to(other, bytes);
  }
}

/* Repetitions of a round trip that last 1000 ticks; the first ones are slower and do not count. */
static int choose_repeats(const hg_network_world *w, int other, int64_t bytes)
{
  enum { TRIES = 3, TICKS = 1000, MOST = 10000 };
  double least = INFINITY;
  for (int i = 0; i < TRIES; i++) least = fmin(least, round_trips(other, bytes, 1));
  const double wanted = ceil(TICKS * w->tick / fmax(least, 1e-9));
  const int repeats = wanted < 1 ? 1 : wanted > MOST ? MOST : (int)wanted;
  MPI_Send(&repeats, 1, MPI_INT, other, REPEATS, MPI_COMM_WORLD);
  return repeats;
}

static int learn_repeats(int other, int64_t bytes)
{
  enum { TRIES = 3 };
  int repeats;
  answer_trips(other, bytes, TRIES);
  MPI_Recv(&repeats, 1, MPI_INT, other, REPEATS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return repeats;
}

static void ping(const hg_network_world *w, const order *o, hg_pair p, double *seconds)
{
  const bool first = w->rank == p.a;
  const int other = first ? p.b : p.a;
  const int repeats = first ? choose_repeats(w, other, o->bytes) : learn_repeats(other, o->bytes);
  for (int i = 0; i < o->count; i++) {
    if (first)
      seconds[i] = round_trips(other, o->bytes, repeats) / (2 * repeats);
    else
      answer_trips(other, o->bytes, repeats);
  }
}

static void wait_until(double time)
{
  while (MPI_Wtime() < time) continue;
}

/* Sends n messages, each d after the one before; one comes back. */
static double one_train(const order *o, int other)
{
  const double start = MPI_Wtime();
  for (int i = 0; i < o->n; i++) {
    send_to(other, o->bytes);
    if (o->d > 0 && i + 1 < o->n) wait_until(MPI_Wtime() + o->d);
  }
  receive_from(other, o->bytes);
  return MPI_Wtime() - start;
}

static void train(const hg_network_world *w, const order *o, hg_pair p, double *seconds)
{
  for (int i = 0; i < o->count; i++) {
    if (w->rank == p.a) {
      seconds[i] = one_train(o, p.b);
      continue;
    }
    for (int k = 0; k < o->n; k++) receive_from(p.a, o->bytes);
    send_to(p.a, o->bytes);
  }
}

/* Checks that what arrived equals what was sent. */
static bool intact(int64_t bytes)
{
  return memcmp(kept.in, kept.out, (size_t)bytes) == 0;
}

/* Executes a pair's part; its first rank reports the times to rank 0, its second whether all arrived. */
static void take_part(const hg_network_world *w, const order *o, hg_pair p)
{
  double *seconds = calloc((size_t)o->count + 1, sizeof *seconds);
  if (!seconds) MPI_Abort(MPI_COMM_WORLD, 1);
  if (o->kind == PING)
    ping(w, o, p, seconds);
  else
    train(w, o, p, seconds);
  seconds[o->count] = intact(o->bytes);
  if (w->rank == 0) {
    kept.seconds = seconds;
    return;
  }
  MPI_Send(seconds, o->count + 1, MPI_DOUBLE, 0, ANSWER, MPI_COMM_WORLD);
  free(seconds);
}

/* A broadcast is complete when all answers have arrived; the next one starts then. */
static void one_broadcast(const hg_network_world *w, const order *o)
{
  hg_broadcast_world(w->rank ? kept.in : kept.out, o->bytes, 0, &o->how);
  if (w->rank > 0) MPI_Send(NULL, 0, MPI_BYTE, 0, ANSWER, MPI_COMM_WORLD);
  for (int r = 1; w->rank == 0 && r < w->ranks; r++)
    MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void time_broadcasts(const hg_network_world *w, const order *o, double *seconds)
{
  enum { SHORT = 1 << 16, REPEATED = 20 };
  const int repeats = o->bytes < SHORT ? REPEATED : 1;
  for (int i = 0; i < REPEATED; i++) one_broadcast(w, o); /* the first ones are slower */
  for (int i = 0; i < o->count; i++) {
    const double start = MPI_Wtime();
    for (int k = 0; k < repeats; k++) one_broadcast(w, o);
    if (w->rank == 0) seconds[i] = (MPI_Wtime() - start) / repeats;
  }
}

/* s that all processors of this host have been busy since boot. */
static double busy_of_host(void)
{
  double user = 0, nice = 0, system = 0, idle, wait, irq = 0, soft = 0, steal = 0;
  FILE *f = fopen("/proc/stat", "re");
  const int read =
      f ? fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait, &irq, &soft, &steal)
        : 0;
  if (f) fclose(f);
  return read == 8 ? (user + nice + system + irq + soft + steal) / 100 : 0;
}

static double own_time(void)
{
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void watch(void)
{
  kept.stat_busy = busy_of_host();
  kept.own = own_time();
  kept.wall = hg_now();
}

/* Share of the processors' time on this host that other programs used, the most of all hosts; known on rank 0. */
static double other_load(const hg_network_world *w)
{
  double mine[3] = {busy_of_host() - kept.stat_busy, own_time() - kept.own, hg_now() - kept.wall}, all[w->ranks][3],
         worst = 0;
  memcpy(all[0], mine, sizeof mine);
  if (w->launched) MPI_Gather(mine, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int r = 0; w->rank == 0 && r < w->ranks; r++) {
    double others = all[r][0];
    for (int q = 0; q < w->ranks; q++)
      if (strcmp(w->place[q].host, w->place[r].host) == 0) others -= all[q][1];
    worst = fmax(worst, others / (all[r][2] * w->place[r].cores));
  }
  return fmin(fmax(worst, 0), 1);
}

/* Executes an order on every rank; all learn of a lack of memory before anything is sent. */
static hg_status execute(const hg_network_world *w, const order *o, double *seconds)
{
  const bool messages = o->kind == PING || o->kind == TRAIN || o->kind == BROADCAST;
  if (messages) {
    int good = make_room(o->bytes > 0 ? o->bytes : 1) == HG_OK, all;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all)
      return good ? hg_fail(HG_MEMORY, "another rank has no memory for messages of %.0f bytes", (double)o->bytes)
                  : HG_MEMORY;
    memset(kept.in, 0, (size_t)o->bytes);
  }
  for (int i = 0; i < o->pairs; i++)
    if (w->rank == o->pair[i].a || w->rank == o->pair[i].b) take_part(w, o, o->pair[i]);
  if (o->kind == BROADCAST) time_broadcasts(w, o, seconds);
  if (o->kind == WATCH) watch();
  if (o->kind == LOAD) seconds[0] = other_load(w);
  return HG_OK;
}

void hg_network_serve(const hg_network_world *w)
{
  double seconds[1];
  order o = {.kind = WATCH};
  while (w->rank > 0 && o.kind != DISMISS) {
    MPI_Bcast(&o, sizeof o, MPI_BYTE, 0, MPI_COMM_WORLD);
    execute(w, &o, seconds);
  }
  free(kept.in);
  free(kept.out);
}

static hg_status give(const hg_network_world *w, order *o, double *seconds)
{
  if (w->launched) MPI_Bcast(o, sizeof *o, MPI_BYTE, 0, MPI_COMM_WORLD);
  return execute(w, o, seconds);
}

/* Receives the report of a pair's rank; the longest time of all pairs counts. @return whether all arrived */
static bool collect_from(const order *o, int from, bool times, double *measured, double *seconds)
{
  if (from > 0)
    MPI_Recv(measured, o->count + 1, MPI_DOUBLE, from, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    memcpy(measured, kept.seconds, ((size_t)o->count + 1) * sizeof *measured);
  for (int k = 0; k < o->count && times; k++) seconds[k] = fmax(seconds[k], measured[k]);
  return measured[o->count] > 0;
}

static hg_status collect(const order *o, double *seconds)
{
  double *measured = malloc(((size_t)o->count + 1) * sizeof *measured);
  bool good = measured;
  if (!measured) return hg_fail(HG_MEMORY, "no memory for %d times", o->count);
  for (int i = 0; i < o->count; i++) seconds[i] = 0;
  for (int i = 0; i < o->pairs; i++) {
    good = collect_from(o, o->pair[i].a, true, measured, seconds) && good;
    good = collect_from(o, o->pair[i].b, false, measured, seconds) && good;
  }
  free(measured);
  free(kept.seconds);
  kept.seconds = NULL;
  return good ? HG_OK : hg_fail(HG_MISMATCH, "a message of %.0f bytes did not arrive as it was sent", (double)o->bytes);
}

static hg_status exchange(const hg_network_world *w, order *o, double *seconds)
{
  HG_TRY(give(w, o, seconds));
  return collect(o, seconds);
}

hg_status hg_network_ping(const hg_network_world *w, int pairs, const hg_pair *pair, double bytes, int count,
                          double *seconds)
{
  order o = {.kind = PING, .pairs = pairs, .count = count, .bytes = (int64_t)bytes};
  memcpy(o.pair, pair, (size_t)pairs * sizeof *pair);
  return exchange(w, &o, seconds);
}

hg_status hg_network_train_times(const hg_network_world *w, hg_pair pair, int n, double d, double bytes, int count,
                                 double *seconds)
{
  order o = {.kind = TRAIN, .pairs = 1, .count = count, .n = n, .d = d, .bytes = (int64_t)bytes, .pair = {pair}};
  return exchange(w, &o, seconds);
}

hg_status hg_network_broadcast_times(const hg_network_world *w, const hg_network_choice *how, double bytes, int count,
                                     double *seconds)
{
  order o = {.kind = BROADCAST, .count = count, .bytes = (int64_t)bytes, .how = *how};
  return give(w, &o, seconds);
}

void hg_network_watch(const hg_network_world *w)
{
  order o = {.kind = WATCH};
  give(w, &o, NULL);
}

double hg_network_other_load(const hg_network_world *w)
{
  double load = 0;
  order o = {.kind = LOAD};
  give(w, &o, &load);
  return load;
}

void hg_network_dismiss(const hg_network_world *w)
{
  order o = {.kind = DISMISS};
  give(w, &o, NULL);
  free(kept.in);
  free(kept.out);
}
