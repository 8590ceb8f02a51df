/* SPDX-License-Identifier: MIT */
/* Files that are read: regular ones only. Files that are written: they appear whole or not at all,
 * because they are written under a temporary name beside their place, flushed to the disk and then
 * renamed. */
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

/** Opens a regular file for reading. Pipes, devices, sockets and folders are refused at once, not waited for. HG_IO. */
hg_status hg_file_open(const char *path, FILE **out);

/** Whether a file of that name is HDF5's: .h5, .hdf5, or NetCDF-4's .nc. */
bool hg_file_is_hdf5(const char *path);

/** Before memory is allocated for them: whether so many bytes can come out of a file that zlib has packed, 1032 from
 * one at most. HG_FORMAT, HG_IO. */
hg_status hg_file_check_unpacked(const char *path, double bytes);

/** Maps a regular file for reading; one without bytes is refused. Release with munmap. HG_IO. */
hg_status hg_file_map(const char *path, void **bytes, size_t *size);

/** Name beside `path` to write to, which cannot be guessed; it is to be created exclusively
 * (O_EXCL). Removes what processes that are gone have left under such names. HG_INVALID if it is
 * too long, HG_IO, also where there is something else than a file, which would be replaced. */
hg_status hg_file_temporary(const char *path, char temporary[HG_PATH_MAX]);

/** Creates such a file under a temporary name. @param[out] fd  open for reading and writing. HG_IO,
 * HG_INVALID. */
hg_status hg_file_create(const char *path, char temporary[HG_PATH_MAX], int *fd);

/** Creates a file that is to appear whole or not at all, under a temporary name. HG_IO, HG_INVALID.
 */
hg_status hg_file_begin(const char *path, char temporary[HG_PATH_MAX], FILE **out);

/** Name under which the generation before of a file is kept: FILE.previous.ENDING. HG_INVALID if it
 * is too long. */
hg_status hg_file_previous(const char *path, char previous[HG_PATH_MAX]);

/** Keeps the file there is, if there is one, as its generation before; it stays in its place too.
 * HG_IO, HG_INVALID. */
hg_status hg_file_keep(const char *path);

/** Opens a file that later calls go on with, for reading from its start and writing at its end; it is made where there
 * is none. A link, a file of another user, or one with a second name, is refused: its name can be guessed. HG_IO. */
hg_status hg_file_append(const char *path, FILE **out);

/** Closes it. If `status` is HG_OK and all was written it appears as `path`, otherwise it is
 * removed. Returns `status`, or HG_IO. */
hg_status hg_file_end(FILE *out, const char *temporary, const char *path, hg_status status);

/** Flushes the finished temporary file to the disk, renames it to `path` and flushes the folder; if
 * the file cannot take its place it is removed. HG_IO. */
hg_status hg_file_commit(const char *temporary, const char *path);
/** Whether two names, of files that need not be there, are those of one file. */
bool hg_files_are_one(const char *a, const char *b);

/** Whether a file would lie in a folder that is there. */
bool hg_file_is_in(const char *file, const char *folder);

/** Whether two files that a program will write, or NULL, differ. HG_INVALID naming both options. */
hg_status hg_files_apart(const char *option, const char *file, const char *other, const char *its_file);
#endif
