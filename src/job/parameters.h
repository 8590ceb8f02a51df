/* SPDX-License-Identifier: MIT */
/* The parameters of an application as options of its command line. */
#ifndef HG_JOB_PARAMETERS_H
#define HG_JOB_PARAMETERS_H

#include <argp.h>

#include "job/job.h"

enum { HG_PARAMETERS_KEY = 0x4000 }; /* of the first one's option */

/** The options, ended by {0}, each with its default and bounds in its help. `taken` says which names are options
 * already. HG_INVALID naming the parameter that is wrong: its name, bounds, place or default; HG_MEMORY. Free with
 * hg_parameters_free. */
hg_status hg_parameters_options(const hg_job *job, bool (*taken)(const char *name), struct argp_option **out);
void hg_parameters_free(struct argp_option *options);

/** The value of a parameter of the list. */
double hg_parameter_value(const hg_job *job, const hg_parameter *parameter);

/** Writes the value of parameter `i` into the job's parameters. HG_INVALID naming option, value and bound. */
hg_status hg_parameters_set(const hg_job *job, int i, const char *text);
#endif
