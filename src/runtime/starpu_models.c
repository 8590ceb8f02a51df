/* SPDX-License-Identifier: MIT */
/* StarPU truncates and rewrites a model's file when a program ends, and those of the machine's buses when it starts.
 * If that was interrupted, StarPU aborts at every later start. The file of a codelet's model has comments from # to
 * the end of a line, and between them: version, combinations, for each: devices, for each: type, number, cores;
 * implementations, for each: entries, nine numbers, three numbers, number of coefficients, the coefficients, and a
 * line per entry. Files of the buses are a comment line and lines of numbers, except the platform, which is XML. */
#include "runtime/starpu_models.h"

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

/* Reads the next number of a file, as text. */
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

/* Skips a line of eight numbers, or seven as in earlier versions. */
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

/* Models of other programs are left alone: one may be in the middle of being written. StarPU accepts an empty file. */
static bool is_whole_model(const char *name, FILE *file)
{
  char word[64];
  long combinations;
  const int first = fgetc(file);
  if (first == EOF || strncmp(name, "hetgrid_", 8) != 0 || hg_file_has_ending(name, ".part")) return true;
  ungetc(first, file);
  if (!next_word(file, word) || strcmp(word, "45") != 0 || !read_count(file, &combinations)) return false;
  for (long i = 0; i < combinations; i++)
    if (!skip_combination(file)) return false;
  return true;
}

/* Locks a file as StarPU does, so that no other process writes it meanwhile. */
static void lock(FILE *file)
{
  const struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  while (fcntl(fileno(file), F_SETLKW, &whole) != 0 && errno == EINTR) {
  }
}

typedef bool whole_check(const char *name, FILE *file);

static hg_status check_file(const char *path, const char *name, whole_check *is_whole)
{
  FILE *file;
  const hg_status status = hg_file_open(path, &file);
  if (status != HG_OK) return access(path, F_OK) == 0 ? status : HG_OK;
  lock(file);
  const bool whole = is_whole(name, file);
  fclose(file);
  if (whole) return HG_OK;
  if (unlink(path) != 0 && errno != ENOENT)
    return hg_fail(HG_IO, "%s: this file is incomplete, so StarPU would abort, and it cannot be removed: %s", path,
                   strerror(errno));
  hg_log(HG_WARN, "%s was incomplete and has been removed; StarPU measures again", path);
  return HG_OK;
}

/* Count of numbers in a line, up to a comment; -1 if there is anything else or the line has no end. */
static int count_numbers(char *line)
{
  char *save = NULL, *end;
  int count = 0;
  if (!strchr(line, '\n')) return -1;
  line[strcspn(line, "#\n")] = 0;
  for (char *word = strtok_r(line, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
    (void)strtod(word, &end);
    if (*end) return -1;
    count++;
  }
  return count;
}

/* Whether there are as many rows as numbers in each of them. */
static bool is_whole_square(FILE *file, char *line, int size)
{
  int rows = 0, columns = 0;
  while (fgets(line, size, file)) {
    const int count = count_numbers(line);
    if (count < 0 || (columns > 0 && count != columns)) return false;
    columns = count;
    rows += count > 0;
  }
  return rows > 0 && rows == columns;
}

/* The first line names the columns; each other line begins with the number of a device. */
static bool is_whole_affinity(FILE *file, char *line, int size)
{
  int columns = 0;
  if (!fgets(line, size, file) || strncmp(line, "# GPU\tNUMA", 10) != 0 || !strchr(line, '\n')) return false;
  for (const char *at = line; (at = strstr(at, "NUMA")); at++) columns++;
  while (fgets(line, size, file))
    if (count_numbers(line) != 1 + columns) return false;
  return true;
}

/* Cores, and memory nodes of each kind, one number per line. */
static bool is_whole_config(FILE *file, char *line, int size)
{
  int rows = 0;
  while (fgets(line, size, file)) {
    const bool is_comment = *line == '#';
    if (count_numbers(line) != !is_comment) return false;
    rows += !is_comment;
  }
  return rows > 1;
}

static bool is_whole_platform(FILE *file, char *line, int size)
{
  bool ended = false;
  while (fgets(line, size, file)) ended = strstr(line, "</platform>") && strchr(line, '\n');
  return ended;
}

static bool is_whole_bus(const char *name, FILE *file)
{
  static const struct {
    const char *ending;
    bool (*is_whole)(FILE *file, char *line, int size);
  } kind[] = {{".bandwidth", is_whole_square},
              {".latency", is_whole_square},
              {".affinity", is_whole_affinity},
              {".config", is_whole_config},
              {".xml", is_whole_platform}};
  char line[8192];
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
    if (hg_file_has_ending(name, kind[i].ending)) return kind[i].is_whole(file, line, sizeof line);
  return true;
}

/* @param[out] files  number of files that remain */
static hg_status check_folder(const char *folder, const char *part, whole_check *is_whole, int *files)
{
  char inner[HG_PATH_MAX], path[HG_PATH_MAX];
  hg_status status = hg_file_in(folder, part, inner);
  DIR *list = status == HG_OK ? opendir(inner) : NULL;
  for (struct dirent *e; list && status == HG_OK && (e = readdir(list));) {
    if (*e->d_name == '.' || hg_file_in(inner, e->d_name, path) != HG_OK) continue;
    status = check_file(path, e->d_name, is_whole);
    *files += access(path, F_OK) == 0;
  }
  if (list) closedir(list);
  return status;
}

/* Whether the disk has room for StarPU's bus files; StarPU aborts if it cannot read them back. */
static hg_status check_room(const char *folder)
{
  static const char block[65536];
  char path[HG_PATH_MAX], temporary[HG_PATH_MAX];
  int fd;
  HG_TRY(hg_file_in(folder, "room", path));
  HG_TRY(hg_file_create(path, temporary, &fd));
  errno = 0;
  const bool fits = write(fd, block, sizeof block) == (ssize_t)sizeof block && fsync(fd) == 0;
  const int error = errno;
  close(fd);
  unlink(temporary);
  return fits ? HG_OK
              : hg_fail(HG_IO,
                        "StarPU cannot store its measurements of this machine in %s: %s; set STARPU_HOME to another "
                        "folder",
                        folder, strerror(error ? error : ENOSPC));
}

hg_status hg_starpu_models_check(const char *folder)
{
  enum { OF_THE_BUSES = 6 };
  int models = 0, buses = 0;
  HG_TRY(check_folder(folder, "codelets/45", is_whole_model, &models)); /* of StarPU 1.4 */
  HG_TRY(check_folder(folder, "bus", is_whole_bus, &buses));
  return buses < OF_THE_BUSES ? check_room(folder) : HG_OK;
}
