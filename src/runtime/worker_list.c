/* SPDX-License-Identifier: MIT */
#include "runtime/worker_list.h"

#include <starpu.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "codelets/gpu/gpu.h"

static hg_status read_word(const char *word, int *out)
{
  static const char one[] = "cuda:";
  const int gpus = hg_gpu_count();
  int64_t gpu = strcmp(word, "cpu") == 0 ? HG_WORD_CPU : HG_WORD_CUDA;
  if (gpu == HG_WORD_CUDA && strncmp(word, "cuda", 4) == 0 && gpus == 0)
    return hg_fail(HG_NO_WORKER, "--workers: there is no GPU here");
  if (gpu == HG_WORD_CUDA && strcmp(word, "cuda") != 0) {
    if (strncmp(word, one, sizeof one - 1) != 0)
      return hg_fail(HG_INVALID, "--workers: '%s' is unknown; known: cpu, cuda, cuda:N", word);
    HG_TRY(hg_parse_int(word + sizeof one - 1, "--workers cuda:", 0, gpus - 1, &gpu));
  }
  *out = (int)gpu;
  return HG_OK;
}

hg_status hg_worker_words(const char *list, hg_status (*take)(void *arg, int word), void *arg)
{
  char copy[256], *rest = copy;
  if (snprintf(copy, sizeof copy, "%s", list) >= (int)sizeof copy)
    return hg_fail(HG_INVALID, "--workers: longer than %zu characters", sizeof copy - 1);
  for (char *text; (text = strsep(&rest, ","));) {
    int word = HG_WORD_CPU;
    HG_TRY(read_word(text, &word));
    HG_TRY(take(arg, word));
  }
  return HG_OK;
}

enum { GPUS = 64 };

/* The workers that StarPU is to start. */
typedef struct wanted {
  bool cpu, cuda; /* cuda: all GPUs */
  int gpus, gpu[GPUS];
} wanted;

static hg_status take_word(void *arg, int word)
{
  wanted *w = arg;
  if (word == HG_WORD_CPU) w->cpu = true;
  if (word == HG_WORD_CUDA) w->cuda = true;
  for (int i = 0; i < w->gpus; i++)
    if (w->gpu[i] == word) return HG_OK;
  if (word >= 0 && w->gpus < GPUS) w->gpu[w->gpus++] = word;
  return HG_OK;
}

/* The environment takes precedence over StarPU's configuration, so it must not ask for something else. */
static hg_status check_environment(const char *list, bool free, const char *variable)
{
  const char *value = getenv(variable);
  if (free || !value || strcmp(value, "0") == 0) return HG_OK;
  return hg_fail(HG_INVALID, "--workers: %s, but %s=%s in the environment asks for others", list, variable, value);
}

hg_status hg_worker_list_start(const char *list, struct starpu_conf *conf)
{
  wanted w = {.gpus = 0};
  if (!list) return HG_OK;
  HG_TRY(hg_worker_words(list, take_word, &w));
  HG_TRY(check_environment(list, w.cpu, "STARPU_NCPU"));
  HG_TRY(check_environment(list, w.cpu, "STARPU_NCPUS"));
  HG_TRY(check_environment(list, w.cuda || w.gpus > 0, "STARPU_NCUDA"));
  HG_TRY(check_environment(list, w.cuda || w.gpus == 0, "STARPU_WORKERS_CUDAID"));
  if (!w.cpu) conf->ncpus = 0;
  if (w.cuda) return HG_OK;
  conf->ncuda = w.gpus;
  conf->use_explicit_workers_cuda_gpuid = w.gpus > 0;
  for (int i = 0; i < w.gpus; i++) conf->workers_cuda_gpuid[i] = (unsigned)w.gpu[i];
  return HG_OK;
}
