/* SPDX-License-Identifier: MIT */
/* Timed messages: trains wait between messages. The load of a host by other processes is distinguished from that by
 * ranks. */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exchange/world.h"

#include "tap.h"

static void work_for(double seconds)
{
  const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  while (clock() < end) continue;
}

static double least_of_three(const hg_network_world *w, int n, double d)
{
  double seconds[3] = {0};
  if (hg_network_train_times(w, (hg_pair){0, 1}, n, d, 100, 3, seconds) != HG_OK) return 0;
  return fmin(fmin(seconds[0], seconds[1]), seconds[2]);
}

static void trains_wait(const hg_network_world *w)
{
  const double four = least_of_three(w, 4, .01);
  tap_ok(four >= .03, "four messages, each 10 ms after the previous one, take at least 30 ms (%.1f ms)", four * 1e3);
  tap_ok(least_of_three(w, 1, 1e9) > 0, "there is no wait after the last one");
}

static double busy_ticks(void)
{
  double user = 0;
  FILE *f = fopen("/proc/stat", "re");
  const int read = f ? fscanf(f, "cpu %lf", &user) : 0;
  if (f) fclose(f);
  return read == 1 ? user : 0;
}

/* Processor time that this process used before it began to watch does not count. */
static void others_are_told_from_ranks(const hg_network_world *w)
{
  const double before = busy_ticks();
  work_for(.6);
  hg_network_watch(w);
  const pid_t other = fork();
  if (other == 0) {
    work_for(.1);
    _exit(0);
  }
  waitpid(other, NULL, 0);
  const double load = hg_network_other_load(w);
  if (busy_ticks() > before)
    tap_ok(load > 0 && load <= 1, "another process uses %.0f %% of the processors", 100 * load);
  else
    tap_skip("this system does not report its load");
}

int main(void)
{
  hg_network_world w;
  if (hg_network_world_open(&w) != HG_OK) return 1;
  const int rank = w.rank;
  if (rank > 0) {
    hg_network_serve(&w);
  } else {
    if (w.ranks > 1)
      trains_wait(&w);
    else
      others_are_told_from_ranks(&w);
    hg_network_dismiss(&w);
  }
  hg_network_world_close(&w);
  return rank == 0 ? tap_done() : 0;
}
