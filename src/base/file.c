/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"

static hg_status failed(const char *path)
{
  return hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : "cannot be read or written");
}

bool hg_file_has_ending(const char *path, const char *ending)
{
  size_t n = strlen(path), m = strlen(ending);
  return n > m && strcasecmp(path + n - m, ending) == 0;
}

/* --- reading --- */

static hg_status check_regular(const char *path, const struct stat *info)
{
  const mode_t kind = info->st_mode & S_IFMT;
  const char *name = kind == S_IFDIR    ? "a directory"
                     : kind == S_IFIFO  ? "a pipe"
                     : kind == S_IFSOCK ? "a socket"
                                        : "a device";
  return kind == S_IFREG ? HG_OK : hg_fail(HG_IO, "%s: %s, must be a regular file", path, name);
}

/* Checked before opening, which blocks on a pipe and may wake up a device, and again on the opened file. */
static hg_status open_regular(const char *path, int *fd, size_t *size)
{
  struct stat info;
  if (stat(path, &info) != 0) return failed(path);
  HG_TRY(check_regular(path, &info));
  *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (*fd < 0) return failed(path);
  hg_status status = fstat(*fd, &info) == 0 ? check_regular(path, &info) : failed(path);
  *size = (size_t)info.st_size;
  if (status != HG_OK) close(*fd);
  return status;
}

hg_status hg_file_open(const char *path, FILE **out)
{
  int fd;
  size_t size;
  HG_TRY(open_regular(path, &fd, &size));
  *out = fdopen(fd, "rb");
  if (*out) return HG_OK;
  hg_status status = failed(path);
  close(fd);
  return status;
}

bool hg_file_is_hdf5(const char *path)
{
  return hg_file_has_ending(path, ".h5") || hg_file_has_ending(path, ".hdf5") || hg_file_has_ending(path, ".nc");
}

hg_status hg_file_check_unpacked(const char *path, double bytes)
{
  enum { MOST = 1032 };
  struct stat info;
  if (stat(path, &info) != 0) return failed(path);
  if (bytes <= (double)info.st_size * MOST) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: truncated, promises %.0f bytes of values, a file of %" PRId64 " bytes can hold %.0f",
                 path, bytes, (int64_t)info.st_size, (double)info.st_size * MOST);
}

hg_status hg_file_map(const char *path, void **bytes, size_t *size)
{
  int fd;
  HG_TRY(open_regular(path, &fd, size));
  *bytes = *size ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  hg_status status = *size == 0             ? hg_fail(HG_IO, "%s: the file is empty", path)
                     : *bytes == MAP_FAILED ? failed(path)
                                            : HG_OK;
  close(fd);
  return status;
}

/* --- writing --- */

enum { DAY = 24 * 60 * 60, MARK_DIGITS = 8, CHANCE_DIGITS = 12 };

/* Distinguishes machines, boots and process name spaces; within one, a number identifies a process. */
static uint32_t machine_mark(void)
{
  char boot[40] = "";
  struct stat processes = {.st_ino = 0};
  FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (f && !fgets(boot, sizeof boot, f)) boot[0] = 0;
  if (f) fclose(f);
  if (stat("/proc/self/ns/pid", &processes) != 0) processes.st_ino = 0;
  uint64_t h = HG_HASH_START ^ processes.st_ino;
  hg_hash_mix(&h, boot, strlen(boot));
  return (uint32_t)(h ^ h >> 32);
}

/* Whether a process has ended. Zombies count as ended: in a container their parent may never reap them. */
static bool is_gone(long process)
{
  char path[40], line[256] = "";
  if (kill((pid_t)process, 0) != 0) return errno == ESRCH;
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  FILE *f = fopen(path, "re");
  if (f && !fgets(line, sizeof line, f)) line[0] = '\0';
  if (f) fclose(f);
  const char *name_end = strrchr(line, ')');
  return name_end && strncmp(name_end, ") Z", 3) == 0;
}

