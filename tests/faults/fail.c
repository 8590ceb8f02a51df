/* SPDX-License-Identifier: MIT */
/* To be preloaded into a program: makes one call of a kind fail, as if memory, file descriptors or the disk had run out
 * (fault.h). Only allocations by hetgrid's own code and files of one folder count, so only calls for which hetgrid is
 * responsible fail.
 *
 *   HG_FAULT        memory, open, write, full, sync, rename or link; full: all writes from that one on fail
 *   HG_FAULT_FOLDER files below it count, and those named relative to where the program runs */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>

#include "faults/fault.h"

enum { FILES = 1024 };

static atomic_bool is_own[FILES]; /* by file descriptor */

static bool counts(const char *library)
{
  return !library[0] || strstr(library, "libhetgrid");
}

static bool is_own_path(const char *path)
{
  static const char *folder;
  if (!folder) folder = getenv("HG_FAULT_FOLDER") ? getenv("HG_FAULT_FOLDER") : "";
  return path[0] != '/' || (folder[0] && strncmp(path, folder, strlen(folder)) == 0);
}

/* Counts a call. Returns whether it is to fail, and then sets errno to `error`. */
static bool fails(const char *what, int error)
{
  const bool full = strcmp(kind, "full") == 0;
  if (strcmp(kind, what) != 0 && !(full && strcmp(what, "write") == 0)) return false;
  if (!is_due(full)) return false;
  errno = error;
  return true;
}

/* --- memory: the C library's own names under which it is always to be had --- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define FAILS_HERE (is_counted_code(__builtin_return_address(0)) && fails("memory", ENOMEM))

void *malloc(size_t size)
{
  return FAILS_HERE ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return FAILS_HERE ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
  return FAILS_HERE ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return FAILS_HERE ? NULL : __libc_memalign(alignment, size);
}

/* --- files --- */

static int note_file(int fd, const char *path)
{
  if (fd >= 0 && fd < FILES) atomic_store(&is_own[fd], is_own_path(path));
  return fd;
}

static bool owns(int fd)
{
  return fd >= 0 && fd < FILES && atomic_load(&is_own[fd]);
}

static int mode_of(int flags, va_list list)
{
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...)                                                                           \
  {                                                                                                                    \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    const int mode = mode_of(flags, list);                                                                             \
    va_end(list);                                                                                                      \
    if (is_own_path(path) && fails("open", EMFILE)) return -1;                                                         \
    return note_file(NEXT(name)(path, flags, mode), path);                                                             \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t size)
{
  return owns(fd) && fails("write", ENOSPC) ? -1 : NEXT(write)(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
  return owns(fd) && fails("write", ENOSPC) ? -1 : NEXT(pwrite)(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
  return owns(fd) && fails("write", ENOSPC) ? -1 : NEXT(pwrite64)(fd, bytes, size, at);
}

int fsync(int fd)
{
  return owns(fd) && fails("sync", EIO) ? -1 : NEXT(fsync)(fd);
}

int rename(const char *from, const char *to)
{
  return is_own_path(from) && fails("rename", EIO) ? -1 : NEXT(rename)(from, to);
}

int link(const char *from, const char *to)
{
  return is_own_path(from) && fails("link", EPERM) ? -1 : NEXT(link)(from, to);
}

/* The C library writes what streams hold without a call that could be caught: streams for writing
 * get a writer. */
static ssize_t write_stream(void *fd, const char *bytes, size_t size)
{
  const ssize_t written = write((int)(intptr_t)fd, bytes, size);
  return written < 0 ? 0 : written;
}

static int close_stream(void *fd)
{
  return close((int)(intptr_t)fd);
}

static int seek_stream(void *fd, off64_t *at, int whence)
{
  *at = lseek64((int)(intptr_t)fd, *at, whence);
  return *at < 0 ? -1 : 0;
}

static ssize_t read_stream(void *fd, char *bytes, size_t size)
{
  return read((int)(intptr_t)fd, bytes, size);
}

static FILE *stream_of(int fd, const char *mode)
{
  const cookie_io_functions_t calls_of = {read_stream, write_stream, seek_stream, close_stream};
  return fopencookie((void *)(intptr_t)fd, mode, calls_of);
}

FILE *fdopen(int fd, const char *mode)
{
  return owns(fd) && mode[0] != 'r' ? stream_of(fd, mode) : NEXT(fdopen)(fd, mode);
}

#define FOPEN(name)                                                                                                    \
  FILE *name(const char *path, const char *mode)                                                                       \
  {                                                                                                                    \
    if (!is_own_path(path)) return NEXT(name)(path, mode);                                                             \
    const bool change = mode[0] == 'r' && strchr(mode, '+');                                                           \
    if (mode[0] == 'r' && !change) return fails("open", EMFILE) ? NULL : NEXT(name)(path, mode);                       \
    const int flags = change ? O_RDWR : O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);                    \
    const int fd = open(path, flags | O_CLOEXEC, 0666);                                                                \
    return fd < 0 ? NULL : stream_of(fd, change ? "r+" : mode[0] == 'a' ? "a" : "w");                                  \
  }
FOPEN(fopen)
FOPEN(fopen64)
