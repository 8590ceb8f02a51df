/* SPDX-License-Identifier: MIT */
#include "chart/colours.h"

#include <math.h>
#include <stddef.h>

const char *const hg_colour_map_names[] = {"inferno", "viridis", "cividis", "grey", "blues", "redblue", NULL};

/* Samples at equal distances. inferno and viridis: van der Walt and Smith, 2015 (CC0); cividis: Nunez, Anderton and
 * Renslow, PLOS ONE 13(7), 2018; blues and redblue: Brewer's Blues without its two darkest, and RdBu,
 * colorbrewer2.org. */
static const struct {
  int samples;
  hg_colour sample[11];
} maps[HG_COLOUR_MAPS] = {
    [HG_INFERNO] = {9, {0x000004, 0x210c4a, 0x57106e, 0x8a226a, 0xbc3754, 0xe35933, 0xf98c0a, 0xf9c932, 0xfcffa4}},
    [HG_VIRIDIS] = {9, {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725}},
    [HG_CIVIDIS] = {9, {0x00224e, 0x1a386f, 0x434e6c, 0x61656f, 0x7d7c78, 0x9a9376, 0xbbad6d, 0xddc858, 0xfee838}},
    [HG_GREYS] = {2, {0x000000, 0xffffff}},
    [HG_BLUES] = {7, {0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6, 0x4292c6, 0x2171b5}},
    [HG_RED_BLUE] = {11,
                     {0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7, 0xd1e5f0, 0x92c5de, 0x4393c3,
                      0x2166ac, 0x053061}}};

static int part(hg_colour c, int shift)
{
  return c >> shift & 0xff;
}

/* Linear interpolation from a to b. */
static hg_colour mix(hg_colour a, hg_colour b, double share)
{
  hg_colour out = 0;
  for (int shift = 0; shift < 24; shift += 8)
    out |= (hg_colour)lround(part(a, shift) + share * (part(b, shift) - part(a, shift))) << shift;
  return out;
}

hg_colour hg_colour_at(hg_colour_map map, double t)
{
  if (isnan(t)) return HG_MISSING;
  const double at = fmin(fmax(t, 0), 1) * (maps[map].samples - 1);
  const int i = (int)fmin(at, maps[map].samples - 2);
  return mix(maps[map].sample[i], maps[map].sample[i + 1], at - i);
}

/* Okabe and Ito's colours (Wong, Nature Methods 8, 2011), without black. */
hg_colour hg_colour_of(int64_t number)
{
  static const hg_colour seven[] = {0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442};
  return mix(seven[number % 7], HG_WHITE, .3 * (double)(number / 7 % 3));
}

/* Relative luminance as defined by the Web Content Accessibility Guidelines 2.1, with a rounded exponent. */
hg_colour hg_colour_on(hg_colour c)
{
  const double light =
      .2126 * pow(part(c, 16) / 255., 2.2) + .7152 * pow(part(c, 8) / 255., 2.2) + .0722 * pow(part(c, 0) / 255., 2.2);
  return light > .18 ? HG_BLACK : HG_WHITE;
}

double hg_colour_place(const hg_colour_scale *s, double value)
{
  if (s->logarithmic) return log(value / s->low) / log(s->high / s->low);
  return value / 2 / (s->high / 2 - s->low / 2) - s->low / 2 / (s->high / 2 - s->low / 2); /* avoids overflow */
}

hg_colour hg_colour_for(const hg_colour_scale *s, double value)
{
  return hg_colour_at(s->map, hg_colour_place(s, value));
}
