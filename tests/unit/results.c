/* SPDX-License-Identifier: MIT */
/* Fields in files, byte by byte and pixel by pixel. */
#include <png.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chart/colours.h"
#include "base/file.h"
#include "input/grid.h"
#include "result/checkpoint.h"
#include "result/picture.h"
#include "result/write.h"
#include "tap.h"

/* Values are the numbers of the cells. */
static hg_field counted(int dims, int64_t nx, int64_t ny, int64_t nz, hg_precision precision)
{
  hg_field f = {.dims = dims, .n = {nx, ny, nz}, .precision = precision, .time = -1};
  if (hg_field_make(&f) != HG_OK) exit(99);
  for (int64_t i = 0; i < hg_field_cells(&f); i++) {
    if (precision == HG_FLOAT)
      ((float *)f.values)[i] = (float)i;
    else
      ((double *)f.values)[i] = (double)i;
  }
  return f;
}

static void writes(const char *name, hg_field f, const char *expected)
{
  char text[400] = "";
  if (hg_output_write(name, &f) == HG_OK) {
    FILE *in = fopen(name, "r");
    text[in ? fread(text, 1, sizeof text - 1, in) : 0] = 0;
    if (in) fclose(in);
  }
  const bool right = strcmp(text, expected) == 0;
  tap_ok(right, "%s of %d x %d x %d %s%s", name, (int)f.n[0], (int)f.n[1], (int)f.n[2], right ? "" : ": ",
         right ? "" : text);
  remove(name);
  hg_field_free(&f);
}

static void texts(void)
{
  writes("a.csv", counted(2, 3, 2, 1, HG_DOUBLE), "0,1,2\n3,4,5\n");
  writes("a.csv", counted(3, 2, 2, 2, HG_DOUBLE), "0,1\n2,3\n\n4,5\n6,7\n\n");
  writes("a.csv", counted(1, 3, 1, 1, HG_FLOAT), "0,1,2\n");
  writes("a.mtx", counted(2, 3, 2, 1, HG_DOUBLE), "%%MatrixMarket matrix array real general\n2 3\n0\n3\n1\n4\n2\n5\n");
  writes("a.txt", counted(3, 2, 1, 2, HG_DOUBLE), "0\n1\n2\n3\n");
  hg_field f = counted(1, 2, 1, 1, HG_DOUBLE), g = counted(1, 2, 1, 1, HG_FLOAT);
  ((double *)f.values)[1] = .1;
  ((float *)g.values)[1] = .1F;
  writes("a.txt", f, "0\n0.10000000000000001\n");
  writes("a.txt", g, "0\n0.100000001\n");
}

/* The pixels of a .png file, 0xrrggbb each; NULL if it is not a picture of this size. */
static hg_colour *pixels_of(const char *path, unsigned w, unsigned h)
{
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path) || image.width != w || image.height != h) return NULL;
  image.format = PNG_FORMAT_RGB;
  unsigned char *bytes = malloc(3 * (size_t)w * h);
  hg_colour *pixel = malloc((size_t)w * h * sizeof *pixel);
  if (!bytes || !pixel || !png_image_finish_read(&image, NULL, bytes, 0, NULL)) exit(99);
  for (size_t i = 0; i < (size_t)w * h; i++)
    pixel[i] = (hg_colour)bytes[3 * i] << 16 | (hg_colour)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
  free(bytes);
  return pixel;
}

/* Number of unexpected pixels in a picture without margins; -1: it has another size. */
static int wrong_pixels(hg_field f, const hg_picture *p, unsigned w, unsigned h, const double *mean)
{
  int wrong = 0;
  f.picture = p;
  hg_colour *pixel = hg_output_write("a.png", &f) == HG_OK ? pixels_of("a.png", w, h) : NULL;
  for (size_t i = 0; pixel && i < (size_t)w * h; i++)
    wrong += pixel[i] != hg_colour_at(p->map, (mean[i] - p->low) / (p->high - p->low));
  if (!pixel) wrong = -1;
  free(pixel);
  remove("a.png");
  hg_field_free(&f);
  return wrong;
}

static void pictures(void)
{
  enum { LONG = 12288, MOST = 8192 }; /* a pixel covers one cell or two */
  const hg_picture p = {.map = HG_GREYS, .ranged = true, .low = 0, .high = 63, .pixels = true};
  static double mean[64], means[2 * MOST];
  for (int i = 0; i < 64; i++) mean[i] = i;
  tap_int(wrong_pixels(counted(2, 5, 3, 1, HG_DOUBLE), &p, 5, 3, mean), 0,
          "cells that are not the colour of their value");
  tap_int(wrong_pixels(counted(3, 4, 2, 3, HG_FLOAT), &p, 4, 2, mean + 8), 0, "... of the middle layer");
  hg_field f = counted(2, LONG, 3, 1, HG_DOUBLE);
  double *value = f.values;
  for (int64_t i = 0; i < hg_field_cells(&f); i++) value[i] = (double)(i % LONG % 7 + 10 * (i / LONG));
  for (int64_t y = 0; y < 2; y++)
    for (int64_t x = 0; x < MOST; x++) {
      const int64_t x0 = x * LONG / MOST, x1 = (x + 1) * LONG / MOST, y0 = y * 3 / 2, y1 = (y + 1) * 3 / 2;
      double sum = 0;
      for (int64_t j = y0; j < y1; j++)
        for (int64_t i = x0; i < x1; i++) sum += value[j * LONG + i];
      means[y * MOST + x] = sum / (double)((x1 - x0) * (y1 - y0));
    }
  tap_int(wrong_pixels(f, &p, MOST, 2, means), 0, "... or of the mean of the cells that a pixel covers");
}

