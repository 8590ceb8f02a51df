/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-plan. */
#include <string.h>

#include "base/text.h"
#include "plan.h"

#define O plan_options

static hg_status parse_tile(const char *text, void *values)
{
  O *o = values;
  int count;
  o->tile_chosen = strcmp(text, "chosen") == 0;
  return o->tile_chosen ? HG_OK : hg_parse_ints(text, "--tile", 1, INT64_C(1) << 40, 3, o->tile, &count);
}

static hg_status parse_speeds(const char *text, void *values)
{
  static const char prefix[] = "tables:";
  O *o = values;
  if (strncmp(text, prefix, sizeof prefix - 1) != 0)
    return hg_parse_doubles(text, "--speeds", 0, 1e300, PLAN_SPEEDS_MAX, o->speed, &o->request.parts);
  o->tables = text + sizeof prefix - 1;
  return HG_OK;
}

static const hg_option option_list[] = {
    {"size", HG_LIST_IN(O, request.size, request.dims, 1e-300, 0x1p40), "NX[,NY[,NZ]]",
     "Columns, rows, layers (default 1000,1000)", 0},
    {.name = "grid", .use = HG_ALIAS | HG_HIDDEN},
    {"continuous", HG_FLAG(O, continuous), NULL,
     "Divide into real-valued rectangles instead of whole cells; the grid may then have any size, such as 1,1", 0},
    {"speeds", HG_LIST_BY(O, speed, request.parts, parse_speeds), "LIST",
     "Speed of each processor in cells/s, or any unit: 2*10,4*5,5 means ten of 2, five of 4 and one of 5; or "
     "tables:FILE.., the same as --tables FILE..",
     0},
    HG_FACTOR_ROWS(O),
    {"nodes", HG_LIST_IN(O, nodes, nodes_count, 1, PLAN_SPEEDS_MAX), "LIST",
     "Number of processors in each node, in their order: 2,2,2, or 2*3. auto, nodes and the models of --tables then "
     "divide between nodes first; --latency, --bandwidth and --network describe a node's link",
     0},
    {"tables", HG_TEXT(O, tables), "FILE[*N][,FILE..]",
     "Measured speed tables (w,c,time) instead of --speeds, one per processor; FILE*N stands for N equal processors",
     0},
    {"model", HG_TEXT(O, model), "NAME",
     "With --tables: even, cpm, fpm, fpmc (default), fpmc-thesis or dfpa; all compares their predicted makespans", 0},
    {"platform", HG_TEXT(O, energy), "PLATFORM",
     "A platform file with powers, one processor per speed (and their speeds, if none are given): print joules per "
     "step, and the Pareto front of divisions by time and energy",
     0},
    {.name = "energy", .use = HG_ALIAS | HG_HIDDEN},
    {"objective", HG_ONE_OF(O, objective, hg_criterion_names), NULL,
     "With --platform: give work to the processors that minimise time, energy, edp (energy x time) or ed2p (energy x "
     "time^2) (default time)",
     0},
    {"partition", HG_TEXT(O, partition), "NAME",
     "auto, rows, rows-sorted, columns, two-factor, sgp, asgp, php, nphp, nodes, column-based, recursive, rcb, exact "
     "or points; all compares them; FILE.csv holds one box per line (x,y,w,h)",
     0},
    {"halo", HG_IN(O, halo, 1, 1 << 20), "K",
     "Depth of the exchanged halo in cells, for the exchange with corners (default 1)", 0},
    {"boundary", HG_TEXT(O, boundary), "KIND",
     "fixed (default), insulated or periodic, or per side west=..,east=..,north=..,south=..,up=..,down=..", 0},
    {"tile", HG_ACTION(parse_tile), "W,H[,D]|chosen",
     "Largest extents of the tiles into which a part is cut, or `chosen`: those that hetgrid-heat would choose for "
     "CPU cores. Each tile has a halo (default: one tile per part)",
     0},
    {"latency", HG_IN(O, request.latency, 0, 1e6), "S", "Latency of a message in seconds", 0},
    {"bandwidth", HG_IN(O, request.bandwidth, 1e-300, 1e300), "B",
     "Bandwidth in bytes per second; auto then minimises the predicted communication time", 0},
    {"network", HG_TEXT(O, network_file), "FILE",
     "Message times as measured by hetgrid-network, instead of --latency and --bandwidth (default: HETGRID_NETWORK, "
     "if neither is given)",
     0},
    {"bytes-per-cell", HG_IN(O, request.bytes_per_cell, 0, 1e9), "B", "Size of a cell's value in bytes (default 8)", 0},
    {"group-tolerance", HG_IN(O, request.tolerance, 1e-12, 1), "T",
     "Relative difference up to which speeds count as equal (default 0.01)", 0},
    {"thesis", HG_FLAG(O, request.thesis), NULL,
     "Follow the rules as printed in the thesis where they differ from the default (asgp, nphp)", 0},
    {"picture", HG_TEXT(O, picture), "FILE", "Draw the parts: .svg, .png or .pdf", HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {"json", HG_FLAG(O, json), NULL, "Print JSON", 0},
    {"csv", HG_FLAG(O, csv), NULL, "Print one header line, then one row per part (with all: one row per partitioner)",
     0},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {"quiet", HG_FLAG(O, quiet), NULL, "Print nothing but errors", 0},
    {0}};

/* Runs of cells are not rectangles, and only those have the messages and halos described by these options. */
static hg_status check_points(const hg_command *command)
{
  static const char *const unused[] = {"continuous",      "nodes",     "halo",    "tile",
                                       "latency",         "bandwidth", "network", "bytes-per-cell",
                                       "group-tolerance", "thesis",    NULL};
  const char *given = hg_option_first(command, unused);
  return given ? hg_fail(HG_INVALID, "--partition points: excludes --%s, which is for rectangles", given) : HG_OK;
}

/* Rejects options that would have no effect; sets what is left open. */
static hg_status check(const hg_command *command, void *values)
{
  O *o = values;
  o->factors.link = o->link;
  o->factors.memory = o->memory;
  o->speeds_typed = o->request.parts > 0;
  if (o->model && !o->tables) return hg_fail(HG_INVALID, "--model: needs --tables, not --speeds");
  if (hg_option_given(command, "speeds") && hg_option_given(command, "tables"))
    return hg_fail(HG_INVALID, "--speeds and --tables exclude each other: both give the processors' speeds");
  if (strcmp(o->partition, "all") == 0 || (o->model && strcmp(o->model, "all") == 0))
    if (o->json || o->picture || o->quiet)
      return hg_fail(HG_INVALID,
                     "--partition all and --model all compare plans, but --json, --picture and --quiet need a single "
                     "one");
  if (strcmp(o->partition, "points") == 0) HG_TRY(check_points(command));
  if (o->request.latency > 0 && o->request.bandwidth <= 0)
    return hg_fail(HG_INVALID, "--latency: %g s, counts only beside a --bandwidth", o->request.latency);
  if (o->csv && o->json) return hg_fail(HG_INVALID, "--csv and --json exclude each other");
  if (!o->model) o->model = "fpmc";
  for (int a = o->request.dims; a < 3; a++) o->request.size[a] = 1;
  return HG_OK;
}

void plan_parse(int argc, char **argv, plan_options *o)
{
  hg_command command = {.about = "Divides a grid among processors of different speed and reports the cost of the "
                                 "division.",
                        .notes = "Exit status: 0 success, 1 failure, 2 wrong usage.",
                        .set = {{NULL, option_list, o, NULL, check}}};
  memset(o, 0, sizeof *o);
  o->partition = HG_PARTITION_DEFAULT;
  o->halo = 1;
  o->request = (hg_partition_request){.dims = 2, .size = {1000, 1000, 1}, .bytes_per_cell = 8, .speed = o->speed};
  hg_command_parse(&command, argc, argv);
}
