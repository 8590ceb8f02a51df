/* SPDX-License-Identifier: MIT */
/* XDMF describes the datasets of HDF5 files to ParaView and VisIt. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/shown.h"
#include "base/sort.h"
#include "base/text.h"
#include "result/write.h"

enum { STEP_DIGITS = 9 }; /* least number of digits in file names */

/* Writes text escaped for XML; invalid bytes, as of file names in another encoding, become question marks. */
static void put_xml(FILE *out, const char *text)
{
  for (const char *c = text; *c;) {
    const int length = hg_text_character(c);
    if (length == 0)
      fputc('?', out);
    else if (*c == '&')
      fputs("&amp;", out);
    else if (*c == '<')
      fputs("&lt;", out);
    else if (*c == '>')
      fputs("&gt;", out);
    else if (*c == '"')
      fputs("&quot;", out);
    else
      fwrite(c, 1, (size_t)length, out);
    c += length > 0 ? length : 1;
  }
}

static double spacing(const hg_field *f, int axis)
{
  return f->spacing[axis] > 0 ? f->spacing[axis] : 1;
}

static void put_shape(const hg_field *f, char shape[80])
{
  snprintf(shape, 80, "%" PRId64 " %" PRId64 " %" PRId64, f->n[2], f->n[1], f->n[0]);
}

static void put_grid(FILE *out, const hg_field *f, double time)
{
  char shape[80];
  put_shape(f, shape);
  fprintf(out,
          "  <Grid Name=\"grid\" GridType=\"Uniform\">\n"
          "   <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%s\"/>\n"
          "   <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
          "    <DataItem Dimensions=\"3\" Format=\"XML\">%.15g %.15g %.15g</DataItem>\n"
          "    <DataItem Dimensions=\"3\" Format=\"XML\">%.15g %.15g %.15g</DataItem>\n   </Geometry>\n",
          shape, f->origin[2], f->origin[1], f->origin[0], spacing(f, 2), spacing(f, 1), spacing(f, 0));
  if (f->metadata && time >= 0) fprintf(out, "   <Time Value=\"%.15g\"/>\n", time);
}

static void put_facts(FILE *out, const hg_metadata *metadata)
{
  char number[32];
  for (int i = 0; metadata && i < metadata->count; i++) {
    fprintf(out, "   <Information Name=\"%s\" Value=\"", metadata->fact[i].name);
    put_xml(out, hg_fact_text(metadata, i, number));
    fputs("\"/>\n", out);
  }
}

/* @param file  file of the values, in the same folder */
static void put_values(FILE *out, const hg_field *field, const char *file)
{
  char shape[80];
  put_shape(field, shape);
  for (const hg_field *f = field; f; f = f->also) {
    fputs("   <Attribute Name=\"", out);
    put_xml(out, f->name);
    fprintf(out,
            "\" AttributeType=\"Scalar\" Center=\"Node\">\n"
            "    <DataItem Dimensions=\"%s\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">",
            shape, (int)hg_precision_bytes(f->precision));
    if (strchr(file, ':')) fputs("FILE:", out); /* then Xdmf2 takes the text up to the last colon as the name */
    put_xml(out, file);
    fputs(":/", out);
    put_xml(out, f->name);
    fputs("</DataItem>\n   </Attribute>\n", out);
  }
  fputs("  </Grid>\n", out);
}

static const char begin[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n",
                  end[] = " </Domain>\n</Xdmf>\n";

static const char *name_in(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

hg_status hg_xdmf_path(const char *path, char xdmf[HG_PATH_MAX])
{
  const int n = snprintf(xdmf, HG_PATH_MAX, "%.*s.xmf", (int)(strrchr(path, '.') - path), path);
  return n < HG_PATH_MAX ? HG_OK : hg_fail(HG_INVALID, "%.60s...: the name is too long", path);
}

hg_status hg_write_xdmf(const char *path, const hg_field *f)
{
  char xdmf[HG_PATH_MAX], temporary[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_xdmf_path(path, xdmf));
  HG_TRY(hg_file_begin(xdmf, temporary, &out));
  fputs(begin, out);
  put_grid(out, f, f->time);
  put_facts(out, f->metadata);
  put_values(out, f, name_in(path));
  fputs(end, out);
  return hg_file_end(out, temporary, xdmf, HG_OK);
}

hg_status hg_series_path(const char *name, int64_t step, const char *ending, char path[HG_PATH_MAX])
{
  const int n = snprintf(path, HG_PATH_MAX, "%s.%0*" PRId64 "%s", name, STEP_DIGITS, step, ending);
  return n < HG_PATH_MAX ? HG_OK : hg_fail(HG_INVALID, "%.60s...: the name is too long", name);
}

/* The step of a file in a series' folder; -1 if it is not of the series. */
static int64_t step_of(const char *file, const char *series)
{
  const size_t length = strlen(series);
  int64_t step;
  if (strncmp(file, series, length) != 0 || file[length] != '.') return -1;
  const char *digits = file + length + 1, *rest = hg_scan_int(digits, digits + strlen(digits), &step);
  return rest && rest - digits >= STEP_DIGITS && strcmp(rest, ".h5") == 0 ? step : -1;
}

/* @param[out] step  to be freed by the caller */
static hg_status list_steps(const char *name, int64_t **step, int64_t *count)
{
  char folder[HG_PATH_MAX];
  const char *file = name_in(name);
  snprintf(folder, sizeof folder, "%.*s", (int)(file - name), name);
  DIR *d = opendir(*folder ? folder : ".");
  if (!d) return hg_fail(HG_IO, "%s: %s", *folder ? folder : ".", strerror(errno));
  hg_status status = HG_OK;
  for (const struct dirent *entry; status == HG_OK && (entry = readdir(d));) {
    const int64_t found = step_of(entry->d_name, file);
    if (found < 0) continue;
    status = hg_grow("snapshots", (void **)step, *count, sizeof **step);
    if (status == HG_OK) (*step)[(*count)++] = found;
  }
  closedir(d);
  if (*count > 0) qsort(*step, (size_t)*count, sizeof **step, hg_by_number);
  return status;
}

hg_status hg_series_each(const char *name, hg_series_visit *visit, void *arg)
{
  char path[HG_PATH_MAX];
  int64_t *step = NULL, count = 0;
  hg_status status = list_steps(name, &step, &count);
  for (int64_t i = 0; i < count && status == HG_OK; i++) {
    status = hg_series_path(name, step[i], ".h5", path);
    if (status == HG_OK) status = visit(arg, path, step[i]);
  }
  free(step);
  return status;
}

hg_status hg_write_series(const char *name, const hg_field *f, const hg_series *series)
{
  char xdmf[HG_PATH_MAX], file[HG_PATH_MAX], temporary[HG_PATH_MAX];
  FILE *out;
  if (snprintf(xdmf, sizeof xdmf, "%s.xmf", name) >= (int)sizeof xdmf)
    return hg_fail(HG_INVALID, "%.60s...: the name is too long", name);
  HG_TRY(hg_series_path(name, 0, ".h5", file));
  HG_TRY(hg_file_begin(xdmf, temporary, &out));
  fputs(begin, out);
  fputs("  <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", out);
  put_facts(out, f->metadata);
  for (int64_t i = 0; i < series->count; i++) {
    put_grid(out, f, (double)series->step[i] * series->time_step);
    hg_series_path(name, series->step[i], ".h5", file);
    put_values(out, f, name_in(file));
  }
  fputs("  </Grid>\n", out);
  fputs(end, out);
  return hg_file_end(out, temporary, xdmf, HG_OK);
}
