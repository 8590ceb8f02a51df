/* SPDX-License-Identifier: MIT */
#include "job/jobfile.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum { JOB_LINE_MAX = 4096, FILE_MAX = 1 << 20 };

/* The option for a name of table 5-2 of the thesis. */
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
  const size_t size = strlen(name) + (value ? strlen(value) : 0) + 4;
  HG_TRY(hg_grow("options", (void **)&list->argument, list->count, sizeof *list->argument));
  char *text = malloc(size);
  if (!text) return hg_fail(HG_MEMORY, "no memory for options");
  snprintf(text, size, value ? "--%s=%s" : "--%s", name, value);
  list->argument[list->count++] = text;
  return HG_OK;
}

typedef struct line {
  char *text;
  const char *place;
  int number;
} line;

__attribute__((format(printf, 3, 4))) static hg_status fail_at(const line *l, const char *at, const char *format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return hg_fail(HG_FORMAT, "%s:%d:%td: %s", l->place, l->number, at - l->text + 1, text);
}

/* Removes the quotes of a quoted value; in double quotes, \" and \\ stand for " and \. */
static hg_status unquote(const line *l, char *value)
{
  const char quote = *value;
  char *to = value, *from = value + 1;
  while (*from && *from != quote) {
    if (quote == '"' && *from == '\\' && (from[1] == '"' || from[1] == '\\')) from++;
    *to++ = *from++;
  }
  if (!*from) return fail_at(l, value, "the quote is not closed");
  const char *rest = from + 1 + strspn(from + 1, " \t");
  if (*rest && *rest != '#') return fail_at(l, rest, "unexpected '%.20s' after the closing quote", rest);
  *to = 0;
  return HG_OK;
}

/* A comment begins at a # after a blank; one within a word would silently cut a name. */
static hg_status cut_comment(const line *l, char *text)
{
  char *hash = strchr(text, '#');
  if (hash && hash > l->text && !isspace((unsigned char)hash[-1]))
    return fail_at(l, hash, "put quotes around a value that contains '#', and a blank before a comment");
  if (hash) *hash = 0;
  trim(text);
  return HG_OK;
}

/* Only `output` may be repeated; of other options the last one would silently win, under whatever name. */
static bool is_there(const hg_option_list *list, hg_option_known *known, const char *name)
{
  const char *meant, *other;
  known(name, &meant);
  for (int i = 0; i < list->count && strcmp(meant, "output") != 0; i++) {
    char given[JOB_LINE_MAX];
    snprintf(given, sizeof given, "%.*s", (int)strcspn(list->argument[i] + 2, "="), list->argument[i] + 2);
    known(given, &other);
    if (strcmp(other, meant) == 0) return true;
  }
  return false;
}

static hg_status parse_line(const line *l, hg_option_known *known, hg_option_list *list)
{
  char *text = trim(l->text), *value = NULL, *equals = text + strcspn(text, "=#");
  if (!*text || *text == '#') return HG_OK;
  if (*equals == '=') {
    *equals = 0;
    value = equals + 1 + strspn(equals + 1, " \t");
    HG_TRY(*value == '"' || *value == '\'' ? unquote(l, value) : cut_comment(l, value));
  } else
    HG_TRY(cut_comment(l, text));
  const char *name = option_of(trim(text)), *meant;
  const hg_option_kind kind = *name && strcmp(name, "job") != 0 ? known(name, &meant) : HG_OPTION_UNKNOWN;
  if (kind == HG_OPTION_UNKNOWN) return fail_at(l, text, "'%s' is neither a parameter nor an option", name);
  if (is_there(list, known, name)) return fail_at(l, text, "'%s' is given twice", name);
  if (value && !*value) return fail_at(l, value, "no value for '%s'", name);
  if (value && kind == HG_OPTION_FLAG) return fail_at(l, value, "'%s' takes no value", name);
  if (!value && kind == HG_OPTION_VALUE) return fail_at(l, text, "no value for '%s'", name);
  return add(list, name, value);
}

hg_status hg_jobfile_parse(const char *text, size_t size, const char *place, hg_option_known *known,
                           hg_option_list *out)
{
  hg_status status = HG_OK;
  *out = (hg_option_list){0};
  text = hg_text_begin(text, &size);
  if (memchr(text, 0, size)) return hg_fail(HG_FORMAT, "%s: not a text file: it holds bytes of value 0", place);
  for (size_t at = 0, number = 1; at < size && status == HG_OK; number++) {
    const char *end = memchr(text + at, '\n', size - at);
    const size_t length = end ? (size_t)(end - (text + at)) : size - at;
    char copy[JOB_LINE_MAX];
    if (length >= sizeof copy) {
      status =
          hg_fail(HG_FORMAT, "%s:%zu: a line of %zu characters, must be < %d", place, number, length, JOB_LINE_MAX);
      break;
    }
    memcpy(copy, text + at, length);
    copy[length] = 0;
    status = parse_line(&(line){copy, place, (int)number}, known, out);
    at += length + 1;
  }
  if (status != HG_OK) hg_options_free(out);
  return status;
}

hg_status hg_jobfile_read(const char *path, hg_option_known *known, hg_option_list *out)
{
  char *text = malloc(FILE_MAX);
  FILE *f = NULL;
  *out = (hg_option_list){0};
  hg_status status = hg_file_open(path, &f);
  if (status == HG_OK && !text) status = hg_fail(HG_MEMORY, "no memory for %s", path);
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
