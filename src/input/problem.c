/* SPDX-License-Identifier: MIT */
#include "input/problem.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

const char *const hg_precision_names[] = {"double", "float", NULL};

static const char *const side_names[3][2] = {{"west", "east"}, {"north", "south"}, {"up", "down"}};
static const char *const boundary_names[] = {"fixed", "insulated", "periodic"};

hg_status hg_boundary_check(int dims, const hg_side side[3][2])
{
  for (int axis = 0; axis < dims; axis++) {
    const hg_boundary low = side[axis][0].kind, high = side[axis][1].kind;
    if ((low == HG_PERIODIC) != (high == HG_PERIODIC))
      return hg_fail(HG_INVALID, "boundary: %s is %s but %s is %s; periodic sides come in pairs", side_names[axis][0],
                     boundary_names[low], side_names[axis][1], boundary_names[high]);
  }
  return HG_OK;
}

/* @param in_text  the same characters in the caller's text, which stays */
static hg_status parse_fixed(const char *value, const char *in_text, hg_side *side)
{
  if (hg_file_has_ending(value, ".csv") || hg_file_has_ending(value, ".npy")) {
    side->times = in_text;
    side->times_length = (int)strlen(value);
    return HG_OK;
  }
  side->has_value = true;
  return hg_parse_double(value, "boundary: fixed value", -1e300, 1e300, &side->value);
}

static hg_status parse_kind(const char *kind, const char *in_text, hg_side *side)
{
  *side = (hg_side){.kind = HG_FIXED};
  if (strncmp(kind, "fixed=", 6) == 0) return parse_fixed(kind + 6, in_text + 6, side);
  if (strncmp(kind, "flux=", 5) == 0) {
    side->kind = HG_INSULATED;
    return hg_parse_double(kind + 5, "boundary: flux", -1e300, 1e300, &side->flux);
  }
  for (int i = HG_FIXED; i <= HG_PERIODIC; i++)
    if (strcmp(kind, boundary_names[i]) == 0) {
      side->kind = (hg_boundary)i;
      return HG_OK;
    }
  return hg_fail(HG_INVALID, "boundary: '%s' is none of fixed[=V|=FILE.csv], insulated, flux=Q, periodic", kind);
}

/* @param[in,out] named  bits of the sides named so far */
static hg_status parse_named(const char *item, const char *in_text, int dims, unsigned *named, hg_side side[3][2])
{
  for (int axis = 0; axis < 3; axis++)
    for (int high = 0; high < 2; high++) {
      size_t length = strlen(side_names[axis][high]);
      if (strncmp(item, side_names[axis][high], length) != 0 || item[length] != '=') continue;
      if (axis >= dims)
        return hg_fail(HG_INVALID, "boundary: a %d-D grid has no side '%s'", dims, side_names[axis][high]);
      const unsigned bit = 1U << (2 * axis + high);
      if (*named & bit) return hg_fail(HG_INVALID, "boundary: side '%s' is given twice", side_names[axis][high]);
      *named |= bit;
      return parse_kind(item + length + 1, in_text + length + 1, &side[axis][high]);
    }
  return hg_fail(HG_INVALID, "boundary: '%s' is not a side; these are west, east, north, south, up, down", item);
}

hg_status hg_boundary_parse(const char *text, int dims, hg_side side[3][2])
{
  char copy[HG_PATH_MAX];
  if (strlen(text) >= sizeof copy) return hg_fail(HG_INVALID, "boundary: more than %zu characters", sizeof copy - 1);
  strcpy(copy, text);
  if (!strchr(copy, '=') || strncmp(copy, "fixed=", 6) == 0 || strncmp(copy, "flux=", 5) == 0) {
    hg_side all;
    HG_TRY(parse_kind(copy, text, &all));
    for (int i = 0; i < 6; i++) side[i / 2][i % 2] = all;
    return HG_OK;
  }
  char *rest = NULL;
  unsigned named = 0;
  for (char *item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest))
    HG_TRY(parse_named(item, text + (item - copy), dims, &named, side));
  return HG_OK;
}

bool hg_boundary_follows(const char *text)
{
  hg_side side[3][2] = {{{0}}};
  bool follows = false;
  if (!text || hg_boundary_parse(text, 3, side) != HG_OK) return false;
  for (int i = 0; i < 6; i++) follows = follows || side[i / 2][i % 2].times;
  return follows;
}
