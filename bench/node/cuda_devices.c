/* SPDX-License-Identifier: MIT
 * CUDA functions that query and choose devices. */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "node.h"

__thread int node_device_of_thread;

cudaError_t cudaGetDeviceCount(int *count)
{
  *count = (int)node_setting("NODE_GPUS", 1);
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
  *device = node_device_of_thread;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
  node_device_of_thread = device;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
  (void)flags;
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
  *p = (struct cudaDeviceProp){.name = "NVIDIA H100 80GB HBM3",
                               .totalGlobalMem = (size_t)node.memory,
                               .major = 9,
                               .multiProcessorCount = 132,
                               .concurrentKernels = 1,
                               .pciBusID = 6 + device,
                               .sharedMemPerBlock = 49152,
                               .sharedMemPerBlockOptin = 232448,
                               .sharedMemPerMultiprocessor = 233472,
                               .maxThreadsPerBlock = 1024,
                               .maxThreadsPerMultiProcessor = 2048,
                               .warpSize = 32,
                               .l2CacheSize = 50 << 20,
                               .asyncEngineCount = 3,
                               .unifiedAddressing = 1};
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
  (void)device;
  *value = attribute == cudaDevAttrMultiProcessorCount                ? 132
           : attribute == cudaDevAttrComputeCapabilityMajor           ? 9
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin     ? 232448
           : attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? 233472
           : attribute == cudaDevAttrMaxSharedMemoryPerBlock          ? 49152
           : attribute == cudaDevAttrL2CacheSize                      ? 50 << 20
           : attribute == cudaDevAttrMaxThreadsPerMultiProcessor      ? 2048
           : attribute == cudaDevAttrClockRate                        ? 1980000
           : attribute == cudaDevAttrAsyncEngineCount                 ? 3
           : attribute == cudaDevAttrSingleToDoublePrecisionPerfRatio ? 2
                                                                      : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
  snprintf(text, (size_t)size, "0000:%02x:00.0", 6 + device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int a, int b)
{
  *can = a != b;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned flags)
{
  (void)device;
  (void)flags;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute attribute, int value)
{
  (void)f, (void)attribute, (void)value;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int size, size_t shared,
                                                                   unsigned flags)
{
  (void)f, (void)size, (void)shared, (void)flags;
  *blocks = 2;
  return cudaSuccess;
}
