/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-network. */
#include "network.h"
#include "options/arguments.h"

#define O network_options

static const char *const operations[] = {"p2p", "stream", "bcast", "matmul", NULL}, *const ends[] = {"cpu", "gpu",
                                                                                                     NULL};

static const hg_option option_list[] = {
    {.help = "Measuring (mpirun -n 2 or more; with one rank GPUs only):"},
    {"levels", HG_TEXT(O, plan.levels), "LIST",
     "Levels to measure: numa, node, network, h2d, d2h, d2d; h2d includes h2d-pageable, h2d-both and so on (default: "
     "all that exist)",
     0},
    {"max-bytes", HG_IN(O, max_bytes, 1, 1LL << 34), "N", "Size of the largest message in bytes (default 2^24)", 0},
    {"budget", HG_IN(O, plan.budget, .1, 1e7), "SECONDS", "Approximate measuring time (default 60)", 0},
    {"passes", HG_IN(O, plan.passes, 2, HG_SURVEY_PASSES), "N",
     "Complete passes over all sizes, 2 to 16 (default 3, with --quick 2)", 0},
    {.name = "repeat", .use = HG_ALIAS | HG_HIDDEN},
    {"pause", HG_IN(O, plan.pause, 0, 86400), "SECONDS",
     "Pause between passes, in addition to the budget, so that the intervals cover slow variations (default 0)", 0},
    {"quick", HG_FLAG(O, plan.quick), NULL, "Use fewer sizes, two passes instead of three, and a tenth of the time", 0},
    {"oversubscribed", HG_FLAG(O, plan.oversubscribed), NULL, "Allow more ranks than cores; the file records it", 0},
    {"output", HG_TEXT(O, output), "FILE",
     "File to write (default: named after host, MPI and transport, in the folder of tables)", 0},
    {.help = "Instead of measuring:"},
    {"network", HG_TEXT(O, network), "FILE", "File to use (default: HETGRID_NETWORK, else this machine's)", 0},
    {"show", HG_FLAG(O, asked[NETWORK_SHOW]), NULL, "Print the file", 0},
    {"predict", HG_ONE_OF(O, operation, operations), NULL,
     "Predict the time of messages, streams, broadcasts or matrix products", 0},
    {"validate", HG_FLAG(O, asked[NETWORK_VALIDATE]), NULL,
     "Measure other sizes and broadcasts, and compare them with predictions from the file", 0},
    {"max-error", HG_IN(O, bound, 1e-6, 1e6), "E", "With --validate: exit 1 if a median error is larger (default 0.05)",
     0},
    {.name = "bound", .use = HG_ALIAS | HG_HIDDEN},
    {"printed", HG_FLAG(O, asked[NETWORK_PRINTED]), NULL, "Evaluate the formulas and tables of the mHLogGP paper", 0},
    {"tables", HG_FLAG(O, asked[NETWORK_TABLES]), NULL, "Print tables 1 to 4 of that paper for this machine", 0},
    {"openmpi-rules", HG_TEXT(O, rules), "FILE",
     "Write a rules file for Open MPI's broadcasts over 2 to --ranks ranks (--mca coll_tuned_use_dynamic_rules 1 "
     "--mca coll_tuned_dynamic_rules_filename FILE)",
     0},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {.help = "What is predicted:"},
    {"from", HG_ONE_OF(O, from_gpu, ends), NULL, "Memory that messages come from (default cpu)", 0},
    {"to", HG_ONE_OF(O, to_gpu, ends), NULL, "Memory that messages go to (default cpu)", 0},
    {"first", HG_FLAG(O, first), NULL, "Include the start-up of the receiving GPU", 0},
    {"ranks", HG_IN(O, group.ranks, 1, HG_GROUP_MOST), "P", "Number of ranks (default 2)", 0},
    {"per-node", HG_IN(O, group.per_node, 1, HG_GROUP_MOST), "N", "Ranks per node (default: all)", 0},
    {"bytes", HG_LIST_IN(O, bytes, sizes, 0, 1LL << 40), "LIST", "Message sizes in bytes (default 1,1024,1048576)", 0},
    {"messages", HG_IN(O, messages, 1, 1000000000), "M", "Number of messages in a stream (default 10)", 0},
    {"sides", HG_LIST_IN(O, side, sides, 1, 1 << 24), "LIST", "Sizes of the square matrices (default 1024,4096)", 0},
    {.name = "size", .use = HG_ALIAS | HG_HIDDEN},
    {"compute", HG_TEXT(O, compute), "FLOP/S|FILE",
     "Speed of a worker for matmul: a number, or a table of hetgrid-calibrate --app elimination", 0},
    {.help = "Results:"},
    {"csv", HG_FLAG(O, csv), NULL, "Print rows level,from,to,bytes,seconds,low,high,samples,pass_gap,status", 0},
    {"json", HG_FLAG(O, json), NULL, "Print the file unchanged", 0},
    {"picture", HG_TEXT(O, picture), "FILE",
     "Draw each level (NAME.svg becomes NAME-LEVEL.svg; also .png and .pdf) and the choice of broadcasts "
     "(NAME-broadcast.svg)",
     HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {"quiet", HG_FLAG(O, quiet), NULL, "Print nothing but errors", 0},
    {"progress", HG_ONE_OF(O, plan.progress, hg_progress_names), NULL, HG_HELP_PROGRESS, 0},
    {0}};

static hg_status check(const hg_command *command, void *values)
{
  network_options *o = values;
  o->asked[NETWORK_PREDICT] = hg_option_given(command, "predict");
  o->asked[NETWORK_RULES] = o->rules != NULL;
  o->asked[NETWORK_GOLDEN] = o->golden != NULL;
  for (int mode = NETWORK_MEASURE + 1; mode < NETWORK_MODES; mode++) {
    if (o->asked[mode] && o->mode != NETWORK_MEASURE)
      return hg_fail(HG_INVALID,
                     "--show, --predict, --validate, --printed, --tables and --openmpi-rules exclude each other");
    if (o->asked[mode]) o->mode = (network_mode)mode;
  }
  if (o->mode == NETWORK_PREDICT && o->operation != NETWORK_P2P && (o->from_gpu || o->to_gpu || o->first))
    return hg_fail(HG_INVALID, "--from, --to and --first: only for --predict p2p, the others do not support GPUs");
  o->plan.max_bytes = (double)o->max_bytes;
  if (o->plan.quick) o->plan.budget /= 10;
  return o->csv && o->json ? hg_fail(HG_INVALID, "--csv and --json exclude each other") : HG_OK;
}

void network_parse(int argc, char **argv, network_options *o)
{
  hg_command command = {
      .about = "Measures the cost of messages between processors and GPUs, and predicts that of messages, streams "
               "and broadcasts.",
      .notes = "mpirun -n 2 hetgrid-network measures; the other programs read the file by HETGRID_NETWORK=FILE or "
               "--network FILE. The next call continues an interrupted measurement. Exit status: 0 success, 1 "
               "failure, 2 wrong usage.",
      .set = {{NULL, option_list, o, NULL, check}}};
  *o = (network_options){.plan = {.budget = 60},
                         .max_bytes = 1 << 24,
                         .group = {2, 0},
                         .messages = 10,
                         .bytes = {1, 1024, 1 << 20},
                         .sizes = 3,
                         .side = {1024, 4096},
                         .sides = 2,
                         .bound = .05};
  hg_command_parse(&command, argc, argv);
}