/* A file left by a process that ended while writing to the temporary name of a temporary name. */
static void leftovers(void)
{
  char outer[HG_PATH_MAX], inner[HG_PATH_MAX], mine[HG_PATH_MAX], name[HG_PATH_MAX + 8];
  int fd[2] = {-1, -1};
  const pid_t child = fork();
  if (child == 0) {
    const bool made = hg_file_create("a.h5", outer, &fd[0]) == HG_OK && hg_file_create(outer, inner, &fd[1]) == HG_OK;
    FILE *names = fopen("names", "w");
    if (names) fprintf(names, "%s %s", outer, inner), fclose(names);
    _exit(made ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  FILE *names = fopen("names", "r");
  const bool known = names && fscanf(names, "%4095s %4095s", outer, inner) == 2;
  if (names) fclose(names);
  tap_ok(status == 0 && known && access(outer, F_OK) == 0 && access(inner, F_OK) == 0, "%s is left", inner);
  snprintf(name, sizeof name, "%s.not", inner);
  fclose(fopen(name, "w"));
  tap_int(hg_file_create("a.h5", mine, &fd[0]), HG_OK, "another process writes the file");
  tap_ok(access(outer, F_OK) != 0 && access(inner, F_OK) != 0, "... and leftovers are removed");
  tap_ok(access(mine, F_OK) == 0 && access(name, F_OK) == 0, "... but nothing else");
  close(fd[0]);
  remove(mine), remove(name), remove("names");
}

static void differences_are_named(void)
{
  hg_field a = counted(3, 4, 3, 2, HG_DOUBLE), b = counted(3, 4, 3, 2, HG_DOUBLE);
  tap_int(hg_field_compare(&a, &b), HG_OK, "two fields of equal content are the same");
  ((double *)a.values)[3 + 4 * (2 + 3 * 1)] = -7;
  tap_ok(hg_field_compare(&a, &b) == HG_MISMATCH &&
             strstr(hg_message(), "1 of 24 cells differ from the serial result, first (3, 2, 1): -7 instead of 23"),
         "else the first cell that differs is named: %s", hg_message());
  hg_field_free(&a);
  hg_field_free(&b);
}

static void what_is_no_number_is_named(void)
{
  hg_field f = counted(3, 4, 3, 2, HG_DOUBLE);
  hg_grid_input *in;
  double out[24];
  ((double *)f.values)[3 + 4 * (2 + 3 * 1)] = INFINITY;
  if (!tap_ok(hg_output_write("a.npy", &f) == HG_OK && hg_grid_open("a.npy", 1, &in) == HG_OK,
              "a field with a value that is not finite %s", hg_message()))
    return;
  tap_int(hg_grid_read(in, f.n, &(hg_box){{1, 1, 0}, {4, 3, 2}}, out), HG_FORMAT, "... is no input");
  tap_contains(hg_message(), "a.npy: the value at (3, 2, 1) is inf", "... and its place is named");
  hg_grid_close(in);
  hg_field_free(&f);
  remove("a.npy");
}

static void previous_names(void)
{
  static const char *const name[][2] = {{"a.h5", "a.previous.h5"},
                                        {"d/a.h5", "d/a.previous.h5"},
                                        {"d.e/a", "d.e/a.previous"},
                                        {"d/.h5", "d/.h5.previous"}};
  for (int i = 0; i < 4; i++) {
    char previous[HG_PATH_MAX] = "";
    hg_file_previous(name[i][0], previous);
    tap_ok(strcmp(previous, name[i][1]) == 0, "the one before %s is %s", name[i][0], previous);
  }
}

static void checkpoints_come_back(void)
{
  const unsigned char values[] = {1, 2, 3, 4, 5, 6, 7};
  hg_checkpoint kept = {.step = 4, .identity = 9, .bytes = sizeof values},
                found = {.identity = 9, .bytes = sizeof values};
  unsigned char *again = NULL;
  tap_int(hg_checkpoint_write("kept.h5", values, &kept), HG_OK, "a checkpoint is written");
  tap_ok(hg_checkpoint_read("kept.h5", &found, &again) == HG_OK && memcmp(again, values, sizeof values) == 0 &&
             found.step == 4,
         "... and read again, values and step %s", hg_message());
  free(again);
  remove("kept.h5");
}

int main(void)
{
  char folder[] = "/tmp/hetgrid-results-XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0) return 99;
  texts();
  pictures();
  leftovers();
  differences_are_named();
  what_is_no_number_is_named();
  previous_names();
  checkpoints_come_back();
  if (chdir("/") != 0 || rmdir(folder) != 0) tap_ok(false, "nothing is left behind in %s", folder);
  return tap_done();
}
