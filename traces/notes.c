/* SPDX-License-Identifier: MIT */
#include "traces/notes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "traces/build.h"

static hg_status open_note(const char *folder, const char *name, char path[HG_PATH_MAX], char part[HG_PATH_MAX],
                           FILE **out)
{
  HG_TRY(hg_file_in(folder, name, path));
  return hg_file_begin(path, part, out);
}

hg_status hg_trace_note_run(const char *folder, const char *title, int ranks, const double *planned)
{
  char path[HG_PATH_MAX], part[HG_PATH_MAX];
  FILE *out;
  HG_TRY(open_note(folder, "run.csv", path, part, &out));
  fprintf(out, "title,%s\n", title);
  for (int i = 0; planned && i < ranks; i++)
    for (int j = 0; j < ranks; j++)
      if (planned[(int64_t)i * ranks + j] > 0)
        fprintf(out, "planned,%d,%d,%.0f\n", i, j, planned[(int64_t)i * ranks + j]);
  return hg_file_end(out, part, path, HG_OK);
}

hg_status hg_trace_note_origin(const char *folder, double origin)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(folder, "run.csv", path));
  FILE *out = fopen(path, "ae");
  bool good = out && fprintf(out, "origin,%.9f\n", origin) > 0;
  if (out) good = fclose(out) == 0 && good;
  return good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno));
}

hg_status hg_trace_note_tiles(const char *folder, int tiles, const hg_box *tile)
{
  char path[HG_PATH_MAX], part[HG_PATH_MAX];
  FILE *out;
  HG_TRY(open_note(folder, "tiles.csv", path, part, &out));
  fprintf(out, "x,y,z,columns,rows,layers\n");
  for (int i = 0; i < tiles; i++) {
    const hg_box *b = &tile[i];
    fprintf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", b->lo[0], b->lo[1],
            b->lo[2], hg_box_extent(b, 0), hg_box_extent(b, 1), hg_box_extent(b, 2));
  }
  return hg_file_end(out, part, path, HG_OK);
}

hg_status hg_trace_note_ages(const char *folder, int blocks, const hg_block_ages *block)
{
  char path[HG_PATH_MAX], part[HG_PATH_MAX];
  FILE *out;
  HG_TRY(open_note(folder, "ages.csv", path, part, &out));
  fprintf(out, "block,sweeps,stale,oldest,age0,age1,age2,age4,age8,age16,age32,age64\n");
  for (int i = 0; i < blocks; i++) {
    const hg_block_ages *b = &block[i];
    fprintf(out, "%d,%.0f,%.0f,%.0f", i, b->sweeps, b->stale, b->oldest);
    for (int k = 0; k < HG_AGES; k++) fprintf(out, ",%.0f", b->age[k]);
    fputc('\n', out);
  }
  return hg_file_end(out, part, path, HG_OK);
}
