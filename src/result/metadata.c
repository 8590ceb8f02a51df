/* SPDX-License-Identifier: MIT */
#include "result/metadata.h"

#include <errno.h>
#include <hdf5.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "base/environment.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/version.h"
#include "result/hdf5_trailer.h"

/* Adds a fact, unless its name exists already: applications may choose any names for parameters. */
static hg_fact *add(hg_metadata *f, const char *name, hg_fact_kind kind)
{
  static _Thread_local hg_fact spare;
  for (int i = 0; i < f->count; i++)
    if (strcmp(f->fact[i].name, name) == 0) return &spare;
  if (f->count == HG_FACTS_MAX) return &spare;
  f->fact[f->count] = (hg_fact){.name = name, .kind = kind};
  return &f->fact[f->count++];
}

/* Largest length up to `most` that ends with a whole character of the text. */
static size_t whole_characters(const char *text, size_t most)
{
  while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80) most--;
  return most;
}

void hg_metadata_add_text(hg_metadata *f, const char *name, const char *text)
{
  static const char cut[] = "...";
  const size_t length = text ? strlen(text) : 0, room = (sizeof f->room - f->used) / 2;
  if (!text || room < sizeof cut) return;
  hg_fact *fact = add(f, name, HG_FACT_TEXT);
  const bool fits = length < room;
  fact->text = f->used;
  f->used += (size_t)snprintf(f->room + f->used, room, "%.*s%s",
                              (int)(fits ? length : whole_characters(text, room - sizeof cut)), text, fits ? "" : cut) +
             1;
}

void hg_metadata_add_int(hg_metadata *f, const char *name, int64_t value)
{
  add(f, name, HG_FACT_WHOLE)->whole = value;
}

void hg_metadata_add_double(hg_metadata *f, const char *name, double value)
{
  add(f, name, HG_FACT_REAL)->real = value;
}

/* --- what is known of the process --- */

static bool is_plain(const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  return *word && word[strspn(word, plain)] == 0;
}

/* Writes a word quoted for a shell. Returns false when there is no more room. */
static bool quote(FILE *out, const char *word)
{
  if (is_plain(word)) return fputs(word, out) >= 0;
  fputc('\'', out);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", out);
    else
      fputc(*word, out);
  return fputc('\'', out) >= 0;
}

static void add_command(hg_metadata *f)
{
  char *word = NULL, *line = NULL;
  size_t room = 0, size = 0;
  FILE *in = fopen("/proc/self/cmdline", "re"), *out = open_memstream(&line, &size);
  for (bool first = true; in && out && getdelim(&word, &room, 0, in) > 0; first = false) {
    if (!first) fputc(' ', out);
    quote(out, word);
  }
  if (in) fclose(in);
  if (out) fclose(out);
  if (line && *line) hg_metadata_add_text(f, "command", line);
  free(word);
  free(line);
}

void hg_metadata_begin(hg_metadata *f)
{
  f->count = 0;
  f->used = 0;
  hg_metadata_add_text(f, "program", program_invocation_short_name);
  hg_metadata_add_text(f, "version", HG_VERSION);
  hg_metadata_add_text(f, "commit", HG_COMMIT);
  add_command(f);
  char date[HG_DATE_MAX];
  hg_date_text(date);
  if (*date) hg_metadata_add_text(f, "date", date);
}

/* --- writing --- */

const char *hg_double_text(double value, char out[32])
{
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, 32, "%.*g", digits, value);
    if (strtod(out, NULL) == value) break;
  }
  return out;
}

const char *hg_fact_text(const hg_metadata *f, int number, char out[32])
{
  const hg_fact *fact = &f->fact[number];
  if (fact->kind == HG_FACT_TEXT) return f->room + fact->text;
  if (fact->kind == HG_FACT_REAL) return hg_double_text(fact->real, out);
  snprintf(out, 32, "%" PRId64, fact->whole);
  return out;
}

bool hg_metadata_to_hdf5(const hg_metadata *f, int64_t at)
{
  bool good = true;
  for (int i = 0; i < f->count && good; i++) {
    const hg_fact *fact = &f->fact[i];
    if (fact->kind == HG_FACT_TEXT) good = hg_hdf5_put_text(at, fact->name, f->room + fact->text);
    if (fact->kind == HG_FACT_WHOLE) good = hg_hdf5_put(at, fact->name, H5T_NATIVE_INT64, &fact->whole);
    if (fact->kind == HG_FACT_REAL) good = hg_hdf5_put(at, fact->name, H5T_NATIVE_DOUBLE, &fact->real);
  }
  return good;
}

/* Replaces invalid bytes, as of file names in another encoding, by question marks. */
static json_t *masked(const char *text)
{
  char out[HG_FACTS_ROOM];
  snprintf(out, sizeof out, "%s", text);
  for (char *c = out; *c;) {
    const int length = hg_text_character(c);
    if (length == 0) *c = '?';
    c += length > 0 ? length : 1;
  }
  return json_string(out);
}

static json_t *value_of(const hg_metadata *f, const hg_fact *fact)
{
  if (fact->kind == HG_FACT_WHOLE) return json_integer(fact->whole);
  if (fact->kind == HG_FACT_REAL) return json_real(fact->real);
  json_t *text = json_string(f->room + fact->text);
  return text ? text : masked(f->room + fact->text);
}

bool hg_metadata_to_json(const hg_metadata *f, FILE *out)
{
  json_t *all = json_object();
  bool good = all != NULL;
  for (int i = 0; i < f->count && good; i++)
    good = json_object_set_new(all, f->fact[i].name, value_of(f, &f->fact[i])) == 0;
  good = good && json_dumpf(all, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(all);
  return good;
}
