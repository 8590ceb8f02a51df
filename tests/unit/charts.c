/* SPDX-License-Identifier: MIT */
#include "chart/chart.h"

#include <stdlib.h>

#include "chart/canvas.h"
#include "tap.h"

/* Relative luminance, which also colour-blind readers see. */
static double light(hg_colour c)
{
  return .2126 * pow((c >> 16 & 0xff) / 255., 2.2) + .7152 * pow((c >> 8 & 0xff) / 255., 2.2) +
         .0722 * pow((c & 0xff) / 255., 2.2);
}

/* Whether a map gets monotonically lighter (sign 1) or darker (-1) from a to b. */
static bool goes(hg_colour_map map, double a, double b, int sign)
{
  double before = light(hg_colour_at(map, a));
  for (int i = 1; i <= 200; i++) {
    const double now = light(hg_colour_at(map, a + (b - a) * i / 200));
    if (sign * (now - before) < -1e-3) return false;
    before = now;
  }
  return sign * (light(hg_colour_at(map, b)) - light(hg_colour_at(map, a))) > .3;
}

static void colours(void)
{
  for (int m = 0; m < HG_BLUES; m++)
    tap_ok(goes(m, 0, 1, 1), "%s gets monotonically lighter, so that order is visible without hues",
           hg_colour_map_names[m]);
  tap_ok(goes(HG_BLUES, 0, 1, -1), "blues gets monotonically darker");
  tap_ok(goes(HG_RED_BLUE, 0, .5, 1) && goes(HG_RED_BLUE, .5, 1, -1), "redblue is lightest in its middle");
  tap_ok(hg_colour_at(HG_GREYS, .5) == 0x808080 && hg_colour_at(HG_GREYS, -3) == 0 &&
             hg_colour_at(HG_GREYS, 9) == 0xffffff,
         "values beyond the ends have the colour of the end");
  tap_ok(hg_colour_at(HG_INFERNO, NAN) == HG_MISSING, "NaN is grey");
  int unlike = 0;
  for (int i = 0; i < 21; i++)
    for (int j = 0; j < i; j++) unlike += hg_colour_of(i) != hg_colour_of(j);
  tap_int(unlike, 210, "21 things have 21 colours");
  tap_ok(hg_colour_on(0xffffff) == HG_BLACK && hg_colour_on(0) == HG_WHITE, "black on white, white on black");
  const hg_colour_scale wide = {.low = -1.7e308, .high = 1.7e308};
  tap_near(hg_colour_place(&wide, 0), .5, 1e-12, "the widest possible scale has a middle");
}

static void ticks_are(const hg_axis *axis, double length, const char *expected, const char *label)
{
  hg_ticks t;
  char all[2000] = "";
  hg_axis_ticks(axis, length, 50, &t);
  for (int i = 0; i < t.count; i++) {
    if (i) strcat(all, " ");
    strcat(all, t.text[i]);
  }
  tap_ok(strcmp(all, expected) == 0 && strcmp(t.label, label) == 0, "%g .. %g: %s, %s%s%s", axis->low, axis->high,
         t.label, all, strcmp(all, expected) ? ", expected " : "", strcmp(all, expected) ? expected : "");
}

