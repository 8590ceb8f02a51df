/* SPDX-License-Identifier: MIT */
/* A management library of GPUs that are not there, for tests: HETGRID_NVML names it. What its counters say is set by
 * the test itself (these functions are found with dlsym), or follows the processor's load, by the environment:
 *   FAKE_NVML_GPUS=N                    GPUs there are (default 2), at 0000:N1:00.0, 0000:N2:00.0, ..
 *   FAKE_NVML_SAMPLED=1                 they do not count energy, only power
 *   FAKE_NVML_IDLE=W FAKE_NVML_FULL=W   when sampled, each draws IDLE, and FULL more for each thread of this process
 *                                       that computes, or would if it had a core
 *   FAKE_NVML_LIMIT=W                   the highest power limit (default: they do not say) */
#ifndef HG_TESTS_ENERGY_NVML_H
#define HG_TESTS_ENERGY_NVML_H

/** Energy of a GPU so far. */
typedef void fake_nvml_energy_fn(unsigned gpu, unsigned long long millijoules);

/** Power that it draws. */
typedef void fake_nvml_power_fn(unsigned gpu, unsigned milliwatts);

/** From now on all questions about it are answered by this error; 0: none. */
typedef void fake_nvml_error_fn(unsigned gpu, int error);

extern fake_nvml_energy_fn fake_nvml_set_energy;
extern fake_nvml_power_fn fake_nvml_set_power;
extern fake_nvml_error_fn fake_nvml_set_error;
#endif
