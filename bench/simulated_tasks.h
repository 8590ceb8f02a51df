/* SPDX-License-Identifier: MIT */
/* Tasks that only take time on a simulated machine, and the arguments that give it; for simulated_graphs.c. */
#ifndef HG_BENCH_SIMULATED_TASKS_H
#define HG_BENCH_SIMULATED_TASKS_H

#include <starpu.h>
#include <stdbool.h>

typedef starpu_data_handle_t handle;

/** A task's accesses, to be filled in. */
typedef struct draft {
  handle data[256];
  enum starpu_data_access_mode mode[256];
  int count;
} draft;

extern struct starpu_codelet anywhere, on_cores, on_gpus;
extern int n;                       /**< size of the graph */
extern double us, kb, ratio, sigma; /**< us of a task on a core, kB of data, GPU over core, spread */
extern double gpu_ratio[32];        /**< of each kernel */

/** Reads key=value from the arguments after the second. */
void read_arguments(int count, char **text);
/** Starts StarPU with a policy of this name, ours or StarPU's. */
bool start(const char *policy);
/** ms since start(). */
double elapsed(void);
double key(const char *name, double standard);
double uniform(void);
double lognormal(double spread);

/** Data of so many KB, with coordinates unless x < 0, two if z < 0; `count` pieces without them; a grid with them. */
handle data_at(double kilobytes, int x, int y, int z);
handle *data(int count, double kilobytes);
handle *data_grid(int rows, int columns, double kilobytes);

void add(draft *d, handle h, enum starpu_data_access_mode mode);
struct starpu_task *task_of(struct starpu_codelet *codelet, int kernel, double time, const draft *d);
void submit(struct starpu_codelet *codelet, int kernel, double time, int priority, const draft *d);
/** A task that updates one piece of data and reads up to two (NULL: fewer). */
void update(int kernel, double time, int priority, handle rw, handle a, handle b);
#endif
