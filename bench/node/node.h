/* SPDX-License-Identifier: MIT
 * The timed node: programs run in a time that is `stretch` times slower than the clock, on processors that sleep. All
 * times here are seconds of the node unless called real. */
#ifndef BENCH_NODE_H
#define BENCH_NODE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct starpu_task;

typedef struct {
  double to, from, latency;   /* bus: bytes/s in each direction, s */
  double pageable;            /* bytes/s of copies from unpinned memory */
  double memory;              /* bytes of the device */
  double launch, call, query; /* s of the calling thread: a kernel's launch, another call, a query of completion */
  double alloc, free, pin;    /* s of an allocation on the device and of freeing it; bytes/s of pinning */
  double cold, cold_kind;     /* additional s of the first kernel of a process, of a kind of task */
} node_device;

extern node_device node;

/* clock.c */
double node_now(void);                 /* s of the node */
void node_spend(double seconds);       /* the calling thread works so long on the node */
void node_sleep_until(double time);    /* time of the node */
void node_own_work(bool begins);       /* work between the two calls costs nothing on the node */
void node_begin(void);                 /* the first task has been submitted */
int node_lock(pthread_mutex_t *mutex); /* like pthread_mutex_lock, without cost on the node */
int node_unlock(pthread_mutex_t *mutex);

/* describe.c: the node and settings of its run */
double node_setting(const char *name, double standard); /* number in an environment variable */
/* The number after `key` in a line that begins with `word`; `standard` if there is none. */
double node_value(const char *word, const char *key, double standard);
/* The rest of the next line that begins with `word`, or NULL; *place is 0 at first. */
const char *node_line(const char *word, size_t *place);

/* cuda.c */
void node_kernel(double seconds, void *stream);
int node_done(double seconds); /* returns cudaSuccess after a call of that duration */

/* cuda_devices.c, cuda_memory.c */
enum { NODE_DEVICES = 8 };
enum { NODE_PAGEABLE, NODE_DEVICE, NODE_PINNED };
extern __thread int node_device_of_thread;
int node_memory_kind(const void *p);
int node_freed(void); /* how often device memory was freed */

#endif
