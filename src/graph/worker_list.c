/* SPDX-License-Identifier: MIT */
#include "graph/worker_list.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "codelets/gpu.h"

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
