/* SPDX-License-Identifier: MIT */
#include "job/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "input/foreign.h"

static hg_status failed(const char *path)
{
  return hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : "cannot be read");
}

/* Appends a file to the text, which then ends with a newline. */
static hg_status append_file(const char *path, char **text, size_t *size)
{
  struct stat info;
  FILE *f;
  HG_TRY(hg_file_open(path, &f));
  hg_status status = fstat(fileno(f), &info) == 0 ? HG_OK : failed(path);
  const size_t more = status == HG_OK ? (size_t)info.st_size : 0;
  if (status == HG_OK && (double)more + (double)*size > (double)hg_memory_available())
    status = hg_fail(HG_MEMORY, "%s: %.2f GB do not fit into memory", path, (double)more / 1e9);
  char *longer = status == HG_OK ? realloc(*text, *size + more + 2) : NULL;
  if (status == HG_OK && !longer) status = hg_fail(HG_MEMORY, "%s: no memory for %zu bytes", path, more);
  if (longer) *text = longer;
  if (status == HG_OK && fread(longer + *size, 1, more, f) != more) status = failed(path);
  fclose(f);
  HG_TRY(status);
  if (memchr(longer + *size, 0, more)) {
    HG_TRY(hg_foreign_check(path));
    return hg_fail(HG_FORMAT, "%s: not a text file: it holds bytes of value 0", path);
  }
  size_t left = more;
  const char *first = hg_text_begin(longer + *size, &left);
  memmove(longer + *size, first, left);
  *size += left;
  if (left > 0 && longer[*size - 1] != '\n') longer[(*size)++] = '\n';
  longer[*size] = 0;
  return HG_OK;
}

static int visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static hg_status append_folder(const char *path, char **text, size_t *size)
{
  struct dirent **entry;
  const int count = scandir(path, &entry, visible, alphasort);
  if (count < 0) return failed(path);
  hg_status status = count > 0 ? HG_OK : hg_fail(HG_IO, "%s: the folder is empty", path);
  for (int i = 0; i < count; i++) {
    char file[HG_PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s", path, entry[i]->d_name);
    if (status == HG_OK)
      status =
          length < (int)sizeof file ? append_file(file, text, size) : hg_fail(HG_INVALID, "%s: name too long", path);
    free(entry[i]);
  }
  free(entry);
  return status;
}

static hg_status cut_lines(const char *path, hg_source *s)
{
  for (const char *c = s->text; *c; c++) s->lines += *c == '\n';
  if (s->lines == 0) return hg_fail(HG_FORMAT, "%s: has no lines", path);
  s->line = malloc((size_t)s->lines * sizeof *s->line);
  if (!s->line) return hg_fail(HG_MEMORY, "%s: no memory for its lines", path);
  char *at = s->text;
  for (int64_t i = 0; i < s->lines; i++) {
    char *end = strchr(at, '\n');
    s->line[i] = at;
    at = end + 1;
    if (end > s->line[i] && end[-1] == '\r') end--;
    *end = 0;
  }
  return HG_OK;
}

/* If there is no such file, it may be the name of a formula. */
static hg_status open_formula(const char *path, uint64_t seed, hg_grid_input **out)
{
  hg_status status = hg_grid_open(path, seed, out);
  if (status != HG_INVALID || !strpbrk(path, "./")) return status;
  if (strcmp(path, HG_INPUT_UNNAMED) == 0)
    return hg_fail(HG_IO, "%s: there is no such file; it is read where neither --input nor the job names another",
                   path);
  return hg_fail(HG_IO, "%s: there is no such file, and no formula of that name", path);
}

hg_status hg_job_open_field(const hg_job *j, bool masks, bool initial, hg_grid_input **out)
{
  static const double nothing = 0;
  const char *name = initial ? j->input : j->source;
  const uint64_t seed = (uint64_t)j->seed;
  return masks ? hg_grid_open_masked(name, seed, initial ? NULL : &nothing, out) : hg_grid_open(name, seed, out);
}

hg_status hg_source_open(const hg_job *j, bool masks, hg_source *s)
{
  struct stat info;
  const char *path = j->input;
  *s = (hg_source){0};
  if (hg_grid_is_file(path)) return hg_job_open_field(j, masks, true, &s->field);
  if (stat(path, &info) != 0) return open_formula(path, (uint64_t)j->seed, &s->field);
  hg_status status =
      S_ISDIR(info.st_mode) ? append_folder(path, &s->text, &s->bytes) : append_file(path, &s->text, &s->bytes);
  if (status == HG_OK && s->bytes == 0) status = hg_fail(HG_FORMAT, "%s: is empty", path);
  if (status == HG_OK) status = cut_lines(path, s);
  if (status != HG_OK) hg_source_close(s);
  return status;
}

void hg_source_close(hg_source *s)
{
  hg_grid_close(s->field);
  free(s->text);
  free(s->line);
  hg_stored_close(&s->stored);
  free(s->offset);
  *s = (hg_source){0};
}

void hg_source_shape(const hg_source *s, int *dims, int64_t n[3])
{
  *dims = 0;
  if (s->field) hg_grid_shape(s->field, dims, n);
  if (!s->text) return;
  *dims = 1;
  n[0] = s->lines;
  n[1] = n[2] = 1;
}
