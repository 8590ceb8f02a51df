/* SPDX-License-Identifier: MIT */
/* Tasks on chunks of a divisible job: each does some jobs on the worker that it is bound to. */
#ifndef HG_CODELETS_DIVISIBLE_JOBS_CODELET_H
#define HG_CODELETS_DIVISIBLE_JOBS_CODELET_H

#include <starpu.h>

#include "codelets/divisible/jobs.h"

typedef struct hg_job_chunk hg_job_chunk;

/** A result of a GPU on its way. */
typedef struct hg_job_arrival {
  hg_job_chunk *chunk;
  starpu_data_handle_t handle;
} hg_job_arrival;

/** Some jobs of a share; StarPU's buffers are matrices, one an array. */
struct hg_job_chunk {
  const hg_divisible *job;
  hg_jobs jobs;
  bool cuda;         /**< of a GPU's share */
  double begin, end; /**< s: of the task; the end on a GPU is the arrival of the results */
  double kernel;     /**< s of a GPU's kernels, when it has been learnt from; 0: not known */
  void *event[2];    /**< cudaEvent_t around a GPU's kernels, or NULL */
  hg_status status;  /**< what the function returned */
  char message[400]; /**< why */
  starpu_data_handle_t handle[HG_JOB_ARRAYS];
  hg_job_arrival arrival[HG_JOB_ARRAYS];
  struct starpu_task *task;
};

/** Codelets of a job; they stay as long as its tasks. */
typedef struct hg_job_codelet {
  struct starpu_codelet task;
  struct starpu_perfmodel model;
  char symbol[80];
  enum starpu_data_access_mode mode[HG_JOB_ARRAYS];
} hg_job_codelet;

void hg_job_codelet_make(const hg_divisible *job, hg_job_codelet *out);

/** s of a GPU's kernels, after the task; 0 if that is not known. To be called once. */
double hg_job_chunk_kernel(hg_job_chunk *chunk);

/** Copy engines of the GPU that a worker serves: 1 or 2. */
int hg_job_copy_engines(unsigned worker);
#endif
