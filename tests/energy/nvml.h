/* SPDX-License-Identifier: MIT */
/* An emulated NVML for tests, without GPUs: HETGRID_NVML names it. The test sets its counters (by the functions below,
 * found with dlsym), or they follow the processor's load, as the environment says:
 *   FAKE_NVML_GPUS=N                    number of GPUs (default 2), at 0000:N1:00.0, 0000:N2:00.0, ..
 *   FAKE_NVML_SAMPLED=1                 GPUs do not count energy, only power
 *   FAKE_NVML_IDLE=W FAKE_NVML_FULL=W   when sampled, each draws IDLE, and FULL more for each thread of this process
 *                                       that computes, or would if it had a core
 *   FAKE_NVML_RESTS=1                   the main thread is not counted, as it sleeps while others compute
 *   FAKE_NVML_LIMIT=W                   the highest power limit (default: not available) */
#ifndef HG_TESTS_ENERGY_NVML_H
#define HG_TESTS_ENERGY_NVML_H

/** Sets the energy that a GPU has used so far. */
typedef void fake_nvml_energy_fn(unsigned gpu, unsigned long long millijoules);

/** Sets the power that it draws. */
typedef void fake_nvml_power_fn(unsigned gpu, unsigned milliwatts);

/** From now on all queries of it return this error; 0: none. */
typedef void fake_nvml_error_fn(unsigned gpu, int error);

extern fake_nvml_energy_fn fake_nvml_set_energy;
extern fake_nvml_power_fn fake_nvml_set_power;
extern fake_nvml_error_fn fake_nvml_set_error;
#endif
