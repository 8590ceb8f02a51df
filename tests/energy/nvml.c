/* SPDX-License-Identifier: MIT */
#include "nvml.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Number of threads of this process that compute, or would if they had a core; not those that ask for the power, which
 * may be waiting for a core, too. */
static int running_threads(void)
{
  static pid_t sampler; /* the last thread that asked, except the main one */
  const pid_t caller = gettid(), resting = number("FAKE_NVML_RESTS", 0) > 0 ? getpid() : caller;
  char path[300], line[512];
  int running = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (caller != getpid()) sampler = caller;
  for (struct dirent *e = tasks ? readdir(tasks) : NULL; e; e = readdir(tasks)) {
    const pid_t id = atoi(e->d_name); /* 0: this folder or its parent */
    if (id == 0 || id == caller || id == sampler || id == resting) continue;
    snprintf(path, sizeof path, "/proc/self/task/%.200s/stat", e->d_name);
    FILE *stat = fopen(path, "r");
    const char *after = stat && fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
    running += after && after[1] && after[2] == 'R';
    if (stat) fclose(stat);
  }
  if (tasks) closedir(tasks);
  return running;
}

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetPowerManagementLimitConstraints(void *device, unsigned *least, unsigned *most);
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
  if (gpu[i].error) return gpu[i].error;
  if (number("FAKE_NVML_SAMPLED", 0) > 0) return NOT_SUPPORTED;
  *millijoules = gpu[i].millijoules;
  return SUCCESS;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
  const uintptr_t i = (uintptr_t)device - 1;
  const double full = number("FAKE_NVML_FULL", -1), idle = number("FAKE_NVML_IDLE", 0);
  *milliwatts = gpu[i].milliwatts;
  if (full >= 0) *milliwatts = (unsigned)(1e3 * (idle + full * running_threads()));
  return gpu[i].error;
}

int nvmlDeviceGetPowerManagementLimitConstraints(void *device, unsigned *least, unsigned *most)
{
  const double watts = number("FAKE_NVML_LIMIT", 0);
  *least = 100000;
  *most = (unsigned)(1e3 * watts);
  return device && watts > 0 ? SUCCESS : NOT_SUPPORTED;
}

const char *nvmlErrorString(int error)
{
  return error == GPU_IS_LOST ? "GPU is lost" : error == NOT_FOUND ? "Not Found" : "an error";
}
