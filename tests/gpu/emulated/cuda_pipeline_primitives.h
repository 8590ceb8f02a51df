/* SPDX-License-Identifier: MIT */
/* Asynchronous copies to shared memory. Copies of every other thread arrive at once, the others as late as allowed. So
 * tests detect places that are filled too early, and places that are read too early. C++ only. */
#ifndef HG_TESTS_GPU_EMULATED_CUDA_PIPELINE_PRIMITIVES_H
#define HG_TESTS_GPU_EMULATED_CUDA_PIPELINE_PRIMITIVES_H

#include <deque>

#include "cuda_runtime_api.h"

namespace emulate
{
struct copy_under_way {
  void *to;
  const void *from;
  size_t bytes;
};

typedef std::deque<std::vector<copy_under_way>> copy_groups;
inline copy_groups pipeline[THREADS_MOST]; /* by thread; the last group is open */

inline copy_groups &groups_of_thread()
{
  copy_groups &groups = pipeline[thread_index.x + width * thread_index.y];
  if (groups.empty()) groups.emplace_back();
  return groups;
}
} // namespace emulate

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes)
{
  if (emulate::thread_index.x % 2)
    emulate::groups_of_thread().back().push_back({to, from, bytes});
  else
    std::memcpy(to, from, bytes);
}

inline void __pipeline_commit()
{
  emulate::groups_of_thread().emplace_back();
}

inline void __pipeline_wait_prior(size_t left)
{
  emulate::copy_groups &groups = emulate::groups_of_thread();
  for (; groups.size() > left + 1; groups.pop_front())
    for (const emulate::copy_under_way &c : groups.front()) std::memcpy(c.to, c.from, c.bytes);
}
#endif
