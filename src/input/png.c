/* SPDX-License-Identifier: MIT */
/* Fields from pictures: the brightness of pixels. */
#include <png.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "input/array.h"

typedef struct decoder {
  png_structp png;
  png_infop info;
  FILE *file;
  uint8_t *pixels;
  png_bytep *rows;
  char reason[128];
} decoder;

static void on_error(png_structp png, png_const_charp text)
{
  decoder *d = png_get_error_ptr(png);
  snprintf(d->reason, sizeof d->reason, "%s", text);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
  (void)png;
  (void)text;
}

/* Asks libpng for grey, no alpha, no palette, 8 or 16 bits. */
static void set_grey(decoder *d)
{
  png_set_expand(d->png);
  png_set_strip_alpha(d->png);
  if (png_get_color_type(d->png, d->info) & PNG_COLOR_MASK_COLOR) png_set_rgb_to_gray(d->png, 1, -1, -1);
  png_set_interlace_handling(d->png);
  png_read_update_info(d->png, d->info);
}

/* May leave by longjmp; everything it allocates is in *d. */
static hg_status decode(decoder *d, const char *path, hg_array *a)
{
  png_init_io(d->png, d->file);
  png_read_info(d->png, d->info);
  set_grey(d);
  size_t pitch = png_get_rowbytes(d->png, d->info);
  int64_t nx = png_get_image_width(d->png, d->info), ny = png_get_image_height(d->png, d->info);
  int size = png_get_bit_depth(d->png, d->info) / 8;
  const int64_t n[3] = {(int64_t)pitch, ny, 1};
  HG_TRY(hg_file_check_unpacked(path, (double)pitch * (double)ny));
  HG_TRY(hg_memory_check(path, n, 1));
  d->pixels = malloc(pitch * (size_t)ny);
  d->rows = malloc((size_t)ny * sizeof *d->rows);
  if (!d->pixels || !d->rows) return hg_fail(HG_MEMORY, "%s: no memory for %zu bytes", path, pitch * (size_t)ny);
  for (int64_t y = 0; y < ny; y++) d->rows[y] = d->pixels + (size_t)y * pitch;
  png_read_image(d->png, d->rows);
  *a = (hg_array){.dims = ny > 1 ? 2 : 1,
                  .n = {nx, ny, 1},
                  .stride = {size, (int64_t)pitch, (int64_t)pitch * ny},
                  .kind = 'u',
                  .size = size,
                  .swap = true,
                  .data = d->pixels,
                  .owned = d->pixels};
  return HG_OK;
}

hg_status hg_png_open(const char *path, hg_array *out)
{
  decoder d = {.file = NULL};
  hg_array a = {0};
  HG_TRY(hg_file_open(path, &d.file));
  d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, on_error, on_warning);
  d.info = d.png ? png_create_info_struct(d.png) : NULL;
  volatile hg_status status = HG_MEMORY;
  if (!d.info)
    hg_fail(HG_MEMORY, "%s: no memory for the PNG reader", path);
  else if (setjmp(png_jmpbuf(d.png)))
    status = hg_fail(HG_FORMAT, "%s: %s", path, d.reason);
  else
    status = decode(&d, path, &a);
  png_destroy_read_struct(&d.png, &d.info, NULL);
  fclose(d.file);
  free(d.rows);
  if (status != HG_OK)
    free(d.pixels);
  else
    *out = a;
  return status;
}
