/* SPDX-License-Identifier: MIT */
/* The workers of a divisible job: which take part, what is known about a GPU, its streams. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/log.h"
#include "base/memory.h"
#include "divisible/internal.h"
#include "divisible/streams.h"
#include "runtime/worker_usage.h"
#include "speed/guess.h"

/* From the slides (streams.h): a stream should reach this share of the bus' peak, or not gain from being doubled. */
#define BUS_SHARE .6
#define BUS_GAIN .02
/* s for a stream's task and for its memory on a GPU, which later passes reuse */
#define STREAM_START 5e-5

/* --- who takes part --- */

static double bytes_of_job(const hg_divisible_run *r, bool in, bool out)
{
  double bytes = 0;
  for (int i = 0; i < r->job.arrays; i++) {
    const hg_item_array *a = &r->job.array[i];
    if ((in && hg_item_array_goes(a)) || (out && hg_item_array_comes(a))) bytes += (double)a->bytes * (double)a->rows;
  }
  return bytes;
}

/* Learns from StarPU's own calibration of the bus. */
static void learn_bus(unsigned from, unsigned to, hg_partial_speed *bus)
{
  for (double bytes = 4096; bytes <= 0x1p28; bytes *= 4) {
    const double seconds = hg_use_transfer(from, to, bytes);
    if (seconds > 0 && isfinite(seconds)) hg_partial_learn(bus, bytes, seconds);
  }
}

/* A GPU's memory must hold three streams: one being copied in, one being computed, one being copied out. */
static int64_t jobs_in_memory(const hg_divisible_run *r, unsigned node)
{
  const double total = (double)starpu_memory_get_total(node), bytes = bytes_of_job(r, true, true);
  if (!(total > 0) || !(bytes > 0)) return r->items;
  const double items = .9 * total / (3 * bytes);
  return items < (double)r->items ? (int64_t)items : r->items;
}

static bool gpu_can(const hg_divisible_run *r, hg_item_device *d)
{
  char name[128];
  const unsigned node = starpu_worker_get_memory_node(d->worker);
  starpu_worker_get_name((int)d->worker, name, sizeof name);
  d->most = jobs_in_memory(r, node);
  if (!r->job.cuda) hg_log(HG_WARN, "%s: has no function for GPUs: not using %s", r->name, name);
  if (r->job.cuda && d->most < 1 && r->items > 0)
    hg_log(HG_WARN, "%s: an item of %.0f bytes does not fit three times into the memory of %s: not using it", r->name,
           bytes_of_job(r, true, true), name);
  return r->job.cuda && (d->most >= 1 || r->items == 0);
}

/* Learns from a file of hetgrid-network (HETGRID_NETWORK) or, where that has no levels for GPUs, from StarPU. */
static hg_status learn_buses(const hg_divisible_run *r, const hg_network *network, unsigned node, hg_stream_device *d)
{
  if (network) {
    HG_TRY(hg_network_bus(network, true, !r->job.pageable, &d->in));
    HG_TRY(hg_network_bus(network, false, !r->job.pageable, &d->out));
  }
  if (d->in.count == 0) learn_bus(STARPU_MAIN_RAM, node, &d->in);
  if (d->out.count == 0) learn_bus(node, STARPU_MAIN_RAM, &d->out);
  return HG_OK;
}

static hg_status describe_gpu(const hg_divisible_run *r, const hg_network *network, hg_item_device *d)
{
  const unsigned node = starpu_worker_get_memory_node(d->worker);
  d->known = (hg_stream_device){.bytes_in = bytes_of_job(r, true, false),
                                .bytes_out = bytes_of_job(r, false, true),
                                .start = STREAM_START,
                                .copy_engines = hg_item_copy_engines(d->worker)};
  HG_TRY(learn_buses(r, network, node, &d->known));
  d->n_min = hg_streams_minimal(&d->known, BUS_SHARE, BUS_GAIN, r->items > 0 ? r->items : 1);
  return HG_OK;
}

/* StarPU's combined worker for these cores: one made for an earlier job, or a new one. */
static hg_status combine(const hg_divisible_run *r, int cores, int *worker, unsigned *combined)
{
  const unsigned first = starpu_worker_get_count(), end = first + starpu_combined_worker_get_count();
  int size, *members;
  for (unsigned c = first; c < end; c++) {
    *combined = c;
    if (starpu_combined_worker_get_description((int)c, &size, &members) == 0 && size == cores) return HG_OK;
  }
  const int made = starpu_combined_worker_assign_workerid(cores, worker);
  *combined = (unsigned)made;
  if (made >= 0) return HG_OK;
  return hg_fail(HG_UNSUPPORTED, "%s: StarPU cannot add a combined worker of %d cores", r->name, cores);
}

