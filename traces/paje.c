/* SPDX-License-Identifier: MIT */
#include "traces/paje.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "traces/rec.h"

enum { IDS = 64, FIELDS = 48 };

typedef enum field { TIME, TYPE, CONTAINER, VALUE, ALIAS, NAME, KEY, COLOUR, OTHER } field;

/* How an event id is written. */
typedef struct layout {
  int kind; /* HG_PAJE_KINDS: of no interest */
  int fields;
  field field[FIELDS];
} layout;

typedef struct reader {
  const char *path;
  int64_t line;
  layout event[IDS];
  int defining; /* id under definition, -1: none */
} reader;

static int kind_of(const char *name)
{
  static const char *const names[HG_PAJE_KINDS] = {"PajeCreateContainer",  "PajeSetState",  "PajePushState",
                                                   "PajePopState",         "PajeStartLink", "PajeEndLink",
                                                   "PajeDefineEntityValue"};
  int i = 0;
  while (i < HG_PAJE_KINDS && strcmp(names[i], name) != 0) i++;
  return i;
}

static field field_of(const layout *e, const char *name)
{
  static const char *const names[] = {"Time", "Type", "Container", "Value", "Alias", "Name", "Key", "Color"};
  const bool link = e->kind == HG_PAJE_START_LINK || e->kind == HG_PAJE_END_LINK;
  if (link && strcmp(name, "Container") == 0) return OTHER;
  if (link && (strcmp(name, "StartContainer") == 0 || strcmp(name, "EndContainer") == 0)) return CONTAINER;
  for (int i = 0; i < OTHER; i++)
    if (strcmp(names[i], name) == 0) return (field)i;
  return OTHER;
}

/* A word, or a string in quotes; NULL at the end of the line. */
static char *next_word(char **at)
{
  char *p = *at + strspn(*at, " \t\r\n");
  if (!*p) return NULL;
  bool quoted = *p == '"';
  char *word = quoted ? ++p : p;
  p += strcspn(p, quoted ? "\"" : " \t\r\n");
  *at = *p ? p + 1 : p;
  *p = '\0';
  return word;
}

/* Lines of the header: %EventDef NAME ID, % FIELD TYPE, %EndEventDef. */
static hg_status read_definition(reader *r, char *at)
{
  char *first = next_word(&at), *second = first ? next_word(&at) : NULL, *third = second ? next_word(&at) : NULL;
  if (!first) return HG_OK;
  if (strcmp(first, "EndEventDef") == 0) {
    r->defining = -1;
  } else if (strcmp(first, "EventDef") == 0) {
    int id = third ? atoi(third) : -1;
    if (id < 0 || id >= IDS)
      return hg_fail(HG_FORMAT, "%s:%" PRId64 ": an event needs a name and an id below %d", r->path, r->line, IDS);
    r->defining = id;
    r->event[id] = (layout){.kind = kind_of(second)};
  } else if (r->defining >= 0) {
    layout *e = &r->event[r->defining];
    if (e->fields == FIELDS) return hg_fail(HG_FORMAT, "%s:%" PRId64 ": more than %d fields", r->path, r->line, FIELDS);
    e->field[e->fields] = field_of(e, first);
    e->fields++;
  }
  return HG_OK;
}

static hg_status read_event(reader *r, char *at, hg_paje_sink *take, void *arg)
{
  char *word = next_word(&at);
  if (!word) return HG_OK;
  int id = atoi(word);
  if (id < 0 || id >= IDS || r->event[id].kind == HG_PAJE_KINDS) return HG_OK;
  const layout *e = &r->event[id];
  const char *text[OTHER + 1] = {"0", "", "", "", "", "", "", "", ""};
  for (int i = 0; i < e->fields; i++) {
    word = next_word(&at);
    if (!word && e->kind == HG_PAJE_VALUE) return HG_OK; /* of a codelet with an empty name */
    if (!word) return hg_fail(HG_FORMAT, "%s:%" PRId64 ": has %d of %d fields", r->path, r->line, i, e->fields);
    text[e->field[i]] = word;
  }
  char *end;
  double time = strtod(text[TIME], &end);
  if (end == text[TIME] || !isfinite(time))
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": time '%.40s' is not a number", r->path, r->line, text[TIME]);
  return take(arg, &(hg_paje_event){(hg_paje_kind)e->kind, time, text[TYPE], text[CONTAINER], text[VALUE], text[ALIAS],
                                    text[NAME], text[KEY], text[COLOUR]});
}

hg_status hg_paje_read(const char *path, hg_paje_sink *take, void *arg)
{
  reader r = {.path = path, .defining = -1};
  for (int i = 0; i < IDS; i++) r.event[i].kind = HG_PAJE_KINDS;
  FILE *file;
  HG_TRY(hg_file_open(path, &file));
  char *line = NULL;
  size_t size = 0;
  hg_status status = HG_OK;
  while (status == HG_OK && getline(&line, &size, file) >= 0) {
    r.line++;
    status = hg_rec_check_end(path, r.line, line);
    if (status == HG_OK) status = line[0] == '%' ? read_definition(&r, line + 1) : read_event(&r, line, take, arg);
  }
  free(line);
  fclose(file);
  return status;
}