static void known_ticks(void)
{
  ticks_are(&(hg_axis){.label = "x", .unit = "cells", .high = 400}, 500, "0 50 100 150 200 250 300 350 400",
            "x (cells)");
  ticks_are(&(hg_axis){.label = "time", .unit = "s", .high = .0123}, 300, "0 5 10", "time (ms)");
  ticks_are(&(hg_axis){.label = "time", .unit = "s", .high = 4e5}, 300, "0 100000 200000 300000 400000", "time (s)");
  ticks_are(&(hg_axis){.label = "energy", .unit = "J", .high = 3.2e7}, 250, "0 10 20 30", "energy (MJ)");
  ticks_are(&(hg_axis){.label = "speed", .unit = "cells/s", .high = 5.1e9}, 300, "0 1 2 3 4 5", "speed (10⁹ cells/s)");
  ticks_are(&(hg_axis){.low = -1.65e308, .high = 1.65e308}, 400, "-150 -100 -50 0 50 100 150", " (10³⁰⁶)");
  ticks_are(&(hg_axis){.low = -.3, .high = .3}, 300, "-0.3 -0.2 -0.1 0.0 0.1 0.2 0.3", "");
  ticks_are(&(hg_axis){.low = 1e-7, .high = 1e-2, .logarithmic = true}, 320, "10⁻⁷ 10⁻⁶ 10⁻⁵ 10⁻⁴ 0.001 0.01", "");
  ticks_are(&(hg_axis){.low = 20, .high = 90, .logarithmic = true}, 450, "20 30 40 50 60 70 80 90", "");
  ticks_are(&(hg_axis){.label = "time", .unit = "s", .low = 5.32, .high = 5.42, .logarithmic = true}, 320,
            "5.32 5.34 5.36 5.38 5.40 5.42", "time (s)");
  ticks_are(&(hg_axis){.low = 5, .high = 7, .logarithmic = true, .twos = true}, 500, "5 6 7", "");
  ticks_are(&(hg_axis){.label = "size", .unit = "B", .low = 1, .high = 1 << 24, .logarithmic = true, .twos = true}, 500,
            "1 8 64 512 4 Ki 32 Ki 256 Ki 2 Mi 16 Mi", "size (B)");
  ticks_are(&(hg_axis){.low = -.5, .high = 3.5, .whole = true}, 900, "0 1 2 3", "");
  ticks_are(
      &(hg_axis){
          .low = 800, .high = 6400, .logarithmic = true, .values = 4, .value = (double[]){800, 1600, 6400, 9000}},
      500, "800 1600 6400", "");
  ticks_are(&(hg_axis){.high = 3, .names = 3, .name = (const char *const[]){"a", "b", "c"}}, 300, "a b c", "");
}

/* Ticks of any axis lie on it, increase, and are no closer than asked; no two have the same label. */
static void any_ticks(void)
{
  uint64_t state = 11;
  int bad = 0;
  for (int i = 0; i < 20000; i++) {
    const bool logarithmic = tap_between(&state, 0, 1);
    const double size = pow(10, (double)tap_between(&state, -30, 30)),
                 low = (double)tap_between(&state, -1000, 1000) * size;
    hg_axis a = {.low = logarithmic ? fabs(low) + size : low, .logarithmic = logarithmic, .unit = i % 2 ? "s" : NULL};
    a.high = logarithmic ? a.low * (1 + pow(10, (double)tap_between(&state, -4, 6)))
                         : a.low + (double)tap_between(&state, 1, 5000) * size;
    hg_ticks t;
    hg_axis_ticks(&a, 500, 50, &t);
    bool good = t.count >= 2 && t.count <= 12;
    for (int k = 0; k < t.count; k++) {
      good = good && t.value[k] >= a.low - 1e-6 * fabs(a.high - a.low) && t.value[k] <= a.high + 1e-6 * fabs(a.high);
      good = good && (k == 0 || (t.value[k] > t.value[k - 1] && strcmp(t.text[k], t.text[k - 1]) != 0));
    }
    if (!good && bad++ == 0)
      printf("# %g .. %g %s: %d ticks, first '%s'\n", a.low, a.high, logarithmic ? "log" : "", t.count, t.text[0]);
  }
  tap_int(bad, 0, "20000 random axes: ticks lie on them, rise, are few and differ");
}

