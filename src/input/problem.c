/* SPDX-License-Identifier: MIT */
#include "input/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const side_names[3][2] = {{"west", "east"}, {"north", "south"}, {"up", "down"}};
static const char *const boundary_names[] = {"fixed", "insulated", "periodic"};

const char *hg_boundary_name(hg_boundary kind)
{
  return boundary_names[kind];
}

const char *hg_side_name(int axis, int high)
{
  return side_names[axis][high];
}

static hg_status check_axis(const hg_heat_problem *p, int axis)
{
  if (p->n[axis] < 1)
    return hg_fail(HG_INVALID, "size: %" PRId64 " cells along axis %d, must be >= 1", p->n[axis], axis);
  if (!(p->alpha[axis] >= 0) || !isfinite(p->alpha[axis]))
    return hg_fail(HG_INVALID, "alpha: %g, must be finite and >= 0", p->alpha[axis]);
  if ((p->side[axis][0].kind == HG_PERIODIC) != (p->side[axis][1].kind == HG_PERIODIC))
    return hg_fail(HG_INVALID, "boundary: %s is %s but %s is %s; periodic sides come in pairs", side_names[axis][0],
                   boundary_names[p->side[axis][0].kind], side_names[axis][1], boundary_names[p->side[axis][1].kind]);
  return HG_OK;
}

hg_status hg_heat_problem_check(const hg_heat_problem *p)
{
  double sum = 0;
  if (p->dims < 1 || p->dims > 3) return hg_fail(HG_INVALID, "size: %d dimensions, must be 1..3", p->dims);
  for (int axis = 0; axis < p->dims; axis++) {
    HG_TRY(check_axis(p, axis));
    sum += p->alpha[axis];
  }
  for (int axis = p->dims; axis < 3; axis++)
    if (p->n[axis] != 1 || p->alpha[axis] != 0)
      return hg_fail(HG_INVALID, "size: %" PRId64 " cells and alpha %g along axis %d of a %d-D grid, must be 1 and 0",
                     p->n[axis], p->alpha[axis], axis, p->dims);
  if (sum > 0.5 * (1 + 4e-16) && !p->allow_unstable)
    return hg_fail(
        HG_INVALID,
        "alpha: the sum over the axes is %g, must be <= 0.5 for a stable scheme (--allow-unstable overrides)", sum);
  if (p->steps < 0) return hg_fail(HG_INVALID, "steps: %" PRId64 ", must be >= 0", p->steps);
  if (!(p->tolerance >= 0)) return hg_fail(HG_INVALID, "tolerance: %g, must be >= 0", p->tolerance);
  if (p->check_every < 1) return hg_fail(HG_INVALID, "check-every: %" PRId64 ", must be >= 1", p->check_every);
  return HG_OK;
}

static hg_status parse_kind(const char *text, hg_side *side)
{
  *side = (hg_side){.kind = HG_FIXED};
  if (strncmp(text, "fixed=", 6) == 0) {
    side->has_value = true;
    return hg_parse_real(text + 6, "boundary: fixed value", -1e300, 1e300, &side->value);
  }
  for (int kind = HG_FIXED; kind <= HG_PERIODIC; kind++)
    if (strcmp(text, boundary_names[kind]) == 0) {
      side->kind = (hg_boundary)kind;
      return HG_OK;
    }
  return hg_fail(HG_INVALID, "boundary: '%s' is none of fixed[=V], insulated, periodic", text);
}

static hg_status parse_named(const char *item, int dims, hg_side side[3][2])
{
  for (int axis = 0; axis < 3; axis++)
    for (int high = 0; high < 2; high++) {
      size_t length = strlen(side_names[axis][high]);
      if (strncmp(item, side_names[axis][high], length) != 0 || item[length] != '=') continue;
      if (axis >= dims)
        return hg_fail(HG_INVALID, "boundary: a %d-D grid has no side '%s'", dims, side_names[axis][high]);
      return parse_kind(item + length + 1, &side[axis][high]);
    }
  return hg_fail(HG_INVALID, "boundary: '%s' names no side; west, east, north, south, up, down", item);
}

hg_status hg_boundary_parse(const char *text, int dims, hg_side side[3][2])
{
  char copy[256];
  if (strlen(text) >= sizeof copy) return hg_fail(HG_INVALID, "boundary: more than %zu characters", sizeof copy - 1);
  strcpy(copy, text);
  if (!strchr(copy, '=') || strncmp(copy, "fixed=", 6) == 0) {
    hg_side all;
    HG_TRY(parse_kind(copy, &all));
    for (int i = 0; i < 6; i++) side[i / 2][i % 2] = all;
    return HG_OK;
  }
  char *rest = NULL;
  for (char *item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest))
    HG_TRY(parse_named(item, dims, side));
  return HG_OK;
}

hg_domain hg_heat_domain(const hg_heat_problem *p)
{
  hg_domain d = {.dims = p->dims, .n = {p->n[0], p->n[1], p->n[2]}, .radius = 1};
  for (int i = 0; i < 6; i++) d.side[i / 2][i % 2] = p->side[i / 2][i % 2].kind;
  return d;
}
