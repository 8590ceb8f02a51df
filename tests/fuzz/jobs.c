/* SPDX-License-Identifier: MIT */
/* Readers of jobs: job files, text inputs, checkpoints. The input's first byte chooses one. */
#include <unistd.h>

#include "checkpoints.h"
#include "fuzz.h"
#include "hetgrid.h"
#include "job/jobfile.h"
#include "job/source.h"

enum { BYTES = 12 };

static char path[] = "/tmp/hetgrid-fuzz-XXXXXX.in";

static hg_option_kind known(const char *name, const char **meant)
{
  *meant = name;
  if (strcmp(name, "quiet") == 0) return HG_OPTION_FLAG;
  return strcmp(name, "size") == 0 || strcmp(name, "dimension") == 0 ? HG_OPTION_VALUE : HG_OPTION_UNKNOWN;
}

static void read_file(const uint8_t *data, size_t size, bool checkpoint)
{
  FILE *f = fopen(path, "wb");
  if (!f) return;
  fwrite(data, 1, size, f);
  fclose(f);
  hg_source s;
  if (checkpoint) {
    fuzz_checkpoint_read(path, BYTES, 4);
  } else if (hg_source_open(&(hg_job){.input = path, .seed = 1}, false, &s) == HG_OK) {
    size_t length = 0;
    for (int64_t i = 0; i < s.lines; i++) length += strlen(s.line[i]);
    if (length > size) abort();
    hg_source_close(&s);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static bool made;
  hg_option_list list;
  if (!made) made = close(mkstemps(path, 3)) == 0;
  if (size < 1) return 0;
  if (data[0] % 3 > 0)
    read_file(data + 1, size - 1, data[0] % 3 == 2);
  else if (hg_jobfile_parse((const char *)data + 1, size - 1, "fuzz", known, &list) == HG_OK)
    hg_options_free(&list);
  return 0;
}

#ifndef HG_LIBFUZZER
/* A checkpoint written by the library. */
static size_t checkpoint_seed(uint8_t *store)
{
  char file[] = "/tmp/hetgrid-seed-XXXXXX.h5";
  close(mkstemps(file, 3));
  fuzz_checkpoint_write(file, "twelve bytes", &(hg_checkpoint){.step = 3, .identity = 4, .bytes = BYTES});
  FILE *f = fopen(file, "rb");
  store[0] = 2;
  const size_t size = f ? fread(store + 1, 1, FUZZ_MAX / 2, f) : 0;
  if (f) fclose(f);
  unlink(file);
  return size + 1;
}

int main(void)
{
  static uint8_t store[FUZZ_MAX];
  const size_t size = checkpoint_seed(store);
  static const char job[] = "\3Job_Dimension = 2 # so\nJob_Size=31,21\nquiet\n\n size = 4\r\n",
                    text[] = "\1one\n2 two\r\n3\n";
  const fuzz_seed seeds[] = {{job, sizeof job - 1}, {text, sizeof text - 1}, {store, size}, {job, sizeof job - 1}};
  const int status =
      fuzz_main("the readers of job files, text inputs and checkpoints of jobs", "jobs", seeds, 4, 20000);
  unlink(path);
  return status;
}
#endif
