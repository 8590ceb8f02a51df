/* SPDX-License-Identifier: MIT
 * starts COUNT [PER [SEED]]: starts so many small task graphs while all workers sleep, and waits for each; restarts
 * StarPU after PER of them (25). A graph that does not end within a minute ends the program with SIGABRT. */
#include <starpu.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gemm.h"

enum { TILES = 12, LEAST = 4, MOST = 40, LONGEST_S = 60, PAUSE_US = 2000 };

static volatile sig_atomic_t start;

static void hangs(int number)
{
  char text[64];
  (void)number;
  const int length = snprintf(text, sizeof text, "start %d does not end\n", (int)start);
  if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(1);
  abort();
}

static int any(int below)
{
  return (int)(random() % below);
}

/* One of eight tasks is for cores alone, one for the GPU alone. */
static int where(void)
{
  const int die = any(8);
  return die == 0 ? STARPU_CPU : die == 1 ? STARPU_CUDA : STARPU_CPU | STARPU_CUDA;
}

static void begin_graph(starpu_data_handle_t const *tile)
{
  const int tasks = LEAST + any(MOST - LEAST);
  for (int i = 0; i < tasks; i++) {
    const int c = any(TILES), a = (c + 1 + any(TILES / 2 - 1)) % TILES, b = (c + TILES / 2 + any(TILES / 2)) % TILES;
    if (starpu_task_insert(&gemm, STARPU_R, tile[a], STARPU_R, tile[b], STARPU_RW, tile[c], STARPU_PRIORITY, any(5) - 2,
                           STARPU_EXECUTE_WHERE, (unsigned long long)where(), 0) != 0)
      exit(77);
  }
}

static void run(int starts)
{
  starpu_data_handle_t tile[TILES];
  if (starpu_init(NULL) != 0) exit(77);
  for (int i = 0; i < TILES; i++) tile[i] = new_tile();
  for (int i = 0; i < starts; i++) {
    start++;
    alarm(LONGEST_S);
    begin_graph(tile);
    starpu_task_wait_for_all();
    usleep((useconds_t)any(PAUSE_US));
  }
  for (int i = 0; i < TILES; i++) {
    void *memory = starpu_data_get_local_ptr(tile[i]);
    starpu_data_unregister(tile[i]);
    starpu_free_noflag(memory, (size_t)SIDE * SIDE * sizeof(float));
  }
  starpu_shutdown();
}

int main(int argc, char **argv)
{
  const int count = argc > 1 ? atoi(argv[1]) : 0, per = argc > 2 ? atoi(argv[2]) : 25;
  if (count < 1 || per < 1) return 2;
  srandom(argc > 3 ? (unsigned)atoi(argv[3]) : 1);
  signal(SIGALRM, hangs);
  for (int left = count; left > 0; left -= per) run(left < per ? left : per);
  printf("%d\n", (int)start);
  return 0;
}
