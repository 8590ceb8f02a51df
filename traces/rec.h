/* SPDX-License-Identifier: MIT */
/* StarPU's .rec files: stanzas of "Key: value" lines, separated by empty lines. Internal to traces/. */
#ifndef HG_TRACES_REC_H
#define HG_TRACES_REC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum { HG_REC_FIELDS = 40 };

typedef struct hg_rec_field {
  const char *key, *value;
} hg_rec_field;

/** A file under reading, and its latest stanza. */
typedef struct hg_rec {
  FILE *file;
  const char *path;
  int64_t line; /**< number of the last line read */
  int fields;
  hg_rec_field field[HG_REC_FIELDS]; /**< those beyond the room are ignored */
  char *text;
  size_t size, used;
} hg_rec;

/** Opens a file; HG_IO if it is not there. Close with hg_rec_close. */
hg_status hg_rec_open(const char *path, hg_rec *rec);
void hg_rec_close(hg_rec *rec);

/** HG_FORMAT where a line that was read has no end: the file is cut off. */
hg_status hg_rec_check_end(const char *path, int64_t line, const char *text);

/** Reads the next stanza; *more is false at the end of the file. HG_FORMAT naming the line, HG_MEMORY. */
hg_status hg_rec_next(hg_rec *rec, bool *more);

/** Value of a key in this stanza, or NULL. */
const char *hg_rec_text(const hg_rec *rec, const char *key);

/** Number of a key, or `missing`. HG_FORMAT if it is no finite number. */
hg_status hg_rec_double(const hg_rec *rec, const char *key, double missing, double *out);
hg_status hg_rec_int(const hg_rec *rec, const char *key, int64_t missing, int64_t *out);
#endif
