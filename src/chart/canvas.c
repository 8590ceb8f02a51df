/* SPDX-License-Identifier: MIT */
#include "chart/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <png.h>
#include <string.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/shown.h"

enum { TEXT_MAX = 512, PIXELS_MAX = 32767, ROOM = 1 << 20 };

/* Whether a path ends like that of a picture. */
static bool canvas_is_picture(const char *path)
{
  return hg_file_has_ending(path, ".svg") || hg_file_has_ending(path, ".png") || hg_file_has_ending(path, ".pdf");
}

hg_status hg_canvas_check(const char *option, const char *path)
{
  if (canvas_is_picture(path)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: '%s' must end in .svg, .png or .pdf", option, path);
}

hg_status hg_canvas_begin(hg_canvas *c)
{
  /* without a size, cairo 1.16 clips SVG by uninitialised numbers */
  const cairo_rectangle_t room = {0, 0, ROOM, ROOM};
  *c = (hg_canvas){.sheet = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &room)};
  c->pen = cairo_create(c->sheet);
  cairo_font_options_t *font = cairo_font_options_create();
  cairo_font_options_set_hint_style(font, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(font, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(c->pen, font);
  cairo_font_options_destroy(font);
  cairo_select_font_face(c->pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_line_join(c->pen, CAIRO_LINE_JOIN_ROUND);
  return cairo_status(c->pen) == CAIRO_STATUS_SUCCESS ? HG_OK : hg_fail(HG_MEMORY, "no memory for a picture");
}

void hg_canvas_free(hg_canvas *c)
{
  cairo_destroy(c->pen);
  cairo_surface_destroy(c->sheet);
}

static void take_colour(hg_canvas *c, hg_colour colour, double opacity)
{
  cairo_set_source_rgba(c->pen, (colour >> 16 & 0xff) / 255., (colour >> 8 & 0xff) / 255., (colour & 0xff) / 255.,
                        opacity);
}

void hg_canvas_fill(hg_canvas *c, double x, double y, double w, double h, hg_colour colour, double opacity)
{
  take_colour(c, colour, opacity);
  cairo_rectangle(c->pen, x, y, w, h);
  cairo_fill(c->pen);
}

static void stroke(hg_canvas *c, hg_colour colour, double line)
{
  take_colour(c, colour, 1);
  cairo_set_line_width(c->pen, line);
  cairo_stroke(c->pen);
}

void hg_canvas_box(hg_canvas *c, double x, double y, double w, double h, hg_colour colour, double line)
{
  cairo_rectangle(c->pen, x, y, w, h);
  stroke(c, colour, line);
}

void hg_canvas_line(hg_canvas *c, const double from[2], const double to[2], hg_colour colour, double line)
{
  cairo_move_to(c->pen, from[0], from[1]);
  cairo_line_to(c->pen, to[0], to[1]);
  stroke(c, colour, line);
}

void hg_canvas_path(hg_canvas *c, int points, const double (*at)[2], hg_colour colour, double line, int dash)
{
  static const double dashes[][4] = {{0}, {6, 3, 6, 3}, {2, 2, 2, 2}, {8, 3, 2, 3}};
  cairo_set_dash(c->pen, dashes[dash % 4], dash % 4 ? 4 : 0, 0);
  for (int i = 0; i < points; i++) cairo_line_to(c->pen, at[i][0], at[i][1]);
  stroke(c, colour, line);
  cairo_set_dash(c->pen, NULL, 0, 0);
}

void hg_canvas_dot(hg_canvas *c, double x, double y, double radius, hg_colour colour, bool hollow)
{
  cairo_new_path(c->pen);
  cairo_arc(c->pen, x, y, radius, 0, 2 * M_PI);
  take_colour(c, hollow ? HG_WHITE : colour, 1);
  cairo_fill_preserve(c->pen);
  stroke(c, colour, 1);
}

/* The part of a text that can be drawn; long texts are truncated. */
static const char *clean(const char *text, char out[TEXT_MAX])
{
  int used = 0;
  for (const char *t = text; *t && used < TEXT_MAX - 5;) {
    const int length = hg_text_character(t);
    if (length > 0)
      memcpy(out + used, t, (size_t)length);
    else
      out[used] = '?';
    used += length > 1 ? length : 1;
    t += length > 1 ? length : 1;
  }
  out[used] = 0;
  return out;
}

double hg_canvas_text_width(hg_canvas *c, double size, const char *text)
{
  char room[TEXT_MAX];
  cairo_text_extents_t e;
  cairo_set_font_size(c->pen, size);
  cairo_text_extents(c->pen, clean(text, room), &e);
  return e.x_advance;
}

void hg_canvas_text(hg_canvas *c, double x, double y, double size, hg_canvas_align align, hg_colour colour,
                    const char *text)
{
  char room[TEXT_MAX];
  take_colour(c, colour, 1);
  cairo_move_to(c->pen, x - align / 2. * hg_canvas_text_width(c, size, text), y);
  cairo_show_text(c->pen, clean(text, room));
  cairo_new_path(c->pen);
}

void hg_canvas_text_up(hg_canvas *c, double x, double y, double size, const char *text)
{
  cairo_save(c->pen);
  cairo_translate(c->pen, x, y);
  cairo_rotate(c->pen, -M_PI / 2);
  hg_canvas_text(c, 0, 0, size, HG_CENTRED, HG_BLACK, text);
  cairo_restore(c->pen);
}

void hg_canvas_image(hg_canvas *c, double x, double y, double w, double h, int columns, int rows,
                     const hg_colour *pixel)
{
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
  unsigned char *bytes = cairo_image_surface_get_data(image);
  const size_t stride = (size_t)cairo_image_surface_get_stride(image);
  for (int i = 0; i < rows && bytes; i++)
    memcpy(bytes + (size_t)i * stride, pixel + (size_t)i * (size_t)columns, (size_t)columns * sizeof *pixel);
  cairo_surface_mark_dirty(image);
  cairo_save(c->pen);
  cairo_translate(c->pen, x, y);
  cairo_scale(c->pen, w / columns, h / rows);
  cairo_set_source_surface(c->pen, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(c->pen), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(c->pen), CAIRO_EXTEND_PAD);
  cairo_rectangle(c->pen, 0, 0, columns, rows);
  cairo_fill(c->pen);
  cairo_restore(c->pen);
  cairo_surface_destroy(image);
}

void hg_canvas_cut(hg_canvas *c, double x, double y, double w, double h)
{
  cairo_save(c->pen);
  cairo_rectangle(c->pen, x, y, w, h);
  cairo_clip(c->pen);
}

void hg_canvas_uncut(hg_canvas *c)
{
  cairo_restore(c->pen);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static cairo_status_t put_bytes(void *out, const unsigned char *bytes, unsigned count)
{
  return fwrite(bytes, 1, count, out) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws everything onto a surface, on white, then finishes and destroys the surface. */
static cairo_status_t put_sheet(const hg_canvas *c, cairo_surface_t *to, double scale)
{
  cairo_t *pen = cairo_create(to);
  cairo_set_source_rgb(pen, 1, 1, 1);
  cairo_paint(pen);
  cairo_scale(pen, scale, scale);
  cairo_set_source_surface(pen, c->sheet, 0, 0);
  cairo_paint(pen);
  const cairo_status_t drawn = cairo_status(c->pen), copied = cairo_status(pen);
  cairo_destroy(pen);
  return drawn ? drawn : copied;
}

static void describe(cairo_surface_t *pdf, int notes, const hg_canvas_note *note)
{
  char date[HG_DATE_MAX];
  hg_date_text(date);
  if (*date) cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATE_DATE, date);
  for (int i = 0; i < notes; i++)
    if (strcmp(note[i].name, "command") == 0)
      cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_SUBJECT, note[i].text);
}

static cairo_status_t write_vectors(const hg_canvas *c, FILE *out, bool pdf, int notes, const hg_canvas_note *note)
{
  cairo_surface_t *to = (pdf ? cairo_pdf_surface_create_for_stream
                             : cairo_svg_surface_create_for_stream)(put_bytes, out, c->width, c->height);
  if (pdf) describe(to, notes, note);
  const cairo_status_t put = put_sheet(c, to, 1);
  cairo_surface_finish(to);
  const cairo_status_t done = cairo_surface_status(to);
  cairo_surface_destroy(to);
  return put ? put : done;
}

static void on_error(png_structp png, png_const_charp text)
{
  (void)text;
  png_longjmp(png, 1);
}

static void put_notes(png_structp png, png_infop info, int notes, const hg_canvas_note *note)
{
  for (int i = 0; i < notes; i++) {
    png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE,
                     .key = (char *)(uintptr_t)note[i].name,
                     .text = (char *)(uintptr_t)note[i].text,
                     .itxt_length = strlen(note[i].text)};
    png_set_text(png, info, &text, 1);
  }
}

/* May return by longjmp. */
static void put_image(png_structp png, png_infop info, cairo_surface_t *image, int notes, const hg_canvas_note *note)
{
  const int w = cairo_image_surface_get_width(image), h = cairo_image_surface_get_height(image);
  const unsigned char *bytes = cairo_image_surface_get_data(image);
  const size_t stride = (size_t)cairo_image_surface_get_stride(image);
  png_set_IHDR(png, info, (png_uint_32)w, (png_uint_32)h, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  put_notes(png, info, notes, note);
  png_write_info(png, info);
  /* cairo's pixels are 0xRRGGBB in native byte order */
  const bool little = *(const unsigned char *)&(uint32_t){1} == 1;
  if (little) png_set_bgr(png);
  png_set_filler(png, 0, little ? PNG_FILLER_AFTER : PNG_FILLER_BEFORE);
  for (int y = 0; y < h; y++) png_write_row(png, bytes + (size_t)y * stride);
  png_write_end(png, NULL);
}

static bool encode(FILE *out, cairo_surface_t *image, int notes, const hg_canvas_note *note)
{
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, NULL);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  volatile bool good = false;
  if (info && setjmp(png_jmpbuf(png)) == 0) {
    png_init_io(png, out);
    put_image(png, info, image, notes, note);
    good = true;
  }
  png_destroy_write_struct(&png, &info);
  return good;
}

static cairo_status_t write_pixels(const hg_canvas *c, FILE *out, int notes, const hg_canvas_note *note)
{
  double scale = c->pixels ? 1 : 2;
  scale *= fmin(1, PIXELS_MAX / (scale * fmax(c->width, c->height)));
  cairo_surface_t *image =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(c->width * scale), (int)ceil(c->height * scale));
  cairo_status_t status = put_sheet(c, image, scale);
  cairo_surface_flush(image);
  if (status == CAIRO_STATUS_SUCCESS && !encode(out, image, notes, note)) status = CAIRO_STATUS_WRITE_ERROR;
  cairo_surface_destroy(image);
  return status;
}

hg_status hg_canvas_write(const hg_canvas *c, FILE *out, const char *path, int notes, const hg_canvas_note *note)
{
  errno = 0;
  const cairo_status_t status = hg_file_has_ending(path, ".png")
                                    ? write_pixels(c, out, notes, note)
                                    : write_vectors(c, out, hg_file_has_ending(path, ".pdf"), notes, note);
  if (status == CAIRO_STATUS_SUCCESS) return HG_OK;
  if (status == CAIRO_STATUS_NO_MEMORY) return hg_fail(HG_MEMORY, "%s: no memory for the picture", path);
  return hg_fail(HG_IO, "%s: %s", path, errno ? strerror(errno) : cairo_status_to_string(status));
}

hg_status hg_canvas_draw(const char *path, hg_status (*draw)(hg_canvas *c, const void *what), const void *what)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  hg_canvas c;
  hg_status status = hg_canvas_begin(&c);
  if (status == HG_OK) status = draw(&c, what);
  if (status == HG_OK) status = hg_file_begin(path, temporary, &out);
  if (status == HG_OK) status = hg_file_end(out, temporary, path, hg_canvas_write(&c, out, path, 0, NULL));
  hg_canvas_free(&c);
  return status;
}
