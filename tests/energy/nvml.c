/* SPDX-License-Identifier: MIT */
#include "nvml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GPUS = 8, SUCCESS = 0, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, GPU_IS_LOST = 15 };

static struct {
  unsigned long long millijoules;
  unsigned milliwatts;
  int error;
} gpu[GPUS];

void fake_nvml_set_energy(unsigned i, unsigned long long millijoules)
{
  gpu[i].millijoules = millijoules;
}

void fake_nvml_set_power(unsigned i, unsigned milliwatts)
{
  gpu[i].milliwatts = milliwatts;
}

void fake_nvml_set_error(unsigned i, int error)
{
  gpu[i].error = error;
}

static double number(const char *name, double absent)
{
  const char *value = getenv(name);
  return value ? atof(value) : absent;
}

static double seconds(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
const char *nvmlErrorString(int error);

int nvmlInit_v2(void)
{
  return SUCCESS;
}

int nvmlShutdown(void)
{
  return SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
  *count = (unsigned)number("FAKE_NVML_GPUS", 2);
  return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
  unsigned count;
  nvmlDeviceGetCount_v2(&count);
  *device = (void *)(uintptr_t)(index + 1);
  return index < count && index < GPUS ? SUCCESS : INVALID;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
  unsigned index;
  if (sscanf(bus, "0000:%x:00.0", &index) != 1 || index < 1) return NOT_FOUND;
  return nvmlDeviceGetHandleByIndex_v2(index - 1, device) == SUCCESS ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
  const uintptr_t i = (uintptr_t)device - 1;
  const double full = number("FAKE_NVML_FULL", -1), idle = number("FAKE_NVML_IDLE", 0);
  if (gpu[i].error) return gpu[i].error;
  if (number("FAKE_NVML_SAMPLED", 0) > 0) return NOT_SUPPORTED;
  *millijoules = gpu[i].millijoules;
  if (full < 0) return SUCCESS;
  unsigned count;
  nvmlDeviceGetCount_v2(&count);
  const double joules =
      idle * seconds(CLOCK_MONOTONIC) + full / count * seconds(CLOCK_PROCESS_CPUTIME_ID);
  *millijoules = (unsigned long long)(joules * 1e3);
  return SUCCESS;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
  const uintptr_t i = (uintptr_t)device - 1;
  *milliwatts = gpu[i].milliwatts;
  return gpu[i].error;
}

const char *nvmlErrorString(int error)
{
  return error == GPU_IS_LOST ? "GPU is lost" : error == NOT_FOUND ? "Not Found" : "an error";
}
