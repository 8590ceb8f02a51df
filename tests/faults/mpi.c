/* SPDX-License-Identifier: MIT */
/* To be preloaded into a rank: makes one MPI call fail (fault.h) as MPI does: the communicator's error handler is
 * called; if it returns, the caller gets an error code. Tests of incomplete requests do not count, so all runs have the
 * same number of calls.
 *
 *   HG_FAULT  hetgrid: calls of hetgrid's own code; starpu: those of StarPU-MPI */
#include <mpi.h>

#include "faults/fault.h"

static MPI_Comm latest = MPI_COMM_NULL; /* stands for the communicator of a request */

static bool counts(const char *library)
{
  if (strcmp(kind, "starpu") == 0) return strstr(library, "libstarpumpi");
  return !library[0] || strstr(library, "libhetgrid");
}

#define FAILS (is_counted_code(__builtin_return_address(0)) && is_due(false))

static int refuse(MPI_Comm comm)
{
  PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

static int refuse_request(void)
{
  return refuse(latest == MPI_COMM_NULL ? MPI_COMM_WORLD : latest);
}

/* Before MPI_Init there is no error handler. */
int MPI_Init(int *argc, char ***argv)
{
  return FAILS ? MPI_ERR_OTHER : PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided)
{
  return FAILS ? MPI_ERR_OTHER : PMPI_Init_thread(argc, argv, wanted, provided);
}

/* CALL(name, communicator, (parameters), arguments...) */
#define CALL(name, comm, parameters, ...)                                                                              \
  int MPI_##name parameters                                                                                            \
  {                                                                                                                    \
    return FAILS ? refuse(comm) : PMPI_##name(__VA_ARGS__);                                                            \
  }
CALL(Finalize, MPI_COMM_WORLD, (void))
CALL(Comm_rank, comm, (MPI_Comm comm, int *rank), comm, rank)
CALL(Comm_size, comm, (MPI_Comm comm, int *size), comm, size)
CALL(Comm_dup, comm, (MPI_Comm comm, MPI_Comm *new), comm, new)
CALL(Comm_free, *comm, (MPI_Comm * comm), comm)
CALL(Comm_split_type, comm, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *new), comm, type, key, info,
     new)
CALL(Barrier, comm, (MPI_Comm comm), comm)
CALL(Bcast, comm, (void *at, int n, MPI_Datatype type, int root, MPI_Comm comm), at, n, type, root, comm)
CALL(Gather, comm,
     (const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype got, int root, MPI_Comm comm), out, n,
     type, in, m, got, root, comm)
CALL(Allgather, comm, (const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype got, MPI_Comm comm),
     out, n, type, in, m, got, comm)
CALL(Allgatherv, comm,
     (const void *out, int n, MPI_Datatype type, void *in, const int *m, const int *at, MPI_Datatype got,
      MPI_Comm comm),
     out, n, type, in, m, at, got, comm)
CALL(Alltoall, comm, (const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype got, MPI_Comm comm), out,
     n, type, in, m, got, comm)
CALL(Alltoallv, comm,
     (const void *out, const int *n, const int *from, MPI_Datatype type, void *in, const int *m, const int *at,
      MPI_Datatype got, MPI_Comm comm),
     out, n, from, type, in, m, at, got, comm)
CALL(Allreduce, comm, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm), in, out, n, type,
     op, comm)
CALL(Send, comm, (const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm), at, n, type, to, tag, comm)
CALL(Recv, comm, (void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status), at, n,
     type, from, tag, comm, status)
CALL(Type_contiguous, MPI_COMM_WORLD, (int n, MPI_Datatype type, MPI_Datatype *new), n, type, new)
CALL(Type_vector, MPI_COMM_WORLD, (int n, int block, int stride, MPI_Datatype type, MPI_Datatype *new), n, block,
     stride, type, new)
CALL(Type_create_hvector, MPI_COMM_WORLD, (int n, int block, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *new), n,
     block, stride, type, new)
CALL(Type_commit, MPI_COMM_WORLD, (MPI_Datatype * type), type)
CALL(Type_free, MPI_COMM_WORLD, (MPI_Datatype * type), type)

/* Calls that start a request. */
#define BEGIN(name, parameters, ...)                                                                                   \
  int MPI_##name parameters                                                                                            \
  {                                                                                                                    \
    latest = comm;                                                                                                     \
    return FAILS ? refuse(comm) : PMPI_##name(__VA_ARGS__);                                                            \
  }
BEGIN(Isend, (const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request), at, n,
      type, to, tag, comm, request)
BEGIN(Issend, (const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request), at, n,
      type, to, tag, comm, request)
BEGIN(Irecv, (void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request), at, n, type,
      from, tag, comm, request)
BEGIN(Ibarrier, (MPI_Comm comm, MPI_Request *request), comm, request)
BEGIN(Ibcast, (void *at, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request), at, n, type, root,
      comm, request)
BEGIN(Iallreduce, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
      in, out, n, type, op, comm, request)

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
  return FAILS ? refuse_request() : PMPI_Wait(request, status);
}

int MPI_Waitall(int n, MPI_Request *request, MPI_Status *status)
{
  return FAILS ? refuse_request() : PMPI_Waitall(n, request, status);
}

int MPI_Cancel(MPI_Request *request)
{
  return FAILS ? refuse_request() : PMPI_Cancel(request);
}

/* Programs have their own MPI_Test, which calls PMPI_Test (mpi_backoff.h). */
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  static int (*test)(MPI_Request *, int *, MPI_Status *);
  if (!test) test = NEXT(PMPI_Test);
  const int error = test(request, flag, status);
  return *flag && FAILS ? refuse_request() : error;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
  const int error = NEXT(PMPI_Test)(request, flag, status);
  return *flag && FAILS ? refuse_request() : error;
}

int MPI_Testall(int n, MPI_Request *request, int *flag, MPI_Status *status)
{
  const int error = PMPI_Testall(n, request, flag, status);
  return *flag && FAILS ? refuse_request() : error;
}

int MPI_Testsome(int n, MPI_Request *request, int *done, int *which, MPI_Status *status)
{
  const int error = PMPI_Testsome(n, request, done, which, status);
  return *done != MPI_UNDEFINED && *done > 0 && FAILS ? refuse_request() : error;
}
