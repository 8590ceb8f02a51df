/* SPDX-License-Identifier: MIT */
/* StarPU empties the file of a model and writes it anew when a program ends; where that was cut short it aborts at
 * every start from then on. A file is, with comments from # to the end of a line between all of it: version,
 * combinations, of each: devices, of each: type, number, cores; implementations, of each: entries, nine numbers, three
 * numbers, coefficients, those, and a line for each entry. */
#include "graph/starpu_models.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"

static const char version[] = "45"; /* of StarPU 1.4 */

/* Numbers of a file, as texts. */
static bool next_word(FILE *file, char word[64])
{
  int c;
  while (fscanf(file, " %1[#]", word) == 1)
    while ((c = fgetc(file)) != '\n')
      if (c == EOF) return false;
  return fscanf(file, "%63s", word) == 1;
}

static bool skip_words(FILE *file, long count)
{
  char word[64];
  for (long i = 0; i < count; i++)
    if (!next_word(file, word)) return false;
  return true;
}

static bool read_count(FILE *file, long *out)
{
  char word[64], *end;
  if (!next_word(file, word)) return false;
  *out = strtol(word, &end, 10);
  return !*end && *out >= 0 && *out <= 1L << 30;
}

/* A line with eight numbers, or seven as they once were. */
static bool skip_entry(FILE *file)
{
  char line[256], *save = NULL;
  int words = 0;
  do
    if (!fgets(line, sizeof line, file) || !strchr(line, '\n')) return false;
  while (*line == '#' || !line[strspn(line, " \t\n")]);
  for (char *word = strtok_r(line, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) words++;
  return words == 7 || words == 8;
}

static bool skip_implementation(FILE *file)
{
  enum { REGRESSION = 9 + 3 };
  long entries, coefficients;
  if (!read_count(file, &entries) || !skip_words(file, REGRESSION) || !read_count(file, &coefficients) ||
      !skip_words(file, coefficients))
    return false;
  for (long i = 0; i < entries; i++)
    if (!skip_entry(file)) return false;
  return true;
}

static bool skip_combination(FILE *file)
{
  enum { DEVICE = 3 };
  long devices, implementations;
  if (!read_count(file, &devices) || !skip_words(file, DEVICE * devices) || !read_count(file, &implementations))
    return false;
  for (long i = 0; i < implementations; i++)
    if (!skip_implementation(file)) return false;
  return true;
}

/* An empty file is one that StarPU does not mind. */
static bool is_whole(FILE *file)
{
  char word[64];
  long combinations;
  const int first = fgetc(file);
  if (first == EOF) return true;
  ungetc(first, file);
  if (!next_word(file, word) || strcmp(word, version) != 0 || !read_count(file, &combinations)) return false;
  for (long i = 0; i < combinations; i++)
    if (!skip_combination(file)) return false;
  return true;
}

/* As StarPU does, so that no other process writes it meanwhile. */
static void lock(FILE *file)
{
  const struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  while (fcntl(fileno(file), F_SETLKW, &whole) != 0 && errno == EINTR) {
  }
}

static hg_status check_file(const char *path)
{
  FILE *file;
  const hg_status status = hg_file_open(path, &file);
  if (status != HG_OK) return access(path, F_OK) == 0 ? status : HG_OK;
  lock(file);
  const bool whole = is_whole(file);
  fclose(file);
  if (whole) return HG_OK;
  if (unlink(path) != 0 && errno != ENOENT)
    return hg_fail(HG_IO, "%s: StarPU would abort at this file, which is not whole, and it cannot be removed: %s", path,
                   strerror(errno));
  hg_log(HG_WARN, "%s was not whole and is removed: StarPU measures anew", path);
  return HG_OK;
}

/* A model of this project's, not one that is being written. */
static bool is_model(const char *name)
{
  return strncmp(name, "hetgrid_", 8) == 0 && !hg_file_has_ending(name, ".part");
}

hg_status hg_starpu_models_check(const char *folder)
{
  char path[HG_PATH_MAX];
  hg_status status = HG_OK;
  snprintf(path, sizeof path, "%s/%s", folder, version);
  DIR *list = opendir(path);
  for (struct dirent *e; list && status == HG_OK && (e = readdir(list));)
    if (is_model(e->d_name) && snprintf(path, sizeof path, "%s/%s/%s", folder, version, e->d_name) < (int)sizeof path)
      status = check_file(path);
  if (list) closedir(list);
  return status;
}
