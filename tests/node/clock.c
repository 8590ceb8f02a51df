/* SPDX-License-Identifier: MIT
 * How often time goes back for threads, of which there are more than cores. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 8, LOOKS = 200000, MEETS = 50 };

static atomic_long back;
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *arg)
{
  struct timespec last = {0}, now;
  for (int i = 0; i < LOOKS; i++) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec < last.tv_sec || (now.tv_sec == last.tv_sec && now.tv_nsec < last.tv_nsec)) back++;
    last = now;
    if (i % MEETS) continue;
    pthread_mutex_lock(&meeting);
    pthread_mutex_unlock(&meeting);
  }
  return arg;
}

int main(void)
{
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, look, NULL) != 0) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  printf("%ld\n", back);
  return 0;
}
