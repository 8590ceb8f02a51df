/* SPDX-License-Identifier: MIT */
#include "energy/choice.h"

#include <stdio.h>
#include <string.h>

#include "base/data_folder.h"

/* The file in an item NAME:FILE. */
static hg_status read_file(const char *item, size_t length, const char *name, char path[HG_PATH_MAX])
{
  const size_t skip = strlen(name);
  if (length == skip) return hg_fail(HG_INVALID, "--energy: %s needs a file: %s:FILE", name, name);
  if (length - skip - 1 >= HG_PATH_MAX) return hg_fail(HG_INVALID, "--energy: the name of %s is too long", name);
  snprintf(path, HG_PATH_MAX, "%.*s", (int)(length - skip - 1), item + skip + 1);
  return *path ? HG_OK : hg_fail(HG_INVALID, "--energy: %s: names no file", name);
}

static bool is_called(const char *item, size_t length, const char *name)
{
  const size_t n = strlen(name);
  return strncmp(item, name, n) == 0 && (length == n || item[n] == ':') && length >= n;
}

static hg_status read_item(const char *item, size_t length, hg_energy_choice *c)
{
  if (is_called(item, length, "meter")) return read_file(item, length, "meter", c->meter);
  if (is_called(item, length, "modelled")) return read_file(item, length, "modelled", c->modelled);
  const bool rapl = length == 4 && strncmp(item, "rapl", 4) == 0;
  const bool nvml = length == 4 && strncmp(item, "nvml", 4) == 0;
  c->rapl |= rapl;
  c->nvml |= nvml;
  if (rapl || nvml) return HG_OK;
  return hg_fail(HG_INVALID, "--energy: '%.*s' is unknown; known: rapl nvml meter:FILE modelled:FILE",
                 (int)(length < 60 ? length : 60), item);
}

hg_status hg_energy_choose(const char *list, hg_energy_choice *c)
{
  c->wanted = true;
  if (!list) {
    c->rapl = c->nvml = true;
    return HG_OK;
  }
  c->named = true;
  for (const char *at = list;; at++) {
    const size_t length = strcspn(at, ",");
    HG_TRY(read_item(at, length, c));
    at += length;
    if (!*at) break;
  }
  if (*c->meter && (c->rapl || c->nvml || *c->modelled))
    return hg_fail(HG_INVALID,
                   "--energy: a meter covers whole nodes, including what the other sources measure; give it alone");
  return HG_OK;
}

hg_status hg_energy_open(const char *option, const char *name, bool gpus, double meter_offset, hg_energy_source **out)
{
  hg_energy_choice c = {.wanted = false};
  const hg_status status = hg_energy_choose(name ? name : gpus ? "nvml" : "rapl", &c);
  if (status != HG_OK || *c.modelled || c.rapl + c.nvml + (*c.meter != 0) != 1)
    return hg_fail(HG_INVALID, "%s: '%s', must be one of rapl, nvml and meter:FILE", option, name);
  if (meter_offset != 0 && !*c.meter) return hg_fail(HG_INVALID, "--meter-offset: needs %s meter:FILE", option);
  if (*c.meter) return hg_meter_open(c.meter, meter_offset, 1, out);
  return c.rapl ? hg_rapl_open(out) : hg_nvml_open(0, NULL, out);
}

hg_status hg_energy_machine(char path[HG_PATH_MAX])
{
  return hg_table_file("energy.platform", path);
}
