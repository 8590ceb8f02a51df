/* SPDX-License-Identifier: MIT */
#include "job/jobfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

enum { JOB_LINE_MAX = 4096, FILE_MAX = 1 << 20 };

/* The option behind a name of table 5-2. */
static const char *option_of(const char *name)
{
  static const char *const table[][2] = {{"Job_Dimension", "dimension"}, {"Job_Size", "size"}, {"Input_path", "input"},
                                         {"Output_path", "output"},      {"nBlock", "blocks"}, {"nThread", "threads"},
                                         {"nNeighbor", "neighbours"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcasecmp(name, table[i][0]) == 0) return table[i][1];
  return name;
}

static char *trim(char *text)
{
  while (isspace((unsigned char)*text)) text++;
  for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);) *--end = 0;
  return text;
}

static hg_status add(hg_option_list *list, const char *name, const char *value)
{
  const size_t size = strlen(name) + strlen(value) + 4;
  HG_TRY(hg_grow("options", (void **)&list->argument, list->count, sizeof *list->argument));
  char *text = malloc(size);
  if (!text) return hg_fail(HG_MEMORY, "no memory for options");
  snprintf(text, size, *value ? "--%s=%s" : "--%s%s", name, value);
  list->argument[list->count++] = text;
  return HG_OK;
}

static hg_status parse_line(char *line, const char *place, int number, int (*known)(const char *), hg_option_list *list)
{
  char *comment = strchr(line, '#');
  if (comment) *comment = 0;
  line = trim(line);
  if (!*line) return HG_OK;
  char *equals = strchr(line, '='), empty[] = "", *value = equals ? trim(equals + 1) : empty;
  if (equals) *equals = 0;
  const char *name = option_of(trim(line));
  if (!*name || strcmp(name, "job") == 0 || !known(name))
    return hg_fail(HG_FORMAT, "%s:%d: '%s' is neither a parameter nor an option", place, number, name);
  if (equals && !*value) return hg_fail(HG_FORMAT, "%s:%d: no value for '%s'", place, number, name);
  return add(list, name, value);
}

hg_status hg_jobfile_parse(const char *text, size_t size, const char *place, int (*known)(const char *name),
                           hg_option_list *out)
{
  hg_status status = HG_OK;
  *out = (hg_option_list){0};
  if (memchr(text, 0, size)) return hg_fail(HG_FORMAT, "%s: not a text file: it holds bytes of value 0", place);
  for (size_t at = 0, number = 1; at < size && status == HG_OK; number++) {
    const char *end = memchr(text + at, '\n', size - at);
    const size_t length = end ? (size_t)(end - (text + at)) : size - at;
    char line[JOB_LINE_MAX];
    if (length >= sizeof line) {
      status =
          hg_fail(HG_FORMAT, "%s:%zu: a line of %zu characters, must be < %d", place, number, length, JOB_LINE_MAX);
      break;
    }
    memcpy(line, text + at, length);
    line[length] = 0;
    status = parse_line(line, place, (int)number, known, out);
    at += length + 1;
  }
  if (status != HG_OK) hg_options_free(out);
  return status;
}

hg_status hg_jobfile_read(const char *path, int (*known)(const char *name), hg_option_list *out)
{
  char *text = malloc(FILE_MAX);
  FILE *f = fopen(path, "rb");
  hg_status status = HG_OK;
  *out = (hg_option_list){0};
  if (!f) status = hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  if (!text) status = hg_fail(HG_MEMORY, "no memory for %s", path);
  if (status == HG_OK) {
    const size_t size = fread(text, 1, FILE_MAX, f);
    if (ferror(f))
      status = hg_fail(HG_IO, "%s: cannot be read", path);
    else if (size == FILE_MAX)
      status = hg_fail(HG_FORMAT, "%s: more than %d bytes", path, FILE_MAX - 1);
    else
      status = hg_jobfile_parse(text, size, path, known, out);
  }
  if (f) fclose(f);
  free(text);
  return status;
}

void hg_options_free(hg_option_list *list)
{
  for (int i = 0; i < list->count; i++) free(list->argument[i]);
  free(list->argument);
  *list = (hg_option_list){0};
}
