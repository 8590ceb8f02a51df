/* SPDX-License-Identifier: MIT */
/* Applications with one fault each: wrong FAULT [OPTIONS]. With stored neighbours, or (WRONG_STENCIL) neighbours by
 * formula. */
#define HG_VALUE double
#ifdef WRONG_STENCIL
#define HG_DIMS 2
#define HG_RADIUS 1
#endif
#include <hetgrid/app.h>
#include <stdlib.h>

static const char *way = "";

static bool is(const char *name)
{
  return strcmp(way, name) == 0;
}

/* An update's fault is passed in its parameters, as on a device. */
enum { NOTHING, FAR, STOP, MANY, ELSEWHERE, AFTER, OWN, LISTED, ONE, GOT, WIDE, WIDE_LISTED, WIDE_ONE, WIDE_GOT };
static int64_t fault = NOTHING;

static bool here(const hg_unit *u, int64_t wanted)
{
  return *(const int64_t *)hg_parameters(u) == wanted && hg_id(u) == 17 && hg_step(u) == 3;
}

HG_UPDATE(fragile)
{
  double v = hg_value(u);
  if (here(u, STOP)) hg_stop(u, 42);
  if (here(u, AFTER)) v += hg_value_after(u);
#ifdef WRONG_STENCIL
  const int far = here(u, FAR) ? 2 : 1;
  v += hg_at(u, 0, far);
  if (here(u, OWN)) v += hg_values(u)[0];
  if (here(u, LISTED)) v += (double)hg_neighbours(u);
  if (here(u, ONE)) v += hg_neighbour_values(u, 0)[0];
  if (here(u, GOT)) v += hg_get(u, 3, 3, 0);
#else
  if (here(u, MANY)) v += hg_neighbour(u, 9);
  if (here(u, ELSEWHERE)) v += hg_get(u, 9, 9, 0);
#endif
  return v / 2;
}

HG_UPDATE_ARRAY(array)
{
  out[0] = hg_values(u)[0];
}

HG_QUANTITY(state)
{
  return hg_value_after(u);
}

/* Reads beyond its unit's values; reading the unit's own is no fault. */
HG_QUANTITY(wide)
{
  double v = hg_value(u);
  if (here(u, WIDE)) v += hg_at_offset(u, 0, 1, 0);
#ifndef WRONG_STENCIL
  v += hg_values(u)[0] - hg_get(u, hg_x(u), hg_y(u), hg_z(u));
  if (here(u, WIDE_GOT)) v += hg_get(u, 3, 3, 0);
#endif
  if (here(u, WIDE_LISTED)) v += (double)hg_neighbours(u);
  if (here(u, WIDE_ONE)) v += hg_neighbour(u, 0) + (double)hg_neighbour_id(u, 0);
  return v;
}

static const hg_quantity of_bytes = {"of_bytes", 1, 1, state_run, NULL, NULL};

static hg_status start(const hg_cell *cell, void *v, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  if (is("init") && cell->id == 5) return hg_fail(HG_INVALID, "unit %d is not wanted", 5);
  if (is("init-silent") && cell->id == 5) return HG_INVALID;
  *(double *)v = (double)cell->id;
  return HG_OK;
}

static void neighbours(const hg_cell *cell, hg_set *set, void *arg)
{
  (void)arg;
  if (is("neighbour-outside")) hg_set_add(set, cell->id == 17 ? 100 : 0);
  if (is("neighbour-negative")) hg_set_add(set, cell->id == 17 && cell->step == 3 ? -1 : 0);
  for (int i = 0; is("limit") && i < 5; i++) hg_set_add(set, i);
}

static void zone(const hg_box *tile, int64_t step, hg_zone *z, void *arg)
{
  (void)tile;
  (void)arg;
  if (is("zone-outside") && step == 2) hg_zone_add(z, 5, 0, 0, 6, 1, 1);
  for (int i = 0; is("zones") && i < 20; i++) hg_zone_add(z, 0, 0, 0, 1, 1, 1);
}

static hg_status dynamic(hg_run *run, int64_t step, void *arg)
{
  (void)arg;
  double v[4] = {0};
  const int64_t id[2] = {0, is("get-id") ? 100 : 1};
  if (step < 2) return HG_OK;
  if (is("dynamic")) return HG_RUNTIME;
  if (is("get-size")) return hg_values_get(run, 2, id, v, 4);
  if (is("set-size")) return hg_values_set(run, 2, id, v, 9);
  return hg_values_get(run, 2, id, v, sizeof *v);
}

