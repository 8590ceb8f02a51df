/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-fft. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "fft.h"
#include "program/exit.h"

#define O fft_options

/* The number of extents decides whether it is a batch or a cube. */
static hg_status parse_size(const char *arg, void *values)
{
  O *o = values;
  int64_t n[3];
  int count;
  HG_TRY(hg_parse_ints(arg, "--size", 1, 1 << 30, 3, n, &count));
  if (count == 1) return hg_fail(HG_INVALID, "--size: '%s', must be N2,N3 or N1,N2,N3", arg);
  if (count == 3) o->shape.n[0] = n[0];
  o->shape.n[1] = n[count - 2];
  o->shape.n[2] = n[count - 1];
  o->shape.cube = count == 3;
  return HG_OK;
}

static const char *const planners[] = {"estimate", "measure", "patient", NULL};

static const hg_option option_list[] = {
    {.help = "Problem:"},
    {"batch", HG_IN(O, shape.n[0], 1, 1 << 30), "N1", "Number of two-dimensional transforms (default 256)", 0},
    {"size", HG_ACTION(parse_size), "[N1,]N2,N3",
     "Rows and columns of each transform (default 256,256); with N1 a single three-dimensional transform", 0},
    {"inverse", HG_FLAG(O, shape.inverse), NULL,
     "Inverse transform, divided by the number of points; the forward transform is not scaled", HG_SAME},
    {"real", HG_FLAG(O, shape.real), NULL, "Transform real values: the spectrum is half as long along the last axis",
     HG_SAME},
    {"precision", HG_ONE_OF(O, shape.single, hg_precision_names), NULL, "Precision of the arithmetic (default double)",
     HG_SAME},
    {"input", HG_TEXT(O, input), "FILE[:DATASET]",
     "Input values: complex .npy, or real .npy .npz .h5 .nc .png .csv .asc .tif (default: random values by --seed); "
     "it sets the size unless --size is given",
     HG_SAME | HG_CONTENTS},
    {"seed", HG_IN(O, seed, 0, 0x1p63), "K", "Seed of random values (default 1)", HG_SAME},
    {.help = "Method:"},
    {"planner", HG_ONE_OF(O, planner, planners), NULL,
     "Planner of FFTW (default measure: time several plans and use the fastest); with estimate, every run yields the "
     "same bits",
     HG_SAME},
    {"wisdom", HG_TEXT(O, wisdom), "FILE", "Load FFTW wisdom from FILE and save it there", HG_SAME},
    {"verify", HG_FLAG(O, verify), NULL,
     "Compare with one direct call of FFTW; check the round trip, Parseval's identity, the defining sums and an "
     "impulse",
     HG_SAME},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {0}};

static hg_status check(const hg_command *command, void *values)
{
  fft_options *o = values;
  o->sized = hg_option_given(command, "size");
  o->batched = hg_option_given(command, "batch");
  if (o->batched && o->shape.cube) return hg_fail(HG_INVALID, "--batch: needs --size N2,N3, not three extents");
  return HG_OK;
}

static hg_status check_outputs(const hg_command *command, void *values)
{
  const hg_run_options *o = values;
  for (int i = 0; i < o->outputs; i++)
    if (!hg_file_has_ending(o->output[i], ".npy"))
      return hg_fail(HG_INVALID, "--output: '%s' must end in .npy", o->output[i]);
  return hg_run_options_check(command, values);
}

void fft_parse(int argc, char **argv, fft *f)
{
  static hg_command command = {
      .about = "Fourier transforms of many planes, or of a cube, on CPU cores, GPUs and MPI ranks together. Their "
               "speeds need not be known: the times of each pass determine the division of the next.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_EXIT};
  static const hg_option_change changes[] = {
      {"output", "FILE.npy", "Write the result; may be repeated", NULL}, HG_DIVISIBLE_CHANGES, {0}};
  const hg_option_set sets[] = {{NULL, option_list, &f->options, NULL, check},
                                {"Execution:", hg_divisible_option_list, &f->context, NULL, NULL},
                                {"Results:", hg_run_option_list, &f->context.results, changes, check_outputs}};
  memcpy(command.set, sets, sizeof sets);
  f->options = (fft_options){.shape.n = {256, 256, 256}, .seed = 1, .planner = FFT_MEASURE};
  f->context.results = (hg_run_options)HG_RUN_DEFAULTS;
  f->context.results.repeat = 3;
  f->context.context.command = &command;
  hg_command_parse(&command, argc, argv);
}
