/* SPDX-License-Identifier: MIT */
#include "result/checkpoint.h"

#include <errno.h>
#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "input/hdf5_open.h"
#include "runtime/consistency.h"
#include "result/hdf5_writer.h"
#include "result/hdf5_trailer.h"
#include "result/write.h"

/* --- writing ----------------------------------------------------------------------------------------------------- */

hg_checkpoint hg_checkpoint_of(const char *problem)
{
  return (hg_checkpoint){
      .identity = hg_problem_identity(problem), .problem = problem, .looked = {.reduction = NAN, .half = INFINITY}};
}

/* Writes or reads the record; attributes that are missing leave their fields unchanged. */
static bool move_looked(hid_t set, hg_looked *l, bool (*move)(int64_t, const char *, int64_t, void *))
{
  const bool numbers = move(set, "reduction", H5T_NATIVE_DOUBLE, &l->reduction) &&
                       move(set, "half", H5T_NATIVE_DOUBLE, &l->half) &&
                       move(set, "half_since", H5T_NATIVE_INT64, &l->half_since);
  return numbers && move(set, "converged", H5T_NATIVE_INT64, &l->converged) &&
         move(set, "stalled", H5T_NATIVE_INT64, &l->stalled);
}

static hid_t bytes_type(size_t size)
{
  const hid_t type = H5Tcreate(H5T_OPAQUE, size);
  H5Tset_tag(type, "parameters");
  return type;
}

static bool move_parameters(hid_t set, const hg_checkpoint *c, bool (*move)(int64_t, const char *, int64_t, void *))
{
  if (c->parameter_bytes == 0) return true;
  const hid_t type = bytes_type(c->parameter_bytes);
  const bool good = move(set, "parameters", type, c->parameters);
  H5Tclose(type);
  return good;
}

static bool put_bytes(int64_t at, const char *name, int64_t type, void *value)
{
  return hg_hdf5_put(at, name, type, value);
}

static bool make_set(const hg_hdf5_writer *writer, const hg_checkpoint *c, int64_t *first)
{
  const hsize_t shape = c->bytes > 0 ? (hsize_t)c->bytes : 1; /* HDF5 gives nothing no place in the file */
  hid_t space = H5Screate_simple(1, &shape, NULL);
  hid_t set = (hid_t)hg_hdf5_room(writer, "values", H5T_NATIVE_UINT8, space, first);
  bool good = set >= 0 && hg_hdf5_put(set, "step", H5T_NATIVE_INT64, &c->step) &&
              hg_hdf5_put(set, "identity", H5T_NATIVE_UINT64, &c->identity);
  if (c->problem) good = good && hg_hdf5_put_text(set, "problem", c->problem);
  good = good && move_parameters(set, c, put_bytes);
  hg_looked looked = c->looked;
  if (!isnan(looked.reduction) || isfinite(looked.half)) good = good && move_looked(set, &looked, put_bytes);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good && (!c->metadata || hg_metadata_to_hdf5(c->metadata, writer->file));
}

static hg_status make_head(const void *checkpoint, hg_shared_file *file)
{
  hg_hdf5_writer writer;
  HG_TRY(hg_hdf5_begin(file->path, &writer));
  HG_TRY(hg_hdf5_leave(&writer, make_set(&writer, checkpoint, &file->first), file->path));
  memcpy(file->temporary, writer.temporary, sizeof file->temporary);
  file->fd = writer.fd;
  return HG_OK;
}

hg_status hg_checkpoint_begin(const hg_session *session, const char *path, const hg_checkpoint *c, hg_shared_file *file)
{
  HG_TRY(hg_shared_begin(session, path, make_head, c, file));
  file->summed = true;
  return HG_OK;
}

/* Runs on rank 0, when the others are done. */
static hg_status complete(hg_shared_file *f, const hg_checkpoint *c)
{
  char previous[HG_PATH_MAX];
  HG_TRY(hg_hdf5_write_trailer(f->fd, f->path, &f->sum, f->first, c->bytes, c->identity));
  HG_TRY(hg_shared_close(f));
  HG_TRY(hg_file_previous(f->path, previous));
  HG_TRY(hg_hdf5_check_place(f->path, c->identity));
  HG_TRY(hg_hdf5_check_place(previous, c->identity));
  HG_TRY(hg_file_keep(f->path));
  return hg_file_commit(f->temporary, f->path);
}