static void numbers(void)
{
  static const struct {
    double value;
    const char *text;
  } known[] = {{0, "0"}, {.25, "0.25"}, {54321, "54321"}, {1e6, "10⁶"}, {-2.5e-7, "-2.5·10⁻⁷"}, {1.204e30, "1.2·10³⁰"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char text[HG_NUMBER];
    tap_ok(strcmp(hg_chart_number(known[i].value, text), known[i].text) == 0, "%g is written %s", known[i].value, text);
  }
}

/* Users' names may hold any bytes. */
static void any_text(void)
{
  static const char *const texts[] = {"caf\xe9",  "\xc3",     "\xed\xa0\x80", "\xf5\x80\x80\x80",
                                      "\xc0\xaf", "a\tb\x7f", "ü ≤ 😀"};
  FILE *out = fopen("/dev/null", "w");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    hg_canvas c;
    hg_status status = hg_canvas_begin(&c);
    const hg_chart chart = {.title = texts[i], .x = {.label = texts[i], .high = 1}, .y = {.high = 1}};
    hg_chart_draw(&c, 0, 0, &chart);
    if (status == HG_OK) status = hg_canvas_write(&c, out, "x.svg", 0, NULL);
    tap_ok(status == HG_OK, "text %zu, whatever its bytes, is drawn", i + 1);
    hg_canvas_free(&c);
  }
  fclose(out);
}

static void widths_of_texts(void)
{
  hg_canvas c;
  char text[5000] = "m";
  if (!tap_int(hg_canvas_begin(&c), HG_OK, "an empty sheet")) return;
  const double one = hg_canvas_text_width(&c, 10, text);
  tap_ok(one > 2 && one < 20, "an m of 10 points is %g wide", one);
  tap_near(hg_canvas_text_width(&c, 10, "mmm"), 3 * one, .01 * one, "three are three times as wide");
  memset(text, 'm', sizeof text - 1);
  const double cut = hg_canvas_text_width(&c, 10, text) / one;
  tap_ok(cut > 100 && cut < 4999, "a text that is too long is cut, after %.0f", cut);
  static const char *const ends[] = {"\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"},
                           *const beyond[] = {"\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80"};
  for (int i = 0; i < 4; i++) {
    const double marks = hg_canvas_text_width(&c, 10, i < 2 ? "???" : "????");
    tap_ok(hg_canvas_text_width(&c, 10, beyond[i]) == marks && hg_canvas_text_width(&c, 10, ends[i]) != marks,
           "bytes that are no character are drawn as marks, the last or first one is not (%d)", i + 1);
  }
  hg_canvas_free(&c);
}

/* How often a word occurs in the picture of a chart with a colour bar, or with a line. */
static int drawn(const hg_colour_scale *scale, const hg_chart_line *line, const char *word)
{
  static char text[1 << 20];
  FILE *out = fmemopen(text, sizeof text, "w");
  int found = 0;
  hg_canvas c;
  hg_status status = hg_canvas_begin(&c);
  const hg_chart chart = {.title = "T",
                          .x = {.high = 1},
                          .y = {.high = 1},
                          .lines = line != NULL,
                          .line = line,
                          .scale = scale,
                          .scale_label = "T"};
  hg_chart_draw(&c, 0, 0, &chart);
  if (status == HG_OK && hg_canvas_write(&c, out, "x.svg", 0, NULL) != HG_OK) found = -1;
  hg_canvas_free(&c);
  fclose(out);
  for (const char *at = text; found >= 0 && (at = strstr(at, word)); at++) found++;
  return found;
}

/* The SVG text that `draw` writes. */
static const char *picture(void draw(hg_canvas *c))
{
  static char text[1 << 20];
  FILE *out = fmemopen(text, sizeof text, "w");
  hg_canvas c;
  if (hg_canvas_begin(&c) == HG_OK) draw(&c);
  if (hg_canvas_write(&c, out, "x.svg", 0, NULL) != HG_OK) *text = '\0';
  hg_canvas_free(&c);
  fclose(out);
  return text;
}

static int count(const char *text, const char *word)
{
  int found = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) found++;
  return found;
}