/* The first core represents all that work together. */
static hg_status describe_cores(const hg_divisible_run *r, hg_item_device *d)
{
  int worker[STARPU_NMAXWORKERS];
  const int cores = (int)starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, worker, STARPU_NMAXWORKERS);
  d->cores = r->job.together ? cores : 1;
  return d->cores > 1 ? combine(r, cores, worker, &d->bound_to) : HG_OK;
}

static hg_status add_devices(hg_divisible_run *r, const hg_network *network)
{
  bool taken = false;
  for (int w = 0; w < r->session->workers; w++) {
    hg_item_device *d = &r->device[r->devices];
    *d = (hg_item_device){.worker = (unsigned)w,
                          .bound_to = (unsigned)w,
                          .cuda = starpu_worker_get_type(w) == STARPU_CUDA_WORKER,
                          .n_min = 1,
                          .most = r->items};
    if (d->cuda ? !gpu_can(r, d) : taken) continue;
    HG_TRY(d->cuda ? describe_gpu(r, network, d) : describe_cores(r, d));
    taken |= !d->cuda && r->job.together;
    r->devices++;
  }
  return HG_OK;
}

hg_status hg_divisible_devices(hg_divisible_run *r)
{
  hg_network network;
  bool given = false;
  HG_TRY(hg_allocate("workers", ((size_t)r->session->workers + 1) * sizeof *r->device, (void **)&r->device));
  if (r->session->cuda_workers > 0) HG_TRY(hg_network_open(NULL, &network, &given));
  const hg_status status = add_devices(r, given ? &network : NULL);
  if (given) hg_network_free(&network);
  HG_TRY(status);
  if (r->devices > 0) return HG_OK;
  return hg_fail(HG_NO_WORKER, "%s: no worker can process the items", r->name);
}

static double copying(const hg_partial_speed *bus, double bytes)
{
  return bytes > 0 && bus->count > 0 ? bytes / hg_partial_speed_at(bus, bytes) : 0;
}

/* A GPU processes no more items than its bus can transfer. */
double hg_item_device_rate(const hg_divisible_run *r, const hg_item_device *d)
{
  const double items = (double)d->n_min;
  const hg_stream_device *k = &d->known;
  const double cores = fmax(1, d->cores);
  if (!(r->job.flops > 0)) return cores;
  return items / fmax(hg_guess_seconds(items * r->job.flops, d->cuda) / cores,
                      fmax(copying(&k->in, items * k->bytes_in), copying(&k->out, items * k->bytes_out)));
}

/* --- streams --- */

static void limit(hg_streams *s, int64_t most)
{
  for (int i = 0; i < s->count && s->count < HG_STREAMS_MAX; i++) {
    if (s->size[i] <= most) continue;
    for (int j = s->count; j > i + 1; j--) s->size[j] = s->size[j - 1];
    s->size[i + 1] = s->size[i] - most;
    s->size[i] = most;
    s->count++;
  }
}

/* What is known about a GPU; its kernels are guessed until the first is measured. */
static hg_stream_device suppose(const hg_divisible_run *r, const hg_item_device *d, int64_t items)
{
  hg_stream_device known = d->known;
  const double guessed = hg_guess_seconds((double)items * r->job.flops, true);
  if (known.kernel.count == 0 && r->job.flops > 0) hg_partial_learn(&known.kernel, (double)items, guessed);
  return known;
}

/* Once a simulation has chosen the streams of a share, they are kept as long as the share stays the same. */
hg_status hg_item_device_divide(const hg_divisible_run *r, hg_item_device *d, int64_t items)
{
  if (items == 0 || !d->cuda || !r->job.agglomerative) {
    hg_streams_equal(items, 1, &d->streams);
    return HG_OK;
  }
  const hg_stream_device device = suppose(r, d, items);
  const bool simulated = device.kernel.count > 0 && device.in.count > 0 && device.out.count > 0,
             known = simulated && d->known.kernel.count > 0;
  if (known && d->divided == items && r->workers.state != HG_SHARES_LEARNING) return HG_OK;
  if (simulated)
    HG_TRY(hg_streams_divide(&device, r->strategy, items, d->n_min, r->streams, &d->streams, NULL));
  else if (r->strategy == HG_STREAMS_BEST || r->strategy == HG_STREAMS_DIV2)
    hg_streams_div2(items, d->n_min, &d->streams);
  else
    hg_streams_equal(items, r->strategy == HG_STREAMS_FIXED ? r->streams : 1, &d->streams);
  limit(&d->streams, d->most);
  d->divided = known ? items : 0;
  return HG_OK;
}

