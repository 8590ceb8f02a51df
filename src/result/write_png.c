/* SPDX-License-Identifier: MIT */
/* Pictures of a field: colour map, scale bar with the values at its ends and middle. */
#include <png.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/write.h"

enum {
  PICTURE_MAX = 1600, /* longest side of the drawn grid in pixels; larger grids are averaged down */
  PICTURE_MIN = 256,  /* smaller grids are drawn with larger cells */
  GAP = 12,
  BAR = 18,
  GLYPH_W = 6,
  GLYPH_H = 7,
  LABEL = 9 * GLYPH_W * 2
};

typedef struct rgb {
  uint8_t r, g, b;
} rgb;

typedef struct picture {
  int64_t w, h;
  rgb *pixel;
} picture;

/* Nine samples of matplotlib's "inferno" (van der Walt and Smith, CC0), interpolated. */
static rgb colour(double t)
{
  static const rgb point[] = {{0, 0, 4},     {33, 12, 74},   {87, 16, 110},  {138, 34, 106}, {188, 55, 84},
                              {227, 89, 51}, {249, 140, 10}, {249, 201, 50}, {252, 255, 164}};
  if (!(t >= 0)) t = 0;
  if (t > 1) t = 1;
  double at = t * 8;
  int i = at < 8 ? (int)at : 7;
  double f = at - i;
  const rgb a = point[i], b = point[i + 1];
  return (rgb){(uint8_t)lround(a.r + f * (b.r - a.r)), (uint8_t)lround(a.g + f * (b.g - a.g)),
               (uint8_t)lround(a.b + f * (b.b - a.b))};
}

/* 5 x 7 glyphs, a row a byte, bit 4 leftmost. */
static const uint8_t *glyph(char c)
{
  static const struct {
    char c;
    uint8_t row[GLYPH_H];
  } font[] = {
      {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},    {'2', {14, 17, 1, 2, 4, 8, 31}},
      {'3', {31, 2, 4, 2, 1, 17, 14}},     {'4', {2, 6, 10, 18, 31, 2, 2}},   {'5', {31, 16, 30, 1, 1, 17, 14}},
      {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},     {'8', {14, 17, 17, 14, 17, 17, 14}},
      {'9', {14, 17, 17, 15, 1, 2, 12}},   {'.', {0, 0, 0, 0, 0, 12, 12}},    {'-', {0, 0, 0, 31, 0, 0, 0}},
      {'+', {0, 4, 4, 31, 4, 4, 0}},       {'e', {0, 0, 14, 17, 31, 16, 14}},
  };
  for (size_t i = 0; i < sizeof font / sizeof *font; i++)
    if (font[i].c == c) return font[i].row;
  return NULL;
}

static void draw_number(picture *p, int64_t x, int64_t y, double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.4g", value);
  for (const char *c = text; *c; c++, x += 2 * GLYPH_W) {
    const uint8_t *rows = glyph(*c);
    for (int j = 0; rows && j < 2 * GLYPH_H; j++)
      for (int i = 0; i < 10; i++)
        if (rows[j / 2] >> (4 - i / 2) & 1 && x + i < p->w && y + j >= 0 && y + j < p->h)
          p->pixel[(y + j) * p->w + x + i] = (rgb){30, 30, 30};
  }
}

/* The layer that is drawn: the grid of a 2-D field, the middle layer of a 3-D one, a 1-D field as one row. */
typedef struct layer {
  int64_t nx, ny, first;
  double low, high;
} layer;

static layer choose_layer(const hg_field *f)
{
  layer l = {.nx = f->n[0], .ny = f->n[1], .first = f->n[2] / 2 * f->n[0] * f->n[1]};
  l.low = l.high = hg_field_get(f, l.first);
  for (int64_t i = 0; i < l.nx * l.ny; i++) {
    double v = hg_field_get(f, l.first + i);
    if (v < l.low) l.low = v;
    if (v > l.high) l.high = v;
  }
  return l;
}

