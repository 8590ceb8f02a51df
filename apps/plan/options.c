/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-plan. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "options/arguments.h"
#include "plan.h"

const char *argp_program_version = "hetgrid-plan " HG_VERSION;

enum {
  GRID = 256,
  CONTINUOUS,
  SPEEDS,
  LINKS,
  MEMORIES,
  FACTORS,
  NODES,
  PARTITION,
  HALO,
  BOUNDARY,
  TILE,
  LATENCY,
  BANDWIDTH,
  NETWORK,
  BYTES,
  TOLERANCE,
  THESIS,
  PICTURE,
  JSON,
  CSV,
  GOLDEN,
  TABLES,
  MODEL,
  ENERGY,
  OBJECTIVE,
  QUIET
};

static const struct argp_option option_list[] = {
    {"grid", GRID, "NX[,NY[,NZ]]", 0, "Columns, rows, layers (default 1000,1000)", 0},
    {"continuous", CONTINUOUS, NULL, 0,
     "Real rectangles instead of cells; the grid may then have any size, such as 1,1", 0},
    {"speeds", SPEEDS, "LIST", 0,
     "Speed of each processor in cells/s, or any unit: 2*10,4*5,5 is ten of 2, five of 4, one of 5", 0},
    {"links", LINKS, "LIST", 0, "Communication of each processor, any unit, for --factors", 0},
    {"memories", MEMORIES, "LIST", 0, "Memory of each processor, any unit, for --factors", 0},
    {"factors", FACTORS, "A,B,D", 0,
     "Divide by capability A speed + B link + D memory, each as a share of its sum (thesis, equations 3-1 and 3-2)", 0},
    {"nodes", NODES, "LIST", 0,
     "How many of the processors, in their order, each node has: 2,2,2, or 2*3. auto, nodes and the models of --tables "
     "then cut between nodes first; --latency, --bandwidth and --network are those of a node's link",
     0},
    {"tables", TABLES, "FILE[*N][,FILE..]", 0,
     "Measured speed tables (w,c,time) instead of speeds, one per processor; FILE*N stands for N alike", 0},
    {"model", MODEL, "NAME", 0,
     "With --tables: even, cpm, fpm, fpmc (default), fpmc-thesis or dfpa; all compares their predicted makespans", 0},
    {"energy", ENERGY, "PLATFORM", 0,
     "A platform file with powers, a processor for each speed (whose speeds are taken where none are named): "
     "prints joules per step, and all divisions that none is both faster and greener than",
     0},
    {"objective", OBJECTIVE, "GOAL", 0,
     "With --energy: who gets work, so that time, energy or edp (their product) is least (default time)", 0},
    {"partition", PARTITION, "NAME", 0,
     "auto, rows, rows-sorted, columns, two-factor, sgp, asgp, php, nphp, nodes, column-based, recursive, rcb, exact, points; "
     "all compares them; FILE.csv holds a box a line (x,y,w,h)",
     0},
    {"halo", HALO, "K", 0, "Depth of the exchanged halo in cells, for the exchange with corners (default 1)", 0},
    {"boundary", BOUNDARY, "KIND", 0,
     "fixed (default), insulated or periodic, or per side west=..,east=..,north=..,south=..,up=..,down=..", 0},
    {"tile", TILE, "W,H[,D]|chosen", 0,
     "Largest extents of the tiles that a part is cut into, or chosen as hetgrid-heat does for processor cores: "
     "each tile "
     "has a halo (default: a part is one tile)",
     0},
    {"latency", LATENCY, "S", 0, "Seconds per message", 0},
    {"bandwidth", BANDWIDTH, "B", 0, "Bytes per second; auto then minimises the predicted communication time", 0},
    {"network", NETWORK, "FILE", 0,
     "Times of messages as hetgrid-network measured them, instead of --latency and --bandwidth (default: "
     "HETGRID_NETWORK, if neither is given)",
     0},
    {"bytes-per-cell", BYTES, "B", 0, "Bytes of a cell's value (default 8)", 0},
    {"group-tolerance", TOLERANCE, "T", 0, "Relative difference up to which speeds count as equal (default .01)", 0},
    {"thesis", THESIS, NULL, 0, "The thesis' rules as printed where they differ from the default (asgp, nphp)", 0},
    {"picture", PICTURE, "FILE", 0, "Draw the parts: .svg, .png or .pdf", 0},
    {"svg", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"json", JSON, NULL, 0, "Print JSON", 0},
    {"csv", CSV, NULL, 0, "Print one header line, then a row a part (with all: a row a partitioner)", 0},
    {"golden", GOLDEN, "FILE", 0, "Run the cases of a golden file and print TAP", 0},
    {"quiet", QUIET, NULL, 0, "Print nothing but errors", 0},
    {0}};

