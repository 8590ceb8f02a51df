/* SPDX-License-Identifier: MIT
 * The description of the node in the file NODE_FILE. A line's first word names its subject. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node.h"

static char *text; /* lines, each ended by '\0' */
static size_t length;

static void read_text(void)
{
  enum { MOST = 1 << 16 };
  const char *path = getenv("NODE_FILE");
  FILE *f = path ? fopen(path, "r") : NULL;
  text = calloc(1, MOST + 2);
  if (!text) abort();
  if (f) length = fread(text, 1, MOST, f);
  if (f) fclose(f);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n') text[i] = '\0';
}

double node_setting(const char *name, double standard)
{
  const char *value = getenv(name);
  return value && *value ? atof(value) : standard;
}

const char *node_line(const char *word, size_t *place)
{
  const size_t letters = strlen(word);
  if (!text) read_text();
  while (*place < length) {
    const char *line = text + *place;
    *place += strlen(line) + 1;
    if (strncmp(line, word, letters) == 0 && line[letters] == ' ') return line + letters + 1;
  }
  return NULL;
}

double node_value(const char *word, const char *key, double standard)
{
  char name[32];
  double value;
  int used;
  for (size_t place = 0;;) {
    const char *line = node_line(word, &place);
    if (!line) return standard;
    while (sscanf(line, "%31s %lf%n", name, &value, &used) == 2) {
      if (strcmp(name, key) == 0) return value;
      line += used;
    }
  }
}
