/* SPDX-License-Identifier: MIT */
/* Reading: regular files only. Writing: files appear whole or not at all, since they are written under a temporary
 * name in the same folder, flushed to the disk and then renamed. */
#ifndef HG_BASE_FILE_H
#define HG_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum { HG_PATH_MAX = 4200 };

/** Whether a path ends with `ending` (such as ".csv", in any case) and has more before it. */
bool hg_file_has_ending(const char *path, const char *ending);

/** FOLDER/NAME. HG_INVALID if that is too long. */
hg_status hg_file_in(const char *folder, const char *name, char path[HG_PATH_MAX]);

/** Opens a regular file for reading. Pipes, devices, sockets and folders are refused at once, without blocking.
 * HG_IO. */
hg_status hg_file_open(const char *path, FILE **out);

/** Whether a file of that name is HDF5's: .h5, .hdf5, or NetCDF-4's .nc. */
bool hg_file_is_hdf5(const char *path);

/** Whether a file compressed by zlib can hold so many bytes (at most 1032 per byte of the file); for use before memory
 * is allocated. HG_FORMAT, HG_IO. */
hg_status hg_file_check_unpacked(const char *path, double bytes);

/** Maps a regular file for reading; an empty one is refused. Release with munmap. HG_IO. */
hg_status hg_file_map(const char *path, void **bytes, size_t *size);

/** An unpredictable temporary name beside `path`; create it exclusively (O_EXCL). Removes files of such names that
 * ended processes have left. HG_INVALID if it is too long; HG_IO, also if `path` is something other than a file. */
hg_status hg_file_temporary(const char *path, char temporary[HG_PATH_MAX]);

/** Creates such a file under a temporary name. @param[out] fd  open for reading and writing. HG_IO,
 * HG_INVALID. */
hg_status hg_file_create(const char *path, char temporary[HG_PATH_MAX], int *fd);

/** Creates a file that is to appear whole or not at all, under a temporary name. HG_IO, HG_INVALID.
 */
hg_status hg_file_begin(const char *path, char temporary[HG_PATH_MAX], FILE **out);

/** Checks that such a file can be created. HG_IO, HG_INVALID. */
hg_status hg_file_try(const char *path);

/** Name under which the previous generation of a file is kept: FILE.previous.ENDING. HG_INVALID if it is too long. */
hg_status hg_file_previous(const char *path, char previous[HG_PATH_MAX]);

/** Keeps an existing file as the previous generation; it also stays in its place.
 * HG_IO, HG_INVALID. */
hg_status hg_file_keep(const char *path);

/** Opens a file that later calls continue, for reading from its start and writing at its end; creates it if there is
 * none. A symbolic link, another user's file, or a file with a second name is refused, since the name can be guessed.
 * HG_IO. */
hg_status hg_file_append(const char *path, FILE **out);

/** Closes the file. If `status` is HG_OK and all was written, it appears as `path`; otherwise it is removed. Returns
 * `status`, or HG_IO. */
hg_status hg_file_end(FILE *out, const char *temporary, const char *path, hg_status status);

/** Flushes the finished temporary file to the disk, renames it to `path` and flushes the folder; if that fails the
 * file is removed. HG_IO. */
hg_status hg_file_commit(const char *temporary, const char *path);
/** Whether two names are of the same file, which need not exist. */
bool hg_files_are_one(const char *a, const char *b);

/** Whether a file would lie in an existing folder. */
bool hg_file_is_in(const char *file, const char *folder);

/** Checks that two files that a program will write (or NULL) differ. HG_INVALID naming both options. */
hg_status hg_files_apart(const char *option, const char *file, const char *other, const char *its_file);
#endif