hg_status hg_checkpoint_end(hg_shared_file *f, const hg_checkpoint *c, hg_status mine)
{
  const bool first = f->session->rank == 0;
  if (mine == HG_OK) mine = first ? hg_shared_error(f) : hg_shared_close(f);
  hg_status status = hg_session_agree(f->session, mine);
  hg_checksums_of_all(f->session, &f->sum);
  if (first && status == HG_OK) status = complete(f, c);
  if (status != HG_OK) hg_shared_drop(f);
  return hg_session_agree(f->session, status);
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static hg_status refuse(hid_t set, const char *path, const hg_checkpoint *c)
{
  char differ[600] = "";
  char *there = c->problem ? hg_hdf5_get_text(set, "problem") : NULL;
  if (there) hg_problem_compare(there, c->problem, differ, sizeof differ);
  free(there);
  return hg_fail(HG_INVALID, "%s: is a checkpoint of another problem (%s)", path,
                 *differ ? differ : "it does not name its problem; another version of hetgrid wrote it");
}

static hg_status read_set(hid_t set, const char *path, hg_checkpoint *c, int64_t *first)
{
  uint64_t identity;
  if (set < 0 || !hg_hdf5_get(set, "step", H5T_NATIVE_INT64, &c->step) ||
      !hg_hdf5_get(set, "identity", H5T_NATIVE_UINT64, &identity) || c->step < 0)
    return hg_fail(HG_FORMAT, "%s: not a checkpoint of a job, or truncated", path);
  hid_t space = H5Dget_space(set);
  const hssize_t have = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  if (c->identity != identity) return refuse(set, path, c);
  if (c->bytes && have != c->bytes)
    return hg_fail(HG_INVALID, "%s: holds %" PRId64 " bytes of values, the problem has %" PRId64, path, (int64_t)have,
                   c->bytes);
  if (!move_parameters(set, c, hg_hdf5_get)) return hg_fail(HG_FORMAT, "%s: lacks the parameters", path);
  move_looked(set, &c->looked, hg_hdf5_get);
  const haddr_t at = H5Dget_offset(set);
  *first = (int64_t)at;
  return at != HADDR_UNDEF ? HG_OK : hg_fail(HG_FORMAT, "%s: cannot be read", path);
}

static hg_status look_inside(const char *path, hg_checkpoint *c, int64_t *first)
{
  int64_t file;
  HG_TRY(hg_hdf5_open_file(path, &file));
  hid_t set = H5Dopen2((hid_t)file, "values", H5P_DEFAULT);
  const hg_status status = read_set(set, path, c, first);
  if (set >= 0) H5Dclose(set);
  H5Fclose((hid_t)file);
  return status;
}

hg_status hg_checkpoint_open(const hg_session *session, const char *path, hg_checkpoint *c, hg_stored *out)
{
  *out = (hg_stored){.file = NULL};
  HG_TRY(hg_hdf5_check_trailer(session, path, "checkpoint"));
  hg_status status = hg_file_open(path, &out->file);
  if (status == HG_OK) status = look_inside(path, c, &out->first);
  status = hg_session_agree(session, status);
  if (status != HG_OK) hg_stored_close(out);
  return status;
}

hg_status hg_stored_read(const hg_stored *s, int64_t at, size_t size, void *out)
{
  char *to = out;
  while (size > 0) {
    const ssize_t n = pread(fileno(s->file), to, size, (off_t)(s->first + at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return hg_fail(HG_IO, "the checkpoint cannot be read: %s", n < 0 ? strerror(errno) : "it has been truncated");
    to += n, at += n, size -= (size_t)n;
  }
  return HG_OK;
}

void hg_stored_close(hg_stored *s)
{
  if (s->file) fclose(s->file);
  s->file = NULL;
}

/* --- of one rank -------------------------------------------------------------------------------------------------- */

static const hg_session alone = {.ranks = 1};

/* Checks that an existing file is a complete checkpoint of the same problem. */
static hg_status check_place(const char *path, const hg_checkpoint *c)
{
  char why[800];
  hg_checkpoint there = *c;
  int64_t first;
  if (access(path, F_OK) != 0) return HG_OK;
  there.bytes = 0;           /* any number, */
  there.parameter_bytes = 0; /* none are read */
  hg_status status = hg_hdf5_check_trailer(&alone, path, "checkpoint");
  if (status == HG_OK) status = look_inside(path, &there, &first);
  if (status == HG_OK || status == HG_IO) return status;
  snprintf(why, sizeof why, "%s", hg_message());
  const size_t name = strlen(path) + 2;
  return hg_fail(HG_INVALID, "%s: exists and is not replaced (%s)", path, strlen(why) > name ? why + name : why);
}

hg_status hg_checkpoint_check(const char *path, const hg_checkpoint *c)
{
  char previous[HG_PATH_MAX];
  if (!hg_file_is_hdf5(path)) return hg_fail(HG_INVALID, "--checkpoint: '%s' must end in .h5", path);
  HG_TRY(hg_output_check(path));
  HG_TRY(check_place(path, c));
  HG_TRY(hg_file_previous(path, previous));
  return check_place(previous, c);
}

hg_status hg_checkpoint_write(const char *path, const void *values, const hg_checkpoint *c)
{
  hg_shared_file file;
  HG_TRY(hg_checkpoint_begin(&alone, path, c, &file));
  hg_shared_put(&file, 0, values, (size_t)c->bytes);
  return hg_checkpoint_end(&file, c, HG_OK);
}

hg_status hg_checkpoint_read(const char *path, hg_checkpoint *c, unsigned char **values)
{
  hg_stored stored;
  HG_TRY(hg_checkpoint_open(&alone, path, c, &stored));
  hg_status status = hg_allocate("the values of a checkpoint", (size_t)c->bytes, (void **)values);
  if (status == HG_OK) status = hg_stored_read(&stored, 0, (size_t)c->bytes, *values);
  hg_stored_close(&stored);
  if (status != HG_OK) *values = NULL;
  return status;
}
