/* SPDX-License-Identifier: MIT */
#include "traces/rec.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

hg_status hg_rec_open(const char *path, hg_rec *rec)
{
  *rec = (hg_rec){.path = path};
  return hg_file_open(path, &rec->file);
}

void hg_rec_close(hg_rec *rec)
{
  if (rec->file) fclose(rec->file);
  free(rec->text);
  *rec = (hg_rec){0};
}

static hg_status is_cut_off(const char *path, int64_t line)
{
  return hg_fail(HG_FORMAT, "%s:%" PRId64 ": the last line has no line feed; the file is truncated", path, line);
}

hg_status hg_rec_check_end(const char *path, int64_t line, const char *text)
{
  const size_t length = strlen(text);
  return length > 0 && text[length - 1] == '\n' ? HG_OK : is_cut_off(path, line);
}

/* Takes a byte order mark and a carriage return out of the line that begins there. */
static void tidy(hg_rec *rec, size_t at)
{
  if (at == SIZE_MAX) return;
  size_t length = strlen(rec->text + at);
  const char *text = rec->line == 1 ? hg_text_begin(rec->text + at, &length) : rec->text + at;
  if (length > 0 && text[length - 1] == '\r') length--;
  memmove(rec->text + at, text, length);
  rec->text[at + length] = '\0';
  rec->used = at + length + 1;
}

/* Appends the next line, without its end, to the stanza's text. *at is where it begins, SIZE_MAX at the end of file. */
static hg_status read_line(hg_rec *rec, size_t *at)
{
  *at = rec->used;
  for (int c = 0;;) {
    c = getc_unlocked(rec->file);
    if (rec->used + 1 >= rec->size) {
      size_t size = rec->size ? 2 * rec->size : 4096;
      char *text = realloc(rec->text, size);
      if (!text) return hg_fail(HG_MEMORY, "%s:%" PRId64 ": no memory for a line", rec->path, rec->line + 1);
      rec->text = text;
      rec->size = size;
    }
    if (c == EOF && rec->used == *at) *at = SIZE_MAX;
    rec->text[rec->used++] = c == EOF || c == '\n' ? '\0' : (char)c;
    if (c == EOF || c == '\n') break;
  }
  rec->line++;
  if (feof(rec->file) && *at != SIZE_MAX) return is_cut_off(rec->path, rec->line);
  tidy(rec, *at);
  return HG_OK;
}

/* Splits the lines of the stanza, whose text no longer moves. */
static hg_status split(hg_rec *rec)
{
  for (size_t at = 0; at < rec->used; at += strlen(rec->text + at) + 1) {
    char *line = rec->text + at, *colon = strchr(line, ':');
    if (!colon) return hg_fail(HG_FORMAT, "%s:%" PRId64 ": '%.40s' is not 'Key: value'", rec->path, rec->line, line);
    if (rec->fields == HG_REC_FIELDS) continue;
    char *value = colon + 1 + strspn(colon + 1, " ");
    rec->field[rec->fields++] = (hg_rec_field){line, value};
  }
  for (int i = 0; i < rec->fields; i++) *strchr(rec->field[i].key, ':') = '\1'; /* ends the key, not the line */
  return HG_OK;
}

hg_status hg_rec_next(hg_rec *rec, bool *more)
{
  size_t at;
  rec->fields = 0;
  do {
    rec->used = 0;
    HG_TRY(read_line(rec, &at));
  } while (at != SIZE_MAX && rec->text[0] == '\0');
  *more = at != SIZE_MAX;
  if (!*more) return HG_OK;
  while (true) {
    size_t before = rec->used;
    HG_TRY(read_line(rec, &at));
    if (at == SIZE_MAX || rec->text[at] == '\0') {
      rec->used = before;
      return split(rec);
    }
  }
}

const char *hg_rec_text(const hg_rec *rec, const char *key)
{
  size_t length = strlen(key);
  for (int i = 0; i < rec->fields; i++)
    if (strncmp(rec->field[i].key, key, length) == 0 && rec->field[i].key[length] == '\1') return rec->field[i].value;
  return NULL;
}

hg_status hg_rec_double(const hg_rec *rec, const char *key, double missing, double *out)
{
  const char *text = hg_rec_text(rec, key);
  const char *end = text ? hg_scan_double(text, text + strlen(text), out) : NULL;
  if (!text) *out = missing;
  if (text && (!end || end[strspn(end, " ")] || !isfinite(*out)))
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": %s '%.40s' is not a number", rec->path, rec->line, key, text);
  return HG_OK;
}

hg_status hg_rec_int(const hg_rec *rec, const char *key, int64_t missing, int64_t *out)
{
  const char *text = hg_rec_text(rec, key);
  char *end = NULL;
  errno = 0;
  *out = text ? strtoll(text, &end, 10) : missing;
  if (text && (end == text || end[strspn(end, " ")] || errno))
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": %s '%.40s' is not a whole number", rec->path, rec->line, key, text);
  return HG_OK;
}