static int64_t at_least(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* Mean of the cells that pixel i of w covers along an axis of n cells: first..last-1. */
static void cells_of(int64_t i, int64_t w, int64_t n, int64_t *first, int64_t *last)
{
  *first = i * n / w;
  *last = at_least(*first + 1, (i + 1) * n / w);
}

static double pixel_value(const hg_field *f, const layer *l, int64_t x, int64_t y, int64_t w, int64_t h)
{
  int64_t x0, x1, y0, y1;
  double sum = 0;
  cells_of(x, w, l->nx, &x0, &x1);
  cells_of(y, h, l->ny, &y0, &y1);
  for (int64_t j = y0; j < y1; j++)
    for (int64_t i = x0; i < x1; i++) sum += hg_field_get(f, l->first + j * l->nx + i);
  return sum / (double)((x1 - x0) * (y1 - y0));
}

static hg_status draw(const hg_field *f, picture *p)
{
  layer l = choose_layer(f);
  int64_t longest = at_least(l.nx, l.ny);
  double zoom =
      longest > PICTURE_MAX ? (double)PICTURE_MAX / (double)longest : (double)at_least(1, PICTURE_MIN / longest);
  int64_t w = at_least(1, (int64_t)(zoom * (double)l.nx)), h = at_least(1, (int64_t)(zoom * (double)l.ny));
  if (l.ny == 1) h = 64;
  int64_t bar = at_least(h, 96);
  *p = (picture){.w = w + GAP + BAR + GAP / 2 + LABEL, .h = bar + 2 * GLYPH_H};
  void *pixels;
  HG_TRY(hg_allocate("the picture", (size_t)(p->w * p->h) * sizeof(rgb), &pixels));
  p->pixel = pixels;
  memset(p->pixel, 255, (size_t)(p->w * p->h) * sizeof(rgb));
  double range = l.high > l.low ? l.high - l.low : 1;
  for (int64_t y = 0; y < h; y++)
    for (int64_t x = 0; x < w; x++)
      p->pixel[(y + GLYPH_H) * p->w + x] = colour((pixel_value(f, &l, x, y, w, h) - l.low) / range);
  for (int64_t y = 0; y < bar; y++)
    for (int64_t x = 0; x < BAR; x++)
      p->pixel[(y + GLYPH_H) * p->w + w + GAP + x] = colour(1 - (double)y / (double)(bar - 1));
  for (int i = 0; i < 3; i++)
    draw_number(p, w + GAP + BAR + GAP / 2, i * (bar - 1) / 2, l.high - i * (l.high - l.low) / 2);
  return HG_OK;
}

static void on_error(png_structp png, png_const_charp text)
{
  (void)text;
  png_longjmp(png, 1);
}

static void put_facts(png_structp png, png_infop info, const hg_facts *facts)
{
  char number[32];
  for (int i = 0; facts && i < facts->count; i++) {
    const char *value = hg_fact_text(facts, i, number);
    png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE,
                     .key = (char *)(uintptr_t)facts->fact[i].name,
                     .text = (char *)(uintptr_t)value,
                     .itxt_length = strlen(value)};
    png_set_text(png, info, &text, 1);
  }
}

/* May leave by longjmp. */
static void put_picture(png_structp png, png_infop info, const picture *p, const hg_facts *facts)
{
  png_set_IHDR(png, info, (png_uint_32)p->w, (png_uint_32)p->h, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  put_facts(png, info, facts);
  png_write_info(png, info);
  for (int64_t y = 0; y < p->h; y++) png_write_row(png, (png_const_bytep)&p->pixel[y * p->w]);
  png_write_end(png, NULL);
}

static bool encode(FILE *out, const picture *p, const hg_facts *facts)
{
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, NULL);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  volatile bool good = false;
  if (info && setjmp(png_jmpbuf(png)) == 0) {
    png_init_io(png, out);
    put_picture(png, info, p, facts);
    good = true;
  }
  png_destroy_write_struct(&png, &info);
  return good;
}

bool hg_write_png(FILE *out, const hg_field *field)
{
  picture p;
  if (draw(field, &p) != HG_OK) return false;
  const bool good = encode(out, &p, field->facts);
  free(p.pixel);
  return good;
}