/* Learns from the pass' kernels, one point per stream, except the very first kernel. */
static void learn_kernels(hg_divisible_run *r, hg_item_device *d, bool cold)
{
  for (int i = 0; i < r->chunks; i++) {
    hg_item_chunk *c = &r->chunk[i];
    if (!c->cuda || c->items.worker != (int)d->worker) continue;
    c->kernel = hg_item_chunk_kernel(c);
    if (c->kernel > 0 && !cold) hg_partial_learn(&d->known.kernel, (double)c->items.count, c->kernel);
    cold = false;
  }
}

/* What a first pass shows about a GPU: nothing if its first kernel was the only one. */
static hg_status first_model(const hg_divisible_run *r, const hg_item_device *d, hg_partial_speed *speed)
{
  if (!r->job.agglomerative || speed->count > 0 || hg_stream_device_check(&d->known) != HG_OK) return HG_OK;
  return hg_streams_curve(&d->known, r->strategy, r->count, d->n_min, r->streams, 1, speed);
}

/* The model of a GPU as a whole: what the models of bus and kernels predict for any share, times the ratio of measured
 * to predicted time of the pass; where these models are unknown, the passes themselves. */
hg_status hg_item_device_model(void *run, int device, int64_t w, double seconds, hg_partial_speed *speed)
{
  hg_divisible_run *r = run;
  hg_item_device *d = &r->device[device];
  const bool cold = r->workers.start[device] > 0;
  if (d->cuda) learn_kernels(r, d, cold);
  if (cold) return first_model(r, d, speed);
  if (!d->cuda || !r->job.agglomerative || hg_stream_device_check(&d->known) != HG_OK)
    return hg_partial_learn(speed, (double)w, seconds);
  const double simulated = hg_streams_simulate(&d->known, &d->streams, NULL);
  if (r->workers.state != HG_SHARES_LEARNING) return hg_partial_learn(speed, (double)w, seconds);
  return hg_streams_curve(&d->known, r->strategy, r->count, d->n_min, r->streams, seconds / simulated, speed);
}

/* --- preparations --- */

typedef struct preparation {
  hg_items_function *function;
  hg_items items;
  hg_status status;
  char message[400];
} preparation;

static void prepare(void *arg)
{
  preparation *p = arg;
#ifdef HG_HAVE_CUDA
  if (starpu_worker_get_id() >= 0) p->items.stream = starpu_cuda_get_local_stream();
#endif
  hg_clear_message();
  p->status = p->function(&p->items);
  snprintf(p->message, sizeof p->message, "%s", hg_message());
}

hg_status hg_item_device_prepare(const hg_divisible_run *r, hg_item_device *d, int64_t items)
{
  const int64_t count = r->job.agglomerative ? items : 1;
  if (!r->job.prepare || items == 0) return HG_OK;
  for (int64_t i = 0; i < d->prepares; i++)
    if (d->prepared[i] == count) return HG_OK;
  HG_TRY(hg_grow("preparations", (void **)&d->prepared, d->prepares, sizeof *d->prepared));
  preparation p = {.function = r->job.prepare,
                   .items = {.count = count,
                             .grid = {r->job.grid[0], r->job.grid[1], r->job.grid[2]},
                             .worker = (int)d->worker,
                             .arg = r->job.arg,
                             .cores = d->cores}};
  unsigned worker = d->worker;
  if (d->cuda)
    starpu_execute_on_specific_workers(prepare, &p, 1, &worker, "prepare");
  else
    prepare(&p);
  if (p.status != HG_OK)
    return hg_fail(p.status, "%s: %" PRId64 " items could not be prepared on worker %u: %s", r->name, count, worker,
                   *p.message ? p.message : hg_status_text(p.status));
  d->prepared[d->prepares++] = count;
  return HG_OK;
}
