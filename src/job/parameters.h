/* SPDX-License-Identifier: MIT */
/* The parameters of an application as options of its command line. */
#ifndef HG_JOB_PARAMETERS_H
#define HG_JOB_PARAMETERS_H

#include "job/job.h"
#include "options/option.h"

/** Makes option rows of the job's parameters, ended by {0}, with default and bounds in the help. `command` has the
 * existing options. HG_INVALID naming the parameter that is wrong: its name, bounds, place or default; HG_MEMORY. Free
 * with hg_parameters_free. */
hg_status hg_parameters_options(const hg_job *job, const hg_command *command, hg_option **out);
void hg_parameters_free(hg_option *options);

/** The value of a parameter of the list. */
double hg_parameter_value(const hg_job *job, const hg_parameter *parameter);
#endif
