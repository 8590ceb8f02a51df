/* SPDX-License-Identifier: MIT */
#include "codelets/divisible/jobs_codelet.h"

#include <stdio.h>
#include <string.h>

#include "codelets/energy_codelet.h"

/* What the function gets: the arrays where StarPU has them. */
static hg_jobs jobs_of(const hg_job_chunk *c, void *buffer[], void *array[], int64_t stride[])
{
  hg_jobs jobs = c->jobs;
  for (int i = 0; i < c->job->arrays; i++) {
    array[i] = (void *)STARPU_MATRIX_GET_PTR(buffer[i]);
    stride[i] = (int64_t)(STARPU_MATRIX_GET_LD(buffer[i]) * STARPU_MATRIX_GET_ELEMSIZE(buffer[i]));
  }
  jobs.array = array;
  jobs.stride = stride;
  jobs.worker = (int)starpu_worker_get_id_check();
  return jobs;
}

/* The next job's first piece. */
static void step(const hg_divisible *job, void *array[])
{
  for (int i = 0; i < job->arrays; i++)
    if (job->array[i].access != HG_JOB_SHARED) array[i] = (char *)array[i] + job->array[i].bytes;
}

static hg_status call(const hg_divisible *job, hg_jobs_function *function, hg_jobs *jobs, void *array[])
{
  if (job->agglomerative) return function(jobs);
  const int64_t all = jobs->count;
  hg_status status = HG_OK;
  jobs->count = 1;
  for (int64_t i = 0; i < all && status == HG_OK; i++) {
    status = function(jobs);
    jobs->first++;
    step(job, array);
  }
  return status;
}

static void note(hg_job_chunk *c, hg_status status)
{
  c->status = status;
  if (status != HG_OK)
    snprintf(c->message, sizeof c->message, "%s", *hg_message() ? hg_message() : hg_status_text(status));
}

static void jobs_cpu(void *buffer[], void *arg)
{
  hg_job_chunk *c = arg;
  void *array[HG_JOB_ARRAYS];
  int64_t stride[HG_JOB_ARRAYS];
  hg_jobs jobs = jobs_of(c, buffer, array, stride);
  hg_clear_message();
  note(c, call(c->job, c->job->cpu, &jobs, array));
}

#ifdef HG_HAVE_CUDA
static void jobs_cuda(void *buffer[], void *arg)
{
  hg_job_chunk *c = arg;
  void *array[HG_JOB_ARRAYS];
  int64_t stride[HG_JOB_ARRAYS];
  hg_jobs jobs = jobs_of(c, buffer, array, stride);
  cudaStream_t stream = starpu_cuda_get_local_stream();
  jobs.stream = stream;
  hg_clear_message();
  for (int i = 0; i < 2; i++) {
    cudaEvent_t event = NULL;
    if (cudaEventCreate(&event) == cudaSuccess) c->event[i] = event;
  }
  if (c->event[0]) cudaEventRecord(c->event[0], stream);
  note(c, call(c->job, c->job->cuda, &jobs, array));
  if (c->event[1]) cudaEventRecord(c->event[1], stream);
}

double hg_job_chunk_kernel(hg_job_chunk *c)
{
  float ms = 0;
  const bool known = c->event[0] && c->event[1] && cudaEventElapsedTime(&ms, c->event[0], c->event[1]) == cudaSuccess;
  for (int i = 0; i < 2; i++)
    if (c->event[i]) cudaEventDestroy(c->event[i]);
  c->event[0] = c->event[1] = NULL;
  return known ? ms * 1e-3 : 0;
}

int hg_job_copy_engines(unsigned worker)
{
  int engines = 1;
  const int device = starpu_worker_get_devid((int)worker);
  if (cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, device) != cudaSuccess) return 1;
  return engines >= 2 ? 2 : 1;
}
#else
double hg_job_chunk_kernel(hg_job_chunk *c)
{
  (void)c;
  return 0;
}

int hg_job_copy_engines(unsigned worker)
{
  (void)worker;
  return 1;
}
#endif

/* Chunks of as many jobs take as long. */
static uint32_t footprint(struct starpu_task *task)
{
  const hg_job_chunk *c = task->cl_arg;
  return starpu_hash_crc32c_be((uint32_t)c->jobs.count, 0);
}

static enum starpu_data_access_mode mode_of(hg_job_access access)
{
  return access == HG_JOB_WRITE ? STARPU_W : access == HG_JOB_UPDATE ? STARPU_RW : STARPU_R;
}

void hg_job_codelet_make(const hg_divisible *job, hg_job_codelet *out)
{
  snprintf(out->symbol, sizeof out->symbol, "hetgrid_jobs_%.60s", job->name);
  out->model = (struct starpu_perfmodel){.type = STARPU_HISTORY_BASED, .symbol = out->symbol, .footprint = footprint};
  out->task = (struct starpu_codelet){.name = job->name,
                                      .cpu_funcs = {jobs_cpu},
                                      .nbuffers = job->arrays,
                                      .dyn_modes = out->mode,
                                      .color = 0x1b9e77,
                                      .model = &out->model,
                                      .energy_model = &hg_energy_model};
#ifdef HG_HAVE_CUDA
  if (job->cuda) out->task.cuda_funcs[0] = jobs_cuda;
  out->task.cuda_flags[0] = STARPU_CUDA_ASYNC;
#endif
  for (int i = 0; i < job->arrays; i++) out->mode[i] = mode_of(job->array[i].access);
}
