/* SPDX-License-Identifier: MIT */
/* Provenance of a result: metadata written with its values, each a name and a text or a number.
 *   .h5    attributes of the file's root      .xmf   <Information>
 *   .png   text chunks                        .json  an object (a file of its own, beside .npy and texts) */
#ifndef HG_RESULT_METADATA_H
#define HG_RESULT_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum { HG_FACTS_MAX = 64, HG_FACTS_ROOM = 16384 };

typedef enum hg_fact_kind { HG_FACT_TEXT, HG_FACT_WHOLE, HG_FACT_REAL } hg_fact_kind;

typedef struct hg_fact {
  const char *name; /**< stays */
  hg_fact_kind kind;
  int64_t whole;
  double real;
  size_t text; /**< where it begins in `room` */
} hg_fact;

typedef struct hg_metadata {
  int count;
  hg_fact fact[HG_FACTS_MAX];
  size_t used;
  char room[HG_FACTS_ROOM]; /**< for texts; one longer than half of the remaining room is cut, and ends with "..." */
} hg_metadata;

/** Begins with program, version, commit (of the build), command (quoted for a shell), date (ISO 8601, UTC;
 * SOURCE_DATE_EPOCH if set, so that files can be reproduced bit for bit). */
void hg_metadata_begin(hg_metadata *out);

/** Add a fact. Facts with an existing name, beyond HG_FACTS_MAX, or with a NULL text are left out. */
void hg_metadata_add_text(hg_metadata *metadata, const char *name, const char *text);
void hg_metadata_add_int(hg_metadata *metadata, const char *name, int64_t value);
void hg_metadata_add_double(hg_metadata *metadata, const char *name, double value);

/** A fact as text; a number has the fewest digits that identify it. */
const char *hg_fact_text(const hg_metadata *metadata, int number, char out[32]);
const char *hg_double_text(double value, char out[32]);

/** Write metadata; `at` is a hid_t. False if writing failed. */
bool hg_metadata_to_hdf5(const hg_metadata *metadata, int64_t at);
bool hg_metadata_to_json(const hg_metadata *metadata, FILE *out);

/** Whether the root of an HDF5 file has a fact with that text. */
bool hg_metadata_have(const char *path, const char *name, const char *text);

/** Prints the metadata of a .h5, .png or .json file, one per line. HG_IO; HG_FORMAT if it is damaged or has none. */
hg_status hg_metadata_show(const char *path, FILE *out);
#endif
