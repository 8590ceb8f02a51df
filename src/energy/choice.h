/* SPDX-License-Identifier: MIT */
/* Parses which sources of joules a user wants: `--energy[=SOURCE,..]`. */
#ifndef HG_ENERGY_CHOICE_H
#define HG_ENERGY_CHOICE_H

#include <stdbool.h>

#include "base/file.h"
#include "base/status.h"
#include "energy/source.h"

typedef struct hg_energy_choice {
  bool wanted;                                    /**< the option was given */
  bool named;                                     /**< with a list of sources, which must then exist */
  bool rapl, nvml;                                /**< counters to be read */
  char meter[HG_PATH_MAX], modelled[HG_PATH_MAX]; /**< files; "": none */
  double meter_offset;                            /**< s by which the meter's clock is ahead */
} hg_energy_choice;

/** Parses a list of rapl, nvml, meter:FILE, modelled:FILE; NULL: whatever is available. HG_INVALID naming an unknown
 * item, or sources that cover the same devices. */
hg_status hg_energy_choose(const char *list, hg_energy_choice *choice);

/** Opens the single source with which a machine is measured.
 * @param option  for errors, as "--source"
 * @param name    rapl, nvml or meter:FILE; NULL: nvml for `gpus`, else rapl
 * HG_INVALID: none of these; HG_UNSUPPORTED, HG_IO, HG_FORMAT: it cannot be read */
hg_status hg_energy_open(const char *option, const char *name, bool gpus, double meter_offset, hg_energy_source **out);

/** Path where hetgrid-energy --measure stores the powers of this machine: energy.platform beside the speed tables. */
hg_status hg_energy_machine(char path[HG_PATH_MAX]);
#endif