/* Skips ".part" and the numbers that hg_file_temporary appends to a name, in its format. */
static bool read_ending(const char **at, uint32_t *mark, long *process)
{
  static const char hex[] = "0123456789abcdef", part[] = ".part";
  const char *const first = *at + sizeof part - 1, *const second = first + MARK_DIGITS + 1;
  if (strncmp(*at, part, sizeof part - 1) != 0 || strspn(first, hex) != MARK_DIGITS || second[-1] != '-') return false;
  const size_t digits = strspn(second, "0123456789");
  const char *const third = second + digits + 1;
  if (digits == 0 || third[-1] != '-' || strspn(third, hex) != CHANCE_DIGITS) return false;
  *mark = (uint32_t)strtoul(first, NULL, 16);
  *process = strtol(second, NULL, 10);
  *at = third + CHANCE_DIGITS;
  return true;
}

/* Whether a file of that name beside `base` is a stale temporary one: its process is gone or, if that cannot be found
 * out, it is a day old. The name may have several such endings, since a temporary file may itself be written under a
 * temporary name. */
static bool is_stale(int folder, const char *name, const char *base)
{
  const size_t length = strlen(base);
  uint32_t mark;
  long process;
  struct stat info;
  const char *at = name + length;
  if (strncmp(name, base, length) != 0) return false;
  do
    if (!read_ending(&at, &mark, &process)) return false;
  while (*at);
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  if (mark == machine_mark()) return is_gone(process);
  return time(NULL) - info.st_mtime > DAY;
}

static int open_folder(const char *path)
{
  char folder[HG_PATH_MAX];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Removes temporary files of processes that died while writing `path`. */
static void remove_stale(const char *path)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const int fd = open_folder(path);
  DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
  for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder))
    if (is_stale(fd, e->d_name, base)) unlinkat(fd, e->d_name, 0);
  if (folder)
    closedir(folder);
  else if (fd >= 0)
    close(fd);
}

hg_status hg_file_temporary(const char *path, char temporary[HG_PATH_MAX])
{
  uint64_t chance = 0;
  struct stat info; /* a device must not be replaced */
  if (stat(path, &info) == 0) HG_TRY(check_regular(path, &info));
  if (getrandom(&chance, sizeof chance, 0) != sizeof chance) return failed(path);
  const int n = snprintf(temporary, HG_PATH_MAX, "%s.part%0*" PRIx32 "-%ld-%0*" PRIx64, path, MARK_DIGITS,
                         machine_mark(), (long)getpid(), CHANCE_DIGITS, chance >> 16);
  if (n <= 0 || n >= HG_PATH_MAX) return hg_fail(HG_INVALID, "%.60s...: the name is too long", path);
  remove_stale(path);
  return HG_OK;
}

hg_status hg_file_create(const char *path, char temporary[HG_PATH_MAX], int *fd)
{
  HG_TRY(hg_file_temporary(path, temporary));
  *fd = open(temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0666);
  return *fd < 0 ? failed(path) : HG_OK;
}

hg_status hg_file_begin(const char *path, char temporary[HG_PATH_MAX], FILE **out)
{
  int fd;
  *out = NULL;
  HG_TRY(hg_file_create(path, temporary, &fd));
  *out = fdopen(fd, "w");
  if (*out) return HG_OK;
  hg_status status = failed(path);
  close(fd);
  unlink(temporary);
  return status;
}

hg_status hg_file_try(const char *path)
{
  char temporary[HG_PATH_MAX];
  int fd;
  HG_TRY(hg_file_create(path, temporary, &fd));
  close(fd);
  unlink(temporary);
  return HG_OK;
}

/* Whether nobody else can have interfered with an open file. */
static bool is_own(int fd)
{
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink == 1;
}

