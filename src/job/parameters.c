/* SPDX-License-Identifier: MIT */
#include "job/parameters.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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

/* Bounds that are as exact as the values between them. */
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
    return hg_fail(HG_INVALID, "parameter '%s': bounds %g..%g are beyond what its type holds", p->name, p->least,
                   p->most);
  if (!(p->least <= p->most) || !isfinite(p->least) || !isfinite(p->most))
    return hg_fail(HG_INVALID, "parameter '%s': bounds %g..%g", p->name, p->least, p->most);
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
    return hg_fail(HG_INVALID, "parameter '%s': type %d", p->name, (int)p->type);
  if (!job->parameters || p->offset + bytes_of(p->type) > job->parameter_bytes)
    return hg_fail(HG_INVALID, "parameter '%s': at byte %zu of the %zu that .parameters has", p->name, p->offset,
                   job->parameters ? job->parameter_bytes : 0);
  return check(job, p);
}

/* Name and help in one piece of memory, so that freeing the help frees both. */
static hg_status describe(const hg_job *job, const hg_parameter *p, int key, struct argp_option *out)
{
  const size_t size = NAME_MAX_LENGTH + 1 + HELP_MAX;
  char *text = malloc(size);
  if (!text) return hg_fail(HG_MEMORY, "no memory for the parameters");
  name_option(p, text);
  snprintf(text + NAME_MAX_LENGTH + 1, HELP_MAX, "%.300s (%g..%g, default %.6g)", p->help ? p->help : p->name, p->least,
           p->most, hg_parameter_value(job, p));
  *out = (struct argp_option){text, key, is_whole(p) ? "N" : "X", 0, text + NAME_MAX_LENGTH + 1, 0};
  return HG_OK;
}

hg_status hg_parameters_options(const hg_job *job, bool (*taken)(const char *name), struct argp_option **out)
{
  int count = 0;
  while (job->parameter && job->parameter[count].name) count++;
  *out = calloc((size_t)count + 1, sizeof **out);
  hg_status status = *out ? HG_OK : hg_fail(HG_MEMORY, "no memory for the parameters");
  for (int i = 0; i < count && status == HG_OK; i++) {
    status = check_place(job, &job->parameter[i]);
    if (status == HG_OK) status = describe(job, &job->parameter[i], HG_PARAMETERS_KEY + i, *out + i);
    if (status == HG_OK && taken((*out)[i].name))
      status = hg_fail(HG_INVALID, "parameter '%s': there is an option of that name", job->parameter[i].name);
    for (int j = 0; j < i && status == HG_OK; j++)
      if (strcmp((*out)[i].name, (*out)[j].name) == 0)
        status = hg_fail(HG_INVALID, "parameter '%s' is there twice", job->parameter[i].name);
  }
  if (status == HG_OK) return HG_OK;
  hg_parameters_free(*out);
  *out = NULL;
  return status;
}

void hg_parameters_free(struct argp_option *options)
{
  for (struct argp_option *o = options; o && o->name; o++) free((char *)(uintptr_t)o->name);
  free(options);
}

static hg_status set_whole(const hg_parameter *p, const char *label, const char *text, char *at)
{
  int64_t value;
  HG_TRY(hg_parse_int(text, label, (int64_t)p->least, (int64_t)p->most, &value));
  const int narrow = (int)value;
  if (p->type == HG_PARAMETER_INT)
    memcpy(at, &narrow, sizeof narrow);
  else
    memcpy(at, &value, sizeof value);
  return HG_OK;
}

static hg_status set_real(const hg_parameter *p, const char *label, const char *text, char *at)
{
  double value;
  HG_TRY(hg_parse_double(text, label, p->least, p->most, &value));
  const float single = (float)value;
  if (p->type == HG_PARAMETER_FLOAT)
    memcpy(at, &single, sizeof single);
  else
    memcpy(at, &value, sizeof value);
  return HG_OK;
}

hg_status hg_parameters_set(const hg_job *job, int i, const char *text)
{
  const hg_parameter *p = &job->parameter[i];
  char label[NAME_MAX_LENGTH + 3] = "--";
  name_option(p, label + 2);
  return (is_whole(p) ? set_whole : set_real)(p, label, text, (char *)job->parameters + p->offset);
}