/* What --factors weighs. */
static error_t parse_capability(int key, char *arg, struct argp_state *state)
{
  static double links[PLAN_SPEEDS_MAX], memories[PLAN_SPEEDS_MAX];
  hg_factors *f = &((plan_options *)state->input)->factors;
  int count;
  switch (key) {
  case LINKS:
    hg_arg_require(state, hg_parse_doubles(arg, "--links", 0, 1e300, PLAN_SPEEDS_MAX, links, &f->links));
    f->link = links;
    break;
  case MEMORIES:
    hg_arg_require(state, hg_parse_doubles(arg, "--memories", 0, 1e300, PLAN_SPEEDS_MAX, memories, &f->memories));
    f->memory = memories;
    break;
  case FACTORS:
    hg_arg_require(state, hg_parse_doubles(arg, "--factors", 0, 1e300, 3, f->factor, &count));
    if (count != 3) argp_error(state, "--factors: %d numbers, must be 3 (of speed, link and memory)", count);
    if (!(f->factor[0] + f->factor[1] + f->factor[2] > 0)) argp_error(state, "--factors: all are 0");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_number(int key, char *arg, struct argp_state *state)
{
  static double nodes[PLAN_SPEEDS_MAX];
  plan_options *o = state->input;
  hg_partition_request *r = &o->request;
  int64_t value;
  int count;
  switch (key) {
  case HALO:
    hg_arg_require(state, hg_parse_int(arg, "--halo", 1, 1 << 20, &value));
    o->halo = (int)value;
    break;
  case TILE:
    o->tile_chosen = strcmp(arg, "chosen") == 0;
    if (!o->tile_chosen) hg_arg_require(state, hg_parse_ints(arg, "--tile", 1, INT64_C(1) << 40, 3, o->tile, &count));
    break;
  case NODES:
    hg_arg_require(state,
                   hg_parse_doubles(arg, "--nodes", 1, PLAN_SPEEDS_MAX, PLAN_SPEEDS_MAX, nodes, &o->nodes_count));
    o->nodes = nodes;
    break;
  case LATENCY: hg_arg_require(state, hg_parse_double(arg, "--latency", 0, 1e6, &r->latency)); break;
  case BANDWIDTH: hg_arg_require(state, hg_parse_double(arg, "--bandwidth", 1e-300, 1e300, &r->bandwidth)); break;
  case BYTES: hg_arg_require(state, hg_parse_double(arg, "--bytes-per-cell", 0, 1e9, &r->bytes_per_cell)); break;
  case TOLERANCE: hg_arg_require(state, hg_parse_double(arg, "--group-tolerance", 1e-12, 1, &r->tolerance)); break;
  case SPEEDS:
    hg_arg_require(state, hg_parse_doubles(arg, "--speeds", 0, 1e300, PLAN_SPEEDS_MAX, o->speed, &r->parts));
    o->speeds_typed = true;
    break;
  case GRID:
    hg_arg_require(state, hg_parse_doubles(arg, "--grid", 1e-300, 0x1p40, 3, r->size, &r->dims));
    o->grid_given = true;
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* What would have no effect is refused. */
static void check_together(struct argp_state *state, const plan_options *o)
{
  if (o->model && !o->tables) argp_failure(state, 2, 0, "--model: is how --tables are looked at, not --speeds");
  if (o->csv && o->json) argp_failure(state, 2, 0, "--csv and --json exclude each other");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  plan_options *o = state->input;
  if (parse_number(key, arg, state) == 0 || parse_capability(key, arg, state) == 0) return 0;
  switch (key) {
  case CONTINUOUS: o->continuous = true; break;
  case NETWORK: o->network_file = arg; break;
  case BOUNDARY: o->boundary = arg; break;
  case PARTITION: o->partition = arg; break;
  case TABLES: o->tables = arg; break;
  case MODEL: o->model = arg; break;
  case ENERGY: o->energy = arg; break;
  case OBJECTIVE: o->objective = (hg_criterion)hg_arg_one_of(state, arg, "--objective", hg_criterion_names); break;
  case THESIS: o->request.thesis = true; break;
  case PICTURE: o->picture = hg_arg_picture(state, arg); break;
  case JSON: o->json = true; break;
  case CSV: o->csv = true; break;
  case GOLDEN: o->golden = arg; break;
  case QUIET: o->quiet = true; break;
  case ARGP_KEY_END: check_together(state, o); break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

void plan_parse(int argc, char **argv, plan_options *o)
{
  static const struct argp argp = {option_list,
                                   parse,
                                   NULL,
                                   "Divides a grid among processors of different speed and says what that costs.\v"
                                   "Exit status: 0 success, 1 failure, 2 wrong usage.",
                                   NULL,
                                   NULL,
                                   NULL};
  memset(o, 0, sizeof *o);
  o->partition = HG_PARTITION_DEFAULT;
  o->halo = 1;
  o->request = (hg_partition_request){.dims = 2, .size = {1000, 1000, 1}, .bytes_per_cell = 8, .speed = o->speed};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, o);
  if (!o->model) o->model = "fpmc";
  for (int a = o->request.dims; a < 3; a++) o->request.size[a] = 1;
}