hg_status hg_file_append(const char *path, FILE **out)
{
  const int fd = open(path, O_CREAT | O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (fd < 0 && errno != ELOOP) return failed(path);
  const bool own = fd >= 0 && is_own(fd);
  *out = own ? fdopen(fd, "a+") : NULL;
  if (*out) return HG_OK;
  const hg_status status =
      own ? failed(path) : hg_fail(HG_IO, "%s: must be a regular file of yours with one name; remove it", path);
  if (fd >= 0) close(fd);
  return status;
}

static hg_status flush(const char *temporary, const char *path)
{
  const int fd = open(temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  const bool good = fd >= 0 && fsync(fd) == 0;
  const hg_status status = good ? HG_OK : failed(path);
  if (fd >= 0) close(fd);
  return status;
}

/* The new name lasts only once its folder is on the disk. Two cases cannot be flushed: file systems without support
 * (EINVAL), and folders that may be written but not read (EACCES). */
static hg_status flush_folder(const char *path)
{
  const int fd = open_folder(path);
  const bool good = (fd >= 0 && fsync(fd) == 0) || errno == EINVAL || errno == EACCES;
  const int error = errno;
  if (fd >= 0) close(fd);
  return good ? HG_OK
              : hg_fail(HG_IO, "%s: is written, but its folder is not safe on the disk: %s", path, strerror(error));
}

hg_status hg_file_previous(const char *path, char previous[HG_PATH_MAX])
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  const int stem = dot && dot > name ? (int)(dot - path) : (int)strlen(path);
  const int n = snprintf(previous, HG_PATH_MAX, "%.*s.previous%s", stem, path, path + stem);
  return n > 0 && n < HG_PATH_MAX ? HG_OK : hg_fail(HG_INVALID, "%.60s...: the name is too long", path);
}

/* Uses a hard link, so that the file is there at every moment; file systems without links move it. */
hg_status hg_file_keep(const char *path)
{
  char previous[HG_PATH_MAX], second[HG_PATH_MAX];
  if (access(path, F_OK) != 0) return HG_OK;
  HG_TRY(hg_file_previous(path, previous));
  HG_TRY(hg_file_temporary(path, second));
  const bool linked = link(path, second) == 0;
  const hg_status status = rename(linked ? second : path, previous) == 0 ? HG_OK : failed(previous);
  if (linked) unlink(second); /* rename does nothing if both names already are one file's */
  return status;
}

hg_status hg_file_commit(const char *temporary, const char *path)
{
  hg_status status = flush(temporary, path);
  if (status == HG_OK && rename(temporary, path) != 0) status = failed(path);
  if (status == HG_OK) return flush_folder(path);
  unlink(temporary);
  return status;
}

hg_status hg_file_end(FILE *out, const char *temporary, const char *path, hg_status status)
{
  errno = 0;
  const bool good = fflush(out) == 0 && !ferror(out);
  if (status == HG_OK && !good)
    status = errno ? failed(path) : hg_fail(HG_IO, "%s: could not be written whole; is the disk full?", path);
  if (fclose(out) != 0 && status == HG_OK) status = failed(path);
  if (status == HG_OK) return hg_file_commit(temporary, path);
  unlink(temporary);
  return status;
}

hg_status hg_file_in(const char *folder, const char *name, char path[HG_PATH_MAX])
{
  int n = snprintf(path, HG_PATH_MAX, "%s/%s", folder, name);
  return n > 0 && n < HG_PATH_MAX ? HG_OK : hg_fail(HG_INVALID, "%.60s...: the name is too long", folder);
}

/* --- names of one file --- */

static bool is_one(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* The name of a file without its folder, which is given apart. */
static const char *split(const char *file, char folder[HG_PATH_MAX])
{
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  snprintf(folder, HG_PATH_MAX, "%.*s.", (int)(name - file), file);
  return name;
}

/* Different names may be links to one existing file, or the same name in the same folder. */
bool hg_files_are_one(const char *a, const char *b)
{
  char of_a[HG_PATH_MAX], of_b[HG_PATH_MAX];
  if (strcmp(a, b) == 0 || is_one(a, b)) return true;
  return strcmp(split(a, of_a), split(b, of_b)) == 0 && is_one(of_a, of_b);
}

hg_status hg_files_apart(const char *option, const char *file, const char *other, const char *its_file)
{
  if (!file || !its_file || !hg_files_are_one(file, its_file)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: %s is a file of %s too, and one would replace the other", option, file, other);
}

bool hg_file_is_in(const char *file, const char *folder)
{
  char its[HG_PATH_MAX];
  split(file, its);
  return is_one(its, folder);
}
