/* SPDX-License-Identifier: MIT */
#include "job/parameters.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 40, HELP_MAX = 400 };

static size_t bytes_of(hg_parameter_type type)
{
  return type == HG_PARAMETER_DOUBLE  ? sizeof(double)
         : type == HG_PARAMETER_FLOAT ? sizeof(float)
         : type == HG_PARAMETER_INT   ? sizeof(int)
                                      : sizeof(int64_t);
}

static bool is_whole(const hg_parameter *p)
{
  return p->type == HG_PARAMETER_INT || p->type == HG_PARAMETER_INT64;
}

double hg_parameter_value(const hg_job *job, const hg_parameter *p)
{
  const char *at = (const char *)job->parameters + p->offset;
  double real;
  float single;
  int whole;
  int64_t large;
  switch (p->type) {
  case HG_PARAMETER_DOUBLE: return memcpy(&real, at, sizeof real), real;
  case HG_PARAMETER_FLOAT: return memcpy(&single, at, sizeof single), (double)single;
  case HG_PARAMETER_INT: return memcpy(&whole, at, sizeof whole), whole;
  case HG_PARAMETER_INT64: return memcpy(&large, at, sizeof large), (double)large;
  }
  return NAN;
}

static void name_option(const hg_parameter *p, char out[NAME_MAX_LENGTH + 1])
{
  int n = 0;
  for (; p->name[n]; n++) out[n] = p->name[n] == '_' ? '-' : p->name[n];
  out[n] = 0;
}

static bool is_name(const char *name)
{
  for (int i = 0; name[i]; i++)
    if (!(isalnum((unsigned char)name[i]) || (i > 0 && (name[i] == '_' || name[i] == '-')))) return false;
  return *name && strlen(name) <= NAME_MAX_LENGTH;
}

/* Whether a bound is in the type's range; for int64_t, where doubles are exact. */
static bool holds(hg_parameter_type type, double bound)
{
  return type == HG_PARAMETER_INT     ? bound >= INT_MIN && bound <= INT_MAX
         : type == HG_PARAMETER_INT64 ? fabs(bound) <= 0x1p53
         : type == HG_PARAMETER_FLOAT ? fabs(bound) <= FLT_MAX
                                      : true;
}

static hg_status check(const hg_job *job, const hg_parameter *p)
{
  const double value = hg_parameter_value(job, p);
  if (!holds(p->type, p->least) || !holds(p->type, p->most))
    return hg_fail(HG_INVALID, "parameter '%s': bounds %g..%g exceed the range of its type", p->name, p->least,
                   p->most);
  if (!(p->least <= p->most) || !isfinite(p->least) || !isfinite(p->most))
    return hg_fail(HG_INVALID, "parameter '%s': bounds %g..%g, must be finite and in ascending order", p->name,
                   p->least, p->most);
  if (!(value >= p->least && value <= p->most))
    return hg_fail(HG_INVALID, "parameter '%s': default %g is not in %g..%g", p->name, value, p->least, p->most);
  return HG_OK;
}

static hg_status check_place(const hg_job *job, const hg_parameter *p)
{
  if (!is_name(p->name))
    return hg_fail(HG_INVALID, "parameter '%.60s': must be a name of at most %d letters, digits, _", p->name,
                   NAME_MAX_LENGTH);
  if ((unsigned)p->type > HG_PARAMETER_INT64)
    return hg_fail(HG_INVALID, "parameter '%s': type %d is unknown", p->name, (int)p->type);
  if (!job->parameters || p->offset + bytes_of(p->type) > job->parameter_bytes)
    return hg_fail(HG_INVALID, "parameter '%s': at byte %zu of the %zu that .parameters has", p->name, p->offset,
                   job->parameters ? job->parameter_bytes : 0);
  return check(job, p);
}

/* Name and help are in one block of memory, so freeing the help frees both. */
static hg_status describe(const hg_job *job, const hg_parameter *p, hg_option *out)
{
  const size_t size = NAME_MAX_LENGTH + 1 + HELP_MAX;
  char *text = malloc(size);
  if (!text) return hg_fail(HG_MEMORY, "no memory for the parameters");
  name_option(p, text);
  snprintf(text + NAME_MAX_LENGTH + 1, HELP_MAX, "%.300s (%g..%g, default %.6g)", p->help ? p->help : p->name, p->least,
           p->most, hg_parameter_value(job, p));
  *out = (hg_option){.name = text, .arg = is_whole(p) ? "N" : "X", .help = text + NAME_MAX_LENGTH + 1};
  out->field = (hg_option_field){.type = is_whole(p) ? HG_IS_INT : HG_IS_REAL,
                                 .offset = p->offset,
                                 .bytes = bytes_of(p->type),
                                 .least = p->least,
                                 .largest = p->most};
  return HG_OK;
}

hg_status hg_parameters_options(const hg_job *job, const hg_command *command, hg_option **out)
{
  int count = 0;
  while (job->parameter && job->parameter[count].name) count++;
  *out = calloc((size_t)count + 1, sizeof **out);
  hg_status status = *out ? HG_OK : hg_fail(HG_MEMORY, "no memory for the parameters");
  for (int i = 0; i < count && status == HG_OK; i++) {
    status = check_place(job, &job->parameter[i]);
    if (status == HG_OK) status = describe(job, &job->parameter[i], *out + i);
    if (status == HG_OK && hg_command_option(command, (*out)[i].name, NULL))
      status = hg_fail(HG_INVALID, "parameter '%s': an option has the same name", job->parameter[i].name);
    for (int j = 0; j < i && status == HG_OK; j++)
      if (strcmp((*out)[i].name, (*out)[j].name) == 0)
        status = hg_fail(HG_INVALID, "parameter '%s' is defined twice", job->parameter[i].name);
  }
  if (status == HG_OK) return HG_OK;
  hg_parameters_free(*out);
  *out = NULL;
  return status;
}

void hg_parameters_free(hg_option *options)
{
  for (hg_option *o = options; o && o->name; o++) free((char *)(uintptr_t)o->name);
  free(options);
}
