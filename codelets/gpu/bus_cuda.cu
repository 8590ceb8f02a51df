// SPDX-License-Identifier: MIT
// Copies as StarPU makes them: asynchronous, on one stream per direction, completion seen by an event.
#include "codelets/gpu/bus.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "codelets/cuda.h"

namespace
{
double bus_clock()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool good(cudaError_t error)
{
  if (error == cudaSuccess) return true;
  cudaGetLastError(); // clears it for the next call
  return false;
}
} // namespace

struct hg_bus {
  void *pinned[2] = {}, *pageable = nullptr; // host memory; pinned: for each direction
  void *device[2] = {}, *peer = nullptr;     // on the first GPU, for each direction; on the second
  cudaStream_t stream[2] = {};
  cudaEvent_t done = {};

  bool make(size_t bytes);
  bool make_peer(size_t bytes);
  ~hg_bus();
  cudaError_t copy(hg_bus_kind kind, size_t bytes);
  cudaError_t copy_back(hg_bus_kind kind, size_t bytes);
};

bool hg_bus::make_peer(size_t bytes)
{
  int gpus = 0;
  if (!good(cudaGetDeviceCount(&gpus)) || gpus < 2) return true;
  const bool made = good(cudaSetDevice(1)) && good(cudaMalloc(&peer, bytes));
  return good(cudaSetDevice(0)) && made;
}

bool hg_bus::make(size_t bytes)
{
  for (int i = 0; i < 2; i++) {
    if (!good(cudaMallocHost(&pinned[i], bytes)) || !good(cudaMalloc(&device[i], bytes))) return false;
    if (!good(cudaStreamCreate(&stream[i])) || !good(cudaMemset(device[i], 1, bytes))) return false;
    std::memset(pinned[i], 1, bytes);
  }
  pageable = std::malloc(bytes);
  if (pageable) std::memset(pageable, 1, bytes);
  return pageable && good(cudaEventCreate(&done)) && make_peer(bytes);
}

hg_bus::~hg_bus()
{
  for (int i = 0; i < 2; i++) {
    if (pinned[i]) cudaFreeHost(pinned[i]);
    if (device[i]) cudaFree(device[i]);
    if (stream[i]) cudaStreamDestroy(stream[i]);
  }
  if (peer) cudaFree(peer);
  if (done) cudaEventDestroy(done);
  std::free(pageable);
}

cudaError_t hg_bus::copy(hg_bus_kind kind, size_t bytes)
{
  switch (kind) {
  case HG_BUS_H2D:
  case HG_BUS_H2D_BOTH: return cudaMemcpyAsync(device[0], pinned[0], bytes, cudaMemcpyHostToDevice, stream[0]);
  case HG_BUS_D2H:
  case HG_BUS_D2H_BOTH: return cudaMemcpyAsync(pinned[0], device[0], bytes, cudaMemcpyDeviceToHost, stream[0]);
  case HG_BUS_H2D_PAGEABLE: return cudaMemcpyAsync(device[0], pageable, bytes, cudaMemcpyHostToDevice, stream[0]);
  case HG_BUS_D2H_PAGEABLE: return cudaMemcpyAsync(pageable, device[0], bytes, cudaMemcpyDeviceToHost, stream[0]);
  case HG_BUS_D2D: return cudaMemcpyPeerAsync(peer, 1, device[0], 0, bytes, stream[0]);
  }
  return cudaErrorInvalidValue;
}

// The copy in the other direction at the same time.
cudaError_t hg_bus::copy_back(hg_bus_kind kind, size_t bytes)
{
  if (kind == HG_BUS_H2D_BOTH) return cudaMemcpyAsync(pinned[1], device[1], bytes, cudaMemcpyDeviceToHost, stream[1]);
  if (kind == HG_BUS_D2H_BOTH) return cudaMemcpyAsync(device[1], pinned[1], bytes, cudaMemcpyHostToDevice, stream[1]);
  return cudaSuccess;
}

extern "C" double hg_bus_start(void)
{
  static const double seconds = [] {
    const double start = bus_clock();
    int gpus = 0;
    return good(cudaGetDeviceCount(&gpus)) && gpus > 0 && good(cudaSetDevice(0)) && good(cudaFree(nullptr))
               ? bus_clock() - start
               : NAN;
  }();
  return seconds;
}

extern "C" hg_bus *hg_bus_open(int64_t bytes)
{
  hg_bus *bus = new (std::nothrow) hg_bus;
  if (bus && good(cudaSetDevice(0)) && bus->make(bytes > 0 ? (size_t)bytes : 1)) return bus;
  delete bus;
  return nullptr;
}

extern "C" void hg_bus_close(hg_bus *bus)
{
  delete bus;
}

extern "C" int hg_bus_times(hg_bus *bus, hg_bus_kind kind, int64_t bytes, int count, double *seconds)
{
  for (int i = -1; i < count; i++) { // the first is slower and is not counted
    const double start = bus_clock();
    if (!good(bus->copy_back(kind, (size_t)bytes)) || !good(bus->copy(kind, (size_t)bytes)) ||
        !good(cudaEventRecord(bus->done, bus->stream[0])) || !good(cudaEventSynchronize(bus->done)))
      return -1;
    if (i >= 0) seconds[i] = bus_clock() - start;
    if (!good(cudaStreamSynchronize(bus->stream[1]))) return -1;
  }
  return 0;
}
