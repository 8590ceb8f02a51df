/* SPDX-License-Identifier: MIT */
/* What makes a checkpoint one of this job. */
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/hash.h"
#include "job/run.h"

/* What a file holds; nothing for a formula. */
static void mix_contents(uint64_t *h, const char *source)
{
  char path[HG_PATH_MAX];
  void *bytes;
  size_t size;
  hg_grid_file(source, path);
  if (hg_file_map(path, &bytes, &size) != HG_OK) return;
  hg_hash_mix(h, bytes, size);
  munmap(bytes, size);
}

uint64_t hg_run_identity(const hg_run *r)
{
  const hg_job *j = r->job;
  uint64_t h = HG_HASH_START;
  hg_hash_mix(&h, r->name, strlen(r->name) + 1);
  hg_hash_mix(&h, &r->domain.dims, sizeof r->domain.dims);
  hg_hash_mix(&h, r->domain.n, sizeof r->domain.n);
  hg_hash_mix(&h, &j->update->value_bytes, sizeof j->update->value_bytes);
  for (int i = 0; i < 6; i++) {
    const hg_side *side = &r->side[i / 2][i % 2];
    const double value = side->has_value ? side->value : 0;
    const int kind[2] = {(int)side->kind, side->has_value};
    hg_hash_mix(&h, kind, sizeof kind);
    hg_hash_mix(&h, &value, sizeof value);
  }
  if (r->parameters) hg_hash_mix(&h, r->parameters, j->parameter_bytes);
  if (j->source) {
    hg_hash_mix(&h, j->source, strlen(j->source) + 1);
    mix_contents(&h, j->source);
    hg_hash_mix(&h, &j->seed, sizeof j->seed);
  }
  return h;
}