/* Position of the rightmost character. */
static double rightmost(const char *text)
{
  double most = 0, x;
  for (const char *at = text; (at = strstr(at, "<use ")); at++)
    if (sscanf(at, "<use xlink:href=\"#%*[^\"]\" x=\"%lf\"", &x) == 1) most = fmax(most, x);
  return most;
}

static void dashed(hg_canvas *c)
{
  c->width = c->height = 100;
  for (int dash = 0; dash < 5; dash++) hg_canvas_path(c, 2, (const double[][2]){{0, dash}, {9, dash}}, 0, 1, dash);
}

static void bent(hg_canvas *c)
{
  c->width = c->height = 100;
  hg_canvas_path(c, 3, (const double[][2]){{10, 80}, {30, 20}, {70, 50}}, 0, 1, 0);
}

static void bare(hg_canvas *c)
{
  hg_chart_draw(c, 0, 0, &(hg_chart){.title = "T", .x = {.high = 1}, .y = {.high = 1}});
}

static void marked(hg_canvas *c)
{
  static const hg_chart_mark mark[] = {
      {.x = .5, .name = "middle"}, {.x = .97, .name = "edge"}, {.x = 1.1, .name = "no"}};
  hg_chart_draw(c, 0, 0, &(hg_chart){.title = "T", .x = {.high = 1}, .y = {.high = 1}, .marks = 3, .mark = mark});
}

static void pointed(hg_canvas *c)
{
  static const hg_colour_scale above = {.high = 1, .above = true};
  hg_chart_draw(c, 0, 0,
                &(hg_chart){.title = "T", .x = {.high = 1}, .y = {.high = 1}, .scale = &above, .scale_label = "T"});
}

static void shapes(void)
{
  const char *text = picture(dashed);
  tap_ok(count(text, "dasharray") == 3 && count(text, "dasharray:6,3,6,3") && count(text, "dasharray:2,2,2,2") &&
             count(text, "dasharray:8,3,2,3"),
         "of five lines the first and the last are whole, the others have dashes of their own");
  const char *line = strstr(picture(bent), " d=\"");
  tap_ok(line && strncmp(line + 4, "M 10 80 L 30 20 L 70 50", 23) == 0, "a line goes through its points: %.30s",
         line ? line + 1 : "there is none");
  const double edge = rightmost(picture(bare));
  text = picture(marked);
  tap_int(count(text, "dasharray:6,3,6,3"), 2, "two of three marks are in the plot");
  tap_ok(rightmost(text) <= edge, "... and the name of the right one does not leave it (%g <= %g)", rightmost(text),
         edge);
  tap_ok(count(picture(pointed), " 44 L 6") >= 14, "columns of a point end where the bar begins");
}

static void colour_bars(void)
{
  const hg_colour_scale plain = {.low = 0, .high = 1}, pointed = {.low = 0, .high = 1, .above = true},
                        both = {.low = 0, .high = 1, .above = true, .below = true};
  const int none = drawn(&plain, NULL, "<path"), one = drawn(&pointed, NULL, "<path"),
            two = drawn(&both, NULL, "<path");
  tap_int(two - one, 14, "a point of a colour bar is drawn in 14 columns");
  tap_ok(one - none >= 14, "... the other one, too");
  tap_int(drawn(&plain, NULL, "<image"), 1, "a bar is one image");
  tap_int(drawn(&plain, NULL, "stroke-width:0.6;") - drawn(NULL, NULL, "stroke-width:0.6;"), 1, "... in a thin frame");
}

static void error_bars(void)
{
  static const double x[] = {.2, .5, .8}, y[] = {.2, .5, .8}, low[] = {.1, .5, -300}, high[] = {.3, .5, .9};
  const hg_chart_line bare = {.points = 3, .x = x, .y = y, .dots = true},
                      barred = {.points = 3, .x = x, .y = y, .low = low, .high = high, .dots = true};
  tap_int(drawn(NULL, &barred, "<path") - drawn(NULL, &bare, "<path"), 1,
          "bars of points are drawn, except those of no length and beyond the plot");
}

