/* SPDX-License-Identifier: MIT */
#include "speed/tables.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>

void hg_cpu_model(char *name, size_t size)
{
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "r");
  const char *model = "cpu";
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
      model = strchr(line, ':') + 1;
      break;
    }
  if (f) fclose(f);
  snprintf(name, size, "%s", model);
}

void hg_device_in_blocks(char *device, size_t size, int steps)
{
  const size_t end = strlen(device);
  if (steps > 0) snprintf(device + end, size - end, "-%d-steps", steps);
}

hg_status hg_table_path(const char *app, const char *kernel, const char *precision, const char *device,
                        char path[HG_PATH_MAX])
{
  char name[1024];
  if (snprintf(name, sizeof name, "%s-%s-%s-%s.csv", app, kernel, precision, device) >= (int)sizeof name)
    return hg_fail(HG_INVALID, "the name of the speed table of '%.60s...' is too long", device);
  return hg_table_file(name, path);
}

hg_status hg_table_check_error(const char *path, const hg_speed_table *t)
{
  enum { BY_FAR = 4 };
  const double much = .4;
  if (t->error <= much || t->error <= BY_FAR * t->wanted) return HG_OK;
  return hg_fail(HG_INVALID,
                 "%s: its speeds are off by %.2g, must be at most %g; run hetgrid-calibrate again, which goes on where "
                 "it stopped",
                 path, t->error, fmax(much, BY_FAR * t->wanted));
}

/* Whether a file is the table of that device, for any kernel (kernels' names have no '-'). */
static bool is_table_of(const char *file, const char *app, const char *precision, const char *device)
{
  char rest[1024];
  const size_t length = strlen(app);
  if (strncmp(file, app, length) != 0 || file[length] != '-') return false;
  const char *kernel_ends = strchr(file + length + 1, '-');
  snprintf(rest, sizeof rest, "-%s-%s.csv", precision, device);
  return kernel_ends && strcmp(kernel_ends, rest) == 0;
}

/* Reads a table of the folder; keeps the faster of it and *best. */
static hg_status keep_faster(const char *file, double cells, hg_speed_table *best)
{
  char path[HG_PATH_MAX];
  hg_speed_model fresh = {.kind = HG_SPEED_TABLE}, known = {.kind = HG_SPEED_TABLE, .table = *best};
  HG_TRY(hg_table_file(file, path));
  HG_TRY(hg_speed_table_read(path, &fresh.table));
  const bool faster = best->nw == 0 || hg_speed_time(&fresh, cells, 0) < hg_speed_time(&known, cells, 0);
  hg_speed_table_free(faster ? best : &fresh.table);
  if (faster) *best = fresh.table;
  return HG_OK;
}

hg_status hg_table_of_device(const char *app, const char *precision, const char *device, double cells,
                             hg_speed_table *out)
{
  char folder[HG_PATH_MAX];
  hg_status status = HG_OK;
  *out = (hg_speed_table){0};
  HG_TRY(hg_table_file("", folder));
  DIR *open = opendir(folder);
  if (!open) return hg_fail(HG_IO, "%s: %s", folder, strerror(errno));
  for (struct dirent *entry; status == HG_OK && (entry = readdir(open));)
    if (is_table_of(entry->d_name, app, precision, device)) status = keep_faster(entry->d_name, cells, out);
  closedir(open);
  if (status != HG_OK) hg_speed_table_free(out);
  return status;
}
