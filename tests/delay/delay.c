/* SPDX-License-Identifier: MIT */
/* Emulates a slow link between ranks for unmodified programs: preloaded (LD_PRELOAD), it holds messages from another
 * rank back for a time after their arrival, as if they had travelled that long. StarPU-MPI's messages (synchronous
 * modes) and those of mailboxes (asynchronous modes) pass through the same few lines. It delays receives that MPI_Irecv
 * posts for a given source and MPI_Test or MPI_Testsome completes: values and messages of detections. MPI_Allreduce
 * takes as long for each doubling of ranks. StarPU-MPI's envelopes of values (received from any source) are not
 * delayed, since values would be late twice.
 *
 *   HG_DELAY  seconds, 0..10; other values end the program */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PENDING = 1 << 14 };

/* Pending receives; `due` is 0 until the message has arrived. */
typedef struct receive {
  MPI_Request request;
  double due;
} receive;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static receive pending[PENDING];
static int count;
static double delay = -1;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void read_delay(void)
{
  const char *text = getenv("HG_DELAY");
  char *end = NULL;
  delay = text ? strtod(text, &end) : 0;
  if (!text || (end != text && !*end && delay >= 0 && delay <= 10)) return;
  fprintf(stderr, "delay: HG_DELAY: '%s', must be seconds in 0..10\n", text);
  _Exit(2);
}

static receive *find(MPI_Request request)
{
  for (int i = 0; i < count; i++)
    if (pending[i].request == request) return &pending[i];
  return NULL;
}

int MPI_Irecv(void *buffer, int size, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
  const int error = PMPI_Irecv(buffer, size, type, from, tag, comm, request);
  pthread_mutex_lock(&lock);
  if (delay < 0) read_delay();
  if (delay > 0 && from != MPI_ANY_SOURCE) {
    if (count == PENDING) abort();
    pending[count++] = (receive){*request, 0};
  }
  pthread_mutex_unlock(&lock);
  return error;
}

/* Whether a request may appear complete; if so, it is removed from the list. */
static int may_complete(MPI_Request request)
{
  int done = 0, may = 1;
  if (request == MPI_REQUEST_NULL) return 1;
  pthread_mutex_lock(&lock);
  receive *r = find(request);
  if (r) {
    if (r->due <= 0) PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    if (done) r->due = now() + delay;
    may = r->due > 0 && now() >= r->due;
    if (may) *r = pending[--count];
  }
  pthread_mutex_unlock(&lock);
  return may;
}

/* Programs have their own MPI_Test, which calls PMPI_Test. */
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  static int (*test)(MPI_Request *, int *, MPI_Status *);
  if (!test) *(void **)&test = dlsym(RTLD_NEXT, "PMPI_Test");
  *flag = 0;
  return may_complete(*request) ? test(request, flag, status) : MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  return PMPI_Test(request, flag, status);
}

int MPI_Testsome(int requests, MPI_Request *request, int *done, int *which, MPI_Status *status)
{
  int any = 0;
  *done = 0;
  for (int i = 0; i < requests; i++) {
    int flag = 0;
    if (request[i] == MPI_REQUEST_NULL) continue;
    any = 1;
    PMPI_Test(&request[i], &flag, status == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &status[*done]);
    if (flag) which[(*done)++] = i;
  }
  if (!any) *done = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void *in, void *out, int size, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  int ranks;
  const int error = PMPI_Allreduce(in, out, size, type, op, comm);
  pthread_mutex_lock(&lock);
  if (delay < 0) read_delay();
  pthread_mutex_unlock(&lock);
  PMPI_Comm_size(comm, &ranks);
  for (int reached = 1; reached < ranks; reached *= 2)
    nanosleep(&(struct timespec){(time_t)delay, (long)((delay - (double)(time_t)delay) * 1e9)}, NULL);
  return error;
}

/* Forgets a cancelled receive. */
int MPI_Cancel(MPI_Request *request)
{
  pthread_mutex_lock(&lock);
  receive *r = find(*request);
  if (r) *r = pending[--count];
  pthread_mutex_unlock(&lock);
  return PMPI_Cancel(request);
}