/* Whether a line is drawn the same with automatic and with given ends of the axes. */
static bool ends_are(const hg_chart_line *line, bool logarithmic, double low_x, double high_x, double low_y,
                     double high_y)
{
  static char picture[2][1 << 20];
  const hg_axis found = {.logarithmic = logarithmic}, x = {.low = low_x, .high = high_x, .logarithmic = logarithmic},
                y = {.low = low_y, .high = high_y, .logarithmic = logarithmic};
  for (int i = 0; i < 2; i++) {
    hg_canvas c;
    memset(picture[i], 0, sizeof picture[i]);
    FILE *out = fmemopen(picture[i], sizeof picture[i], "w");
    hg_status status = hg_canvas_begin(&c);
    const hg_chart chart = {.title = "T", .x = i ? x : found, .y = i ? y : found, .lines = 1, .line = line};
    hg_chart_draw(&c, 0, 0, &chart);
    if (status == HG_OK) status = hg_canvas_write(&c, out, "x.png", 0, NULL);
    hg_canvas_free(&c);
    fclose(out);
    if (status != HG_OK) return false;
  }
  return picture[0][0] && memcmp(picture[0], picture[1], sizeof picture[0]) == 0;
}

static void ends(void)
{
  static const double x[] = {.2, .5, .8}, y[] = {.2, .5, .8}, high[] = {7, 8, 9}, same[] = {.4, .4, .4},
                      large[] = {-50, -50, -50}, vast[] = {-1.5e308, 0, 1.5e308}, none[] = {NAN, INFINITY, -INFINITY};
  const struct {
    const double *x, *y;
    bool logarithmic;
    double end[4];
    const char *name;
  } chart[] = {{x, y, false, {.2, .8, 0, .8 + .05 * (.8 - .2)}, "a curve from near 0 begins at 0"},
               {x, high, false, {.2, .8, 7 - .05 * 2, 9 + .05 * 2}, "another has room on both sides"},
               {x, same, false, {.2, .8, .4 - .05, .4 + .05}, "a level one is 1 high"},
               {x, large, false, {.2, .8, -50 - .05 * 50, -50 + .05 * 50}, "... or as high as it is large"},
               {x, vast, false, {.2, .8, -1.65e308, 1.65e308}, "ends may be further apart than the largest number"},
               {none, none, false, {.95, 1.05, .95, 1.05}, "without a number the axes are around 1"},
               {x, high, true, {.2, .8, 7 / pow(9. / 7, .05), 9 * pow(9. / 7, .05)}, "logarithms, too"},
               {x, same, true, {.2, .8, .2, .8}, "... where a level one is in the middle of a fourfold"}};
  for (size_t i = 0; i < sizeof chart / sizeof *chart; i++) {
    const hg_chart_line line = {.points = 3, .x = chart[i].x, .y = chart[i].y};
    const double *e = chart[i].end;
    tap_ok(ends_are(&line, chart[i].logarithmic, e[0], e[1], e[2], e[3]), "%s", chart[i].name);
  }
}

static void paths(void)
{
  char path[HG_PATH_MAX];
  tap_ok(hg_chart_path("a.b/net.svg", "node", path) == HG_OK && strcmp(path, "a.b/net-node.svg") == 0, "%s", path);
  tap_ok(hg_canvas_check("--picture", "x.PDF") == HG_OK && hg_canvas_check("--picture", "x.jpg") == HG_INVALID,
         "endings: %s", hg_message());
}

int main(void)
{
  colours();
  known_ticks();
  any_ticks();
  numbers();
  any_text();
  widths_of_texts();
  shapes();
  colour_bars();
  error_bars();
  ends();
  paths();
  return tap_done();
}