static hg_status divide(const hg_job *job, int parts, const double *speed, hg_box *box, void *arg)
{
  (void)speed;
  (void)arg;
  if (is("divide-silent")) return HG_INVALID;
  for (int i = 0; i < parts; i++) box[i] = (hg_box){{0, 0, 0}, {job->size[0], i ? 0 : job->size[1] - 1, 1}};
  return HG_OK;
}

static int64_t length(const hg_cell *cell, void *arg)
{
  (void)arg;
  return cell->id == 17 && is("array-length") ? -1 : 1;
}

static double number(const void *value, int64_t n, void *arg)
{
  (void)n;
  (void)arg;
  return *(const double *)value;
}

static const hg_number twice[] = {{"depth", number}, {"wrong", number}, {0}}, empty[] = {{"depth", NULL}, {0}};
static const hg_number eight[] = {{"a", number}, {"b", number}, {"c", number},
                                  {"d", number}, {"e", number}, {"f", number},
                                  {"g", number}, {"h", number}, {0}};

static int64_t find_fault(void)
{
  static const struct {
    const char *name;
    int64_t fault;
  } list[] = {{"far", FAR},
              {"stop", STOP},
              {"many", MANY},
              {"elsewhere", ELSEWHERE},
              {"after", AFTER},
              {"own", OWN},
              {"listed", LISTED},
              {"one", ONE},
              {"got", GOT},
              {"wide", WIDE},
              {"wide-listed", WIDE_LISTED},
              {"wide-one", WIDE_ONE},
              {"wide-got", WIDE_GOT}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (is(list[i].name)) return list[i].fault;
  return NOTHING;
}

int main(int argc, char **argv)
{
  if (argc > 1) way = argv[1];
  hg_job job = {.name = "wrong", .dims = 2, .size = {10, 10, 1}, .update = &fragile, .init = start, .steps = 6};
  job.parameters = &fault;
  job.parameter_bytes = sizeof fault;
  fault = find_fault();
#ifdef WRONG_STENCIL
  if (is("neighbours")) job.neighbours = neighbours;
  if (is("zone")) job.zone = zone;
  if (is("boundary")) job.boundary = "reflecting";
  if (is("value")) job.boundary = "fixed=three";
  if (is("narrow")) job.boundary = "periodic", job.size[1] = 0;
#else
  job.neighbours = is("elsewhere") || strncmp(way, "zone", 4) == 0 ? NULL : neighbours;
  job.zone = job.neighbours ? NULL : zone;
  job.neighbours_every = 1;
  if (is("both")) job.zone = zone;
  if (is("boundary")) job.boundary = "periodic";
#endif
  if (is("dynamic") || strncmp(way, "get", 3) == 0 || strncmp(way, "set", 3) == 0) job.dynamic = dynamic;
  job.dynamic_every = 1;
  if (is("update")) job.update = NULL;
  if (is("no-init")) job.init = NULL;
  if (is("divide") || is("divide-silent")) job.divide = divide;
  if (is("array")) job.update = &array;
  if (is("length")) job.length = length;
  if (is("array-length") || is("array-of-one")) job.update = &array, job.length = length;
  if (strncmp(way, "wide", 4) == 0) job.quantity = &wide, job.check_every = 1;
  if (is("quantity")) job.quantity = &of_bytes;
  if (is("tolerance-of-state")) job.quantity = &state, job.tolerance = 1e9;
  if (is("also-twice")) job.also = twice;
  if (is("also-empty")) job.also = empty;
  if (is("also-many")) job.also = eight;
  if (is("tolerance")) job.tolerance = 1;
  if (is("parameters")) job.parameter_bytes = 3000;
  if (is("null-parameters")) job.parameters = NULL;
  if (is("dims")) job.dims = 4;
  if (is("third")) job.dims = 3;
  if (is("size")) job.size[0] = -3;
  if (is("huge")) job.size[0] = job.size[1] = INT64_C(1) << 40;
  if (is("source")) job.source = "random";
  if (is("threads")) job.threads = 1025;
  if (is("input")) job.input = "nothing.npy";
  return hg_main(argc - (argc > 1), argv + (argc > 1), &job);
}
